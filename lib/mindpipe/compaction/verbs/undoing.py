"""Bring back the window that was in force before; the log has never changed."""

from collections.abc import Sequence

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.plans.changing import undone
from mindpipe.compaction.plans.plan_lines import stored_plan
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs import loading, planning, publishing, windows
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.compaction.verbs.publishing import Sent
from mindpipe.core.errors import InputOutputError, NothingToDoError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Store
from mindpipe.history.verbs import segments


def undo(ports: Ports, *, agent: str) -> Compaction:
    """Put the window in force that was before the present one, in a segment of its own.

    Cycles that were lived since are sent whole after it. Its `tokens_before` and `tokens_after` are
    what is sent before and after it, measured now.

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
        sent = _sent(store, changes)
        made = publishing.put(ports, change=_measured(ports, change, sent), sent=sent)
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made


def _measured(ports: Ports, change: Compaction, sent: Sent) -> Compaction:
    """Return a change with the tokens of what is sent now, and of what will be."""
    now = loading.present(ports, agent=change.agent)
    segment = msgspec.structs.replace(
        now.segment,
        head=msgspec.structs.replace(now.segment.head, summary=sent.summary),
        first_cycle=sent.first_cycle,
    )
    octets = change.window and windows.kept_octets(ports.store, sha256=change.window)
    then = now._replace(segment=segment, planned=stored_plan(octets) if octets else None)
    return msgspec.structs.replace(
        change,
        tokens_before=planning.size_of(ports, now).total,
        tokens_after=planning.size_of(ports, then).total,
    )


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
