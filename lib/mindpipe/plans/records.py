"""What travels of a plan: its rule, and the windows at which it comes due."""

from typing import Literal

from mindpipe.core.events import NewEvent
from mindpipe.core.records import Record, State

CatchUp = Literal["once", "all", "none"]


class PlanState(State):
    """Whether a plan still has windows to come; a new rule wakes one that is done."""

    ACTIVE = "active"
    DONE = "done"

    def successors(self) -> frozenset["PlanState"]:
        """Return the states that may follow this one."""
        return _PLAN_SUCCESSORS[self]


_PLAN_SUCCESSORS = {
    PlanState.ACTIVE: frozenset({PlanState.DONE}),
    PlanState.DONE: frozenset({PlanState.ACTIVE}),
}


class WindowState(State):
    """How far one window has come; a claimed one whose lease ended may be claimed again."""

    CLAIMED = "claimed"
    DONE = "done"
    SKIPPED = "skipped"
    LOST = "lost"

    def successors(self) -> frozenset["WindowState"]:
        """Return the states that may follow this one."""
        return _WINDOW_SUCCESSORS[self]


_WINDOW_SUCCESSORS: dict[WindowState, frozenset[WindowState]] = {
    WindowState.CLAIMED: frozenset({WindowState.CLAIMED, WindowState.DONE, WindowState.LOST}),
    WindowState.DONE: frozenset(),
    WindowState.SKIPPED: frozenset(),
    WindowState.LOST: frozenset(),
}


class NewPlan(Record):
    """A plan as it is made, with exactly one of `cron`, `at` and `after`.

    `cron` is a line of five fields, in the local time of `zone` (an IANA name). `at` is an instant,
    in `zone` where it names no offset of its own. `after` is a duration such as 90s, 15m, 2h or 3d.
    `text` is what the agent is told, the title where it is empty. `catch_up` says what becomes of
    windows that were slept through: one run for all of them, one for each, or none. `expects` are
    postconditions of each window. `sources` names whose words it was written under.
    """

    title: str
    text: str = ""
    cron: str | None = None
    at: str | None = None
    after: str | None = None
    zone: str = "UTC"
    catch_up: CatchUp = "once"
    expects: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Plan(Record):
    """One plan of one agent; a window is an instant at which it is scheduled, in UTC.

    `after` is in seconds and counts from `since`, as the windows of `cron` do. `next` is the first
    window to come, `last` the latest one that came due, `lost` how many were given up after five
    attempts to hand them over. `expects` are postconditions: what must be there once the agent has
    handled a window's event. `sources` names whose words it was written under: its events are not
    trusted more than they are.
    """

    id: str
    agent: str
    title: str
    text: str
    cron: str | None = None
    at: str | None = None
    after: int | None = None
    zone: str = "UTC"
    catch_up: CatchUp = "once"
    created: str = ""
    since: str = ""
    next: str | None = None
    last: str | None = None
    state: PlanState = PlanState.ACTIVE
    lost: int = 0
    expects: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def rule(self) -> str:
        """Return in words when the plan comes due."""
        if self.cron is None:
            return "one-time"
        zone = "" if self.zone == "UTC" else f" {self.zone}"
        return f"recurring, cron: {self.cron}{zone}"


class WindowClaim(Record):
    """One window that a process has claimed until `seconds` on the clock of `boot`."""

    plan: str
    window: str
    attempts: int
    boot: str
    seconds: float


class WindowEvent(Record):
    """One claimed window and the event that tells its agent of it."""

    claim: WindowClaim
    event: NewEvent


class OutcomeState(State):
    """Whether the postconditions of a window held once its event was over."""

    OPEN = "open"
    MET = "met"
    FAILED = "failed"

    def successors(self) -> frozenset["OutcomeState"]:
        """Return the states that may follow this one."""
        if self is OutcomeState.OPEN:
            return frozenset({OutcomeState.MET, OutcomeState.FAILED})
        return frozenset()


class WindowOutcome(Record):
    """What became of one attempt at a window of a plan with postconditions.

    Attempts count from 1; `since` is when the window was first handed over: what was there before
    is of an earlier one. `at` is when it was judged, and `why` says what did not hold.
    """

    plan: str
    window: str
    attempt: int
    since: str
    state: OutcomeState = OutcomeState.OPEN
    at: str | None = None
    why: str | None = None


class PlanWindow(Record, omit_defaults=True):
    """One window that came due, as people are shown it.

    `state` is how its handing over stands, `outcome` whether its postconditions hold, where the
    plan has any, at the attempt of number `attempt`.
    """

    plan: str
    agent: str
    title: str
    window: str
    state: WindowState
    outcome: OutcomeState | None = None
    attempt: int | None = None
    at: str | None = None
    why: str | None = None
