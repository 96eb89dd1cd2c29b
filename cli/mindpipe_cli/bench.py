"""`mind bench`: what mindpipe keeps, by fixed scorers over data, and what a machine carries."""

from collections.abc import Sequence
from typing import get_args

import click
import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.core.errors import UsageError
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import jobs_option, model_option, whole
from mindpipe_cli.populations import cluster_option
from mindpipe_cli.session import Session

_COLUMNS = (
    "what",
    "strategy",
    "tokens",
    "A_grounded",
    "A_grounded_50",
    "A_grounded_75",
    "A",
    "B",
    "all",
    "orphans",
    "double",
    "invalid",
    "calls",
    "named",
    "named_alone",
)
_RECALL_COLUMNS = (
    "what",
    "ranking",
    "r5",
    "r10",
    "r20",
    "mrr",
    "new_above_old",
    "old20",
    "both20",
)
_KNOWLEDGE_COLUMNS = (
    "what",
    "way",
    "detected",
    "false_supersession",
    "settled_silently",
    "marks_per_chat",
    "newest_first",
    "count",
)
_LIFE_COLUMNS = (
    "life",
    "reader",
    "style",
    "right",
    "active",
    "believed",
    "facts",
    "sprung",
    "traps",
    "ended_active",
    "ended",
    "top3",
    "asked",
    "stale_above",
    "stale",
)
_THOUGHT_COLUMNS = ("way", "label", "precision", "recall", "f1", "count")
_FLEET_COLUMNS = (
    "what",
    "agents",
    "workers",
    "at_once",
    "beside_open",
    "count",
    "per_second",
    "median_ms",
    "p99_ms",
    "longest_ms",
    "core",
    "resident_mb",
)
_ENTRY_COLUMNS = ("label", "entry", "right", "wrong", "kept")
_POPULATION_COLUMNS = (
    "way",
    "persons",
    "seconds",
    "ratio",
    "persons_days_s",
    "at_rest",
    "in_memory",
)
_READERS = ("strict", "parsed", "auto")
_STYLES = ("memory", "continuous", "timeline")
_folder_option = click.option(
    "--data",
    "folder",
    default="../shared/data",
    show_default=True,
    metavar="DIR",
    help="Where the dialogues and transcripts are.",
)
_scorers_option = click.option(
    "--scorers",
    default="../shared/bench",
    show_default=True,
    metavar="DIR",
    help="Where the scorers are.",
)


@command("compaction", example="mind bench compaction --only anchored")
@_folder_option
@_scorers_option
@click.option(
    "--only",
    "strategies",
    type=click.Choice(get_args(StrategyName)),
    multiple=True,
    help="This strategy; may be repeated [all; the one that asks a model with --model].",
)
@click.option(
    "--shares",
    default="0.10,0.25,0.50",
    show_default=True,
    metavar="LIST",
    help="Shares of the tokens to keep; 0.50 for transcripts alone.",
)
@model_option
@click.option(
    "--searchback", is_flag=True, help="Also with one search of the history for each question."
)
def compaction(session: Session, model: str | None, **wishes: str | bool | Sequence[str]) -> None:
    """Compact dialogues and transcripts by every strategy, and print what is left of them.

    Dialogues: A is the share of the turns which a question needs that are covered, A_grounded of
    those of which a quarter of the rare words is left (half, three quarters), B of the answers
    that still stand there, all of the
    questions that are covered whole, each beside simple ways to keep as many tokens. Transcripts:
    orphan calls and results, double results, invalid arrays, the share of the calls that are sent,
    and the share of the errors, paths and identifiers used later that the window still has (alone:
    of those that stand nowhere else).
    """
    from mindpipe_cli.benchmarks.compaction import figures
    from mindpipe_cli.benchmarks.searches import BenchPorts
    from mindpipe_cli.writer import write_of

    write = write_of(session, model) if model else None
    ports = BenchPorts(session.clock, session.chance, session.tokens, write)
    session.write(figures(ports, wishes), columns=_COLUMNS)


@command("recall", example="mind bench recall --shape locomo")
@_folder_option
@_scorers_option
@click.option(
    "--shape",
    type=click.Choice(("locomo", "beam")),
    help="Dialogues of this shape [both].",
)
@click.option("--model", metavar="MODEL", help="Also with vectors of this embedding model.")
def recall(session: Session, **wishes: str | None) -> None:
    """Ask mind recall the questions about dialogues, and print how much of the evidence it finds.

    r5, r10 and r20 are the shares of a question's evidence among the first 5, 10 and 20 answers,
    mrr the mean of one by the rank of the first, beside simple full-text rankings of the same run.
    Each dialogue is remembered in a store of its own by the commands that anybody would use, and in
    another that mind consolidate has gone over (consolidated); for a belief the turns count that it
    rests on. Of chats with labelled updates and contradictions: how often the new side stands above
    the old, how often the old one is among the first 20, and both sides of a contradiction, before
    and after the labels are given to mind consolidate as verdicts.
    """
    from mindpipe_cli.benchmarks.recall import figures

    session.write(figures(wishes), columns=_RECALL_COLUMNS)


@command("knowledge", example="mind bench knowledge --data ../shared/data")
@_folder_option
@_scorers_option
def knowledge(session: Session, **wishes: str | None) -> None:
    """Let mind consolidate judge chats and dialogues by itself, and print how well it does.

    Of chats: how many labelled updates it marks, how many pairs of statements that stand side by
    side it marks as well, how many contradictions it settles silently, and how many marks it makes
    per chat, beside the simplest way of marking. Of dialogues in which somebody moves home: how
    often mind recall puts something of the newest home first, before and after.
    """
    from mindpipe_cli.benchmarks.knowledge import figures

    session.write(figures(wishes), columns=_KNOWLEDGE_COLUMNS)


@command("lives", example="mind bench lives --life life1 --fed memory")
@_folder_option
@_scorers_option
@click.option(
    "--life", "only", metavar="LIFE", multiple=True, help="This life; may be repeated [all]."
)
@click.option(
    "--read-by",
    "readers",
    type=click.Choice(_READERS),
    multiple=True,
    default=_READERS[:1],
    help="Who reads what was said; may be repeated [strict].",
)
@click.option(
    "--fed",
    "styles",
    type=click.Choice(_STYLES),
    multiple=True,
    default=_STYLES,
    help="How a life is fed; may be repeated [all].",
)
def lives(session: Session, **wishes: str | Sequence[str] | None) -> None:
    """Let a mind live through invented lives whose truth is known, and count what it holds true.

    A life is fed as items of memory, consolidated week by week, or as the messages of a space that
    an agent thinks about, in the continuous or the timeline style. Printed are how many of the
    active beliefs are right, how many of the facts that hold at the end are believed, how many
    traps were believed (questions, dreams, jokes, hearsay and the like), and how many facts that
    have ended still are; and of the questions, how many have evidence among the first three
    answers, and for how many of those with stale evidence that stands above.
    """
    from mindpipe_cli.benchmarks.lives import figures

    session.write(figures(wishes), columns=_LIFE_COLUMNS)


@command("thoughts", example="mind bench thoughts --data ../shared/data")
@_folder_option
@click.option(
    "--entries",
    is_flag=True,
    help="Print the entries of the lexicon instead: how often each is right and wrong by fold, and "
    "why it is kept.",
)
def thoughts(session: Session, folder: str, *, entries: bool) -> None:
    """Label thoughts that people have labelled, and print precision and recall of each label.

    Both parsers are measured as they are; two folds labels the thoughts of each half by those
    entries of the lexicon alone that earn their place in the other half: that are right of more
    thoughts than they are wrong of, or are required. Of a lexicon that keeps what earned it in
    both halves of the same thoughts, that says too much: other thoughts are the measure.
    """
    from mindpipe_cli.benchmarks import thoughts as bench

    if entries:
        records = bench.entries(folder)
        session.write(records, columns=_ENTRY_COLUMNS)
        output.say(f"{bench.told(records)}.")
    else:
        session.write(bench.figures(folder), columns=_THOUGHT_COLUMNS)


@command("fleet", example="mind bench fleet --workers 1,2,4 --waiting 100")
@click.option(
    "--each",
    type=whole(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Events that each worker takes.",
)
@click.option(
    "--workers",
    default="1,2,4",
    show_default=True,
    metavar="LIST",
    callback=lambda _context, _option, text: _counts(text),
    help="Numbers of workers at once; none where it is empty.",
)
@click.option(
    "--waiting",
    default="100,1000",
    show_default=True,
    metavar="LIST",
    callback=lambda _context, _option, text: _counts(text),
    help="Numbers of agents that wait for a minute; none where it is empty.",
)
@click.option(
    "--living",
    type=whole(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Workers at once that would live those who wait.",
)
@click.option(
    "--database", "server", metavar="ADDRESS", help="A database for the stores, not files."
)
def fleet(
    session: Session,
    each: int,
    workers: tuple[int, ...],
    waiting: tuple[int, ...],
    living: int,
    server: str | None,
) -> None:
    """Measure what one store carries here: events a second, and agents that only wait.

    Workers push, claim and acknowledge events one by one and then 20 at a time, each step in a
    transaction of its own, for 100 agents of a new store that goes away. Printed are the events a
    second, and of each step in milliseconds the median, the 99th percentile and the longest. Of
    agents that wait: the share of a core and the memory of the mind run --agents that would live
    them, of all of those where --living lets several, once each agent was looked at; how long an
    urgent event to one of them waits for its claim; and what a cycle takes, of which the model is a
    program that answers at once.

    With --database postgresql://... the stores are schemas of that database, which go away too; and
    there it is measured, too, how long all this takes while another agent's transaction stays open.
    """
    from mindpipe_cli.benchmarks.fleet import FleetOptions, figures

    options = FleetOptions(
        events=each, workers=workers, waiting=waiting, living=living, server=server
    )
    session.write(figures(options), columns=_FLEET_COLUMNS)


def _counts(text: str) -> tuple[int, ...]:
    """Return the whole numbers of a list, each 1 or more."""
    words = text.replace(",", " ").split()
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise UsageError(f"{text!r} is no list of whole numbers of 1 or more, as 1,2,4 is.")
    return tuple(map(int, words))


@command("populations", example="mind bench populations --persons 10000 --cluster local")
@click.option(
    "--persons",
    "persons",
    type=whole(1, 10**9),
    multiple=True,
    default=(100_000, 300_000, 1_000_000),
    show_default=True,
    metavar="N",
    help="How many; may be repeated.",
)
@click.option(
    "--days",
    type=whole(1, 3650),
    default=1,
    show_default=True,
    metavar="N",
    help="How long they live, in simulated days.",
)
@jobs_option
@click.option(
    "--rounds", type=whole(1, 99), default=1, show_default=True, metavar="N", help="Runs."
)
@cluster_option
def populations(session: Session, **wishes: object) -> None:
    """Let many persons in columns live, and print how long they take and what they take up.

    Each number of persons is made once; each round lives it in processes, and on a cluster where
    one is named, whose start and end count. The last rows are no measurement: they are what the
    straight line through the fewest and the most persons says of 100,000,000 on the same machine,
    whose memory is that of --jobs files at a time.
    """
    from mindpipe_cli.benchmarks.populations import PopulationSize, figures

    size = msgspec.convert(wishes, PopulationSize)
    session.write(figures(session.clock, size), columns=_POPULATION_COLUMNS)


COMMAND = group("bench", compaction, recall, knowledge, lives, thoughts, fleet, populations)
