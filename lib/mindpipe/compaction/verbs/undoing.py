"""Bring back the window that was in force before; the log has never changed."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs import publishing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.compaction.verbs.publishing import Sent
from mindpipe.core.errors import InputOutputError, NothingToDoError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Rows, Store
from mindpipe.history.verbs import segments


def undo(ports: Ports, *, agent: str) -> Compaction:
    """Put the window in force that was before the present one, in a segment of its own.

    Cycles that were lived since are sent whole after it. Its `tokens_before` and `tokens_after` are
    those of what it undoes, the other way round.

    Raises:
        NothingToDoError: no window is in force.
        TemporaryError: a worker has the agent.
        UsageError: there is no such agent.
    """
    store = ports.store
    name = agents.show(store, name=agent).name
    with publishing.holding(ports, agent=name):
        with store.write() as rows:
            made = _undone(rows, name)
            segment = publishing.open_segment(
                ports, agent=name, sent=_sent(store, rows, made), reason="undo"
            )
            made = msgspec.structs.replace(made, segment=segment, at=ports.clock.now())
            tables.insert(rows, made)
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made


def _undone(rows: Rows, agent: str) -> Compaction:
    """Return the row of an undo, but for its segment and moment."""
    changes = tables.all_of(rows, agent=agent)
    if not changes or changes[-1].window is None:
        raise NothingToDoError(f"nothing of the history of {agent} is folded.")
    return undo_of(changes)


def undo_of(changes: list[Compaction]) -> Compaction:
    """Return the row that undoes the newest of some changes, but for its segment and moment."""
    present = changes[-1]
    applied = next(one for one in reversed(changes) if _applies(one, present.window))
    back = changes[present.before - 1] if present.before else None
    return Compaction(
        agent=present.agent,
        number=present.number + 1,
        action="undo",
        window=back.window if back else None,
        before=back.before if back else 0,
        through=back.through if back else 0,
        strategy=back.strategy if back else "",
        tokens_before=applied.tokens_after,
        tokens_after=applied.tokens_before,
        segment=0,
        at="",
    )


def _applies(change: Compaction, window: str | None) -> bool:
    """Tell whether a change is the one that brought a window."""
    return change.action == "apply" and change.window == window


def _sent(store: Store, rows: Rows, made: Compaction) -> Sent:
    """Return what the segment sent whose window comes back.

    Raises:
        InputOutputError: that segment is gone.
    """
    present = tables.in_force(rows, agent=made.agent)
    before = present.before if present else 0
    place = tables.find(rows, agent=made.agent, number=before or 1)
    number = (place.segment if before else place.segment - 1) if place else 0
    found = segments.segment(store, agent=made.agent, number=number)
    if found is None:
        raise InputOutputError(
            f"segment {number} of {made.agent} is gone. Run mind history verify."
        )
    return Sent(found.head.summary, found.first_cycle)
