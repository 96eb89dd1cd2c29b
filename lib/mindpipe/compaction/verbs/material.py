"""Measure what is sent now, and load what a plan of less is made from."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from mindpipe.agents.builtin_tools import kept_names
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction import tables
from mindpipe.compaction.records import PROMPT_TOKENS, Overlay, Summary, WindowPlan
from mindpipe.compaction.sizes import head_tokens, tokens_by_kind
from mindpipe.compaction.verbs import windows
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.messages import Head, Message
from mindpipe.core.models import Write
from mindpipe.core.ports import Clock, Store, Tokens
from mindpipe.history.records import Segment
from mindpipe.history.verbs import cycles, log
from mindpipe.history.verbs.history import show
from mindpipe.history.verbs.log import Counted
from mindpipe.spending import verbs as spending

if TYPE_CHECKING:
    from mindpipe.compaction.plans.planner import Material
    from mindpipe.compaction.task import CycleInView, Embed

OTHER_TOKENIZER = 15
"""Percent that are added to a count by another tokenizer than the one in use (messages.md C10)."""

Sources = Callable[[str, int, int], Mapping[int, tuple[str, ...]]]
"""Whose words each cycle of an agent took in, from a first to a last one, cleared or not."""


class MaterialPorts(NamedTuple):
    """What a window is planned and written with."""

    store: Store
    clock: Clock
    tokens: Tokens
    sources: Sources
    embed: "Embed | None" = None
    write: Write | None = None
    prompt_tokens: int = PROMPT_TOKENS


class PresentWindow(NamedTuple):
    """What is sent now: the segment, the window in force and its hash (None: no cycle is folded).

    `first` is the first cycle that is sent where there is no window, `calibration` what the
    provider reported over what is counted, `head` the tokens of system text and tools.
    """

    segment: Segment
    name: str | None
    planned: WindowPlan | None
    head: int
    calibration: float

    @property
    def since(self) -> int:
        """Return the first cycle behind the window; without one, the first that is sent."""
        return self.planned.plan.through + 1 if self.planned else self.segment.first_cycle


def present(ports: MaterialPorts, *, agent: str) -> PresentWindow:
    """Return what is sent of an agent's history now.

    Raises:
        NothingToDoError: the agent has no history.
    """
    store = ports.store
    with store.read() as rows:
        segment = log.current_segment(store, agent=agent)
        if segment is None:
            raise NothingToDoError(f"{agent} has no history yet.")
        change = tables.in_force(rows, agent=agent)
        name = change.window if change else None
        planned = None if name is None else windows.kept_window(store, sha256=name)
        model = segment.target.label()
        ratio = spending.calibration(store, agent=agent, model=model)
    return PresentWindow(
        segment=segment,
        name=name,
        planned=planned,
        head=head_tokens(segment.head, count=ports.tokens.count),
        calibration=ratio or 1.0,
    )


class Size(NamedTuple):
    """The tokens of all that is sent now, as the provider counts.

    `head` is system text and tools, `closed` the window and every closed cycle that is sent,
    `open` the cycle that is not closed yet.
    """

    head: int
    closed: int
    open: int

    @property
    def total(self) -> int:
        """Return all of them."""
        return self.head + self.closed + self.open


def sent_size(ports: MaterialPorts, *, agent: str, head: Head | None = None) -> Size:
    """Return how many tokens are sent now, or would be under another head; no message is read.

    Raises:
        NothingToDoError: the agent has no history.
    """
    with ports.store.read():
        return size_of(ports, present(ports, agent=agent), head=head)


def size_of(ports: MaterialPorts, now: PresentWindow, *, head: Head | None = None) -> Size:
    """Return how many tokens something that may be sent of an agent's history has."""
    count, agent = ports.tokens.count, now.segment.agent
    with ports.store.read():
        sizes = cycles.cycles_tokens(ports.store, agent=agent, since_cycle=now.since)
        through = cycles.last_closed(ports.store, agent=agent)
    if now.planned is None:
        told = count(now.segment.head.summary or "")
    else:
        kinds = tokens_by_kind(now.planned.parts, head=0, count=count, calibration=1.0)
        told = sum(kinds.values())
    closed = sum(size.tokens for size in sizes if size.cycle <= through)
    still = sum(size.tokens for size in sizes if size.cycle > through)
    before = now.head if head is None else head_tokens(head, count=count)
    counts = (before, told + closed, still)
    return Size(*(ceil(one * now.calibration) for one in counts))


def material(ports: MaterialPorts, *, agent: str) -> "Material":
    """Return what a plan of an agent's window is made from, as the log is now.

    Its size, and the time that this takes, grow with what is sent and what was lived since, not
    with the log.

    Raises:
        NothingToDoError: the agent has no history.
    """
    # Every cycle measures; few plan.
    from mindpipe.compaction.plans.planner import Material

    store = ports.store
    with store.read():
        now = present(ports, agent=agent)
        kept = kept_names(agents.show(store, name=agent).builtin_tools)
        end = log.log_head(store, agent=agent)
        through = cycles.last_closed(store, agent=agent)
        lived = tuple(_lives(ports, agent, _ranges(now, through)))
    return Material(
        lived=lived,
        head=now.head,
        seq=end.seq,
        sha256=end.sha256,
        through=through,
        count=ports.tokens.count,
        tokenizer=ports.tokens.name,
        calibration=now.calibration,
        base=now.planned.parts if now.planned else (),
        name=now.name,
        first_sent=1 if now.planned else now.segment.first_cycle,
        findable={"search_history", "read_history"} <= set(kept),
        embed=ports.embed,
        write=ports.write,
        prompt_tokens=ports.prompt_tokens,
    )


def _ranges(now: PresentWindow, through: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of cycles up to `through` that no summary stands for."""
    if now.planned is None:
        yield 1, through
        return
    base = now.planned
    for first, last in windows.sent_ranges(base.parts, through=base.plan.through):
        yield first, through if last is None else last


def _lives(
    ports: MaterialPorts, agent: str, ranges: Iterable[tuple[int, int]]
) -> "Iterator[CycleInView]":
    """Yield the cycles of some ranges that have messages, with tokens, trigger and sources."""
    from mindpipe.compaction.task import CycleInView

    for first, last in ranges:
        triggers = cycles.triggers(ports.store, agent=agent, first=first, last=last)
        sources = ports.sources(agent, first, last)
        found = log.counted(ports.store, agent=agent, first=first, last=last)
        for number, own in groupby(found, key=lambda one: one.message.cycle):
            held = tuple(own)
            yield CycleInView(
                cycle=number,
                messages=tuple(one.message for one in held),
                counts=tuple(tokens_of(one, tokenizer=ports.tokens.name) for one in held),
                trigger=triggers.get(number, ""),
                sources=tuple(sources.get(number, ())),
            )


def tokens_of(counted: Counted, *, tokenizer: str) -> int:
    """Return the tokens of a message, with a margin where another tokenizer counted them."""
    if counted.tokenizer == tokenizer:
        return counted.tokens
    return -(-counted.tokens * (100 + OTHER_TOKENIZER) // 100)


OverlaySources = Callable[[Overlay], Sequence[str]]
"""Whose words stand behind the summaries of a window, without what was cleared."""


def seen(
    store: Store, *, agent: str, sources: OverlaySources, number: int | None = None
) -> tuple[Message, ...]:
    """Return what the next cycle of an agent would be sent, or what change `number` put in force.

    The summary is tainted where `sources` finds somebody's words behind it.

    Messages keep the numbers that they have in the log; the summary has those of the first cycle
    that it covers. Of an older change only the cycles are shown that it was planned on.

    Raises:
        InputOutputError: the bytes of the window are gone.
        NothingToDoError: the agent has no history, or the change sent all of it.
        UsageError: there is no such agent or change.
    """
    from mindpipe.compaction.sent import opening_message

    name = agents.show(store, name=agent).name
    with store.read():
        segment, until = (None, None) if number is None else _place(store, name, number)
        planned = windows.in_force(store, agent=name, segment=segment)
        shown = windows.window(store, agent=name, number=segment, until=until)
        if planned is None or shown.head.summary is None:
            return shown.messages
        opening = opening_message(
            shown.head.summary,
            planned.parts,
            agent=name,
            segment=_segment(store, name, planned.parts),
            tainted=bool(sources(planned.parts)),
        )
    return (opening, *shown.messages)


def _segment(store: Store, agent: str, parts: Overlay) -> int:
    """Return the segment of the first cycle that is covered, whose place the summary takes."""
    first = next(part.first for part in parts if isinstance(part, Summary))
    found = next(show(store, agent=agent, cycle=first), None)
    return 1 if found is None else found.segment


def _place(store: Store, agent: str, number: int) -> tuple[int, int]:
    """Return the segment that a change opened, and the last cycle that it was planned on."""
    with store.read() as rows:
        change = tables.find(rows, agent=agent, number=number)
    if change is None:
        raise UsageError(f"{agent} has no compaction {number}. mind compact list names them.")
    if change.window is None:
        raise NothingToDoError(f"since compaction {number} the whole history is sent.")
    return change.segment, change.through
