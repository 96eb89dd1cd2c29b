"""What follows a failed attempt: another one, an end, or a later day. Pure arithmetic."""

from mindpipe.core.instants import deadline, expired
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import BootTime
from mindpipe.core.records import Record
from mindpipe.core.text import counted

ATTEMPTS = 6
BUDGET_SECONDS = 900.0
SHORTEST_SECONDS = 1.0
LONGEST_SECONDS = 60.0
FIRST_REST_SECONDS = 60.0

PASSING = frozenset({FaultClass.TRANSIENT, FaultClass.LONG_WAIT})


class Retry(Record):
    """Try again after so many seconds."""

    seconds: float


class GiveUp(Record):
    """Try no more; `reason` says why."""

    reason: str


class GiveBack(Record):
    """Give the work back with its attempt; it is due again after so many seconds."""

    seconds: float


Step = Retry | GiveUp | GiveBack


def next_step(
    fault: ModelFault, *, attempt: int, elapsed: float, chance: float, tries: int = ATTEMPTS
) -> Step:
    """Return what follows the failure of `attempt` (from 1), `elapsed` seconds into the turn.

    Attempt number `tries` is the last. `chance` is a number in [0, 1): the pause is drawn from 1 s
    up to a ceiling that doubles with each attempt, 60 s at most ("full jitter"). A longer wait that
    the provider names wins.
    """
    if fault.fault not in PASSING:
        return GiveUp(reason=str(fault))
    left = BUDGET_SECONDS - elapsed
    asked = fault.wait or 0.0
    if fault.fault is FaultClass.LONG_WAIT or asked > BUDGET_SECONDS or (asked and asked > left):
        return GiveBack(seconds=asked or LONGEST_SECONDS)
    if attempt >= tries:
        return GiveUp(reason=f"{fault} ({counted(attempt, 'attempt')})")
    ceiling = min(LONGEST_SECONDS, SHORTEST_SECONDS * 2**attempt)
    seconds = max(asked, SHORTEST_SECONDS + chance * (ceiling - SHORTEST_SECONDS))
    if seconds > left:
        return GiveUp(reason=f"{fault} ({counted(attempt, 'attempt')} in {elapsed:.0f} s)")
    return Retry(seconds=seconds)


def used_up(*, attempts: int, began: BootTime, now: BootTime, wait: float = 0.0) -> bool:
    """Tell whether a turn that was first asked at `began` has no try left in `wait` seconds."""
    limit = deadline(began, seconds=BUDGET_SECONDS - wait)
    return attempts >= ATTEMPTS or expired(limit, now)


def rest(turns: int) -> float:
    """Return how long an event rests in seconds, of which so many turns were asked in vain.

    A minute, twice as long with each turn, 15 minutes at most.
    """
    return min(BUDGET_SECONDS, FIRST_REST_SECONDS * 2.0 ** max(0, turns - 1))
