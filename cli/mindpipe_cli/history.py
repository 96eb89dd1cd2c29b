"""`mind history`: the append-only log of what an agent lived through."""

import collections
import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, BinaryIO, Literal, NamedTuple

import click
import msgspec

from mindpipe.core.attachments import placeholder
from mindpipe.core.errors import BadInputError, EmptyInputError, NothingToDoError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import counted, terminal_text
from mindpipe.providers.formats import FORMATS
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.hook import hook_option, transcript
from mindpipe_cli.options import (
    IN_FORCE,
    WRITTEN,
    StoredId,
    agent_option,
    agent_or_input_option,
    any_agent_option,
    by_option,
    cycle_option,
    decider,
    file_argument,
    format_option,
    import_form_option,
    limit_option,
    model_option,
    output_option,
    queries_option,
    repair_option,
    sdk_options,
    whole,
)
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.core.messages import Message, Part
    from mindpipe.history.adoption import ForeignDocument, ReadConversation, ReadFile
    from mindpipe.history.export import Export, Listen
    from mindpipe.history.records import Cycle, ImportReceipt
    from mindpipe.history.verbs.history import WhichWords
    from mindpipe.providers.records import Loss, RenderOptions
    from mindpipe.validator.records import Finding

CycleOf = Callable[[int], "Cycle | None"]
NOBODY = "imported"
"""Whose rows are printed where no agent is named."""
_CHECKED = tuple(name for name, form in FORMATS.items() if not form.is_log)
_LONGEST = 600
"""Characters of one part of a timeline; what is longer is cut."""
_MESSAGE = ("seq", "cycle", "turn", "role", "origin", "at", "parts")
_CYCLE = (
    "cycle",
    "state",
    "outcome",
    "trigger",
    "model",
    "input_tokens",
    "cached_tokens",
    "cached_share",
    "output_tokens",
    "cost_micros",
    "milliseconds",
    "opened",
    "sources",
)
_CYCLE_SHOWN = (
    "cycle",
    "opened",
    "outcome",
    "trigger",
    "sources",
    "reason",
    "model",
    "input_tokens",
)
_FOUND = ("seq", "cycle", "role", "at", "score", "excerpt")
_RECEIPT = ("id", "name", "first_cycle", "last_cycle", "first_seq", "last_seq", "duplicate")


class _ExportOptions(Record):
    """What is written, in which form, and where to."""

    agent: str | None
    format: str
    cycle: int | None
    document: str | None
    sdk: Literal[5, 6, 7]
    strict_roles: bool
    losses: str | None
    output: str | None
    file: str

    def render(self) -> "RenderOptions":
        """Return how the form is written."""
        from mindpipe.providers.records import RenderOptions

        return RenderOptions(sdk=self.sdk, strict_roles=self.strict_roles)


class _ImportOptions(Record):
    """The options of `mind history import`."""

    agent: str | None
    format: str
    file: str
    repair: bool
    trust: bool
    grown: bool


class _CheckOptions(Record):
    """What is checked, by which rules, and whether warnings count."""

    agent: str | None
    file: str
    format: str | None
    model: str | None
    sdk: Literal[5, 6, 7]
    strict_roles: bool
    kind: Literal["request", "history"] | None
    warnings_as_errors: bool


@command("show", example="mind history show --agent ava --cycle 3")
@agent_option
@cycle_option
@limit_option(None)
@click.option(
    "--window",
    is_flag=False,
    flag_value=IN_FORCE,
    type=whole(IN_FORCE),
    metavar="[NUMBER]",
    help="What the model sees: the summary, then the cycles sent; or what a compaction made of it "
    "(0: all of the log).",
)
@click.option(
    "--covers", metavar="A-B", help="The messages of these cycles, for which a summary stands."
)
def show(
    session: Session,
    agent: str,
    cycle: int | None,
    limit: int | None,
    window: int | None,
    covers: str | None,
) -> None:
    """Print an agent's messages: a timeline on a terminal, canonical records anywhere else.

    All of the log is shown, whatever of it a model sees.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.core.messages import text_of
    from mindpipe.history.verbs import cycles as cycle_verbs

    asked = {"cycle": cycle, "window": window, "covers": covers}
    if len(given := [name for name, value in asked.items() if value is not None]) > 1:
        raise UsageError(f"--{given[0]} or --{given[1]}? Give one of them.")
    store = session.store
    name = agents.show(store, name=agent).name
    if not window and covers is None:
        from mindpipe.history.verbs import history

        said = history.show(store, agent=name, cycle=cycle, limit=limit)
    else:
        said = _windowed(session, name, window=window, covers=covers, limit=limit)
    if (first := next(said, None)) is None:
        session.write((), columns=_MESSAGE)
        return
    if session.shape != "table":
        session.write(itertools.chain([first], said), columns=_MESSAGE)
        return
    from mindpipe.compaction.window_text import OPENING

    if window is not None and text_of(first).startswith(OPENING):
        _draw_words(text_of(first))
    else:
        said = itertools.chain([first], said)
    _draw(said, lambda number: cycle_verbs.find(store, agent=name, cycle=number))


def _windowed(
    session: Session, agent: str, *, window: int | None, covers: str | None, limit: int | None
) -> "Iterator[Message]":
    """Yield the messages of a window, or those for which a summary stands."""
    from mindpipe.compaction.verbs import material, windows
    from mindpipe.context.verbs import origins

    store = session.store
    if covers is not None:
        found = windows.covers(store, agent=agent, cycles=covers)
    else:
        sources = partial(origins.of_summaries, store, agent)
        number = None if window == IN_FORCE else window
        found = iter(material.seen(store, agent=agent, sources=sources, number=number))
    return found if limit is None else iter(collections.deque(found, maxlen=limit))


@command("cycles", example="mind history cycles --agent ava --limit 10 --table")
@agent_option
@limit_option(None)
def cycles(session: Session, agent: str, limit: int | None) -> None:
    """Print an agent's cycles: what began each, how it ended, what it took, whose words it read."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.context.verbs import origins

    name = agents.show(session.store, name=agent).name
    columns = _CYCLE_SHOWN if session.shape == "table" else _CYCLE
    session.write(origins.lived(session.store, agent=name, limit=limit), columns=columns)


@command("search", example="mind history search --agent ava 'report \"third quarter\" hotel*'")
@agent_option
@click.option(
    "--any",
    "words",
    flag_value="any",
    default="all",
    help="Any of the words will do: a question is a query too.",
)
@queries_option
@limit_option(20)
@click.argument("query", required=False)
def search(
    session: Session,
    agent: str,
    words: "WhichWords",
    queries: str | None,
    limit: int,
    query: str | None,
) -> None:
    """Print the messages that hold all words of QUERY, the best first.

    "Words in quotes" belong together; a word ending in * stands for all that begin like it. With
    --any function words and the endings of words do not matter, and what was said beside a message
    counts for it. With --queries each record names its query and its rank.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.compaction.selection.transcript import words_said
    from mindpipe.history.records import GivenQuery
    from mindpipe.history.verbs import history

    store = session.store
    name = agents.show(store, name=agent).name
    found: Iterable[Record]
    columns: tuple[str, ...] = _FOUND
    if queries is not None and query is None:
        asked = input.records(queries, GivenQuery)
        found = history.search_each(
            store, agent=name, queries=asked, limit=limit, words=words, words_of=words_said
        )
        columns = ("query", "rank", *_FOUND)
    elif query is not None and queries is None:
        found = history.search(
            store, agent=name, query=query, limit=limit, words=words, words_of=words_said
        )
    else:
        both = "" if query is None else ", not both"
        raise UsageError(f"give a QUERY or --queries FILE{both}.")
    if not session.write(found, columns=columns):
        more = "; try --any" if words == "all" else ""
        raise NothingToDoError(f"nothing found{more}.")


@command("export", example="mind history export --agent ava --format anthropic --output ava.json")
@agent_or_input_option
@format_option(required=True)
@cycle_option
@click.option(
    "--import",
    "document",
    metavar="ID",
    type=StoredId("import"),
    help="Give back one imported document.",
)
@sdk_options
@click.option(
    "--losses", type=WRITTEN, metavar="FILE", help="Write what the form cannot carry, one by one."
)
@output_option
@file_argument
def export(session: Session, **values: str | int | bool | None) -> None:
    """Write a history in the form of another program; what it cannot carry is counted on stderr.

    An imported file of an API or of Claude Code comes back as it was read if the history is nothing
    else. llm is a logs.db, letta an agent file, chatgpt and claude-export a conversations.json,
    each of this one conversation. Without --agent the canonical rows of FILE or stdin are written,
    and no store is needed.
    """
    session.prints("a document of the form", "json")
    options = msgspec.convert(values, _ExportOptions)
    if options.agent is None:
        _export_rows(session, options)
        return
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.history.records import ExportWanted
    from mindpipe.history.verbs import history

    name = agents.show(session.store, name=options.agent).name
    wanted = ExportWanted(
        format=options.format,
        options=options.render(),
        cycle=options.cycle,
        document=options.document,
    )
    with _losses(options.losses) as listen:
        document = history.export(session.store, agent=name, wanted=wanted, listen=listen)
        _write_document(document, options)


def _export_rows(session: Session, options: _ExportOptions) -> None:
    """Write canonical rows from a file or stdin, holding one turn at a time."""
    if options.document is not None:
        raise UsageError("imported documents are in a store. Give --agent NAME.")
    from mindpipe.core.messages import Head
    from mindpipe.history.export import rendered
    from mindpipe.history.records import ExportWanted

    limit = session.settings.import_.max_bytes or 0
    with input.open_input(options.file) as stream, _losses(options.losses) as listen:
        said = _rows(stream, source=options.file, limit=limit)
        if options.cycle is not None:
            said = (message for message in said if message.cycle == options.cycle)
        if (first := next(said, None)) is None:
            raise EmptyInputError(f"{input.name_of(options.file)} is empty.")
        wanted = ExportWanted(format=options.format, options=options.render())
        said = itertools.chain([first], said)
        _write_document(rendered(Head(system=""), said, wanted=wanted, listen=listen), options)


def _rows(stream: BinaryIO, *, source: str, limit: int) -> "Iterator[Message]":
    """Yield canonical messages from lines; raises BadInputError at the first line that is none."""
    from mindpipe.core.messages import decode_message
    from mindpipe.core.records import NO_RECORD
    from mindpipe.io.lines import bounded_lines

    name = input.name_of(source)
    for line in bounded_lines(stream, limit=limit, source=name, setting="import.max_bytes"):
        if isinstance(line, Problem):
            raise BadInputError([line])
        try:
            yield decode_message(line[1])
        except NO_RECORD as error:
            problem = Problem(source=name, line=line[0], message=f"no canonical message: {error}")
            raise BadInputError([problem]) from None


def _write_document(document: "Export", options: _ExportOptions) -> None:
    """Write a document where it was asked for, and say what is not in it."""
    if options.output is None:
        output.write_bytes(document.chunks())
    else:
        from mindpipe.io.files import write_whole

        write_whole(input.path_of(options.output), document.chunks())
    output.say_losses(document.counts())


@contextlib.contextmanager
def _losses(file: str | None) -> "Iterator[Listen]":
    """Give a listener whose losses are in the file when all went well."""
    if file is None:
        from mindpipe.providers.rendering import forget

        yield forget
        return
    import tempfile

    from mindpipe.io.files import write_whole

    with tempfile.TemporaryFile() as spool:
        yield lambda loss: _keep(spool, loss)
        spool.seek(0)
        write_whole(input.path_of(file), spool)


def _keep(spool: IO[bytes], loss: "Loss") -> None:
    """Write one loss as a line."""
    spool.write(to_json(loss) + b"\n")


@command("import", example="mind history import --agent ava --format openai-chat chat.json")
@any_agent_option
@import_form_option()
@repair_option
@click.option("--trust", is_flag=True, help="Do not taint the imported text.")
@click.option(
    "--grown", is_flag=True, help="Of a log that was imported before, take what is new alone."
)
@hook_option
@file_argument
def import_(session: Session, *, hook: bool, **values: str | bool | None) -> None:
    """Take the conversations of FILE (or stdin; .gz too) into a history: all of them or none.

    Without --agent their canonical rows are printed, and no store is needed.

    chatgpt and claude-export are the conversations.json of an export, letta an agent file, llm the
    logs.db of llm. Of a file that has grown since, claude-code, chatgpt, claude-export and llm take
    only what is new.

    With --hook FILE is the transcript_path that a hook of Claude Code names on stdin; what is new
    in it is taken (--grown), and what a session left half done is mended (--repair).
    """
    options = msgspec.convert(values, _ImportOptions)
    if not hook:
        _import(session, options)
        return
    if options.agent is None or options.file != "-":
        raise UsageError("--hook goes with --agent NAME, and stdin names the file.")
    file = transcript()
    _import(session, msgspec.structs.replace(options, file=file, grown=True, repair=True))


def _import(session: Session, options: _ImportOptions) -> None:
    """Take in what a file holds, or print its rows."""
    from mindpipe.history.adoption import ForeignDocument
    from mindpipe.providers.records import ImportOptions

    agent, format = options.agent, options.format
    if agent is None and options.grown:
        raise UsageError("--grown goes with --agent NAME, whose history has what was imported.")
    with input.open_document(options.file) as found:
        reading = ImportOptions(
            agent=agent if agent is not None else "" if format == "mindpipe" else NOBODY,
            name=found.name,
            at=session.clock.now(),
            repair=options.repair,
            trust=options.trust,
        )
        foreign = ForeignDocument(octets=found.octets, format=format, options=reading)
        if agent is None:
            _print_rows(session, foreign)
        else:
            _take_in(session, foreign, grown=options.grown)


def _take_in(session: Session, foreign: "ForeignDocument", *, grown: bool) -> None:
    """Take what a file holds into the history of an agent, and say what came of it."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.history.verbs import history

    name = foreign.options.name
    agents.show(session.store, name=foreign.options.agent)
    with put_aside() as read, output.progress(f"importing {name}") as advance:
        receipts = history.import_(
            session.store,
            session.clock,
            session.tokens,
            foreign=foreign,
            file=read,
            advance=advance,
            grown=grown,
        )
    session.write(receipts, columns=_RECEIPT)
    _say_left_out(name, receipts)
    for receipt in receipts:
        if receipt.repeats is not None:
            output.say(
                f"{name}: begins with all of import {receipt.repeats}, "
                "which is now in the history twice"
            )


def _say_left_out(name: str, read: "Iterable[ImportReceipt | ReadConversation]") -> None:
    """Say what was repaired, and what was left out of all conversations."""
    left_out: list[str] = []
    for one in read:
        output.say_changes(name, one.repairs, ())
        left_out += one.left_out
    output.say_changes(name, (), left_out)


@contextlib.contextmanager
def put_aside() -> "Iterator[ReadFile]":
    """Give what reads a file and puts its conversations aside in temporary files."""
    from mindpipe.history.adoption import ReadFile
    from mindpipe.io.spool import Spool

    with Spool() as conversations, Spool() as messages:
        yield ReadFile(conversations=conversations, messages=messages)


def _print_rows(session: Session, foreign: "ForeignDocument") -> None:
    """Print the rows of a file's conversations, once all of them are known to be sound."""
    from mindpipe.core.messages import Message
    from mindpipe.history.adoption import convert
    from mindpipe.io.spool import Spool

    with put_aside() as read, Spool() as rows:
        read.read(foreign)
        for message in convert(read, foreign):
            rows.add(to_json(message))
        decoder = msgspec.json.Decoder(Message)
        session.write(map(decoder.decode, rows.pieces()), columns=_MESSAGE)
        _say_left_out(foreign.options.name, (one for one, _ in read.each()))


@command(
    "check",
    example="mind history export --agent ava --format anthropic | "
    "mind history check --for anthropic",
)
@any_agent_option
@click.option("--for", "format", type=click.Choice(_CHECKED), help="The API that would be asked.")
@model_option
@sdk_options
@click.option(
    "--as", "kind", type=click.Choice(["request", "history"]), help="What FILE is taken for."
)
@click.option("--warnings-as-errors", is_flag=True, help="End with 65 for a warning too.")
@file_argument
def check(session: Session, **values: str | int | bool | None) -> None:
    """Say what an API would refuse in FILE, or in an agent's history; ends with 65 if anything.

    The judge is independent of what writes requests. With --agent rules H1 to H13 are checked too.
    """
    options = msgspec.convert(values, _CheckOptions)
    source, found = _findings(session, options)
    session.write(found, columns=("rule", "severity", "at", "id", "what"))
    grave = {"error", "warning"} if options.warnings_as_errors else {"error"}
    if count := sum(finding.severity in grave for finding in found):
        words = counted(count, "problem")
        raise BadInputError([Problem(source=source, message=words)])


def _findings(session: Session, options: _CheckOptions) -> "tuple[str, list[Finding]]":
    """Return what was checked, and everything that was found."""
    from mindpipe.history.verbs import history
    from mindpipe.validator.records import Question

    question = Question(
        format=options.format,
        model=options.model,
        sdk=options.sdk,
        strict_roles=options.strict_roles,
        kind=options.kind,
    )
    if options.agent is None:
        if options.format is None:
            raise UsageError("which API? Give --for FORMAT, or --agent NAME.")
        found = input.read_input(options.file)
        return found.name, history.check(found.octets, source=found.name, question=question)
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.compaction.verbs.windows import coverage

    agent = agents.show(session.store, name=options.agent).name
    sent = coverage(session.store, agent=agent)
    return agent, history.check_log(session.store, agent=agent, question=question, coverage=sent)


@command("verify", example="mind history verify --agent ava --anchor $(cat ava.anchor)")
@agent_option
@click.option("--anchor", metavar="SHA", help="A head hash that was kept elsewhere.")
def verify(session: Session, agent: str, anchor: str | None) -> None:
    """Walk the hash chain of an agent's log and name every row that is not what was written.

    Prints the head hash as `anchor`: kept elsewhere, it shows later whether rows at the end were
    cut off or all were written anew. Ends with 65 if a row is broken, 3 if there is none.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.compaction.verbs import verify as window_verbs
    from mindpipe.history.verbs import history

    name = agents.show(session.store, name=agent).name
    walk = history.verify(session.store, agent=name, anchor=anchor)
    broken = list(window_verbs.broken(session.store, agent=name))
    session.write(itertools.chain(walk.broken(), broken), columns=("table", "number", "what"))
    verdict = walk.verdict
    if count := verdict.broken + len(broken):
        what = f"{count} broken in {counted(verdict.rows, 'row')} of {name}"
        raise BadInputError([Problem(source=str(session.where), message=what)])
    if not verdict.rows:
        raise NothingToDoError(f"{name} has no history to verify.")
    session.write([verdict], columns=("agent", "rows", "anchor"))


@command("trust", example="mind history trust --agent ava 3 4")
@agent_option
@click.argument("cycles", nargs=-1, required=True, type=whole(1), metavar="CYCLE...")
@by_option
def trust(session: Session, agent: str, cycles: tuple[int, ...], by: str | None) -> None:
    """Vouch for cycles, once you have read them: what they took in no longer taints a turn.

    A later cycle that was shown them has their sources too; mind history cycles lists them. It is
    recorded, and the log itself does not change.
    """
    from mindpipe.context.verbs import trust as trust_verbs

    reader = trust_verbs.Reader(decider(by), session.clock)
    made = trust_verbs.trust_cycles(session.store, reader, agent=agent, numbers=cycles)
    session.write(made, columns=output.CLEARANCE)


class Line(NamedTuple):
    """One part of a timeline: who speaks, the words, and how they are drawn."""

    label: str
    words: str
    style: str


class TimelineCycle(NamedTuple):
    """One cycle of a timeline: the line above it, and its lines."""

    heading: str
    lines: list[Line]


def timeline(messages: "Iterable[Message]", cycle_of: CycleOf) -> Iterator[TimelineCycle]:
    """Yield messages cycle by cycle, one cycle in memory at a time."""
    for number, held in itertools.groupby(messages, key=lambda message: message.cycle):
        first, *rest = held
        lines = [line for message in (first, *rest) for line in _lines(message)]
        yield TimelineCycle(_heading(first, cycle_of(number)), lines)


def _lines(message: "Message") -> Iterator[Line]:
    """Yield a line per part, who speaks before the first."""
    label = message.role.value
    for part in message.parts:
        words, style = _shown(part)
        yield Line(label, _shortened(words), style)
        label = ""


def _heading(message: "Message", cycle: "Cycle | None") -> str:
    """Return the line above a cycle: its number, how it stands, when, and what it took."""
    if cycle is None:
        return f"cycle {message.cycle} · {message.at}"
    facts = [
        f"cycle {cycle.cycle}",
        cycle.outcome.value if cycle.outcome else cycle.state.value,
        cycle.opened,
        cycle.trigger,
        cycle.model,
    ]
    if cycle.input_tokens or cycle.output_tokens:
        facts.append(f"{cycle.input_tokens} + {cycle.output_tokens} tokens")
    if cycle.cost_micros:
        facts.append(f"${cycle.cost_micros / 1_000_000:.4f}")
    return " · ".join(fact for fact in facts if fact)


def _shown(part: "Part") -> tuple[str, str]:
    """Return the words of one part and how they are drawn."""
    from mindpipe.core.messages import (
        CallPart,
        FilePart,
        OpaquePart,
        ResultPart,
        ResultStatus,
        TextPart,
        ThinkingPart,
    )

    match part:
        case TextPart():
            return part.text, ""
        case ThinkingPart():
            return f"(thinking) {part.text or ''}".rstrip(), "dim italic"
        case CallPart():
            return f"→ {part.tool} {part.args_text or _json(part.args)}", "cyan"
        case ResultPart():
            words = part.text or ("" if part.json is None else _json(part.json))
            good = part.status in {ResultStatus.OK, ResultStatus.TICKETED}
            return f"← {part.status.value} {words}".rstrip(), "green" if good else "red"
        case FilePart():
            return placeholder(part), "dim"
        case OpaquePart():
            return f"[{part.kind} of {part.provider}]", "dim"


def _json(value: object) -> str:
    """Return a value as JSON text."""
    return msgspec.json.encode(value).decode()


def _shortened(words: str) -> str:
    """Return words that fit on a screen, with how much is not shown."""
    if len(words) <= _LONGEST:
        return words
    return f"{words[:_LONGEST]}… ({counted(len(words) - _LONGEST, 'more character')})"


def _draw_words(words: str) -> None:
    """Draw words of which a person must see all, each line of them on its own."""
    from rich.text import Text

    console = output.paper()
    for line in words.split("\n"):
        console.print(Text(terminal_text(line), style="" if line.startswith("- ") else "bold"))
    console.print()


def _draw(messages: "Iterable[Message]", cycle_of: CycleOf) -> None:
    """Draw a timeline on stdout, cycle by cycle."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = output.paper()
    for cycle in timeline(messages, cycle_of):
        console.print(Text(terminal_text(cycle.heading), style="bold"))
        grid = Table.grid(padding=(0, 1))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for line in cycle.lines:
            grid.add_row(line.label, Text(terminal_text(line.words), style=line.style))
        console.print(Padding(grid, (0, 0, 1, 2), expand=False))


COMMAND = group("history", show, cycles, search, export, import_, check, verify, trust)
