"""Fold old cycles out of a window: plan, apply, undo, list."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction import tables
from mindpipe.compaction.plans.changes import applied, undone
from mindpipe.compaction.plans.check import faults_of
from mindpipe.compaction.plans.diff import PlanDiff, differences
from mindpipe.compaction.plans.lines import plan_octets, read_plan, stored_plan
from mindpipe.compaction.plans.planner import PlanOptions, plan_window
from mindpipe.compaction.records import Compaction, CompactionPlan, WindowPlan
from mindpipe.compaction.verbs import material, windows
from mindpipe.compaction.verbs.material import MaterialPorts, sent_size, size_of
from mindpipe.compaction.verbs.windows import kept_octets
from mindpipe.compaction.window_text import summary_text
from mindpipe.core.errors import (
    BadInputError,
    InputOutputError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UsageError,
)
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Store
from mindpipe.core.problems import Problem
from mindpipe.history.records import NewSegment, Segment
from mindpipe.history.verbs import cycles, log


def list_(store: Store, *, agent: str) -> list[Compaction]:
    """Return all changes of an agent's window, oldest first; the newest one is in force.

    Raises:
        UsageError: there is no such agent.
    """
    name = agents.show(store, name=agent).name
    with store.read() as rows:
        return tables.all_of(rows, agent=name)


def window_of(store: Store, *, agent: str, number: int | None = None) -> bytes:
    """Return the lines of the plan that a change put in force, or of the window in force now.

    Raises:
        InputOutputError: they are gone.
        NothingToDoError: the change, or the present state, is that the whole log is sent.
        UsageError: there is no such agent or change.
    """
    name = agents.show(store, name=agent).name
    with store.read() as rows:
        if number is None:
            found = tables.in_force(rows, agent=name)
        else:
            found = tables.find(rows, agent=name, number=number)
        if number is not None and found is None:
            raise UsageError(f"{name} has no compaction {number}. mind compact list names them.")
        if found is None or found.window is None:
            raise NothingToDoError(f"no window is in force: {name}'s whole history is sent.")
        return kept_octets(store, sha256=found.window)


BUDGET_SHARE = 0.7
"""A window is cut to this share of an agent's `max_tokens`, so that it is not cut every cycle."""
SAVING_SHARE = 0.1
"""What a compaction by itself has to save of `max_tokens`, where the agent has no `min_saving`."""


def plan(ports: MaterialPorts, *, options: PlanOptions) -> WindowPlan:
    """Return the window that would take the place of the present one; nothing is written.

    Only what is sent now, and what was lived since, is read. No transaction is open while a model
    is asked.

    Raises:
        NothingToDoError: there is no history, no cycle would leave, or the window would not shrink.
        RefusedError: system text and tools alone leave no room for a summary.
    """
    return plan_window(material.material(ports, agent=options.agent), options)


def diff(octets: bytes, *, source: str) -> PlanDiff:
    """Return what the lines of a plan would change; only they are read.

    Raises:
        BadInputError: they are no plan; every fault with its line and field.
        NothingToDoError: there is nothing in them.
    """
    planned = read_plan(octets, source=source)
    return PlanDiff(tuple(differences(planned)), tuple(planned.reasons))


def plan_options(agent: Agent, *, automatic: bool = False) -> PlanOptions:
    """Return what an agent's own settings ask of a plan."""
    saving = agent.min_saving
    return PlanOptions(
        agent=agent.name,
        strategy=agent.compaction,
        budget=max(1, int(agent.max_tokens * BUDGET_SHARE)),
        keep_cycles=agent.min_recent_cycles,
        min_saving=int(agent.max_tokens * SAVING_SHARE) if saving is None else saving,
        automatic=automatic,
    )


_OWNER = "mind compact"
"""Who has the lease while a window is published, in one transaction that nobody else sees."""

REASONS = {"apply": "compaction", "undo": "undo"}
"""Why the segment of a change was opened."""


class SentSegment(NamedTuple):
    """What a segment sends: the text of its summary, and its first cycle."""

    summary: str | None
    first_cycle: int


@contextmanager
def holding(ports: MaterialPorts, *, agent: str) -> Iterator[None]:
    """Open a transaction in which nobody else has the agent, and no cycle of it is open.

    Raises:
        TemporaryError: a worker has it, or left a cycle open.
    """
    store = ports.store
    with store.write(agent):
        epoch = leases.acquire(store, ports.clock, agent=agent, owner=_OWNER)
        if cycles.open_one(store, agent=agent) is not None:
            raise TemporaryError(f"{agent} is in the middle of a cycle. Try again after it.")
        yield
        leases.release(store, agent=agent, owner=_OWNER, epoch=epoch)


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


def publish(ports: MaterialPorts, *, planned: WindowPlan, octets: bytes) -> Compaction:
    """Put a window in force in the open transaction; raises TemporaryError if the log has moved."""
    plan, parts = planned.plan, planned.parts
    store, agent = ports.store, plan.agent
    with store.write() as rows:
        check_present(store, plan)
        last = tables.in_force(rows, agent=agent)
        sha256 = log.put_blob(store, octets=octets)
        first = windows.sent_ranges(parts, through=plan.through)[0][0]
        return put(
            ports,
            change=applied(planned, window=sha256, last=last),
            sent=SentSegment(summary_text(parts), first),
        )


def put(ports: MaterialPorts, *, change: Compaction, sent: SentSegment) -> Compaction:
    """Write the row of a change and open its segment, in the open transaction."""
    with ports.store.write(change.agent) as rows:
        segment = _open_segment(ports, change, sent)
        made = msgspec.structs.replace(change, segment=segment.segment, at=segment.opened)
        tables.insert(rows, made)
    return made


def _open_segment(ports: MaterialPorts, change: Compaction, sent: SentSegment) -> Segment:
    """Open a segment that goes on under the present head, with another window.

    Raises:
        NothingToDoError: the agent has no history.
    """
    store, agent = ports.store, change.agent
    now = log.current_segment(store, agent=agent)
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
    return log.open_segment(store, ports.clock, agent=agent, new=new)


def apply(ports: MaterialPorts, *, agent: str, octets: bytes, source: str = "plan") -> Compaction:
    """Check the lines of a plan against the log, and put its window in force, under the lease.

    The octets are kept as they are. `source` is what they are called in what is wrong with them.

    Raises:
        BadInputError: they are no plan, one of another agent, or do not fit the log.
        NothingToDoError: there are none, or the agent has no history.
        TemporaryError: the log has moved, another window is in force, or a worker has the agent.
        UsageError: there is no such agent.
    """
    name = agents.show(ports.store, name=agent).name
    planned = read_plan(octets, source=source)
    if planned.plan.agent != name:
        what = f"this is a plan for {planned.plan.agent}, not for {name}"
        raise BadInputError([Problem(source=source, line=1, field="$.agent", message=what)])
    with ports.store.read():
        check_present(ports.store, planned.plan)
        present = material.material(ports, agent=name)
    if problems := faults_of(planned, present, source=source):
        raise BadInputError(problems)
    return put_in_force(ports, planned=planned, octets=octets)


def compact(ports: MaterialPorts, *, planned: WindowPlan) -> Compaction:
    """Put a window in force that was planned just now; raises what `apply` raises."""
    return put_in_force(ports, planned=planned, octets=plan_octets(planned))


def put_in_force(ports: MaterialPorts, *, planned: WindowPlan, octets: bytes) -> Compaction:
    """Publish a window that was checked, under the lease, if nothing has moved."""
    with holding(ports, agent=planned.plan.agent):
        made = publish(ports, planned=planned, octets=octets)
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made


def undo(ports: MaterialPorts, *, agent: str) -> Compaction:
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
    with holding(ports, agent=name):
        with store.read() as rows:
            changes = tables.all_of(rows, agent=name)
        change = undone(changes)
        if change is None:
            raise NothingToDoError(f"nothing of the history of {name} is folded.")
        sent = _sent(store, changes)
        made = put(ports, change=_measured(ports, change, sent), sent=sent)
        reach("compact.before_publish")
    reach("compact.after_publish")
    return made


def _measured(ports: MaterialPorts, change: Compaction, sent: SentSegment) -> Compaction:
    """Return a change with the tokens of what is sent now, and of what will be."""
    now = material.present(ports, agent=change.agent)
    segment = msgspec.structs.replace(
        now.segment,
        head=msgspec.structs.replace(now.segment.head, summary=sent.summary),
        first_cycle=sent.first_cycle,
    )
    octets = change.window and windows.kept_octets(ports.store, sha256=change.window)
    then = now._replace(segment=segment, planned=stored_plan(octets) if octets else None)
    return msgspec.structs.replace(
        change,
        tokens_before=size_of(ports, now).total,
        tokens_after=size_of(ports, then).total,
    )


def _sent(store: Store, changes: Sequence[Compaction]) -> SentSegment:
    """Return what was sent before the newest of some changes.

    Raises:
        InputOutputError: the segment that sent it is gone.
    """
    agent, before = changes[-1].agent, changes[-1].before
    number = changes[before - 1].segment if before else changes[0].segment - 1
    found = log.segment(store, agent=agent, number=number)
    if found is None:
        raise InputOutputError(f"segment {number} of {agent} is gone. Run mind history verify.")
    return SentSegment(found.head.summary, found.first_cycle)


SHRUNK_SHARE = 0.35
"""Of the closed cycles a request that was too long keeps this share of their tokens.

A history of twice what a model takes then fits, head and open cycle included.
"""


def shrink(ports: MaterialPorts, *, agent: Agent) -> Compaction | None:
    """Fold closed cycles for a model that found a request too long.

    It is called by whoever has the lease, in the open transaction. None is returned where nothing
    may leave the window, or system text and tools leave no room for one.
    """
    try:
        size = sent_size(ports, agent=agent.name)
        options = plan_options(agent, automatic=True)
        budget = max(1, size.head + int(size.closed * SHRUNK_SHARE))
        planned = plan(
            ports._replace(write=None), options=options._replace(budget=budget, min_saving=0)
        )
    except (NothingToDoError, RefusedError):
        return None
    return publish(ports, planned=planned, octets=plan_octets(planned))
