"""Write a change of an agent's window: its row, its bytes and its segment, in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.plans.changing import applied
from mindpipe.compaction.records import Compaction, CompactionPlan, WindowPlan
from mindpipe.compaction.verbs import windows
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.compaction.wording import summary_text
from mindpipe.core.errors import NothingToDoError, TemporaryError
from mindpipe.core.ports import Store
from mindpipe.history.records import NewSegment, Segment
from mindpipe.history.verbs import blobs, cycles, log, segments

_OWNER = "mind compact"
"""Who has the lease while a window is published, in one transaction that nobody else sees."""

REASONS = {"apply": "compaction", "undo": "undo"}
"""Why the segment of a change was opened."""


class Sent(NamedTuple):
    """What a segment sends: the text of its summary, and its first cycle."""

    summary: str | None
    first_cycle: int


@contextmanager
def holding(ports: Ports, *, agent: str) -> Iterator[None]:
    """Open a transaction in which nobody else has the agent, and no cycle of it is open.

    Raises:
        TemporaryError: a worker has it, or left a cycle open.
    """
    store = ports.store
    with store.write():
        epoch = agents.lease_acquire(store, ports.clock, agent=agent, owner=_OWNER)
        if cycles.open_one(store, agent=agent) is not None:
            raise TemporaryError(f"{agent} is in the middle of a cycle. Try again after it.")
        yield
        agents.lease_release(store, agent=agent, owner=_OWNER, epoch=epoch)


def check_present(store: Store, plan: CompactionPlan) -> None:
    """Pass if a plan was made for the log and the window as they are now.

    Raises:
        TemporaryError: they have moved.
    """
    agent = plan.agent
    with store.read() as rows:
        end = log.log_head(store, agent=agent)
        change = tables.in_force(rows, agent=agent)
    if (end.seq, end.sha256) != (plan.head_seq, plan.head_sha256):
        raise TemporaryError(
            f"the log of {agent} has moved since the plan was made: it ended with message "
            f"{plan.head_seq} and ends with {end.seq}. Plan again."
        )
    if (change.window if change else None) != plan.base:
        raise TemporaryError(
            f"the window of {agent} is another one than when the plan was made. Plan again."
        )


def publish(ports: Ports, *, planned: WindowPlan, octets: bytes) -> Compaction:
    """Put a window in force in the open transaction; raises TemporaryError if the log has moved."""
    plan, parts = planned.plan, planned.parts
    store, agent = ports.store, plan.agent
    with store.write() as rows:
        check_present(store, plan)
        last = tables.in_force(rows, agent=agent)
        sha256 = blobs.put_blob(store, octets=octets)
        first = windows.sent_ranges(parts, through=plan.through)[0][0]
        return put(
            ports,
            change=applied(planned, window=sha256, last=last),
            sent=Sent(summary_text(parts), first),
        )


def put(ports: Ports, *, change: Compaction, sent: Sent) -> Compaction:
    """Write the row of a change and open its segment, in the open transaction."""
    with ports.store.write() as rows:
        segment = _open_segment(ports, change, sent)
        made = msgspec.structs.replace(change, segment=segment.segment, at=segment.opened)
        tables.insert(rows, made)
    return made


def _open_segment(ports: Ports, change: Compaction, sent: Sent) -> Segment:
    """Open a segment that goes on under the present head, with another window.

    Raises:
        NothingToDoError: the agent has no history.
    """
    store, agent = ports.store, change.agent
    now = segments.current_segment(store, agent=agent)
    if now is None:
        raise NothingToDoError(f"{agent} has no history yet.")
    new = NewSegment(
        head=msgspec.structs.replace(now.head, summary=sent.summary),
        target=now.target,
        first_cycle=sent.first_cycle,
        # Thinking is bound to what stood before it, so the replies of every cycle lose theirs.
        raw_from_cycle=log.log_head(store, agent=agent).cycle + 1,
        reason=REASONS[change.action],
    )
    return segments.open_segment(store, ports.clock, agent=agent, new=new)
