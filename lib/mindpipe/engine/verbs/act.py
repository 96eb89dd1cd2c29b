"""Decide what was proposed, do what is automatic or approved, and call a person for the rest."""

import functools

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.models import Target
from mindpipe.core.ports import NOBODY, Clock, ProgramCall, Store
from mindpipe.core.records import Record, to_json
from mindpipe.core.sources import untrusted
from mindpipe.core.text import storable_text
from mindpipe.decisions.bands import DecisionRules
from mindpipe.decisions.records import Action, Decision, DecisionState, Escalation, EscalationState
from mindpipe.decisions.verbs import decide as decide_verb
from mindpipe.decisions.verbs import decision as decisions
from mindpipe.decisions.verbs import escalation as escalations
from mindpipe.decisions.verbs import settlement
from mindpipe.engine.approval import reason_to_ask
from mindpipe.engine.cycle.approved_calls import open_tickets, run_approved
from mindpipe.engine.cycle.tickets import TicketMatter, open_matter
from mindpipe.engine.dependencies import Dependencies, RulePorts
from mindpipe.engine.records.phases import Acted
from mindpipe.engine.worker import delegation as delegation_bounds
from mindpipe.engine.worker.delegation import Delegation
from mindpipe.tasks.records import Task, TaskState

DECIDE, ACT, CALL = "decide", "act", "call"
"""The kinds of operation under which the phases are recorded."""


class ActAsked(Record):
    """By which rules something is done that was decided."""

    rules: DecisionRules


def decide(ports: RulePorts, *, agent: str, rules: DecisionRules) -> list[Decision]:
    """Judge what an agent proposed since, oldest first; nothing runs.

    A call that its agent could not make unasked is never automatic.
    """
    who = agents.show(ports.store, name=agent)
    return decide_verb.decide(
        ports.store,
        ports.clock,
        ports.deliver,
        agent=who.name,
        rules=rules,
        held=policy_of(ports.store, agent=who.name, rules=rules),
    )


def policy_of(store: Store, *, agent: str, rules: DecisionRules) -> decide_verb.Held:
    """Return what says why an agent's policy lets a proposed call not run unasked."""
    who = agents.show(store, name=agent)
    return lambda one, action: held_by_policy(one, action, who, rules)


def held_by_policy(
    decision: Decision, action: Action, agent: Agent, rules: DecisionRules
) -> str | None:
    """Say why an agent's policy lets a proposed call, or its undoing, not run unasked, or None."""
    tool = next((one for one in agent.tools if one.name == action.tool), None)
    if tool is None:
        return None
    agent = msgspec.structs.replace(agent, trust=(*agent.trust, *rules.trust))
    return reason_to_ask(tool, agent, untrusted(decision.sources, agent.trust))


_TAIL = 500
_GRACE_SECONDS = 20.0


def call_due(deps: Dependencies, *, agent: str, rules: DecisionRules) -> tuple[str, ...]:
    """Make the calls of an agent that are due, oldest first; return the keys of those made.

    A call that fails leaves a ticket and is tried again later, under the same key. One that a
    worker died in may have been made: when its time is over it leaves a ticket and is not made
    again.
    """
    called: list[str] = []
    for one in escalations.due(deps.store, deps.clock, agent=agent):
        deps.holder.check()
        if one.state is EscalationState.CALLING:
            words = "interrupted while a person may have been called"
            _end_call(deps, one, EscalationState.UNKNOWN, error=words)
        elif not rules.escalate:
            _end_call(deps, one, EscalationState.QUIET)
        elif _called(deps, one.key, rules):
            called.append(one.key)
    return tuple(called)


def _called(deps: Dependencies, key: str, rules: DecisionRules) -> bool:
    """Make one call, unless somebody else does; return whether it went well."""
    calling = _begin_call(deps.store, deps.clock, key, rules)
    if calling is None:
        return False
    reach("escalate.before_call")
    failure = _run_program(deps, calling, rules)
    reach("escalate.after_call")
    if failure is None:
        _end_call(deps, calling, EscalationState.CALLED)
        return True
    due = escalations.retry_at(deps.clock, calling.attempts)
    _end_call(deps, calling, EscalationState.WAITING, error=failure, due=due)
    deps.holder.tell(f"nobody was called about {calling.about}: {failure}")
    return False


def _begin_call(store: Store, clock: Clock, key: str, rules: DecisionRules) -> Escalation | None:
    """Say that a person may be called from now on, and until when that may take."""
    with store.write(NOBODY) as rows:
        found = escalations.find(rows, key)
        if found is not None and rows.hold("agent", found.agent):
            found = escalations.find(rows, key)
        if found is None or found.state is not EscalationState.WAITING:
            return None
        return escalations.step(
            rows,
            found,
            EscalationState.CALLING,
            attempts=found.attempts + 1,
            due=later(clock.now(), seconds=rules.seconds + _GRACE_SECONDS),
        )


def _end_call(
    deps: Dependencies, escalation: Escalation, state: EscalationState, **changes: str | None
) -> None:
    """Say how a call ended; what went wrong leaves one ticket."""
    with deps.store.write(escalation.agent) as rows:
        save = functools.partial(escalations.step, rows, escalation, state, **changes)
        if changes.get("error") is None or escalation.ticket is not None:
            save()
            return
        matter = TicketMatter("escalation", f"{escalation.text} ({changes['error']})")
        ticket = open_matter(
            deps.store, deps.clock, deps.chance, agent=escalation.agent, matter=matter
        )
        save(ticket=ticket.id)


def _run_program(deps: Dependencies, escalation: Escalation, rules: DecisionRules) -> str | None:
    """Run the program with the matter on its stdin; return what went wrong, or None."""
    call = ProgramCall(
        argv=rules.escalate,
        stdin=to_json(escalation) + b"\n",
        seconds=rules.seconds,
        environment={
            "IDEMPOTENCY_KEY": f"{deps.store.identity}:{escalation.key}",
            "MIND_AGENT": escalation.agent,
        },
    )
    try:
        ended = deps.tools.programs.run(call)
    except UnavailableError as error:
        return str(error)
    if ended.outgrew:
        return f"it took more memory than {call.limits.memory_bytes} bytes"
    if ended.status is None:
        return f"no end within {rules.seconds:g} seconds"
    if ended.status == 0:
        return None
    tail = storable_text(ended.stderr or ended.stdout)[0].strip()[-_TAIL:]
    return f"exit status {ended.status}: {tail}".rstrip(": ")


def act(
    deps: Dependencies, *, agent: str, rules: DecisionRules, delegation: Delegation | None = None
) -> Acted:
    """Do what was decided for an agent: run, queue, send and mend its tasks, call.

    What runs does so once, by its ticket, with the crash rules of tickets. Without `delegation`
    tasks stay as they are.

    Raises:
        TemporaryError: another worker holds the agent.
    """
    who = agents.show(deps.store, name=agent)
    asked = ActAsked(rules=rules)
    with deps.recording(deps, agent=who.name, kind=ACT, asked=asked) as recorded:
        acted = act_again(recorded, agent=who.name, rules=rules)
    given = _tasks(deps, who.name, delegation)
    with deps.recording(deps, agent=who.name, kind=CALL, asked=asked) as recorded:
        called = call_due(recorded, agent=who.name, rules=rules)
    return msgspec.structs.replace(
        acted,
        called=called,
        sent=tuple(one.id for one in given if one.state is TaskState.SENT),
        late=tuple(one.id for one in given if one.state is TaskState.LATE),
        handed_over=tuple(one.id for one in given if one.state is TaskState.ESCALATED),
    )


def act_again(deps: Dependencies, *, agent: str, rules: DecisionRules) -> Acted:
    """Run and queue what was decided, as `act` does, from what was recorded or to record it."""
    store, clock = deps.store, deps.clock
    who = agents.show(store, name=agent)
    expired = decisions.lapse(store, clock, deps.tools.deliver, agent=who.name)
    before = settlement.under_way(store, agent=who.name)
    run_approved(deps, agent=who.name)
    queued: list[Decision] = []
    for one in settlement.settle(
        store,
        clock,
        open_tickets(store, clock, deps.chance, hours=rules.hours),
        agent=who.name,
        held=policy_of(store, agent=who.name, rules=rules),
    ):
        if one.state is DecisionState.WAITING:
            queued.append(one)
        else:
            # At once, so that what was proposed first is done first.
            before.append(one)
            run_approved(deps, agent=who.name)
    ended = settlement.ended(store, before)
    return Acted(
        agent=who.name,
        applied=_in(ended, DecisionState.APPLIED),
        failed=_in(ended, DecisionState.FAILED),
        unknown=_in(ended, DecisionState.UNKNOWN),
        refused=_in(ended, DecisionState.REJECTED),
        expired=(*_in(expired, DecisionState.EXPIRED), *_in(ended, DecisionState.EXPIRED)),
        queued=_in(queued, DecisionState.WAITING),
        escalated=tuple(one.id for one in queued if one.type == "escalate"),
    )


def admit(deps: Dependencies, *, agent: str, rules: DecisionRules) -> None:
    """Let what a person approved in lines run as what was approved in a store.

    Raises:
        RefusedError: what was proposed was changed, or can never be done.
    """
    settlement.admit(
        deps.store,
        deps.clock,
        open_tickets(deps.store, deps.clock, deps.chance, hours=rules.hours),
        agent=agent,
    )


def _tasks(deps: Dependencies, agent: str, delegation: Delegation | None) -> list[Task]:
    """Send and mend the tasks of an agent; return those that changed."""
    if delegation is None:
        return []
    mended = delegation_bounds.mend(deps, delegation, agent=agent)
    return [*mended, *delegation_bounds.send_due(deps, delegation, agent=agent)]


def _in(decisions: list[Decision], state: DecisionState) -> tuple[str, ...]:
    """Return the ids of those in a state."""
    return tuple(one.id for one in decisions if one.state is state)


NO_MODEL = Target(provider="program", api="program", model="none", family="none")
"""What a worker writes requests for that only acts: it writes none."""
