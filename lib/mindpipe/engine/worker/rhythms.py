"""When the slow rhythms of a loop beat: consolidation and development; pure.

The fast rhythm is that of the observers, the cognitive one that of the cycles.
"""

from typing import NamedTuple

from mindpipe.core.instants import seconds_between
from mindpipe.core.records import Positive, Record
from mindpipe.engine.worker.checkpoints import CONSOLIDATED, DEVELOPED
from mindpipe.workers.records import Checkpoint

DAY = 86_400.0


class RhythmRules(Record):
    """Consolidation comes every so many cycles or after so many idle seconds, development daily."""

    every: Positive = 20
    idle_seconds: float = 300.0
    developing_seconds: float = DAY


class RhythmsDue(NamedTuple):
    """Which slow rhythm is due, by the outcome of its iteration, and why."""

    beat: str
    why: str


def due(
    session: Checkpoint, *, idle_seconds: float, now: str, rules: RhythmRules
) -> RhythmsDue | None:
    """Return the slow rhythm that is due after so many idle seconds, or None."""
    why = consolidation(session, idle_seconds=idle_seconds, rules=rules)
    if why is not None:
        return RhythmsDue(CONSOLIDATED, why)
    why = development(session, now=now, rules=rules)
    return None if why is None else RhythmsDue(DEVELOPED, why)


def consolidation(session: Checkpoint, *, idle_seconds: float, rules: RhythmRules) -> str | None:
    """Return why memory is to be consolidated now, or None; without a new cycle it never is."""
    if session.since_consolidation >= rules.every:
        return f"{session.since_consolidation} cycles since the last"
    if session.since_consolidation and idle_seconds >= rules.idle_seconds:
        return f"idle for {idle_seconds:.0f} s"
    return None


def development(session: Checkpoint, *, now: str, rules: RhythmRules) -> str | None:
    """Return why the agent is to develop now, or None: a day has passed since the last time.

    A clock that was set back before the last time counts as a day.
    """
    last = session.developed or session.began
    if not last:
        return None
    passed = seconds_between(last, now)
    return None if 0.0 <= passed < rules.developing_seconds else f"the last time was {last}"


def idle_until(session: Checkpoint, rules: RhythmRules) -> float | None:
    """Return after how many idle seconds memory is consolidated, None where nothing is new."""
    return rules.idle_seconds if session.since_consolidation else None
