"""Persons in columns on disk: the part of `mind simulate` that is about folders of them."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.person.records.person import Person
from mindpipe_cli.options import whole
from mindpipe_cli.output import progress, say
from mindpipe_cli.person_input import span_of
from mindpipe_cli.person_lines import write_lines
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.person.life.birth import Birth
    from mindpipe.person.life.shard_runner import ShardRunner
    from mindpipe_cli.apart_persons import ApartPersons

POPULATION_COLUMNS = ("count", "t_us", "seed", "shard")
QUESTIONS = (
    "overview",
    "mood-by-hour",
    "mood-by-age-and-hour",
    "sleep-by-night",
    "bad-sleep",
    "loneliness-after-event",
)
"""What mind simulate stats answers; a test holds them to those that there are."""
_OF_LINES = frozenset(("read", "late", "settings", "consts", "person", "on_error", "rejects"))
"""The options of a tick that a folder does not take."""
form_option = click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "arrow"]),
    default="jsonl",
    show_default=True,
    help="Lines, or columns in the folder DIR.",
)
shard_option = click.option(
    "--shard",
    type=whole(1, 1_000_000),
    metavar="N",
    help="Persons in each file of DIR, which are in memory together [50000].",
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Share the work among a Ray cluster: local, ray://HOST:PORT or HOST:PORT.",
)
checkpoint_option = click.option(
    "--checkpoint-every",
    metavar="SPAN",
    help="Between what a cluster keeps of each shard on the way [1d].",
)
_USUAL_CHECKPOINT = "1d"


def settle_folder(
    session: Session, form: str, folder: str | None, *, shard: int | None = None
) -> bool:
    """Tell whether new persons are kept in a folder; raises UsageError for half of a wish."""
    if form == "jsonl":
        if folder is not None:
            raise UsageError(f"{folder} is for --format arrow; lines go to stdout: > FILE.")
        if shard is not None:
            raise UsageError("--shard is for --format arrow; lines stand in no files of their own.")
        return False
    if folder is None:
        raise UsageError("--format arrow needs the name of a new folder.")
    if session.settings.value("store").source == "option":
        raise UsageError("persons live in a store or in a folder; leave --store or --format out.")
    return True


def refuse_folder(*names: str | None) -> None:
    """Raise UsageError where a name is that of a folder: its persons have to be taken out first."""
    for name in names:
        if name is not None and Path(name).is_dir():
            raise UsageError(
                f"{name} is a folder; mind simulate tick {name} lets its persons live on without "
                f"thoughts, and mind simulate export {name} --person NAME > FILE takes one out."
            )


def require_no_cluster(*wishes: str | None) -> None:
    """Raise UsageError where persons on lines or in a store are wished on a cluster."""
    if any(wish is not None for wish in wishes):
        words = "a cluster lets the persons of a folder live: mind simulate import DIR makes one"
        raise UsageError(f"{words} of lines.")


def write_new(
    session: Session,
    persons: Iterable[Person],
    birth: "Birth",
    *,
    at_us: int,
    folder: str | None,
    shard: int | None,
) -> None:
    """Keep new persons in a folder, and print what is known of all."""
    from mindpipe.person.verbs import populations

    assert folder is not None
    with progress("making") as advance:
        made = populations.new(
            Path(folder),
            persons,
            count=birth.count or 1,
            seed=birth.seed,
            at_us=at_us,
            advance=advance,
            shard=shard,
        )
    session.write([made], columns=POPULATION_COLUMNS)


def tick_folder(
    session: Session, given: dict[str, object], *, to_us: int | None, dt_us: int
) -> None:
    """Let the persons of a folder live on, and print what is known of all.

    Raises:
        UsageError: an option is given that is for persons on lines or in a store.
    """
    from mindpipe.person.verbs import populations

    folder = str(given["file"])
    _refuse_others(session, folder)
    every_us = span_of(str(given["every"]), option="--every") if given["every"] else None
    apart = _apart_of(session, given)
    runner = _runner_of(given)
    _tell_of_jobs(folder, int(str(given["jobs"])))
    with _told_where_cut(folder), progress("living") as advance:
        lived = populations.tick(
            Path(folder),
            to_us=to_us,
            dt_us=dt_us,
            runner=runner,
            advance=advance,
            every_us=every_us,
            apart=apart,
        )
    if apart is not None:
        _tell(session, apart, folder, lived.t_us)
    session.write([lived], columns=POPULATION_COLUMNS)


def _tell_of_jobs(folder: str, jobs: int) -> None:
    """Say where there are fewer files than are to work on them at a time."""
    from mindpipe.person.life.population_folder import PopulationFolder

    manifest = PopulationFolder(Path(folder)).manifest()
    files = -(-manifest.count // manifest.shard)
    if jobs > files:
        shared = "1 file, which one process works on" if files == 1 else f"{files} files"
        say(f"{folder} has {shared}: --jobs {jobs} is no faster; mind simulate new --shard N is.")


@contextlib.contextmanager
def _told_where_cut(folder: str) -> Iterator[None]:
    """Say how a tick goes on that is ended from outside."""
    try:
        yield
    except Exception:
        raise
    except BaseException:
        from mindpipe.person.life.population_folder import PopulationFolder

        if PopulationFolder(Path(folder)).manifest().to_us is not None:
            say("the tick was cut short; the same command goes on with it.")
        raise


def require_lines(given: Mapping[str, object]) -> None:
    """Raise UsageError for options of a tick that only a folder of persons takes."""
    for name in ("every", "thinkers", "max_model_calls", "max_micros"):
        if given[name] is not None:
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is for a folder of persons, and those are on lines.")


def _apart_of(session: Session, given: Mapping[str, object]) -> "ApartPersons | None":
    """Return who lives apart, None where nobody does; raises UsageError for half of a wish."""
    from mindpipe_cli.apart_persons import ApartOptions, ApartPersons

    options = msgspec.convert(
        {name: given[name] for name in ApartOptions.__struct_fields__}, ApartOptions
    )
    if options.thinkers is None:
        for name in ("think", "model", "record", "max_model_calls", "max_micros"):
            if given[name]:
                option = name.replace("_", "-")
                words = "give --thinkers sample:100, or --thinkers events"
                raise UsageError(f"--{option}: who of {given['file']} thinks? {words}.")
    return ApartPersons(session, options) if options.thinkers or options.events else None


def _tell(session: Session, apart: "ApartPersons", folder: str, until_us: int) -> None:
    """Print what came of those who lived apart."""
    from mindpipe.person.verbs import populations
    from mindpipe.person.verbs.runs import VoiceFailures

    lines = populations.told(Path(folder), until_us)
    failures = VoiceFailures()
    failures.hear(lines)
    write_lines(session, lines)
    failures.tell(say)
    apart.end()


def _runner_of(given: Mapping[str, object]) -> "ShardRunner":
    """Return who brings shards to an instant; raises UsageError for half of a wish."""
    from mindpipe.person.life.population_folder import require_arrow
    from mindpipe.person.life.ray_environment import prepare_ray
    from mindpipe.person.life.shard_runner import ShardProcesses

    jobs = int(str(given["jobs"]))
    if given["cluster"] is None:
        if given["checkpoint_every"] is not None:
            raise UsageError(
                "--checkpoint-every is for --cluster; processes keep a shard at its end."
            )
        return ShardProcesses(jobs)
    require_arrow()
    prepare_ray(str(given["cluster"]))
    from mindpipe.person.life.cluster import ClusterWorkers

    context = click.get_current_context()
    usual = context.get_parameter_source("jobs") is click.core.ParameterSource.DEFAULT
    return ClusterWorkers(
        str(given["cluster"]),
        jobs=None if usual else jobs,
        every_us=span_of(
            str(given["checkpoint_every"] or _USUAL_CHECKPOINT), option="--checkpoint-every"
        ),
        tell=say,
    )


def _refuse_others(session: Session, folder: str) -> None:
    """Raise UsageError for options that a folder of persons does not take."""
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in _OF_LINES and source is not click.core.ParameterSource.DEFAULT:
            words = f"{option.opts[0]} is for persons on lines; mind simulate export {folder}"
            raise UsageError(f"{words} prints them.")
    if session.settings.value("store").source == "option":
        raise UsageError(f"{folder} is a folder of persons; leave --store out.")
