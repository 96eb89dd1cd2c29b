"""The world around a simulated agent: what comes in, what goes wrong, and when."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

HOUR = 3600.0
Deed = Literal[
    "push", "burst", "kill", "die", "jump", "break", "mend", "focus", "unfocus", "sample",
    "damage", "slow", "quick",
]  # fmt: skip


@dataclass(frozen=True, order=True)
class Act:
    """One thing that the world does, at an instant in seconds from the beginning."""

    at: float
    deed: Deed
    count: int = 0
    priority: int = 3
    seconds: float = 0.0


@dataclass(frozen=True)
class Plan:
    """How long a world lasts, how large its bursts are, and how often somebody is killed."""

    hours: float
    burst: int
    kill_every: float = 300.0
    seed: str = "20261122"

    def acts(self) -> list[Act]:
        """Return all that happens, in the order of time."""
        chance = random.Random(self.seed)
        found = [*self._coming(chance), *self._trouble(chance), *self._scenes()]
        return sorted(act for act in found if act.at < self.hours * HOUR)

    def _share(self, hour: float) -> float:
        """Return the instant of an hour of two whole days, in a shorter life as far along."""
        return hour / 48.0 * self.hours * HOUR

    def is_calm(self, at: float) -> bool:
        """Tell whether nobody is killed at an instant: an eighth of the time, near the end."""
        return self._share(38.0) <= at < self._share(44.0)

    def _is_left_alone(self, at: float) -> bool:
        """Tell whether nobody disturbs it: it sleeps, or works at length on one thing.

        A crash wakes an agent, and it is told of it.
        """
        return any(
            self._share(begins) <= at < self._share(ends) for begins, ends in ((0.5, 7), (14, 18))
        )

    def _is_night(self, at: float) -> bool:
        """Tell whether little comes: from ten in the evening to eight."""
        return not 8.0 <= (at / HOUR / self.hours * 48.0) % 24.0 < 22.0

    def _coming(self, chance: random.Random) -> Iterator[Act]:
        """Yield what comes in: every few minutes by day, every other hour by night."""
        at = 0.0
        while at < self.hours * HOUR:
            at += chance.expovariate(1 / (7200.0 if self._is_night(at) else 240.0))
            priority = chance.choices((0, 1, 2, 3, 4), (1, 2, 6, 80, 11))[0]
            yield Act(at, "push", count=chance.choice((1, 1, 1, 2, 5)), priority=priority)

    def _trouble(self, chance: random.Random) -> Iterator[Act]:
        """Yield deaths, at once or at a failpoint of the life that begins then, and samples."""
        at = 0.0
        while at < self.hours * HOUR:
            at += chance.uniform(0.4, 1.6) * self.kill_every
            if not self.is_calm(at) and not self._is_left_alone(at):
                yield Act(at, chance.choice(("kill", "die", "die")))
        for number in range(int(self.hours * 60)):
            yield Act(number * 60.0 + 1.0, "sample")

    def _scenes(self) -> Iterator[Act]:
        """Yield what happens once or twice."""
        for hour in (10.0, 33.0):
            yield Act(self._share(hour), "burst", count=self.burst, priority=3)
        for hour, seconds in ((6.0, 7200.0), (17.0, -10800.0), (25.0, 40.0), (40.0, 3600.0)):
            yield Act(self._share(hour), "jump", seconds=seconds)
        begins, ends = self._share(14.0), self._share(18.0)
        yield Act(begins, "focus")
        yield Act(begins + 1.0, "slow")
        for place in range(12):
            yield Act(begins + (ends - begins) * (place + 1) / 14.0, "push", count=2)
        yield Act(ends - 1.0, "quick")
        yield Act(ends, "unfocus")
        yield Act(self._share(20.0), "break")
        yield Act(self._share(20.0) + 1800.0, "mend")
        yield Act(self._share(9.0), "damage")
