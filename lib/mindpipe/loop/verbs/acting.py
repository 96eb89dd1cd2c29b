"""Act: do what is automatic or approved, put the rest into the human's queue, call a person."""

from mindpipe.agents import verbs as agents
from mindpipe.core.ports import Clock, Store
from mindpipe.core.records import Record
from mindpipe.decisions.records import Decision, DecisionState
from mindpipe.decisions.rules import Rules
from mindpipe.decisions.verbs import escalating, queue, settling
from mindpipe.loop.verbs import delegating
from mindpipe.loop.verbs.calling import call_due
from mindpipe.loop.verbs.deciding import held_by_policy
from mindpipe.loop.verbs.delegating import Delegation
from mindpipe.tasks.records import Task, TaskState
from mindpipe.tasks.verbs import queue as tasks
from mindpipe.think.means import Means
from mindpipe.think.verbs import tickets
from mindpipe.think.verbs.applying import ticketing
from mindpipe.think.verbs.approved import run_approved

LOOK_SECONDS = 5.0
"""How long workers of delegated tasks are let alone by a loop that has nothing else to do."""


class Acted(Record, omit_defaults=True):
    """What one act did: ids of decisions by what became of them, and of calls for a person.

    `applied`, `failed` and `unknown` ran; `queued` wait for a person, of whom `escalated` want one
    now; `refused` and `expired` never run. `called` are the keys of calls that were made.
    Of delegated tasks some were `sent`, are `late`, or were `handed_over` to a person.
    """

    agent: str
    applied: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    queued: tuple[str, ...] = ()
    escalated: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    sent: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    handed_over: tuple[str, ...] = ()


def act(means: Means, *, agent: str, rules: Rules, delegation: Delegation | None = None) -> Acted:
    """Do what was decided for an agent: run, queue, send and mend its tasks, call.

    What runs does so once, by its ticket, with the crash rules of tickets. Without `delegation`
    tasks stay as they are.

    Raises:
        TemporaryError: another worker holds the agent.
    """
    store, clock = means.store, means.clock
    who = agents.show(store, name=agent)
    expired = queue.lapse(store, clock, means.deliver, agent=who.name)
    before = settling.under_way(store, agent=who.name)
    run_approved(means, agent=who.name)
    queued: list[Decision] = []
    for one in settling.settle(
        store,
        clock,
        ticketing(store, clock, means.chance, hours=rules.hours),
        agent=who.name,
        held=lambda one: held_by_policy(one, who, rules),
    ):
        if one.state is DecisionState.WAITING:
            queued.append(one)
        else:
            # At once, so that what was proposed first is done first.
            before.append(one)
            run_approved(means, agent=who.name)
    ended = settling.ended(store, before)
    given = _tasks(means, who.name, delegation)
    called = call_due(means, agent=who.name, rules=rules)
    return Acted(
        agent=who.name,
        applied=_in(ended, DecisionState.APPLIED),
        failed=_in(ended, DecisionState.FAILED),
        unknown=_in(ended, DecisionState.UNKNOWN),
        refused=_in(ended, DecisionState.REJECTED),
        expired=(*_in(expired, DecisionState.EXPIRED), *_in(ended, DecisionState.EXPIRED)),
        queued=_in(queued, DecisionState.WAITING),
        escalated=tuple(one.id for one in queued if one.type == "escalate"),
        called=called,
        sent=tuple(one.id for one in given if one.state is TaskState.SENT),
        late=tuple(one.id for one in given if one.state is TaskState.LATE),
        handed_over=tuple(one.id for one in given if one.state is TaskState.ESCALATED),
    )


def is_due(store: Store, clock: Clock, agent: str, *, silent: float) -> bool:
    """Tell whether an agent's act would find something; it asks without writing.

    `silent` are the seconds since the last one: workers of tasks are looked after now and then.
    """
    if tickets.is_due(store, clock, agent=agent) or settling.is_due(store, agent=agent):
        return True
    if escalating.due(store, clock, agent=agent):
        return True
    states = {one.state for one in tasks.list_(store, agent=agent)}
    if not states.isdisjoint((TaskState.CREATED, TaskState.LOST)):
        return True
    under_way = not states.isdisjoint((TaskState.SENT, TaskState.RUNNING, TaskState.LATE))
    return under_way and silent >= LOOK_SECONDS


def _tasks(means: Means, agent: str, delegation: Delegation | None) -> list[Task]:
    """Send and mend the tasks of an agent; return those that changed."""
    if delegation is None:
        return []
    mended = delegating.mend(means, delegation, agent=agent)
    return [*mended, *delegating.send_due(means, delegation, agent=agent)]


def _in(decisions: list[Decision], state: DecisionState) -> tuple[str, ...]:
    """Return the ids of those in a state."""
    return tuple(one.id for one in decisions if one.state is state)
