"""When the observer takes a note, and the thoughts that it has in view."""

import collections

from mindpipe.review.records import Heard, Seen

INTERVAL_US = 60_000_000
"""How much simulated time lies between two notes, by the seed's one minute."""
CAPACITY = 20
"""How many thoughts the observer has in view, by the seed."""


class Reviewer:
    """Keep the latest thoughts of one person, and say when they are to be looked at.

    A limit of its own paces it, in simulated time. Nothing of it reaches the person.

    Attributes:
        last_us: when it looked last, None where it never did.
    """

    def __init__(
        self,
        *,
        interval_us: int = INTERVAL_US,
        capacity: int = CAPACITY,
        last_us: int | None = None,
    ) -> None:
        self.last_us = last_us
        self._interval_us = interval_us
        self._thoughts: collections.deque[Heard] = collections.deque(maxlen=capacity)

    @property
    def thoughts(self) -> tuple[Heard, ...]:
        """Return the thoughts in view, oldest first."""
        return tuple(self._thoughts)

    def add_thought(self, thought: Heard) -> None:
        """Take a thought into view, of whatever mode it is; where it is full the oldest goes."""
        self._thoughts.append(thought)

    def is_due(self, seen: Seen) -> bool:
        """Tell whether a note is due: there are thoughts, and the interval has passed.

        While the person sleeps one of the thoughts must also be newer than the last look.
        """
        if not self._thoughts:
            return False
        if self.last_us is None:
            return True
        if seen.t_us - self.last_us < self._interval_us:
            return False
        return seen.awake or self._thoughts[-1].t_us > self.last_us

    def next_us(self) -> int | None:
        """Return the earliest instant at which a note may be due; None while nothing is in view."""
        if not self._thoughts:
            return None
        latest = self._thoughts[-1].t_us
        return latest if self.last_us is None else self.last_us + self._interval_us
