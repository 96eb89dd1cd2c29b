"""`mind compact`: fold old cycles out of a window, at once or by a plan that can be read."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar, get_args

import click
import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.core.text import counted, terminal_text
from mindpipe_cli import input, output
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_option,
    agent_or_input_option,
    explain_option,
    file_argument,
    format_option,
    model_options,
    output_option,
    repair_option,
    sdk_options,
    whole,
    words_or_file,
)
from mindpipe_cli.output import PIPE_WIDTH
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from mindpipe.agents.records import Agent
    from mindpipe.compaction.documents import HeardDocument
    from mindpipe.compaction.filter import CompactedConversation, WrittenDocument
    from mindpipe.compaction.plans.diff import CyclesDiff, PlanDiff, Range, TokensDiff, WorthDiff
    from mindpipe.compaction.plans.planner import PlanOptions, UnfoldedError
    from mindpipe.compaction.records import Compaction, WindowPlan
    from mindpipe.compaction.task import Embed
    from mindpipe.compaction.verbs.material import MaterialPorts
    from mindpipe.core.messages import Conversation
    from mindpipe.history.adoption import ForeignDocument, ReadFile
    from mindpipe.providers.records import Loss, RenderOptions, Repair

Value = str | int | float | bool | None
F = TypeVar("F", bound=Callable[..., None])

_PLAN = ("part", "first", "last", "cycle", "tokens")
_DIFF = ("diff", "first", "last", "to", "tokens", "leaving", "kind", "before", "after")
_CHANGES = (
    "number",
    "action",
    "strategy",
    "through",
    "tokens_before",
    "tokens_after",
    "before",
    "segment",
    "at",
)
_SHOWN = ("number", "action", "in force", "tokens", "at")
_LEAVES, _ENTERS, _STANDS_FOR, _STAYS = "red", "green", "yellow", "dim"

_OPTIONS = (
    agent_or_input_option,
    click.option(
        "--budget",
        type=whole(1),
        metavar="N",
        help="Tokens that the window may have [70 % of the agent's max_tokens].",
    ),
    click.option(
        "--keep-cycles",
        type=whole(),
        metavar="N",
        help="Cycles at the end that stay whole while they fit [as set for the agent, or 10].",
    ),
    click.option(
        "--strategy",
        type=click.Choice(get_args(StrategyName)),
        help="What stands for old cycles [as set for the agent, or what suits them].",
    ),
    click.option(
        "--floor",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Refuse a plan that keeps less than this share of the anchors it finds [0].",
    ),
    explain_option,
    click.option(
        "--inbox",
        metavar="TEXT",
        callback=words_or_file,
        help="What the strategy semantic looks for [what waits, or was said last]; @FILE reads it.",
    ),
    model_options,
    format_option(required=False),
    repair_option,
    sdk_options,
)


class CompactOptions(Record):
    """The options; where one has no value the agent's own setting holds.

    `format`, `repair`, `sdk`, `strict_roles`, `output` and `file` are about messages without a
    store.
    """

    agent: str | None = None
    budget: int | None = None
    keep_cycles: int | None = None
    strategy: StrategyName | None = None
    floor: float | None = None
    explain: bool = False
    inbox: str | None = None
    model: str | None = None
    record: str | None = None
    format: str | None = None
    repair: bool = False
    sdk: Literal[5, 6, 7] = 6
    strict_roles: bool = False
    output: str | None = None
    file: str = "-"

    def wanted(self, agent: "Agent") -> "PlanOptions":
        """Return what is wanted of a plan for an agent."""
        from mindpipe.compaction.verbs.compact import plan_options

        usual = plan_options(agent)
        return usual._replace(
            budget=self.budget or usual.budget,
            keep_cycles=usual.keep_cycles if self.keep_cycles is None else self.keep_cycles,
            strategy=self.strategy or usual.strategy,
            inbox=self.inbox or "",
            explain=self.explain,
            if_over=self.budget is not None,
            floor=self.floor or 0.0,
        )


def _plan_options(function: F) -> F:
    """Declare what a plan is made by, over a store and over messages."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@command("compact", example="mind compact --budget 20000 < messages.jsonl > window.jsonl")
@_plan_options
@output_option
def alone(session: Session, **values: Value) -> None:
    """Fold old cycles out of the window of --agent, and print what changed.

    The log stays whole: mind compact undo brings the window back, mind history show shows all.
    With --budget, and as a filter, a window that fits stays as it is; without one all but the
    newest cycles are folded at once.
    Without --agent it is a filter: messages on stdin, their window on stdout in the same form, and
    no store is needed.
    """
    options = _options_of(values)
    if options.agent is None:
        _compact_documents(session, options)
        return
    from mindpipe.compaction.plans.lines import plan_octets

    planned = _plan_of_agent(session, options)
    made = session.app.apply_plan(
        _ports(session), agent=planned.plan.agent, octets=plan_octets(planned), source="plan"
    )
    if session.shape == "table":
        _draw_plan(planned)
    else:
        session.write([*planned.reasons, made], columns=_CHANGES)


@command("plan", example="mind compact plan --agent ava > plan.jsonl")
@_plan_options
@file_argument
def plan(session: Session, **values: Value) -> None:
    """Print what would be folded, and change nothing.

    A plan is a record, then the parts of the window one per line; on a terminal it is shown as by
    mind compact diff. Without --agent the messages of FILE or stdin are planned.
    """
    options = _options_of(values)
    if options.agent is None:
        planned = _plan_of_document(session, options)
    else:
        planned = _plan_of_agent(session, options)
    if session.shape == "table":
        _draw_plan(planned)
    else:
        session.write([planned.plan, *planned.parts, *planned.reasons], columns=_PLAN)


@command("diff", example="mind compact plan --agent ava | mind compact diff")
@file_argument
def diff(session: Session, file: str) -> None:
    """Show what a plan would change: what leaves, what stays, tokens before and after.

    It reads the plan alone and needs no store.
    """
    from mindpipe.compaction.verbs.compact import diff

    found = input.read_input(file)
    changed = diff(found.octets, source=found.name)
    if session.shape == "table":
        _draw_diff(changed)
    else:
        session.write(changed.differences, columns=_DIFF)


@command("apply", example="mind compact apply plan.jsonl")
@file_argument
def apply(session: Session, file: str) -> None:
    """Put the window of a plan in force, byte for byte, unless the log has moved since.

    Ends with 75 if it has: then plan again.
    """
    from mindpipe.compaction.plans.lines import read_plan

    ports = _ports(session)
    found = input.read_input(file)
    agent = read_plan(found.octets, source=found.name).plan.agent
    made = session.app.apply_plan(ports, agent=agent, octets=found.octets, source=found.name)
    _write_changes(session, agent, number=made.number)


@command("undo", example="mind compact undo --agent ava")
@agent_option
def undo(session: Session, agent: str) -> None:
    """Bring back the window as it was before the newest change that is in force.

    It can be repeated until the whole log is sent; it is a change itself and stays listed.
    """
    from mindpipe.agents.verbs import agent as agents

    made = session.app.undo_plan(_ports(session), agent=agent)
    _write_changes(session, agent, number=made.number)
    most = agents.show(session.store, name=agent).max_tokens
    if made.tokens_after > most:
        output.say(
            f"{agent} is over max_tokens ({most}) and will be folded with the next cycle; raise it "
            f"with mind agent set {agent} --max-tokens N"
        )


@command("list", example="mind compact list --agent ava --table")
@agent_option
def list_(session: Session, agent: str) -> None:
    """Print every change of an agent's window, oldest first."""
    _write_changes(session, agent)


def _options_of(values: Mapping[str, Value]) -> CompactOptions:
    """Return the options.

    Raises:
        UsageError: an agent is named beside what is about messages without a store, or there is
            neither an agent nor a message.
    """
    options = msgspec.convert(values, CompactOptions)
    if options.agent is None and options.file == "-" and output.on_terminal("stdin"):
        raise UsageError("which agent? Give --agent NAME, or pipe messages in.")
    if options.agent is not None:
        foreign = {
            "--format": options.format,
            "--output": options.output,
            "--repair": options.repair,
            "FILE": options.file != "-",
            "stdin": input.is_redirected(),
        }
        if given := [name for name, value in foreign.items() if value]:
            raise UsageError(
                f"{given[0]} is about messages that come in; leave it out, or --agent."
            )
    return options


def _plan_of_agent(session: Session, options: CompactOptions) -> "WindowPlan":
    """Plan the window of the agent that is named; its model is asked only where that is wished.

    Raises:
        NothingToDoError: no cycle would leave.
        RefusedError: system text and tools alone leave no room in the budget.
    """
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.compaction.verbs.compact import plan
    from mindpipe.engine.cycle.compaction import with_cache, with_waiting
    from mindpipe.history.verbs.log import current_segment

    agent = agents.show(session.store, name=options.agent or "")
    wanted = with_waiting(session.store, session.clock, options.wanted(agent), agent=agent)
    if (segment := current_segment(session.store, agent=agent.name)) is not None:
        prices = session.app.models.prices()
        wanted = with_cache(session.store, wanted, target=segment.target, prices=prices)
    with _asking(session, options, agent, wanted.strategy) as ports:
        planned = plan(ports, options=wanted)
    _say_fallback(planned)
    if options.explain:
        _say_chosen(planned)
    return planned


@contextlib.contextmanager
def _asking(
    session: Session, options: CompactOptions, agent: "Agent", strategy: StrategyName | None
) -> "Iterator[MaterialPorts]":
    """Give what a window is planned with, and the model that a strategy asks."""
    if strategy == "model":
        from mindpipe_cli.writer import asking

        with asking(session, agent, model=options.model, record=options.record) as ports:
            yield ports
    elif strategy == "semantic":
        yield _ports(session)._replace(embed=_embed_of(session))
    else:
        yield _ports(session)


def _ports(session: Session) -> "MaterialPorts":
    """Return what a window is planned and written with."""
    from mindpipe.context.verbs.origins import material_ports

    return material_ports(session.store, session.clock, session.tokens)


def _embed_of(session: Session) -> "Embed | None":
    """Return what turns texts into vectors, or None where words are to be compared."""
    embedder = session.app.models.embedder()
    return embedder.vectors if embedder else None


def _say_fallback(planned: "WindowPlan") -> None:
    """Say why a strategy, or what it asks, gave way to another one, if it did."""
    from mindpipe.compaction.records import Summary

    plan = planned.plan
    if plan.fallback is not None:
        wrote = {part.strategy for part in planned.parts if isinstance(part, Summary)}
        others = ", ".join(sorted(wrote - {plan.strategy}))
        gave_way = f"{plan.strategy} gave way to {others}: " if others else ""
        output.say(f"{plan.agent}: {gave_way}{plan.fallback.rstrip('.')}.")


def _say_chosen(planned: "WindowPlan") -> None:
    """Say which strategy was taken, and why, where none was named."""
    if (why := planned.plan.chosen) is not None:
        output.say(f"{planned.plan.agent}: by {planned.plan.strategy}: {why}.")


def _write_changes(session: Session, agent: str, *, number: int | None = None) -> None:
    """Write all changes of a window, or the one with this number."""
    from mindpipe.compaction.plans.changes import taken_back
    from mindpipe.compaction.verbs import compact

    changes = compact.list_(session.store, agent=agent)
    wanted = [one for one in changes if number in {None, one.number}]
    if session.shape == "table":
        session.write(_rows(wanted, taken_back(changes)), columns=_SHOWN)
    else:
        session.write(wanted, columns=_CHANGES)


def _rows(
    changes: "Iterable[Compaction]", took: Mapping[int, int]
) -> Iterator[dict[str, str | int]]:
    """Yield a row of each change: what was undone, and what was in force from then on."""
    for one in changes:
        undid = f" of {took[one.number]}" if one.number in took else ""
        yield {
            "number": one.number,
            "action": f"{one.action}{undid}",
            "in force": f"{one.strategy} to {one.through}" if one.window else "whole log",
            "tokens": f"{one.tokens_before} -> {one.tokens_after}",
            "at": one.at,
        }


class GivenFile(NamedTuple):
    """What came in: its name, its form, and its conversations, read and put aside."""

    name: str
    form: str
    read: "ReadFile"

    def documents(self) -> "Iterator[GivenDocument]":
        """Yield every conversation, each to be folded before the next is asked for."""
        from mindpipe.compaction.documents import Shelf, heard_aside
        from mindpipe.io.spool import Spool

        for one, pieces in self.read.each():
            with Spool(_MEMORY) as messages, Spool(_MEMORY) as items, Spool(_MEMORY) as blobs:
                document = heard_aside(
                    pieces,
                    Shelf(messages, items, blobs),
                    head=one.head,
                    envelope=one.envelope,
                    repairs=one.repairs,
                )
                yield GivenDocument(one.name or self.name, document, one.left_out)


class GivenDocument(NamedTuple):
    """A conversation that came in: what it is called in its plan, by itself or like its file."""

    name: str
    document: "HeardDocument"
    left_out: tuple[str, ...]


class FoldedDocument(NamedTuple):
    """What became of a conversation, and what its reading changed and left out."""

    written: "WrittenDocument"
    repairs: "tuple[Repair, ...]"
    left_out: tuple[str, ...]


_MEMORY = 1 << 20
"""What is put aside stays in memory up to here."""


def _compact_documents(session: Session, options: CompactOptions) -> None:
    """Write every document with its window in the place of its messages: all of them or none.

    Raises:
        BadInputError: what was read is no document, or breaks its form.
        EmptyInputError: there is no input.
    """
    from mindpipe.agents.records import Agent
    from mindpipe.compaction.filter import over_document
    from mindpipe.io.files import write_whole
    from mindpipe.providers.records import RenderOptions
    from mindpipe_cli.output import progress

    rendering = RenderOptions(sdk=options.sdk, strict_roles=options.strict_roles)
    lost = Counter[tuple[str, str]]()
    done: list[FoldedDocument] = []
    whole: list[UnfoldedError] = []
    with _given(options) as given, progress(f"folding {given.name}") as advance:
        for number, one in enumerate(given.documents(), 1):
            written = over_document(
                one.document,
                _folder(session, options, name=one.name, unfolded=whole.append),
                format=given.form,
                options=rendering,
                is_sound=_judge(given, rendering),
                report=_counting(lost),
            )
            done.append(FoldedDocument(written, one.document.repairs, one.left_out))
            advance(number, given.read.count)
    octets = (piece for one in done for piece in _ended(one.written.octets))
    if options.output is None:
        output.write_bytes(octets)
    else:
        write_whole(input.path_of(options.output), octets)
    _tell(given, done, lost, whole)
    _warn(given, done, whole, budget=options.wanted(Agent(name=given.name)).budget)


def _plan_of_document(session: Session, options: CompactOptions) -> "WindowPlan":
    """Return the plan for the one conversation that is given.

    Raises:
        BadInputError: what was read is no document, or breaks its form.
        EmptyInputError: there is no input.
        NothingToDoError: there is nothing to be folded.
        UsageError: there are several conversations.
    """
    with _given(options) as given:
        if (count := given.read.count) != 1:
            raise UsageError(
                f"{given.name} holds {count} conversations; a plan is for one of them."
            )
        (planned,) = (
            _folder(session, options, name=one.name)(one.document.said).planned
            for one in given.documents()
        )
        return planned


@contextlib.contextmanager
def _given(options: CompactOptions) -> Iterator[GivenFile]:
    """Read what is to be folded, in the form that it is given in or seems to have."""
    from mindpipe_cli.history import put_aside

    with put_aside() as read:
        # What was read is in memory no more while its conversations are folded.
        foreign = _foreign(options)
        name, form = foreign.options.name, foreign.format
        read.read(foreign)
        del foreign
        yield GivenFile(name, form, read)


def _foreign(options: CompactOptions) -> "ForeignDocument":
    from mindpipe.history.adoption import ForeignDocument
    from mindpipe.providers.formats import CANONICAL, FORMATS
    from mindpipe.providers.importer import recognised
    from mindpipe.providers.records import ImportOptions
    from mindpipe_cli.history import NOBODY

    found = input.read_input(options.file)
    form = options.format or recognised(found.octets, source=found.name)
    if FORMATS[form].is_log:
        raise UsageError(
            f"{form} is a log and no request. "
            f"Try mind history import --format {form} | mind compact."
        )
    importing = ImportOptions(
        agent="" if form == CANONICAL else NOBODY,
        name=found.name,
        at="",
        repair=options.repair,
    )
    return ForeignDocument(octets=found.octets, format=form, options=importing)


def _folder(
    session: Session,
    options: CompactOptions,
    *,
    name: str,
    unfolded: "Callable[[UnfoldedError], None]" = lambda _: None,
) -> "Callable[[Conversation], CompactedConversation]":
    """Return what makes the window of one conversation, and tells why one stays as it is."""
    from mindpipe.agents.records import Agent
    from mindpipe.compaction.filter import asked_last, over_messages
    from mindpipe.compaction.plans.planner import UnfoldedError

    tokens = session.tokens
    wanted = options.wanted(Agent(name=name))
    write = None
    if wanted.strategy == "model":
        from mindpipe_cli.writer import write_of

        write = write_of(session, options.model, record=options.record)
    embed = _embed_of(session) if wanted.strategy == "semantic" else None

    def folded(said: "Conversation") -> "CompactedConversation":
        waiting = wanted._replace(inbox=wanted.inbox or asked_last(said))
        try:
            made = over_messages(
                said, waiting, count=tokens.count, tokenizer=tokens.name, write=write, embed=embed
            )
        except UnfoldedError as error:
            unfolded(error)
            raise
        _say_fallback(made.planned)
        return made

    return folded


def _judge(given: GivenFile, options: "RenderOptions") -> Callable[[bytes], bool]:
    """Return what tells whether a document is one that its API would take."""
    from mindpipe.history.verbs.history import check
    from mindpipe.validator.records import Question

    question = Question(
        format=given.form, sdk=options.sdk, strict_roles=options.strict_roles, kind="history"
    )

    def is_sound(octets: bytes) -> bool:
        found = check(octets, source=given.name, question=question)
        return all(finding.severity != "error" for finding in found)

    return is_sound


def _counting(lost: Counter[tuple[str, str]]) -> "Callable[[Loss], None]":
    """Return what counts losses by part and reason."""

    def hear(loss: "Loss") -> None:
        lost[loss.part, loss.why] += 1

    return hear


def _ended(octets: bytes) -> Iterator[bytes]:
    """Yield a document that ends its line."""
    yield octets
    if not octets.endswith(b"\n"):
        yield b"\n"


def _tell(
    given: GivenFile,
    done: Sequence[FoldedDocument],
    lost: Counter[tuple[str, str]],
    whole: "Sequence[UnfoldedError]",
) -> None:
    """Say what was folded, why if that is asked, and what could not be written."""
    from mindpipe.history.records import LossCount
    from mindpipe.providers.formats import CANONICAL

    for written, repairs, left_out in done:
        rewritten = written.planned is not None and written.anew and given.form != CANONICAL
        output.say_changes(given.name, repairs, left_out if rewritten else ())
        if written.planned and written.planned.reasons:
            _say_chosen(written.planned)
        for reason in written.planned.reasons if written.planned else ():
            output.say(f"cycle {reason.cycle}: {reason.to}: {reason.why}")
    plans = [one.written.planned.plan for one in done if one.written.planned]
    by = ", ".join(sorted({plan.strategy for plan in plans}))
    before = sum(sum(one.before.values()) for one in plans)
    after = sum(sum(one.after.values()) for one in plans)
    output.say(
        f"{given.name}: {len(plans)} of {len(done)} folded by {by}: {before} -> {after} tokens"
        if plans
        else f"{given.name}: {_unfolded(whole, of=len(done))}"
    )
    if given.form != CANONICAL:
        counts = sorted(lost.items())
        output.say_losses(LossCount(part=part, why=why, times=n) for (part, why), n in counts)


def _unfolded(whole: "Sequence[UnfoldedError]", *, of: int) -> str:
    """Say that nothing was folded; of one window why, in its own words."""
    if (of, len(whole)) != (1, 1):
        return "nothing to fold"
    return f"nothing to fold: {str(whole[0]).removeprefix('nothing to fold: ')}"


def _warn(
    given: GivenFile,
    done: Sequence[FoldedDocument],
    whole: "Sequence[UnfoldedError]",
    *,
    budget: int,
) -> None:
    """Say how many windows are over the budget all the same, how far, and why."""
    plans = [one.written.planned.plan for one in done if one.written.planned]
    sizes = [sum(plan.after.values()) for plan in plans]
    if over := [size for size in [*sizes, *(one.tokens for one in whole)] if size > budget]:
        most = f"{max(over)}" if len(over) == 1 else f"up to {max(over)}"
        output.say(
            f"{given.name}: {len(over)} over the budget of {budget} tokens even so ({most}): "
            "what stands before the messages stays, and a single cycle cannot be cut"
        )


def _draw_plan(planned: "WindowPlan") -> None:
    """Draw what a plan that was made just now would change."""
    from mindpipe.compaction.plans.diff import PlanDiff, differences

    _draw_diff(PlanDiff(tuple(differences(planned)), tuple(planned.reasons)))


def _draw_diff(changed: "PlanDiff") -> None:
    """Draw what a plan would change: what leaves, what stays, and what it saves."""
    from mindpipe.compaction.plans.diff import (
        AnchorDiff,
        CyclesDiff,
        PointerDiff,
        TokensDiff,
        WorthDiff,
    )

    width = None if output.on_terminal("stdout") else PIPE_WIDTH
    console = output.paper(width)
    sizes: list[TokensDiff] = []
    for one in changed.differences:
        match one:
            case CyclesDiff():
                _draw_cycles(console, one)
            case AnchorDiff():
                words = f"= {one.anchor.kind}: {one.anchor.text} (cycle {one.anchor.cycle})"
                _draw(console, words, _ENTERS)
            case PointerDiff():
                _draw(console, f"= {one.text}", _ENTERS)
            case TokensDiff():
                sizes.append(one)
            case WorthDiff():
                console.print(_table(sizes))
                _draw_worth(console, one)
    for reason in changed.reasons:
        _draw(console, f"cycle {reason.cycle}: {reason.to}: {reason.why}", _STAYS)


def _draw(console: "Console", words: str, style: str, *, indent: int = 0) -> None:
    """Draw one line, folded below its beginning."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Padding(Text(terminal_text(words), style=style), (0, 0, 0, indent), expand=False))


def _draw_cycles(console: "Console", one: "CyclesDiff") -> None:
    """Draw what becomes of a run of cycles, and the lines that stand for it."""
    from mindpipe.compaction.window_text import span

    cycles = _named([(one.first, one.last)])
    size = f"{one.tokens} tokens"
    if one.to == "kept":
        _draw(console, f"  {cycles}: whole, {size}", _STAYS)
    elif one.to == "masked":
        saved = sum(stub.saved for stub in one.stubs)
        results = counted(len(one.stubs), "result")
        _draw(console, f"~ {cycles}: {results} masked, {saved} tokens saved, {size}", _STANDS_FOR)
        for stub in one.stubs:
            _draw(console, stub.text, _STANDS_FOR, indent=4)
    elif one.leaving:
        _draw(console, f"- {_named(one.leaving)}: out of the window", _LEAVES)
        _draw(console, f"+ {cycles}: {counted(len(one.lines), 'line')}, {size}", _ENTERS)
    else:
        lines = counted(len(one.lines), "line")
        _draw(console, f"  {cycles}: {lines} as before, {size}", _STAYS)
    if one.returning:
        _draw(console, f"+ {_named(one.returning)}: back in the window", _ENTERS)
    style = _ENTERS if one.leaving else _STAYS
    for line in one.lines:
        _draw(
            console, f"{span(line.cycle, line.until or line.cycle)}: {line.text}", style, indent=4
        )


def _draw_worth(console: "Console", worth: "WorthDiff") -> None:
    """Draw what a plan is worth."""
    kept = worth.measures
    facts = [
        f"{worth.agent}: {worth.strategy}, at most {worth.budget} tokens; saves {worth.saving}",
        f"of what leaves: {kept.grounded:.0%} of the rare words stay, and {kept.anchors:.0%} of "
        "the anchors (tasks, ids, paths, errors, decisions), if there are any",
    ]
    if worth.saving < worth.min_saving:
        facts.append(f"too little to be done by itself, which waits for {worth.min_saving} tokens")
    if worth.cached:
        paid = "unknown" if worth.pays_after is None else f"{worth.pays_after} requests"
        facts.append(f"{worth.cached} tokens leave the cache, paid for after {paid}")
    if worth.chosen:
        facts.append(f"{worth.strategy} was taken, for {worth.chosen}")
    if worth.fallback:
        facts.append(f"another strategy wrote it: {worth.fallback}")
    for fact in facts:
        _draw(console, fact, "")


def _table(sizes: "Iterable[TokensDiff]") -> "Table":
    """Return tokens by kind, before and after."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("tokens")
    table.add_column("before", justify="right")
    table.add_column("after", justify="right")
    for one in sizes:
        style = "bold" if one.kind == "total" else _changed(one)
        table.add_row(one.kind, str(one.before), str(one.after), style=style)
    return table


def _changed(one: "TokensDiff") -> str:
    """Return how a kind is drawn, by whether it grows or shrinks."""
    if one.before == one.after:
        return _STAYS
    return _LEAVES if one.after < one.before else _ENTERS


def _named(ranges: "Iterable[Range]") -> str:
    """Return ranges of cycles in words."""
    from mindpipe.compaction.window_text import span

    found = list(ranges)
    alone = len(found) == 1 and found[0][0] == found[0][1]
    return f"cycle{'' if alone else 's'} {', '.join(span(*one) for one in found)}"


COMMAND = group("compact", plan, diff, apply, undo, list_, alone=alone)
