"""Many persons in columns on disk: make them, let them live, and bring them in and out as lines."""

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec
from msgspec import UNSET

from mindpipe.core.errors import BadInputError, EmptyInputError, UsageError
from mindpipe.person.calendar import instant_text
from mindpipe.person.life.population_folder import (
    SHARD,
    PopulationFolder,
    require_arrow,
    require_duckdb,
)
from mindpipe.person.lines import kind_of, read_line
from mindpipe.person.records.person import Person
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.records.scales import MOST_US
from mindpipe.person.records.state import PersonState

if TYPE_CHECKING:
    # What only looks at a manifest does without arrays.
    from mindpipe.person.life.apart import ApartLives, ApartPart
    from mindpipe.person.life.people import InputLine
    from mindpipe.person.life.shard_runner import ShardRunner
    from mindpipe.person.stats.tables import StatsAnswer

Advance = Callable[[int, int], None]
"""Is told how much of the work is done, and how much there is."""
Lived = tuple[Person, PersonState]


class ApartWish(Protocol):
    """Who is to live apart in a tick of a folder."""

    def parts(self, lives: "ApartLives") -> "list[ApartPart]":
        """Return those who live apart; raises what keeps them from that, before anybody lives."""
        ...

    def tell(self, words: str) -> None:
        """Tell people something on the way."""
        ...


class StatsQuestion(NamedTuple):
    """What is asked of everybody: a question by its name, of whom and when, or a statement."""

    name: str = "overview"
    where: tuple[str, ...] = ()
    sql: str | None = None


def new(
    folder: Path,
    persons: Iterable[Person],
    *,
    count: int,
    seed: int,
    at_us: int,
    advance: Advance,
    shard: int | None = None,
) -> PopulationManifest:
    """Make a folder of new persons, so many in each file, who live until an instant.

    Raises:
        RefusedError: there is something in the folder.
        UnavailableError: pyarrow is not installed.
    """
    require_arrow()
    from mindpipe.person.life.birth import first_state

    begun = ((person, first_state(person)) for person in persons)
    manifest = PopulationManifest(count=count, shard=shard or SHARD, seed=seed, t_us=at_us)
    return _make(PopulationFolder(folder), begun, manifest, now_us=0, advance=advance)


def import_(
    folder: Path, lines: "Iterable[InputLine]", *, shard: int | None = None
) -> PopulationManifest:
    """Make a folder of persons who come in on lines, each followed by its state.

    Raises:
        BadInputError: a line is of something else, or persons are not at one instant.
        EmptyInputError: there is nobody.
        RefusedError: there is something in the folder.
        UnavailableError: pyarrow is not installed.
    """
    require_arrow()
    pairs = _pairs(lines)
    first = next(pairs, None)
    if first is None:
        raise EmptyInputError("no person came in.")
    manifest = PopulationManifest(count=0, shard=shard or SHARD, t_us=first[1].t_us)
    everybody = _chained(first, pairs)
    return _make(PopulationFolder(folder), everybody, manifest, now_us=manifest.t_us)


def tick(
    folder: Path,
    *,
    to_us: int | None,
    dt_us: int,
    runner: "ShardRunner",
    advance: Advance,
    every_us: int | None = None,
    apart: "ApartWish | None" = None,
) -> PopulationManifest:
    """Let everybody live to an instant, or for a span; go on where a tick was killed.

    At multiples of `every_us`, where that is given, they are read, for `stats`. Who is to live
    `apart`, with events and thoughts, does so before the others, and is put back behind them.

    Raises:
        BadInputError: a file of it is no shard, or not of this instant.
        TemporaryError: another process writes or reads there, or what shares the work was killed.
        UnavailableError: it is no folder of persons, or pyarrow is not installed.
        UsageError: the end is past already, or is not that of the tick that was killed, or that
            tick reads persons at other instants.
    """
    require_arrow()
    from mindpipe.person.life.shard_file import require_shards

    found = PopulationFolder(folder)
    with found.locked():
        manifest = found.manifest()
        until_us = manifest.t_us + dt_us if to_us is None else to_us
        _require_end(manifest, until_us, folder)
        if until_us != manifest.t_us:
            every_us = _require_every(manifest, every_us, folder)
            reached_us = manifest.t_us if manifest.to_us is None else manifest.to_us
            require_shards(found.shards(manifest), manifest, manifest.t_us, reached_us)
            if manifest.to_us is None:
                # The tick before may have been killed when all but this was done.
                found.clear_apart()
            lives = None
            if apart is not None or manifest.apart:
                lives = _apart_in(found, manifest, until_us)
            parts = _parts(manifest, apart, lives, folder)
            manifest = msgspec.structs.replace(
                manifest,
                to_us=until_us,
                every_us=every_us or UNSET,
                apart=manifest.apart or apart is not None or UNSET,
            )
            found.keep(manifest)
            found.clear()
            if lives and apart and parts is not None:
                lives.live(parts, every_us=every_us, tell=apart.tell)
            for done, total in runner.run(found, manifest):
                advance(done, total)
            if lives:
                lives.put_back()
            # Whoever ran may have let workers in.
            manifest = msgspec.structs.replace(
                found.manifest(), t_us=until_us, to_us=None, every_us=UNSET, apart=UNSET
            )
            found.keep(manifest)
            found.clear()
            if lives:
                lives.clear()
    return manifest


def told(folder: Path, until_us: int) -> list[bytes]:
    """Return the lines of what came of those who lived apart in the tick that ended at an instant.

    In the order of time: thoughts, memories, triggers and failures.
    """
    found = PopulationFolder(folder)
    return list(_apart_in(found, found.manifest(), until_us).lines())


def export(folder: Path, person: str | None, *, read: bool) -> Iterator[bytes]:
    """Yield a person line and a state line of everybody, or of one, in their order.

    Raises:
        BadInputError: a file of it is no shard, or not of this instant.
        TemporaryError: a tick runs there.
        UnavailableError: it is no folder of persons.
        UsageError: nobody there has this id, or a tick was killed there, so that persons are at
            two instants.
    """
    require_arrow()
    from mindpipe.person.life.shard_file import (
        ids_of,
        lines_of,
        read_shard,
        require_shards,
    )

    found = PopulationFolder(folder)
    found.manifest()
    with found.still():
        manifest = found.manifest()
        at_us = manifest.t_us
        _require_end(manifest, at_us, folder)
        shards = found.shards(manifest)
        require_shards(shards, manifest, at_us, at_us)
        for path in shards:
            rows = None
            if person is not None:
                ids = ids_of(path)
                if person not in ids:
                    continue
                rows = [ids.index(person)]
            table, _ = read_shard(path)
            some = table if rows is None else table.take(rows)
            yield from lines_of(path, some, at_us, read=read)
            if rows:
                return
        if person is not None:
            raise UsageError(f"{folder} has no person {person}; check the id.")


@contextlib.contextmanager
def stats(folder: Path, asked: StatsQuestion, *, advance: Advance) -> "Iterator[StatsAnswer]":
    """Give the answer to a question about everybody, whose rows are read while they are given.

    Raises:
        BadInputError: a file of it is no shard, or not of this instant.
        NothingToDoError: the question is about readings, and there are none.
        TemporaryError: a tick runs there.
        UnavailableError: it is no folder of persons, or duckdb is not installed.
        UsageError: a tick was killed there, so that persons are at two instants; or a condition or
            a statement is none.
    """
    require_arrow()
    require_duckdb()
    from mindpipe.person.life.reading_files import published
    from mindpipe.person.life.readings import require_readings
    from mindpipe.person.life.shard_file import read_shard, require_shards
    from mindpipe.person.stats.conditions import Kind, condition_of
    from mindpipe.person.stats.tables import QUESTIONS, WHEN, WHO, PopulationTables

    found = PopulationFolder(folder)
    found.manifest()
    known: dict[str, Kind] = {**WHO, **(WHEN if QUESTIONS[asked.name].of_readings else {})}
    where = [condition_of(one, known) for one in asked.where]
    with contextlib.ExitStack() as held:
        held.enter_context(found.still())
        manifest = found.manifest()
        _require_end(manifest, manifest.t_us, folder)
        shards, read = found.shards(manifest), published(folder, until_us=manifest.t_us)
        require_shards(shards, manifest, manifest.t_us, manifest.t_us)
        # DuckDB would read whatever stands there: each is looked over once, and none is kept.
        for path in shards:
            read_shard(path)
        for path in read:
            require_readings(path)
        spill = None
        if asked.sql is None:
            made = tempfile.TemporaryDirectory(prefix="mindpipe-")
            spill = Path(held.enter_context(made))
        opened = PopulationTables(shards, read, t_us=manifest.t_us, spill=spill)
        tables = held.enter_context(contextlib.closing(opened))
        if asked.sql is None:
            yield tables.ask(asked.name, where, advance)
        else:
            yield tables.query(asked.sql, advance)


def _make(
    folder: PopulationFolder,
    everybody: Iterator[Lived],
    manifest: PopulationManifest,
    *,
    now_us: int,
    advance: Advance | None = None,
) -> PopulationManifest:
    """Write persons shard by shard as they are when they reach an instant; the manifest is last."""
    from mindpipe.person.life.shard_file import lived, table_of, write_shard

    folder.make()
    with folder.locked():
        made = place = 0
        while some := list(islice(everybody, manifest.shard)):
            table = table_of([person for person, _ in some], [state for _, state in some])
            write_shard(folder.shard(place), lived(table, now_us, manifest.t_us), manifest.t_us)
            made, place = made + len(some), place + 1
            if advance is not None:
                advance(made, manifest.count)
        manifest = msgspec.structs.replace(manifest, count=made)
        folder.keep(manifest)
    return manifest


def _pairs(lines: "Iterable[InputLine]") -> Iterator[Lived]:
    """Yield each person with the state that follows it."""
    waiting: tuple[Person, InputLine] | None = None
    known: set[str] = set()
    t_us: int | None = None
    for line in lines:
        record = None if line.too_long else read_line(line.octets, line.place)
        if isinstance(record, Person) and waiting is None:
            if record.person in known:
                raise _fault(line, "$.person", f"a second person {record.person}")
            known.add(record.person)
            waiting = record, line
        elif isinstance(record, PersonState) and waiting and record.person == waiting[0].person:
            t_us = record.t_us if t_us is None else t_us
            if record.t_us != t_us:
                words = f"{instant_text(record.t_us)} is not {instant_text(t_us)}, as of the others"
                raise _fault(line, "$.t_us", words)
            yield waiting[0], record
            waiting = None
        else:
            kind = "too long a line" if line.too_long else f"a line of kind {kind_of(line.octets)}"
            words = f"{kind}; expected a person line and then its state line, and nothing else"
            raise _fault(line, "$.kind", words)
    if waiting:
        raise _fault(waiting[1], "$.person", "no state line follows it")


def _fault(line: "InputLine", field: str, words: str) -> BadInputError:
    """Return the fault of a line."""
    return BadInputError([line.place.problem(field, words)])


def _chained(first: Lived, others: Iterator[Lived]) -> Iterator[Lived]:
    """Yield one and then others."""
    yield first
    yield from others


def _require_every(manifest: PopulationManifest, every_us: int | None, folder: Path) -> int | None:
    """Return at multiples of what a tick reads persons: of one that was killed, as it began.

    Raises:
        UsageError: that one reads them at others.
    """
    if manifest.to_us is None:
        return every_us
    begun_us = manifest.every_us or None
    if every_us not in (None, begun_us):
        words = "reads nobody" if begun_us is None else f"reads every {begun_us / 1e6:g}s"
        raise UsageError(f"the tick of {folder} that was cut short {words}; leave --every out.")
    return begun_us


def _apart_in(
    folder: PopulationFolder, manifest: PopulationManifest, until_us: int
) -> "ApartLives":
    """Return those who live apart in a tick."""
    from mindpipe.person.life.apart import ApartLives

    return ApartLives(folder, manifest, until_us)


def _parts(
    manifest: PopulationManifest,
    apart: "ApartWish | None",
    lives: "ApartLives | None",
    folder: Path,
) -> "list[ApartPart] | None":
    """Return those who have to live apart still, None where nobody has.

    Raises:
        UsageError: a tick that was killed was begun otherwise.
    """
    if lives is None or (manifest.to_us is not None and lives.lived):
        return None
    if apart is None:
        words = "lets some of them think or hear; give its --thinkers and --events again"
        raise UsageError(f"the tick of {folder} that was cut short {words}.")
    if manifest.to_us is not None and not manifest.apart:
        words = "lets nobody think or hear; leave --thinkers and --events out"
        raise UsageError(f"the tick of {folder} that was cut short {words}.")
    return apart.parts(lives)


def _require_end(manifest: PopulationManifest, until_us: int, folder: Path) -> None:
    """Raise UsageError where persons cannot be brought to an instant, or are not all at it."""
    begun_us, now = manifest.to_us, instant_text(manifest.t_us)
    if begun_us not in (None, until_us):
        assert begun_us is not None
        end = instant_text(begun_us)
        words = f"a tick of {folder} from {now} to {end} was cut short; end it first: "
        raise UsageError(f"{words}mind simulate tick --to {end} {folder}")
    if until_us < manifest.t_us:
        words = f"{now} is later than {instant_text(until_us)}; time does not run backwards."
        raise UsageError(f"{folder}: {words}")
    if until_us > MOST_US:
        raise UsageError(f"{folder}: {now} and so long a span are past the end of time.")
