"""What a model sees of a history, as messages: the summary first, then the cycles that are sent."""

from collections.abc import Callable, Sequence

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.filter.opening_message import opening_message
from mindpipe.compaction.records import Overlay, Summary
from mindpipe.compaction.verbs import windows
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history.verbs.show import show

Sources = Callable[[Overlay], Sequence[str]]
"""Whose words stand behind the summaries of a window, without what was cleared."""


def seen(
    store: Store, *, agent: str, sources: Sources, number: int | None = None
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
