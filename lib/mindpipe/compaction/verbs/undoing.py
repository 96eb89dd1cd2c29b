"""Bring back the window that was in force before; the log has never changed."""

from collections.abc import Sequence

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.plans.changing import undone
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs import publishing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.compaction.verbs.publishing import Sent
from mindpipe.core.errors import InputOutputError, NothingToDoError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Store
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
        with store.read() as rows:
            changes = tables.all_of(rows, agent=name)
        change = undone(changes)
        if change is None:
            raise NothingToDoError(f"nothing of the history of {name} is folded.")
        made = publishing.put(ports, change=change, sent=_sent(store, changes))
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made


def _sent(store: Store, changes: Sequence[Compaction]) -> Sent:
    """Return what was sent before the newest of some changes.

    Raises:
        InputOutputError: the segment that sent it is gone.
    """
    agent, before = changes[-1].agent, changes[-1].before
    number = changes[before - 1].segment if before else changes[0].segment - 1
    found = segments.segment(store, agent=agent, number=number)
    if found is None:
        raise InputOutputError(f"segment {number} of {agent} is gone. Run mind history verify.")
    return Sent(found.head.summary, found.first_cycle)
