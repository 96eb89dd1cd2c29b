"""Salience: how strongly a change asks for awareness, whether it gets it, and in which words."""

from collections.abc import Collection
from math import log
from typing import NamedTuple

from mindpipe.person.records.state import (
    Chain,
    Dimension,
    DimensionFlags,
    DimensionInstants,
    Dimensions,
    Direction,
    Mind,
    SalienceState,
    ThoughtMode,
)
from mindpipe.person.records.thought import SalienceLine, ThoughtTrigger


class WatchedDimension(NamedTuple):
    """One dimension: where it becomes extreme, and what that adds to its salience.

    `enter` and `bonus` are the founding requirements', `rearm` a modelling choice. `side` is `+`
    where high values are extreme and `-` where low ones are.
    """

    name: Dimension
    side: Direction
    enter: float
    bonus: float
    rearm: float


WATCHED = (
    WatchedDimension("pain", "+", enter=0.6, bonus=0.6, rearm=0.45),
    WatchedDimension("arousal", "+", enter=0.8, bonus=0.5, rearm=0.70),
    WatchedDimension("valence", "-", enter=-0.6, bonus=0.4, rearm=-0.45),
    WatchedDimension("energy", "-", enter=0.15, bonus=0.3, rearm=0.25),
)
PAIN, AROUSAL, VALENCE, ENERGY = range(4)
WAKING_BONUS = 0.5
"""What being pulled out of sleep by an event adds to the salience of arousal; chosen (C)."""

SECOND_US = 1_000_000
MOST_NOVELTY = 2.0
MOST_MODIFIER = 1.5
LEAST_THRESHOLD, MOST_THRESHOLD = 0.1, 0.6

_ROWS = range(len(WATCHED))
_ENTER = tuple(watched.enter for watched in WATCHED)
_REARM = tuple(watched.rearm for watched in WATCHED)
_BONUS = tuple(watched.bonus for watched in WATCHED)
_HIGH = tuple(watched.side == "+" for watched in WATCHED)


class Sense(NamedTuple):
    """What salience looks at: the four dimensions in tie order, then load and attention."""

    pain: float
    arousal: float
    valence: float
    energy: float
    cognitive_load: float = 0.0
    attention: float = 0.0


class Peak(NamedTuple):
    """The most salient dimension of an instant, where it exceeds the threshold.

    `woken` where it is the arousal of being pulled out of sleep by an event.
    """

    dim: Dimension
    dir: Direction
    salience: float
    threshold: float
    woken: bool = False


def novelty(seconds: float) -> float:
    """Return how new a dimension is `seconds` after it came to awareness: 1 to 2."""
    return min(MOST_NOVELTY, 1.0 + 0.3 * log(1.0 + seconds / 60.0))


def modifier(attention: float) -> float:
    """Return what attention (-1 outward to +1 inward) multiplies salience by: 0.5 to 1.5."""
    return 1.0 + 0.5 * attention


def threshold(sense: Sense, absorbed: float = 0.0) -> float:
    """Return what salience must exceed: 0.15 to 0.55.

    Args:
        sense: The instant.
        absorbed: How much a chain of thoughts adds: gain times absorption.
    """
    base = 0.3
    if sense.arousal > 0.5 and sense.valence < -0.2:
        base -= 0.1
    if sense.energy < 0.3:
        base -= 0.05
    if sense.cognitive_load > 0.6:
        base += 0.1
    return min(MOST_THRESHOLD, max(LEAST_THRESHOLD, base + absorbed))


class Salience:
    """What the next evaluation is compared with, for one person.

    Call `evaluate` at awareness instants, in order and only while the person is awake, and `mark`
    when a peak came to awareness. `values` are the salience of each dimension at the latest
    evaluation, `limit` is what they had to exceed.
    """

    __slots__ = ("aware_us", "inside", "latch", "limit", "prev", "prev_us", "ready", "values")

    def __init__(self, record: SalienceState | None = None) -> None:
        was = SalienceState() if record is None else record
        self.ready = was.ready
        self.prev_us = was.prev_us
        self.prev = [was.prev.pain, was.prev.arousal, was.prev.valence, was.prev.energy]
        aware, inside, latch = was.aware_us, was.inside, was.latch
        self.aware_us = [aware.pain, aware.arousal, aware.valence, aware.energy]
        self.inside = [inside.pain, inside.arousal, inside.valence, inside.energy]
        self.latch = [latch.pain, latch.arousal, latch.valence, latch.energy]
        self.values = [0.0, 0.0, 0.0, 0.0]
        self.limit = 0.0

    def record(self) -> SalienceState:
        """Return all of it as a record, to go on from later."""
        names = [watched.name for watched in WATCHED]
        return SalienceState(
            ready=self.ready,
            prev=Dimensions(**dict(zip(names, self.prev, strict=True))),
            prev_us=self.prev_us,
            aware_us=DimensionInstants(**dict(zip(names, self.aware_us, strict=True))),
            inside=DimensionFlags(**dict(zip(names, self.inside, strict=True))),
            latch=DimensionFlags(**dict(zip(names, self.latch, strict=True))),
        )

    def evaluate(
        self,
        t_us: int,
        sense: Sense,
        *,
        waking: bool = False,
        woken: bool = False,
        absorbed: float = 0.0,
    ) -> Peak | None:
        """Return the peak of an instant that breaks into awareness, or None.

        The first evaluation only sets what later ones are compared with.

        Args:
            t_us: The instant.
            sense: What can be read of the person then.
            waking: Whether it is the first instant after sleep: the switch itself is silent.
            woken: Whether an event ended that sleep.
            absorbed: What a chain of thoughts adds to the threshold.
        """
        if not self.ready:
            self._begin(t_us, sense)
            self.limit = threshold(sense, absorbed)
            return None
        seconds = 1.0 if waking else max(1.0, (t_us - self.prev_us) / SECOND_US)
        if waking:
            self._wake(sense)
        else:
            self._edge(PAIN, sense[PAIN])
            for row in range(AROUSAL, len(WATCHED)):
                self._edge(row, sense[row])
        peak = self._peak(t_us, sense, seconds, woken=waking and woken, absorbed=absorbed)
        self.prev[:] = sense[:4]
        self.prev_us = t_us
        return peak

    def mark(self, dim: Dimension, t_us: int) -> None:
        """Note that a dimension came to awareness: its novelty starts anew, its alert is over."""
        row = next(row for row in _ROWS if WATCHED[row].name == dim)
        self.aware_us[row] = t_us
        self.latch[row] = False

    def _begin(self, t_us: int, sense: Sense) -> None:
        self.ready = True
        self.prev[:] = sense[:4]
        self.prev_us = t_us
        self.aware_us = [t_us] * 4
        self.inside = [_beyond(row, sense[row]) for row in _ROWS]
        self.latch = [False] * 4
        self.values = [0.0] * 4

    def _wake(self, sense: Sense) -> None:
        """Let the switch to waking pass unnoticed; only pain is compared with the last waking."""
        self._edge(PAIN, sense[PAIN])
        for row in range(AROUSAL, len(WATCHED)):
            self.prev[row] = sense[row]
            self.inside[row] = _beyond(row, sense[row])
            self.latch[row] = self.latch[row] and self.inside[row]

    def _edge(self, row: int, value: float) -> None:
        """Set or clear whether a dimension is extreme, and the alert that goes with the edge."""
        if self.inside[row]:
            back = value < _REARM[row] if _HIGH[row] else value > _REARM[row]
            if back:
                self.inside[row] = self.latch[row] = False
        elif _beyond(row, value):
            self.inside[row] = self.latch[row] = True

    def _peak(
        self, t_us: int, sense: Sense, seconds: float, *, woken: bool, absorbed: float
    ) -> Peak | None:
        values = self.values
        for row in _ROWS:
            rate = abs(sense[row] - self.prev[row]) / seconds
            new = novelty((t_us - self.aware_us[row]) / SECOND_US)
            value = rate * new * modifier(sense.attention)
            values[row] = value + _BONUS[row] if self.latch[row] else value
        if woken:
            values[AROUSAL] += WAKING_BONUS
        most = max(values)
        limit = self.limit = threshold(sense, absorbed)
        if not most > limit:
            return None
        row = values.index(most)
        watched = WATCHED[row]
        moved = sense[row] - self.prev[row]
        direction = watched.side if moved == 0 else ("+" if moved > 0 else "-")
        return Peak(watched.name, direction, most, limit, woken and row == AROUSAL)


def _beyond(row: int, value: float) -> bool:
    """Return whether a dimension is extreme."""
    return value > _ENTER[row] if _HIGH[row] else value < _ENTER[row]


WAKING = "you are pulled out of sleep"
SHIFTS: dict[tuple[Dimension, Direction], str] = {
    ("arousal", "+"): "your heart is suddenly racing",
    ("arousal", "-"): "a sudden calm settles over you",
    ("valence", "-"): "a dark feeling washes over you",
    ("valence", "+"): "something lightens inside you",
    ("energy", "-"): "your strength is draining away",
    ("energy", "+"): "a wave of energy runs through you",
    ("pain", "+"): "a sharp pain takes hold of you",
    ("pain", "-"): "the pain is letting go",
}
RECENT_US = 2_000_000
"""How long ago, in µs, the event may be that a change is put down to."""


def shift_text(dim: Dimension, direction: Direction, *, woken: bool = False) -> str:
    """Return the words for a change in the second person; `woken`: by an event, out of sleep."""
    return WAKING if woken else SHIFTS[dim, direction]


def after_event(phrase: str, *, event_text: str, event_us: int | None, t_us: int) -> str:
    """Return the words for a change, led by those of an external event of at most 2 s before."""
    if event_text and event_us is not None and 0 <= t_us - event_us <= RECENT_US:
        return f"{event_text} — {phrase}"
    return phrase


def trigger_of(peak: Peak, mind: Mind, t_us: int) -> ThoughtTrigger:
    """Return what a reaction to a peak comes from, in words that name a recent event."""
    phrase = shift_text(peak.dim, peak.dir, woken=peak.woken)
    text = after_event(phrase, event_text=mind.event_text, event_us=mind.event_us, t_us=t_us)
    return ThoughtTrigger(
        dim=peak.dim, dir=peak.dir, text=text, salience=peak.salience, threshold=peak.threshold
    )


def line_of(
    person: str, mind: Mind, t_us: int, salience: Salience, peak: Peak | None
) -> SalienceLine:
    """Return the latest evaluation of salience as a record, with its peak if it had one."""
    values = salience.values
    return SalienceLine(
        person=person,
        t_us=t_us,
        dims={watched.name: value for watched, value in zip(WATCHED, values, strict=True)},
        trigger=None if peak is None else trigger_of(peak, mind, t_us),
        salience=max(values),
        threshold=salience.limit,
    )


FOLLOWS_US = 90_000_000
"""Within how many µs a thought follows the one before it."""
RUMINATION = "rumination"


def theme_of(mode: ThoughtMode, trigger: ThoughtTrigger) -> str:
    """Return what a thought is about: its dimension, its category and source, or its mode."""
    if mode == "react":
        return trigger.dim or ""
    return f"{trigger.category}/{trigger.source}" if mode == "spontaneous" else mode


def chained(
    chain: Chain, mode: ThoughtMode, trigger: ThoughtTrigger, *, labels: Collection[str], t_us: int
) -> Chain:
    """Return a chain with one more thought: longer on the same theme, else begun anew.

    A mind that drifts is in no chain, except where the thought ruminates.
    """
    theme = theme_of(mode, trigger)
    if trigger.category == "AssociativeDrift" and RUMINATION not in labels:
        return Chain(theme=theme, n=0, last_us=t_us)
    follows = chain.n > 0 and t_us - chain.last_us <= FOLLOWS_US
    same = follows and chain.theme == theme
    return Chain(theme=theme, n=chain.n + 1 if same else 1, last_us=t_us)


def absorption(chain: Chain, t_us: int) -> float:
    """Return how far a chain of thoughts draws a person in at an instant, from 0 to 1."""
    if t_us - chain.last_us > FOLLOWS_US:
        return 0.0
    return min(1.0, max(0.0, (chain.n - 2) / 3))
