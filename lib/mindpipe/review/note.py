"""When the observer takes a note, and the note that it writes without a model."""

import collections
from collections.abc import Sequence

from mindpipe.person.records.state import LABELS
from mindpipe.review.records import HeardThought, ObservedState, ReviewQuestion

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
        self._thoughts: collections.deque[HeardThought] = collections.deque(maxlen=capacity)

    @property
    def thoughts(self) -> tuple[HeardThought, ...]:
        """Return the thoughts in view, oldest first."""
        return tuple(self._thoughts)

    def add_thought(self, thought: HeardThought) -> None:
        """Take a thought into view, of whatever mode it is; where it is full the oldest goes."""
        self._thoughts.append(thought)

    def is_due(self, seen: ObservedState) -> bool:
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


MODEL = "composed"
LOW = -0.5
"""The valence below which a thought counts as one of negative affect."""
SUSTAINED = " Negative affect has been sustained and is worth watching."


def compose(question: ReviewQuestion) -> str:
    """Return the note on what is seen and heard; what the instruments do not show is left out."""
    thoughts = question.thoughts
    note = (
        f"{_instruments(question.seen)}Of the last {len(thoughts)} thoughts, {_pattern(thoughts)}."
    )
    low = sum(one.valence is not None and one.valence < LOW for one in thoughts)
    return note + SUSTAINED if thoughts and 2 * low >= len(thoughts) else note


def _instruments(seen: ObservedState) -> str:
    """Return a sentence of what the instruments show, in two decimals, and a space; or nothing."""
    names = ("arousal", "valence", "energy", "regulation")
    shown = [(name, getattr(seen, name)) for name in names]
    words = ", ".join(f"{name} {number:z.2f}" for name, number in shown if number is not None)
    return f"{words[:1].upper()}{words[1:]}. " if words else ""


def _pattern(thoughts: Sequence[HeardThought]) -> str:
    """Return how many thoughts show the commonest label."""
    counts = {label: sum(label in one.labels for one in thoughts) for label in LABELS}
    commonest = max(LABELS, key=counts.__getitem__)
    if not counts[commonest]:
        return "none shows a marked pattern"
    return f"{counts[commonest]} show {commonest}"
