"""Watch the iterations of a loop: log what happens, and sound the alerts of the rules."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import InputOutputError
from mindpipe.core.ports import Chance, Clock
from mindpipe.loop.attention_records import Attended
from mindpipe.loop.records import Iteration, Session
from mindpipe.loop.verbs import moding
from mindpipe.monitoring.measures import latest
from mindpipe.monitoring.records import AlertState
from mindpipe.monitoring.verbs import alerting, measuring, sampling
from mindpipe.stream.logbook import Keeping, Logbook
from mindpipe.wiring.checking_settings import alert_rules
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.watching import outside, sample

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

Tell = Callable[[str], None]
"""Says something in words."""
_LOOK_SECONDS = 1.0


def logbook_of(settings: Settings) -> Logbook | None:
    """Return the log that is configured, or None.

    Raises:
        InputOutputError: its folder cannot be made or written to.
    """
    folder = settings.text("logging.path")
    if not folder:
        return None
    keeping = Keeping(
        Path(folder),
        level=settings.text("logging.level") or "INFO",
        rotation=settings.text("logging.rotation") or "daily",
        retention_days=settings.whole("logging.retention_days"),
    )
    return Logbook(keeping)


class Watchman:
    """Hear of one agent's iterations, with all that is written down of them.

    What an iteration says itself is held against the rules each time; figures that only the store
    tells are made anew when a sample of its size is due, every five minutes.
    """

    def __init__(
        self,
        store: "SqliteStore",
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
        self._window = settings.whole("alerts.window")
        self._slow: dict[str, float | None] = {}
        self._failed = 0
        self._mode: str | None = None
        self._saved = 0
        self._cannot = False
        self._measured = self._clock.boot().seconds
        self._looked = -_LOOK_SECONDS
        self._measure()

    def heard(
        self, iteration: Iteration, attended: Attended | None = None, saved: Session | None = None
    ) -> None:
        """Log an iteration and hold what is known by now against the rules."""
        self._failed = self._failed + 1 if iteration.error else 0
        self._measure_at_times()
        values = self._slow | {
            "iteration_time": iteration.milliseconds / 1000,
            "queue_depth": float(max(0, iteration.queue - iteration.events)),
            "event_rate": iteration.rate,
            "consecutive_errors": float(self._failed),
        }
        self._log(iteration, attended, saved)
        self._sound(values)

    def rested(self) -> None:
        """Hold the figures that change in idle time against the rules, now and then."""
        if self._measure_at_times():
            self._sound(self._slow)

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
        changed = alerting.check(
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

    def _measure_at_times(self) -> bool:
        """Make the slow figures anew every five minutes; tell whether they are new.

        The samples are of the whole store: another agent's loop may have taken the last one.
        """
        now = self._clock.boot().seconds
        if now - self._looked < _LOOK_SECONDS:
            return False
        self._looked = now
        if not sample(self._store, self._clock, agent=self._agent) and (
            now - self._measured < sampling.EVERY_SECONDS
        ):
            return False
        self._measured = now
        self._measure()
        return True

    def _measure(self) -> None:
        """Make the figures anew that only the store tells."""
        measured = measuring.measure(
            self._store,
            self._clock,
            agent=self._agent,
            window=self._window,
            outside=outside(self._store.path, self._clock, agent=self._agent),
        )
        if not self._slow:
            self._failed = measured.errors
        self._slow = latest(measured)

    def _log(self, iteration: Iteration, attended: Attended | None, saved: Session | None) -> None:
        """Write what an iteration was, and what led to it, a checkpoint and a change of mode."""
        if self._book is None:
            return
        if attended is not None:
            plain = {**msgspec.to_builtins(attended), "number": iteration.number}
            del plain["at"], plain["marks"]
            self._write("attended", plain, "DEBUG")
        self._write(
            "iteration", msgspec.to_builtins(iteration), "ERROR" if iteration.error else "INFO"
        )
        if saved is not None and saved.iteration > self._saved:
            self._saved = saved.iteration
            fields = {"agent": self._agent, "iteration": saved.iteration}
            self._write("checkpoint", fields, "DEBUG")
        if iteration.mode != self._mode and self._mode is not None:
            last = moding.last(self._store, agent=self._agent)
            self._write("mode", msgspec.to_builtins(last) if last else {}, "INFO")
        self._mode = iteration.mode

    def _write(self, what: str, fields: Mapping[str, object], level: str) -> None:
        """Write a line of the log, if there is one; what keeps it from that is said once."""
        if self._book is None:
            return
        try:
            self._book.write(what, fields, at=self._clock.now(), level=level)
            self._cannot = False
        except InputOutputError as fault:
            if not self._cannot:
                self._complain(f"nothing is logged: {fault}")
            self._cannot = True
