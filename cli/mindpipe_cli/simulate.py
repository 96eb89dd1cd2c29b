"""`mind simulate`: persons with a body, a psyche and thoughts, in simulated time."""

import contextlib
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from mindpipe.core.errors import (
    InputOutputError,
    MindError,
    NothingToDoError,
    UsageError,
)
from mindpipe.core.records import Record
from mindpipe.core.text import without_surrogates
from mindpipe.person.records.person import PersonSettings, Traits
from mindpipe_cli import input, output, startup
from mindpipe_cli.command import command, group
from mindpipe_cli.conversation import TalkOptions, converse
from mindpipe_cli.options import (
    READOUT,
    changing_options,
    const_option,
    file_argument,
    jobs_option,
    life_at_option,
    max_micros_option,
    name_option,
    on_error_options,
    output_option,
    parallel_option,
    person_option,
    person_or_input_option,
    persons_events_option,
    plain_option,
    read_option,
    talk_space_option,
    voice_options,
    whole,
)
from mindpipe_cli.output import PIPE_WIDTH, progress
from mindpipe_cli.person_input import (
    USUAL_SPAN,
    LifeOptions,
    ages_of,
    change_people,
    constants_with,
    in_store,
    instant_of,
    lines_of,
    numbers_of,
    people_of,
    records_of,
    require_finite,
    require_person,
    routine_of,
    settings_with,
    span_of,
    stored_people,
)
from mindpipe_cli.person_lines import write_lines
from mindpipe_cli.populations import (
    POPULATION_COLUMNS,
    QUESTIONS,
    checkpoint_option,
    cluster_option,
    form_option,
    refuse_folder,
    require_lines,
    require_no_cluster,
    settle_folder,
    shard_option,
    tick_folder,
    write_new,
)
from mindpipe_cli.session import Session
from mindpipe_cli.voices import SpeakerOptions, asked_model, voices_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mindpipe.person.life.lives import LifeSpan
    from mindpipe.person.plots.live_view import LiveView

_PLOT_COLUMNS = ("person", "name", "curve", "least", "most", "words")
_ROW_COLUMNS = ("number", "group", "verdict", "protocol", "found", "target", "source", "sentence")
_ROWS = 42
_PAGE = ".html"
WIDTH, NARROW, BESIDE = 48, 8, 56
"""Columns of a sparkline if none are wished, at least, and of what stands beside it."""


class NewOptions(Record):
    """Who is made, and until when they live."""

    title: str | None = None
    id_: str | None = None
    traits: tuple[str, ...] = ()
    chronotype: float | None = None
    age: str | None = None
    count: int | None = None
    at: str | None = None
    routine: str | None = None
    form: Literal["jsonl", "arrow"] = "jsonl"
    folder: str | None = None
    shard: int | None = None
    settings: tuple[str, ...] = ()
    consts: tuple[str, ...] = ()


class TickOptions(LifeOptions):
    """How far one tick goes, when a folder is read in it, and whether persons think in it."""

    dt: str | None = None
    to: str | None = None
    every: str | None = None
    think: bool = False
    thinkers: str | None = None
    max_model_calls: int | None = None
    max_micros: int | None = None
    cluster: str | None = None
    checkpoint_every: str | None = None


class RunOptions(LifeOptions):
    """How far a run goes, how fast, and what of it is told and kept."""

    until: str
    every: str = "10m"
    speed: float | None = None
    parallel: int = 1
    keep_states: bool = False
    review: bool | None = None


dt_option = click.option("--dt", metavar="SPAN", help="How long, e.g. 60, 90s or 2h [60].")
late_option = click.option(
    "--late",
    type=click.Choice(["refuse", "now"]),
    default="refuse",
    show_default=True,
    help="What is done with events before the time of their person.",
)


@command("new", example="mind simulate new --name Mara --seed 7 > mara.jsonl")
@name_option
@click.option("--id", "id_", metavar="ID", help="The id that lines name it by [from its name].")
@click.option("--trait", "traits", multiple=True, metavar="T=X", help="o, c, e, a or n, 0 to 1.")
@click.option("--chronotype", type=click.FloatRange(-4, 4), metavar="H", help="Hours, + is late.")
@click.option("--age", metavar="YEARS", help="On day 0, or drawn between two, as 18-90 [none].")
@click.option("--count", type=whole(1, 10**9), metavar="N", help="Make many, traits drawn.")
@click.option(
    "--routine",
    metavar="NAME|FILE",
    help="A week: nurse-nights, office, pupil, student, retired, or a file of its blocks.",
)
@life_at_option
@form_option
@shard_option
@click.argument("folder", required=False, metavar="[DIR]")
@changing_options
def new(session: Session, **given: object) -> None:
    """Make a person, or many, and print a person line and a state line for each.

    It begins asleep at midnight of day 0; with --at it lives until then. --seed makes its chance
    its own. With --store it lives in the store, with an inbox of its own that mind inbox push and
    spaces reach. --format arrow keeps many in columns in the new folder DIR, in a thirtieth of the
    room: mind simulate tick DIR lets them live, mind simulate export DIR prints them. It needs the
    extra arrow.
    """
    startup.load_arrays()
    from mindpipe.person.life.birth import Birth, new_persons
    from mindpipe.person.verbs import simulate

    options = msgspec.convert(given, NewOptions)
    require_finite(options.chronotype, option="--chronotype")
    at_us = instant_of(options.at, option="--at") if options.at else 0
    shares = numbers_of(options.traits, option="--trait")
    for name, share in shares.items():
        if name not in Traits.__struct_fields__ or not 0 <= share <= 1:
            raise UsageError(f"--trait {name}={share:g}: write one of o, c, e, a, n = 0..1.")
    birth = Birth(
        name=options.title,
        id=options.id_,
        seed=session.settings.seed or 0,
        traits=shares,
        chronotype_h=options.chronotype,
        ages=None if options.age is None else ages_of(options.age),
        count=options.count,
        settings=settings_with(PersonSettings(), options.settings),
        consts=constants_with({}, options.consts),
        routine=None if options.routine is None else routine_of(options.routine),
    )
    everybody = new_persons(birth)
    first = next(everybody)
    require_person(first)
    persons = chain((first,), everybody)
    if settle_folder(session, options.form, options.folder, shard=options.shard):
        write_new(session, persons, birth, at_us=at_us, folder=options.folder, shard=options.shard)
        return
    lines: Iterable[bytes] = simulate.new(persons, at_us=at_us)
    if session.settings.value("store").source == "option":
        lines = simulate.settle(session.store, session.clock, session.chance, lines=list(lines))
    write_lines(session, lines)


@command("tick", example="cat mara.jsonl morning.jsonl | mind simulate tick --dt 60")
@file_argument
@dt_option
@click.option("--to", metavar="INSTANT", help="Until when instead, e.g. 2d16:00.")
@click.option("--every", metavar="SPAN", help="Keep readings of a folder, for stats [none].")
@persons_events_option
@click.option("--think", is_flag=True, help="Let persons think.")
@click.option("--thinkers", metavar="WHO", help="Who of a folder does: sample:N, or events.")
@click.option(
    "--max-model-calls", type=whole(), metavar="N", help="Most calls of models by all thinkers."
)
@max_micros_option
@read_option
@late_option
@jobs_option
@cluster_option
@checkpoint_option
@changing_options
@voice_options("none (no thoughts)")
@person_or_input_option
@on_error_options
def tick(session: Session, **given: object) -> None:
    """Let persons live on for a while: person, state and event lines in, the same persons out.

    Events of the lines and of --events are applied; those after the end are printed again, so that
    no file of events need be given twice: an event that is there already is ignored. Other lines
    pass through. Any split of a span into ticks gives the same states. What mind simulate run
    printed is taken too: everybody lives on from the latest state. With --store or --person it
    lives on in the store as mind simulate run does.

    FILE may be a folder that mind simulate new --format arrow or import made: its persons live on
    in it, and what is known of them all is printed. A tick there that was killed goes on when the
    same command is given again, and ends with the same bytes. With --every 1h each person is read
    at every full hour, for mind simulate stats, in about 23 bytes.

    Those of a folder whom --events reach hear of it, and those think whom --thinkers chooses: some
    that are drawn (sample:100), the same in each tick, or whom an event reaches (events). They live
    as on lines and are changed by that; what they think is printed and kept in DIR/thoughts. When
    --max-model-calls or --max-micros is used up nobody thinks any more, and all live on; composed
    costs nothing and counts as no call. Whom an event lets think thinks from the first one on. A
    tick that was killed pays for no answer twice.

    --cluster shares the files of DIR among workers of a Ray cluster, --jobs of them or one on each
    processor; it needs the extra ray. DIR is on storage that all nodes share under the same name,
    and nodes have the same versions of mindpipe, Python and numpy. Of each file a checkpoint is
    kept at multiples of --checkpoint-every: a file whose worker is lost goes on from there with
    another one, and so does a tick that was killed, on a cluster or without. local starts a cluster
    on this machine for this one tick, without usage statistics.
    """
    startup.load_arrays()
    from mindpipe.person.life.lives import LifeSpan
    from mindpipe.person.verbs import simulate

    options = msgspec.convert(given, TickOptions)
    if options.dt is not None and options.to is not None:
        raise UsageError("give --dt or --to, not both.")
    to_us = instant_of(options.to, option="--to") if options.to else None
    dt_us = span_of(options.dt or USUAL_SPAN, option="--dt")
    if options.file != "-" and Path(options.file).is_dir():
        tick_folder(session, msgspec.to_builtins(options), to_us=to_us, dt_us=dt_us)
        return
    require_lines(msgspec.to_builtins(options))
    require_no_cluster(options.cluster, options.checkpoint_every)
    span = LifeSpan(to_us, dt_us, read=options.read == "all")
    speakers = None
    if options.think:
        asked = asked_model(session, options.model, options.settings)
        speakers = SpeakerOptions(options=session.options, model=asked, record=options.record)
    if _is_stored(session, options):
        _tick_store(session, options, span, speakers)
        return
    people = people_of(options)
    ticked = simulate.tick(people, span, speakers=speakers, jobs=options.jobs, tell=output.say)
    change_people(people, options)
    write_lines(session, ticked.lines())
    ticked.end()


def _tick_store(
    session: Session, options: LifeOptions, span: "LifeSpan", speakers: SpeakerOptions | None
) -> None:
    """Let persons of the store live for one tick, and print what came of it."""
    from mindpipe.person.verbs.runs import RunInStore

    stored, changed, people = stored_people(session, options)
    ticked = RunInStore(
        session.store,
        session.clock,
        stored=stored,
        changed=changed,
        people=people,
        speaking=speakers() if speakers else None,
        observer=None,
        tell=output.say,
    )
    if span.to_us is not None:
        ticked.require_ahead(span.to_us)
    write_lines(session, ticked.tick(span))
    ticked.end()


@command("run", example="mind simulate run mara.jsonl --until 1d --every 10m > day1.jsonl")
@file_argument
@click.option("--until", metavar="INSTANT", required=True, help="The end, e.g. 1d or 2d16:00.")
@click.option("--every", metavar="SPAN", default="10m", show_default=True, help="Between states.")
@persons_events_option
@click.option("--speed", type=click.FloatRange(0, min_open=True), help="1 is real time [fast].")
@parallel_option
@read_option
@late_option
@jobs_option
@changing_options
@voice_options("none (no thoughts)")
@person_or_input_option
@click.option(
    "--review/--no-review", default=None, help="Print an observer's notes [setting review]."
)
@click.option("--keep-states", is_flag=True, help="Keep every state in the store, not the latest.")
@on_error_options
def run(session: Session, **given: object) -> None:
    """Let persons live and think, and print states, triggers, thoughts and memories as they come.

    What it printed can be given to it again: it goes on from the latest state of each person, and
    prints what an unbroken run would have printed, and one state more where it was split between
    multiples of --every. States of a person stand in the order of time. A line of kind chart
    before the last states is what the observer goes on from. Events after the end did not happen;
    give their file again, and those that did are ignored.

    With --store or --person it lives on from the latest tick of the persons in the store, with
    what was pushed into their inboxes, and keeps every tick: an event whose body has a type that
    happens to persons is that, with its fields; any other is heard as speech, by its text and its
    sender. There --parallel lets several persons live at a time, and --jobs is refused; --set and
    --const change them for good. A call of a voice that fails is a line of kind failure, and the
    run goes on. On a terminal it shows the first person live and prints no records: add | tee
    FILE, or > FILE, to have them.
    """
    startup.load_arrays()
    from mindpipe.person.verbs import simulate
    from mindpipe.person.verbs.runs import RunCourse, RunInStore
    from mindpipe.person.voice.speech import Speakers
    from mindpipe.review.verbs import Reviewers

    options = msgspec.convert(given, RunOptions)
    refuse_folder(options.file, *options.events)
    require_finite(options.speed, option="--speed")
    course = RunCourse(
        until_us=instant_of(options.until, option="--until"),
        every_us=span_of(options.every, option="--every"),
        speed=options.speed,
        read=options.read == "all",
        parallel=options.parallel,
        keep_states=options.keep_states,
    )
    model = asked_model(session, options.model, options.settings)
    voices = voices_of(session, record=options.record)
    speaking = Speakers(voices, model=model, parallel=options.parallel)
    if _is_stored(session, options):
        stored, changed, people = stored_people(session, options)
        store = session.store
        resident = RunInStore(
            store,
            session.clock,
            stored=stored,
            changed=changed,
            people=people,
            speaking=speaking,
            observer=Reviewers(
                voices, model=model, wanted=options.review, tell=output.say, store=store
            ),
            tell=output.say,
        )
        resident.require_ahead(course.until_us)
        lines = resident.lines(course)
        _show(session, lines, start_us=resident.start_us, until_us=course.until_us)
        resident.end()
        return
    people = people_of(options)
    change_people(people, options)
    speakers = SpeakerOptions(
        options=session.options,
        model=model,
        record=options.record,
        parallel=options.parallel,
    )
    lived = simulate.run(
        people,
        course,
        session.clock,
        speaking=speaking,
        shared=(speakers, options.jobs),
        observer=Reviewers(voices, model=model, wanted=options.review, tell=output.say),
        tell=output.say,
    )
    _show(session, lived.lines(), start_us=lived.start_us, until_us=course.until_us)
    lived.end()


def _show(session: Session, lines: Iterable[bytes], *, start_us: int, until_us: int) -> None:
    """Show the first person live where somebody looks, or else write the lines of a run."""
    if not session.watched:
        write_lines(session, lines)
        return
    from mindpipe.person.plots.live_view import LiveView

    _watch(lines, LiveView(start_us, until_us))


@command("talk", example="mind simulate talk mara.jsonl --as Ada")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--as", "speaker", metavar="NAME", help="Who talks; else she does not know that.")
@dt_option
@talk_space_option
@plain_option
@voice_options()
@person_or_input_option
def talk(session: Session, **given: object) -> None:
    """Talk with a person: each line of stdin is said to it, and it answers aloud.

    It lives on from its latest state in FILE, or in the store with --store or --person. What is
    said is an event of type speech; a while later it answers, which is an event of type said, and
    lives on to the end of the turn, --dt after its beginning. What it thinks of it stays its own.
    So a life with its talks can be gone on with, and lived again from the same events.

    On a terminal its answers are shown, and the new lines are appended to FILE at once; with
    --plain it is so too where they are piped, and only the answers are printed. Otherwise the lines
    of FILE and the new ones are printed. In a store what it says is posted in the spaces that it is
    in, and heard by the agents there; with --in-space and --as what both say, in that one. The
    model is its own; composed needs no network.
    """
    options = msgspec.convert(given, TalkOptions)
    refuse_folder(options.file)
    if options.plain and session.shape_asked:
        raise UsageError("--plain prints answers alone; take away --json or the like.")
    if not converse(session, options, input.said_lines("> ")):
        raise NothingToDoError("nothing was said.")


@command("validate", example="mind simulate validate --group B --json")
@click.option("--group", type=click.Choice(["A", "B"]), help="The rows of this group alone.")
@click.option(
    "--row", "rows", type=whole(1, _ROWS), multiple=True, metavar="N", help="This row alone."
)
@const_option
def validate(
    session: Session, group: str | None, rows: Sequence[int], consts: Sequence[str]
) -> None:
    """Measure persons by protocols of the literature, and print each row as good, fair or poor.

    Rows of group A were used to fit constants: they test the program. Rows of group B were not.
    Status 1 if a row of group A is poor.
    """
    from mindpipe.person.verbs import simulate

    changed = constants_with({}, consts)
    with progress("living") as advance:
        found = simulate.validate(group=group, numbers=rows, consts=changed, advance=advance)
    session.write(found, columns=_ROW_COLUMNS)
    counts = Counter(one.verdict for one in found)
    output.say(", ".join(f"{counts[mark]} {mark}" for mark in ("good", "fair", "poor")))
    if poor := [str(one.number) for one in found if simulate.failed(one)]:
        raise MindError(f"used to fit, and poor: row {', '.join(poor)}.")


@command(
    "plot", example="mind simulate plot cortisol_nmol_l arousal --output day1.svg < day1.jsonl"
)
@click.argument("readouts", nargs=-1, type=READOUT, metavar="[READOUT]... [FILE]")
@output_option
@click.option(
    "--width",
    type=whole(8, 400),
    metavar="N",
    help="Columns of a sparkline [48]; never more than fit, nor than there are states.",
)
def plot(session: Session, readouts: Sequence[str], output: str | None, width: int | None) -> None:
    """Draw what a run printed: readouts over time, sleep, events and thoughts.

    Reads states, events and thoughts from FILE, a name with a point or a slash, or from stdin;
    without a READOUT it draws arousal, valence, energy and cortisol. Prints sparklines; with
    --output it writes a picture, .svg or .png, which needs the extra plot, or a page, .html, which
    needs nothing: a strip for each day, and below it events, thoughts and notes in their order.
    """
    from mindpipe.io.files import write_whole
    from mindpipe.person.plots.picture import FORMS, picture
    from mindpipe.person.plots.sparklines import lines
    from mindpipe.person.verbs import simulate

    if output is not None and _ending(output) not in (*FORMS, _PAGE):
        raise UsageError(f"a picture is .svg or .png, a page .html; {output} is none of these.")
    if output is not None and not Path(output).parent.is_dir():
        raise InputOutputError(f"there is no folder {Path(output).parent}; make it first.")
    refuse_folder(*readouts)
    files = [name for name in readouts if "." in name or "/" in name]
    if len(files) > 1:
        raise UsageError(f"one file is read, and {files[1]} is another; cat them together.")
    chosen = [name for name in readouts if name not in files and name != "-"]
    if output is not None and _ending(output) == _PAGE:
        octets = simulate.page(records_of(*files), readouts=chosen)
        write_whole(Path(output), [octets], mode=0o644)
        return
    lives = simulate.plot(records_of(*files), readouts=chosen)
    if output is None:
        named = session.shape != "table" or len(lives) > 1
        drawn = lines(lives, width=_room(session, width))
        session.write(drawn, columns=_PLOT_COLUMNS if named else _PLOT_COLUMNS[1:])
        return
    octets = picture(lives, FORMS[_ending(output)])
    write_whole(Path(output), [octets], mode=0o644)


@command("export", example="mind simulate export city --person p000007 > seven.jsonl")
@click.argument("folder", metavar="DIR")
@person_option
@read_option
def export(session: Session, folder: str, person: str | None, read: str) -> None:
    """Print the persons of a folder as lines: a person line and a state line for each.

    DIR is a folder of mind simulate new --format arrow or of mind simulate import. The state lines
    are those that mind simulate tick would have printed of the same persons on lines.
    """
    from mindpipe.person.verbs import simulate

    write_lines(session, simulate.export(Path(folder), person, read=read == "all"))


@command("stats", example="mind simulate stats city mood-by-hour --where 'n>0.7'")
@click.argument("folder", metavar="DIR")
@click.argument("question", type=click.Choice(QUESTIONS), default="overview", metavar="[QUESTION]")
@click.option(
    "--where", multiple=True, metavar="NAME=VALUE", help="Of those alone; != < <= > >= too."
)
@click.option("--sql", metavar="STATEMENT", help="Ask this instead, which can only read.")
def stats(
    session: Session, folder: str, question: str, where: tuple[str, ...], sql: str | None
) -> None:
    """Answer a question about the persons of a folder, without loading them.

    overview: how many there are, how many are awake, what was read of them. mood-by-hour: the mean
    mood of those who are awake, and mood-by-age-and-hour the same for each ten years of age and for
    those of no known age. sleep-by-night and bad-sleep: how long they slept from noon to
    noon, and who slept under 6 hours. loneliness-after-event: of those who are lonely after an
    event with words, what share still is so many hours later (Kaplan and Meier).

    All but the first are asked of readings, which mind simulate tick DIR --every 1h keeps. --where
    chooses persons by person, seed, age, o, c, e, a, n, chronotype_h, loneliness_trait and
    habit_sleep, _meals, _drink and _toilet, and for moods readings by t_us, day, hour, awake,
    isolation_phase and their levels. --sql asks the tables persons, as they are now, and readings;
    it reaches no other file and no network, and has 1 GB of memory and a minute to its next rows.
    It needs the extra stats.
    """
    from mindpipe.person.verbs import simulate
    from mindpipe.person.verbs.populations import StatsQuestion

    source = click.get_current_context().get_parameter_source("question")
    if sql is not None and (where or source is not click.core.ParameterSource.DEFAULT):
        raise UsageError("--sql is a question of its own; leave QUESTION and --where out.")
    if without_surrogates("".join((*where, sql or "")))[1]:
        raise UsageError("--where and --sql are not UTF-8; write them so.")
    asked = StatsQuestion(question, where, sql)
    with contextlib.ExitStack() as held:
        with progress("asking") as advance:
            answer = held.enter_context(simulate.stats(Path(folder), asked, advance=advance))
        if not session.write(answer.rows, columns=answer.columns) and answer.empty:
            output.say(answer.empty)


@command("import", example="mind simulate import city persons.jsonl")
@click.argument("folder", metavar="DIR")
@file_argument
@shard_option
def import_(session: Session, folder: str, file: str, shard: int | None) -> None:
    """Keep persons that come in on lines in columns in the new folder DIR.

    Each person line is followed by its state line, as mind simulate new, tick and export print
    them; all are at one instant. It needs the extra arrow.
    """
    from mindpipe.person.verbs import simulate

    made = simulate.import_(Path(folder), lines_of(file), shard=shard)
    session.write([made], columns=POPULATION_COLUMNS)


COMMAND = group("simulate", new, tick, run, talk, validate, plot, export, import_, stats)


def _is_stored(session: Session, options: LifeOptions) -> bool:
    """Tell whether persons of the store live on; refuse to share those among processes."""
    if not in_store(session, person=options.person, file=options.file):
        return False
    if options.jobs > 1:
        words = "--jobs shares persons on lines; in a store mind simulate run has --parallel."
        raise UsageError(words)
    return True


def _watch(lines: Iterable[bytes], view: "LiveView") -> None:
    """Show a run while its lines come."""
    from rich.live import Live

    console = output.paper()
    with Live(console=console, refresh_per_second=8) as live:
        for line in lines:
            if view.take(line):
                live.update(_drawn(view, console.width))
        live.update(_drawn(view, console.width))


def _drawn(view: "LiveView", columns: int) -> "RenderableType":
    """Return what is seen as rich draws it on so many columns."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ellipsis")
    for line, style in view.lines(columns):
        text.append(f"{line}\n", style=style)
    return text


def _room(session: Session, width: int | None) -> int:
    """Return how wide sparklines may be beside what else stands in their lines."""
    if session.shape != "table" and width is not None:
        return width
    columns = PIPE_WIDTH
    if output.on_terminal("stdout"):
        columns = shutil.get_terminal_size().columns
    return min(width or WIDTH, max(NARROW, columns - BESIDE))


def _ending(name: str) -> str:
    """Return how the name of a file ends, in small letters."""
    return Path(name).suffix.lower()
