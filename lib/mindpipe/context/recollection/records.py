"""What stands behind the lines of memory in a structured prompt, wherever it was loaded from."""

from collections.abc import Callable

from mindpipe.core.ports import Store
from mindpipe.core.records import Natural, Positive, Record


class LivedMoment(Record, omit_defaults=True):
    """One iteration of a loop, or one cycle of an agent that has none.

    `number` counts iterations, or cycles (then it is the same as `cycle`). `concern` names what was
    worked on. `events` were taken up, `significance` lies in 0-10.
    """

    number: Positive
    at: str
    cycle: Positive | None = None
    concern: str | None = None
    mode: str | None = None
    outcome: str = "idle"
    events: Natural = 0
    significance: float | None = None
    error: str | None = None


class CycleActions(Record, omit_defaults=True):
    """What was done in one cycle: what began it, which tools were called how often, what was said.

    `said` are the agent's own closing words. `sources` names whose words it took in.
    """

    cycle: Positive
    trigger: str = ""
    tools: dict[str, int] = {}
    said: str = ""
    sources: tuple[str, ...] = ()


class EarlierSession(Record, omit_defaults=True):
    """One earlier session: when it was, how it ended, its iterations and the cycle to remember.

    `first` and `last` are its iterations, 0 where it had none.
    """

    since: str
    until: str | None = None
    ended: str = "clean"
    first: Natural = 0
    last: Natural = 0
    concerns: tuple[str, ...] = ()
    cycle: Positive | None = None


class Habit(Record):
    """A pattern that was found over iterations: of which kind, in words, and what it changed."""

    kind: str
    at: str
    words: str
    change: str


class RecentPast(Record, omit_defaults=True):
    """What a loop knows of an agent's last time, oldest first.

    `moments` are those of this session, of which earlier ones may be missing: the first of it had
    the number `first`. `task` is the id of the task at hand.
    """

    moments: tuple[LivedMoment, ...] = ()
    first: Natural = 0
    since: str | None = None
    stretches: tuple[EarlierSession, ...] = ()
    habits: tuple[Habit, ...] = ()
    mode: str | None = None
    concern: str | None = None
    task: str | None = None
    mean_seconds: float | None = None


RecentPastOf = Callable[[Store, str], RecentPast]
"""Tell of an agent's last time, by its name."""


def nothing_recent(_store: Store, _agent: str) -> RecentPast:
    """Tell nothing: there is no loop."""
    return RecentPast()
