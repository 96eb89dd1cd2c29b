"""Watch the iterations of a loop: log what happens, and sound the alerts of the rules."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.ports import Chance, Clock
from mindpipe.loop.records import Iteration
from mindpipe.loop.verbs import moding
from mindpipe.monitoring.measures import latest
from mindpipe.monitoring.records import Alert, AlertState
from mindpipe.monitoring.verbs import alerting, measuring, sampling
from mindpipe.stream.logbook import Keeping, Logbook
from mindpipe.wiring.checking_settings import alert_rules
from mindpipe.wiring.settings import Settings
from mindpipe.wiring.watching import outside

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore

Tell = Callable[[str], None]
"""Says something in words."""


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
        self._rules = alert_rules(settings)
        self._window = settings.whole("alerts.window")
        self._slow: dict[str, float | None] = {}
        self._failed = 0
        self._mode: str | None = None
        self._measure()

    def heard(self, iteration: Iteration) -> None:
        """Log an iteration and hold what is known by now against the rules."""
        self._failed = self._failed + 1 if iteration.error else 0
        if sampling.sample(self._store, self._clock) is not None:
            self._measure()
        values = self._slow | {
            "iteration_time": iteration.milliseconds / 1000,
            "queue_depth": float(max(0, iteration.queue - iteration.events)),
            "event_rate": iteration.rate,
            "consecutive_errors": float(self._failed),
        }
        changed = alerting.check(
            self._store,
            self._clock,
            self._chance,
            agent=self._agent,
            rules=self._rules,
            values=values,
        )
        if self._book is not None:
            self._log(self._book, iteration, changed)

    def telling(self, tell: Tell) -> Tell:
        """Return what also logs what is told."""
        book = self._book
        if book is None:
            return tell

        def told(words: str) -> None:
            tell(words)
            fields = {"agent": self._agent, "words": words}
            book.write("said", fields, at=self._clock.now(), level="WARNING")

        return told

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

    def _log(self, book: Logbook, iteration: Iteration, changed: list[Alert]) -> None:
        """Write what an iteration was, a change of mode, and alerts that changed."""
        at = self._clock.now()
        level = "ERROR" if iteration.error else "INFO"
        book.write("iteration", msgspec.to_builtins(iteration), at=at, level=level)
        if iteration.mode != self._mode and self._mode is not None:
            last = moding.last(self._store, agent=self._agent)
            book.write("mode", msgspec.to_builtins(last) if last else {}, at=at, level="INFO")
        self._mode = iteration.mode
        for alert in changed:
            fires = alert.state is AlertState.FIRING
            odd = "ERROR" if alert.severity == "critical" else "WARNING"
            book.write("alert", msgspec.to_builtins(alert), at=at, level=odd if fires else "INFO")
