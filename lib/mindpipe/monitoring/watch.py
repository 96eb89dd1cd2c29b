"""Watch the iterations of a loop: log what happens, and sound the alerts of the rules."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.core.errors import MindError
from mindpipe.core.instants import later
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.engine.records.attention import Attended
from mindpipe.engine.worker import log
from mindpipe.io.log import Logbook, LogRotation
from mindpipe.monitoring.measures import HOUR_SECONDS, latest
from mindpipe.monitoring.records import AlertState
from mindpipe.monitoring.rules import alert_rules
from mindpipe.monitoring.verbs import alert as alert_verbs
from mindpipe.monitoring.verbs import metrics
from mindpipe.monitoring.verbs.metrics import OutsideMeasurements
from mindpipe.plans import verbs as plans
from mindpipe.recall.verbs import recall
from mindpipe.settings import Settings
from mindpipe.store import recovery_log
from mindpipe.store.worker_sessions import lost_in
from mindpipe.workers.records import Checkpoint, Iteration

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore


def outside(store: "EngineStore", clock: Clock, *, agent: str) -> OutsideMeasurements:
    """Return the agent's crashes that nobody recovered from, and an hour's failed checks."""
    now = clock.now()
    since = later(now, seconds=-HOUR_SECONDS)
    return OutsideMeasurements(
        lost=sum(life.agent == agent for life in lost_in(store, clock)),
        failures=sum(
            one.state == "entered" and one.cause == "check" and since < one.at <= now
            for one in recovery_log.passages(store.where)
        ),
    )


def sample(store: Store, clock: Clock, *, agent: str) -> bool:
    """Take a sample of the store and of one search by meaning where it is due; tell whether."""
    if not metrics.is_due(store, clock):
        return False
    seconds = recall.seconds_of_a_search(store, clock, agent=agent)
    return metrics.sample(store, clock, vector_seconds=seconds) is not None


def day_cap(settings: Settings, agent: Agent) -> int | None:
    """Return the most that a day of an agent may cost, in millionths of a US dollar."""
    caps = (settings.caps.agent_day_micros, agent.day_micros)
    return min((cap for cap in caps if cap is not None), default=None)


Tell = Callable[[str], None]
"""Says something in words."""
_LOOK_SECONDS = 1.0
_UNLOGGED = ("at", "marks")


def logbook_of(settings: Settings) -> Logbook | None:
    """Return the log that is configured, or None.

    Raises:
        InputOutputError: its folder cannot be made or written to.
    """
    folder = settings.logging.path
    if not folder:
        return None
    keeping = LogRotation(
        Path(folder),
        level=settings.logging.level,
        rotation=settings.logging.rotation,
        retention_days=settings.logging.retention_days,
    )
    return Logbook(keeping)


class IterationWatch:
    """Hear of one agent's iterations, with all that is written down of them.

    What an iteration says itself is held against the rules each time, and so are the windows of
    plans that were missed, at rest as well. Other figures that only the store tells are read when a
    sample of its size is due, every five minutes. No rule is held against a figure of before.
    """

    def __init__(
        self,
        store: "EngineStore",
        clock: Clock,
        chance: Chance,
        settings: Settings,
        *,
        agent: str,
        book: Logbook | None,
    ) -> None:
        self._store, self._clock, self._chance = store, clock, chance
        self._agent, self._book = agent, book
        self._complain: Tell = lambda _words: None
        self._rules = alert_rules(settings)
        self._window = settings.alerts.window
        self._mode: str | None = None
        self._saved = 0
        self._cannot = False
        self._measured = -metrics.EVERY_SECONDS
        self._looked = -_LOOK_SECONDS
        self._failed = metrics.errors_in_a_row(store, agent=agent, window=self._window)

    def heard(
        self,
        iteration: Iteration,
        attended: Attended | None = None,
        saved: Checkpoint | None = None,
    ) -> None:
        """Log an iteration and hold what is known by now against the rules."""
        self._failed = self._failed + 1 if iteration.error else 0
        values = self._read() | {
            "iteration_time": iteration.milliseconds / 1000,
            "queue_depth": float(max(0, iteration.queue - iteration.events)),
            "event_rate": iteration.rate,
            "consecutive_errors": float(self._failed),
        }
        self._log(iteration, attended, saved)
        self._sound(values)

    def rested(self) -> None:
        """Hold the figures that change in idle time against the rules, now and then."""
        if self._is_time_to_look():
            self._sound(self._read())

    def telling(self, tell: Tell, *, level: str = "WARNING") -> Tell:
        """Return what also logs what is told; it hears too why nothing is logged."""
        if self._book is None:
            return tell
        self._complain = tell

        def told(words: str) -> None:
            tell(words)
            self._write("said", {"agent": self._agent, "words": words}, level)

        return told

    def _sound(self, values: Mapping[str, float | None]) -> None:
        """Let alerts fire and clear, and log those that changed."""
        changed = alert_verbs.check(
            self._store,
            self._clock,
            self._chance,
            agent=self._agent,
            rules=self._rules,
            values=values,
        )
        for alert in changed:
            fires = alert.state is AlertState.FIRING
            odd = "ERROR" if alert.severity == "critical" else "WARNING"
            self._write("alert", msgspec.to_builtins(alert), odd if fires else "INFO")

    def _is_time_to_look(self) -> bool:
        """Tell whether nobody looked into the store for a second."""
        return self._clock.boot().seconds - self._looked >= _LOOK_SECONDS

    def _read(self) -> dict[str, float | None]:
        """Return what the store tells now: missed windows, and all figures every five minutes.

        The samples are of the whole store: another agent's loop may have taken the last one.
        """
        if self._is_time_to_look():
            now = self._looked = self._clock.boot().seconds
            sampled = sample(self._store, self._clock, agent=self._agent)
            if sampled or now - self._measured >= metrics.EVERY_SECONDS:
                self._measured = now
                return self._measure()
        missed = plans.missed(self._store, self._clock, agent=self._agent)
        return {"missed_windows": float(missed)}

    def _measure(self) -> dict[str, float | None]:
        """Return all figures that the store tells."""
        measured = metrics.measure(
            self._store,
            self._clock,
            agent=self._agent,
            window=self._window,
            outside=outside(self._store, self._clock, agent=self._agent),
        )
        return latest(measured)

    def _log(
        self, iteration: Iteration, attended: Attended | None, saved: Checkpoint | None
    ) -> None:
        """Write what an iteration was and what led to it; a fault in this ends no loop."""
        if self._book is None:
            return
        before, self._mode = self._mode, iteration.mode
        try:
            self._log_all(iteration, attended, saved, before)
        except Exception as fault:
            self._say_why_not(fault)

    def _log_all(
        self,
        iteration: Iteration,
        attended: Attended | None,
        saved: Checkpoint | None,
        before: str | None,
    ) -> None:
        """Write an iteration, what led to it, a checkpoint and a change of mode."""
        if attended is not None:
            # Of what nothing was attended to, most fields are left out.
            plain = {"events": (), **msgspec.to_builtins(attended), "number": iteration.number}
            self._write("attended", {k: plain[k] for k in plain if k not in _UNLOGGED}, "DEBUG")
        self._write(
            "iteration", msgspec.to_builtins(iteration), "ERROR" if iteration.error else "INFO"
        )
        if saved is not None and saved.iteration > self._saved:
            self._saved = saved.iteration
            fields = {"agent": self._agent, "iteration": saved.iteration}
            self._write("checkpoint", fields, "DEBUG")
        if before not in (None, iteration.mode):
            last = log.last_change(self._store, agent=self._agent)
            self._write("mode", msgspec.to_builtins(last) if last else {}, "INFO")

    def _write(self, what: str, fields: Mapping[str, object], level: str) -> None:
        """Write a line of the log, if there is one; what keeps it from that is said once."""
        if self._book is None:
            return
        try:
            self._book.write(what, fields, at=self._clock.now(), level=level)
            self._cannot = False
        except Exception as fault:
            self._say_why_not(fault)

    def _say_why_not(self, fault: Exception) -> None:
        """Say once what keeps a line from the log."""
        if not self._cannot:
            words = (
                str(fault) if isinstance(fault, MindError) else f"{type(fault).__name__}: {fault}"
            )
            self._complain(f"nothing is logged: {words}")
        self._cannot = True
