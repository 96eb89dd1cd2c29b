"""Call a person by the program that the operator set, once for each matter."""

import functools

from mindpipe.core.errors import UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.ports import ProgramCall
from mindpipe.core.records import to_json
from mindpipe.core.text import storable_text
from mindpipe.decisions.records import Escalation, EscalationState
from mindpipe.decisions.rules import Rules
from mindpipe.decisions.verbs import escalating
from mindpipe.think.means import Means
from mindpipe.think.verbs.tickets import Matter, open_matter

_TAIL = 500
_GRACE_SECONDS = 20.0


def call_due(means: Means, *, agent: str, rules: Rules) -> tuple[str, ...]:
    """Make the calls of an agent that are due, oldest first; return the keys of those made.

    A call that fails leaves a ticket and is tried again later, under the same key. One that a
    worker died in may have been made: when its time is over it leaves a ticket and is not made
    again.
    """
    called: list[str] = []
    for one in escalating.due(means.store, means.clock, agent=agent):
        means.check()
        if one.state is EscalationState.CALLING:
            words = "interrupted while a person may have been called"
            _end(means, one, EscalationState.UNKNOWN, error=words)
        elif not rules.escalate:
            _end(means, one, EscalationState.QUIET)
        elif _called(means, one.key, rules):
            called.append(one.key)
    return tuple(called)


def _called(means: Means, key: str, rules: Rules) -> bool:
    """Make one call, unless somebody else does; return whether it went well."""
    calling = _begin(means, key, rules)
    if calling is None:
        return False
    reach("escalate.before_call")
    failure = _run(means, calling, rules)
    reach("escalate.after_call")
    if failure is None:
        _end(means, calling, EscalationState.CALLED)
        return True
    due = escalating.retry_at(means.clock, calling.attempts)
    _end(means, calling, EscalationState.WAITING, error=failure, due=due)
    means.tell(f"nobody was called about {calling.about}: {failure}")
    return False


def _begin(means: Means, key: str, rules: Rules) -> Escalation | None:
    """Say that a person may be called from now on, and until when that may take."""
    with means.store.write() as rows:
        found = escalating.find(rows, key)
        if found is None or found.state is not EscalationState.WAITING:
            return None
        return escalating.step(
            rows,
            found,
            EscalationState.CALLING,
            attempts=found.attempts + 1,
            due=later(means.clock.now(), seconds=rules.seconds + _GRACE_SECONDS),
        )


def _end(
    means: Means, escalation: Escalation, state: EscalationState, **changes: str | None
) -> None:
    """Say how a call ended; what went wrong leaves one ticket."""
    with means.store.write() as rows:
        save = functools.partial(escalating.step, rows, escalation, state, **changes)
        if changes.get("error") is None or escalation.ticket is not None:
            save()
            return
        matter = Matter("escalation", f"{escalation.text} ({changes['error']})")
        ticket = open_matter(
            means.store, means.clock, means.chance, agent=escalation.agent, matter=matter
        )
        save(ticket=ticket.id)


def _run(means: Means, escalation: Escalation, rules: Rules) -> str | None:
    """Run the program with the matter on its stdin; return what went wrong, or None."""
    call = ProgramCall(
        argv=rules.escalate,
        stdin=to_json(escalation) + b"\n",
        seconds=rules.seconds,
        environment={
            "IDEMPOTENCY_KEY": f"{means.store.identity}:{escalation.key}",
            "MIND_AGENT": escalation.agent,
        },
    )
    try:
        ended = means.programs.run(call)
    except UnavailableError as error:
        return str(error)
    if ended.status is None:
        return f"no end within {rules.seconds:g} seconds"
    if ended.status == 0:
        return None
    tail = storable_text(ended.stderr or ended.stdout)[0].strip()[-_TAIL:]
    return f"exit status {ended.status}: {tail}".rstrip(": ")
