"""What follows a model's fault, a cap or a stop: which end of the cycle, and which error."""

import contextlib

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    ModelBrokenError,
    ModelBusyError,
    RefusedError,
    TemporaryError,
    UnavailableError,
)
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.retrying import PASSING, rest
from mindpipe.core.statuses import ExitStatus
from mindpipe.inbox.records import MAX_ATTEMPTS
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.verbs.failure import fail, give_back, split, stop, suspend
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.tickets import Matter, open_matter


def after_fault(means: Means, work: Work, fault: ModelFault) -> MindError:
    """End or release the cycle as the class of the last fault asks; return what to raise."""
    words = str(fault)
    if fault.fault in PASSING:
        _give_back(means, work, fault)
        return ModelBusyError(f"{words}. Try again.")
    if fault.fault is FaultClass.OUR_ACCOUNT:
        _pause(means, work, words)
        name = work.agent.name
        return UnavailableError(
            f"{words}. {name} is paused. Then run mind agent set {name} --unset paused."
        )
    if fault.fault is FaultClass.LOCAL:
        give_back(means, work, why=words, wait=0.0, clean=False)
        if any(event.attempts >= MAX_ATTEMPTS for event in work.events):
            return ModelBrokenError(
                f"{words}. That was the last of {MAX_ATTEMPTS} tries: the next mind think lets the "
                "event die, mind inbox redrive brings it back."
            )
        return ModelBrokenError(f"{words}. The event stays in the inbox. Try again.")
    if _try_alone(means, work):
        return TemporaryError(f"{words}. Its {len(work.events)} events are tried alone. Try again.")
    fail(means, work, why=words, lease_stays=False)
    return MindError(f"{words}. The event is dead; see mind inbox list --state dead.")


def _give_back(means: Means, work: Work, fault: ModelFault) -> None:
    """Give the events back after a passing fault.

    A provider that is down, out of reach or asks for time takes no attempt away. A turn that was
    asked in vain does, and its events rest the longer the more of them there were.
    """
    wait, vain = fault.wait, fault.fault is FaultClass.TRANSIENT and fault.sent
    if vain:
        wait = max(wait or 0.0, rest(max(event.attempts for event in work.events)))
    give_back(means, work, why=str(fault), wait=wait, clean=not vain)


def after_refusal(means: Means, work: Work, refusal: RefusedError) -> bool:
    """Say whether a refused call still leaves a whole cycle, and end or release it.

    A cap of the cycle that is met after its first turn stops it with a closing word; one of the
    call lets its event die, as no later try would cost less. Any other refusal leaves the cycle
    open.
    """
    words = str(refusal)
    scope = refusal.scope if isinstance(refusal, CapReachedError) else None
    if scope == "cycle" and stop(means, work, why=words):
        return True
    if scope == "call" and not _try_alone(means, work):
        fail(means, work, why=words, lease_stays=False)
    elif scope != "call":
        suspend(means, work, why=words, clean=True)
    return False


def after_stop(means: Means, work: Work, end: BaseException) -> None:
    """Let go of what this worker holds, whatever ended it; the next one takes the cycle up."""
    why = str(end) if isinstance(end, Exception) else "stopped"
    with contextlib.suppress(MindError):
        suspend(means, work, why=why, clean=_is_clean(end))


_CLEAN = frozenset(
    {ExitStatus.USAGE, ExitStatus.UNAVAILABLE, ExitStatus.INPUT_OUTPUT, ExitStatus.TEMPORARY}
)


def _is_clean(end: BaseException) -> bool:
    """Tell whether a try that ended so may be made again without counting it."""
    if isinstance(end, MindError):
        return end.status in _CLEAN
    return not isinstance(end, Exception)


def _try_alone(means: Means, work: Work) -> bool:
    """Split a cycle of several events that has no reply yet; tell whether it was one."""
    with holding(means, work) as rows:
        answered = tables.answers(rows, agent=work.agent.name, cycle=work.cycle)
        if answered or len(work.events) == 1:
            return False
        split(means, work)
        agents.lease_release(
            means.store, agent=work.agent.name, owner=means.owner, epoch=work.epoch
        )
    return True


def _pause(means: Means, work: Work, why: str) -> None:
    """Give the events back and let the agent rest until a person has looked at the account."""
    name = work.agent.name
    with holding(means, work):
        give_back(means, work, why=why)
        agents.set_(means.store, name=name, change=AgentChange(paused=why))
        matter = Matter("account", why, work.cycle)
        open_matter(means.store, means.clock, means.chance, agent=name, matter=matter)
