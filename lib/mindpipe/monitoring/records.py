"""What travels of monitoring: figures, rules, alerts, and the state of an agent on one screen."""

from typing import Literal

from mindpipe.core.records import Natural, Record, State
from mindpipe.workers.records import LoopMode

Severity = Literal["critical", "warning"]
Kind = Literal["gauge", "counter"]


class Metric(Record, omit_defaults=True):
    """One figure of an agent: its name with the unit in it, what it means, and its value.

    `labels` tell it from others of its name. A gauge goes up and down, a counter only up.
    """

    agent: str
    name: str
    value: float
    labels: dict[str, str] = {}
    kind: Kind = "gauge"
    help: str


class AlertRule(Record):
    """When an alert fires: while `metric` is above `above`, until it is at `until` or below."""

    severity: Severity
    metric: str
    above: float
    until: float

    @property
    def name(self) -> str:
        """Return what tells a rule from others: its severity and its metric."""
        return f"{self.severity} {self.metric}"


class AlertState(State):
    """Whether an alert still fires; the same rule fires anew as another alert."""

    FIRING = "firing"
    CLEARED = "cleared"

    def successors(self) -> frozenset["AlertState"]:
        """Return the states that may follow."""
        return frozenset({AlertState.CLEARED}) if self is AlertState.FIRING else frozenset()


class Alert(Record, omit_defaults=True):
    """One time that a rule fired for an agent: since when, how bad it was, when it cleared.

    `value` is the figure when it last got worse or cleared, `worst` the highest while it fired.
    """

    id: str
    agent: str
    severity: Severity
    metric: str
    above: float
    until: float
    state: AlertState
    value: float
    worst: float
    since: str
    ended: str | None = None


class MetricSample(Record):
    """How large the store was at an instant, and what a search by meaning took, if one was made."""

    at: str
    bytes: Natural
    vector_seconds: float | None = None


class WaitingFigures(Record):
    """How much waits for an agent, by who has to do something."""

    events: Natural = 0
    urgent: Natural = 0
    tickets: Natural = 0
    decisions: Natural = 0
    tasks: Natural = 0
    runs: Natural = 0


class ConcernShare(Record):
    """What a concern should get of the newest iterations, and what it got (0-1)."""

    concern: str
    focus: bool
    share: float
    given: float


class LivedCycles(Record):
    """One of the newest iterations, in short."""

    number: int
    at: str
    mode: LoopMode
    outcome: str
    concern: str | None
    events: int
    seconds: float


class PlanFigures(Record):
    """When the next window of an agent's plans comes or came, and how many a day it missed."""

    next: str | None = None
    missed: Natural = 0


class WindowFigures(Record):
    """What an agent's window holds: its tokens at the last request, and how many it may have.

    `cycles` counts all that the agent lived.
    """

    cycles: Natural = 0
    tokens: Natural = 0
    budget: Natural = 0


class Status(Record):
    """An agent's state on one screen.

    `worker` says who lives it now, holds it for a cycle or waits for it, null where nobody does.
    `spent_micros` is what today cost, in millionths of a US dollar.
    """

    agent: str
    at: str
    worker: str | None
    mode: LoopMode
    focus: str | None
    paused: str | None
    waiting: WaitingFigures
    window: WindowFigures
    plans: PlanFigures
    spent_micros: Natural
    cap_micros: Natural | None
    concerns: tuple[ConcernShare, ...] = ()
    lived: tuple[LivedCycles, ...] = ()
    alerts: tuple[Alert, ...] = ()


class DoctorFinding(Record):
    """One thing that mind doctor looked at: what it is about, what was found, and what to do.

    `verdict` is ok, note where it deserves a look, or bad where something is wrong.
    """

    about: str
    check: str
    verdict: Literal["ok", "note", "bad"]
    found: str
    advice: str | None = None
