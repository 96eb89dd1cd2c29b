"""What follows a failed attempt: another one, an end, or a later day. Pure arithmetic."""

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.records import Record

ATTEMPTS = 6
BUDGET_SECONDS = 900.0
SHORTEST_SECONDS = 1.0
LONGEST_SECONDS = 60.0

_PASSING = frozenset({FaultClass.TRANSIENT, FaultClass.LONG_WAIT})


class Retry(Record):
    """Try again after so many seconds."""

    seconds: float


class GiveUp(Record):
    """Try no more; `reason` says why."""

    reason: str


class Release(Record):
    """Give the work back with its attempt; it is due again after so many seconds."""

    seconds: float


Step = Retry | GiveUp | Release


def next_step(fault: ModelFault, *, attempt: int, elapsed: float, chance: float) -> Step:
    """Return what follows the failure of `attempt` (from 1), `elapsed` seconds into the turn.

    `chance` is a number in [0, 1): the pause is drawn from 1 s up to a ceiling that doubles with
    each attempt, 60 s at most ("full jitter"). A longer wait that the provider names wins.
    """
    if fault.fault not in _PASSING:
        return GiveUp(reason=str(fault))
    left = BUDGET_SECONDS - elapsed
    asked = fault.wait or 0.0
    if fault.fault is FaultClass.LONG_WAIT or asked > BUDGET_SECONDS or (asked and asked > left):
        return Release(seconds=asked or LONGEST_SECONDS)
    if attempt >= ATTEMPTS:
        return GiveUp(reason=f"{fault} ({attempt} attempts)")
    ceiling = min(LONGEST_SECONDS, SHORTEST_SECONDS * 2**attempt)
    seconds = max(asked, SHORTEST_SECONDS + chance * (ceiling - SHORTEST_SECONDS))
    if seconds > left:
        return GiveUp(reason=f"{fault} ({attempt} attempts in {elapsed:.0f} s)")
    return Retry(seconds=seconds)
