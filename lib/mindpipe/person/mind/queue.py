"""The queue of spontaneous thoughts: what may come to mind by itself, and what does so next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.person.chance import Key, uniform
from mindpipe.person.records.state import QueueCategory, QueueItem, Readouts

SPAWNS = 0.36
"""The drive from which on a need comes to mind by itself."""
COLD = "Your body wants to get warm."
HOT = "Your body wants to cool down."
DRIVES: dict[str, tuple[QueueCategory, str]] = {
    "eat": ("BiologicalNeed", "You are hungry; your stomach keeps calling."),
    "drink": ("BiologicalNeed", "Your mouth is dry; you want something to drink."),
    "toilet": ("BiologicalNeed", "You need the toilet."),
    "sleep": ("BiologicalNeed", "You are tired; part of you is already lying down."),
    "warmth": ("BiologicalNeed", HOT),
    "pain_relief": ("BiologicalNeed", "The pain keeps asking for your attention."),
    "recovery": ("BiologicalNeed", "You are spent and want to put everything down."),
    "safety": ("GoalRehearsal", "You look for a way to be safe."),
    "contact": ("GoalRehearsal", "You want to be with someone."),
    "stimulation": ("GoalRehearsal", "You want something to happen."),
}
"""What each drive comes to mind as; `warmth` has other words for somebody who is cold."""
EXHAUSTED = "You are exhausted. Your body demands rest."
DISTRESSED = "Something is wrong. You feel distressed."
ALONE = "You feel deeply alone."
DRIFTS = (
    "Your mind drifts, thoughts moving slowly.",
    "Your thoughts wander into darker territory.",
    "Your mind is quiet and open.",
    "Your mind wanders freely.",
)
"""What stands in the prompt of a drifting mind: slow, dark, quiet and open, or free."""


class ThoughtCandidate(NamedTuple):
    """Something that may come to mind: its words, how much it presses (0 to 1), and since when.

    `source` is what it comes from, as the composed voice calls it; `item` is what waits in the
    queue, where it does.
    """

    category: QueueCategory
    source: str
    text: str
    urgency: float
    since_us: int
    item: QueueItem | None = None


def update_needs(read: Readouts, t_us: int) -> Iterator[ThoughtCandidate]:
    """Yield the needs that body and mood have at an instant; nothing of them is remembered."""
    if read.energy < 0.2:
        yield ThoughtCandidate("BiologicalNeed", "exhausted", EXHAUSTED, 1.0 - read.energy, t_us)
    if read.valence < -0.5 and read.arousal > 0.6:
        urgency = max(-read.valence, read.arousal)
        yield ThoughtCandidate("BiologicalNeed", "distressed", DISTRESSED, urgency, t_us)
    if read.isolation_phase in ("loneliness", "despair"):
        yield ThoughtCandidate("BiologicalNeed", "alone", ALONE, max(0.3, read.isolation), t_us)


def driven(
    drives: Sequence[tuple[str, float]], *, thermal: float, t_us: int
) -> Iterator[ThoughtCandidate]:
    """Yield the drives that are strong enough to come to mind; `thermal` below 0 is cold."""
    for name, drive in drives:
        if drive >= SPAWNS:
            category, text = DRIVES[name]
            words = COLD if name == "warmth" and thermal < 0 else text
            yield ThoughtCandidate(category, name, words, drive, t_us)


def drift(read: Readouts, t_us: int) -> ThoughtCandidate:
    """Return how a mind drifts in the state that it is in."""
    if read.energy < 0.3:
        place = 0
    elif read.valence < -0.2:
        place = 1
    elif read.arousal < 0.3 and read.energy > 0.6:
        place = 2
    else:
        place = 3
    return ThoughtCandidate("AssociativeDrift", f"drift{place + 1}", DRIFTS[place], 0.0, t_us)


STREAM = 3
"""The stream of chance that selects among categories."""
WEIGHTS: dict[QueueCategory, float] = {
    "PredictionError": 8.0,
    "BiologicalNeed": 5.0,
    "GoalRehearsal": 3.0,
    "SocialModeling": 2.0,
    "AssociativeDrift": 1.0,
}
"""How likely each category is where all have a candidate, in the order of their priority."""
SECOND_US = 1_000_000
HOUR_US = 3_600 * SECOND_US
ERROR_HALVES_S = 300.0
"""In how many seconds an error presses half as much."""
ERROR_LIVES_US = 600 * SECOND_US
GOAL_RESTS_US = 300 * SECOND_US
CONCERN_LIVES_US = 24 * HOUR_US
CONCERN_USES, MOST_CONCERNS = 3, 10
CONCERN_URGENCY = 0.5
DUE_HOURS, DUE_URGENCY = 24.0, 0.5
JUDGED = "What did they think of you just now?"


def goals_of(items: Iterable[QueueItem]) -> list[QueueItem]:
    """Return the goals among what waits, in its order."""
    return [item for item in items if item.category == "GoalRehearsal"]


class ThoughtQueue:
    """What waits to come to mind: errors of prediction, goals and social concerns.

    Every item lives by the instants that it is asked about, so it does not matter how often that
    is; `items` is all of it as records, oldest first.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[QueueItem] = ()) -> None:
        self._items = list(items)

    @property
    def items(self) -> tuple[QueueItem, ...]:
        """Return all that waits, to go on from later."""
        return tuple(self._items)

    def add_prediction_error(self, t_us: int, text: str, *, strength: float, event: str) -> None:
        """Let something unexpected wait for at most 600 s, pressing half as much after 300 s."""
        self._items.append(
            QueueItem(
                t_us=t_us, category="PredictionError", text=text, event=event, strength=strength
            )
        )

    def add_goal(
        self, t_us: int, text: str, *, importance: float, due_us: int | None, event: str
    ) -> None:
        """Let a goal wait until it is done; one of the same words is replaced."""
        self.goal_done(text)
        self._items.append(
            QueueItem(
                t_us=t_us,
                category="GoalRehearsal",
                text=text,
                event=event,
                strength=importance,
                due_us=due_us,
            )
        )

    def goal_done(self, text: str) -> None:
        """Forget the goal of these words."""
        self._items = [
            item
            for item in self._items
            if item.category != "GoalRehearsal" or item.text.casefold() != text.casefold()
        ]

    def add_concern(self, t_us: int, text: str, *, event: str) -> None:
        """Let a social concern wait for 24 h or 3 uses; of more than ten the oldest goes."""
        self._items.append(QueueItem(t_us=t_us, category="SocialModeling", text=text, event=event))
        concerns = [item for item in self._items if item.category == "SocialModeling"]
        for item in concerns[:-MOST_CONCERNS]:
            self._items.remove(item)

    def forget_expired(self, t_us: int, *, woke_us: int | None = None) -> None:
        """Drop what has outlived its time; what came in sleep has it from waking on."""
        self._items = [item for item in self._items if _lives(item, t_us, woke_us)]

    def candidates(
        self,
        t_us: int,
        read: Readouts,
        drives: Sequence[tuple[str, float]],
        *,
        drifting: bool = True,
        woke_us: int | None = None,
    ) -> list[ThoughtCandidate]:
        """Return all that may come to mind at an instant; `drifting` whether drift may."""
        found = [
            _candidate(item, t_us) for item in self._items if _may_be_chosen(item, t_us, woke_us)
        ]
        found += update_needs(read, t_us)
        found += driven(drives, thermal=read.thermal, t_us=t_us)
        if drifting:
            found.append(drift(read, t_us))
        return found

    def take(self, chosen: ThoughtCandidate, t_us: int) -> None:
        """Note that a candidate came to mind: an error is over, a goal rests, a concern is used."""
        item = chosen.item
        if item is None:
            return
        place = self._items.index(item)
        if item.category == "PredictionError":
            del self._items[place]
        elif item.category == "GoalRehearsal":
            self._items[place] = msgspec.structs.replace(item, chosen_us=t_us)
        elif item.uses + 1 >= CONCERN_USES:
            del self._items[place]
        else:
            self._items[place] = msgspec.structs.replace(item, uses=item.uses + 1)


def select(
    candidates: Sequence[ThoughtCandidate],
    *,
    key: Key,
    t_us: int,
    weights: Mapping[QueueCategory, float] = WEIGHTS,
) -> ThoughtCandidate | None:
    """Return what comes to mind, or None without candidates.

    Each category that has a candidate enters once with its weight; inside of it the most urgent
    comes, then the oldest, then the first in the order of their words.
    """
    best = [
        min(members, key=lambda one: (-one.urgency, one.since_us, one.text))
        for category in weights
        if (members := [one for one in candidates if one.category == category])
    ]
    if not best:
        return None
    point = uniform(key, t_us, STREAM, 0) * sum(weights[one.category] for one in best)
    reached = 0.0
    for chosen in best:
        reached += weights[chosen.category]
        if point < reached:
            return chosen
    return best[-1]


def _lives(item: QueueItem, t_us: int, woke_us: int | None = None) -> bool:
    """Tell whether an item is still remembered."""
    age_us = t_us - (item.t_us if woke_us is None else max(item.t_us, woke_us))
    if item.category == "PredictionError":
        return age_us < ERROR_LIVES_US
    return item.category == "GoalRehearsal" or age_us < CONCERN_LIVES_US


def _may_be_chosen(item: QueueItem, t_us: int, woke_us: int | None = None) -> bool:
    """Tell whether an item may come to mind."""
    rested = item.chosen_us is None or t_us - item.chosen_us >= GOAL_RESTS_US
    return rested and _lives(item, t_us, woke_us)


def _candidate(item: QueueItem, t_us: int) -> ThoughtCandidate:
    """Return an item as it presses at an instant."""
    if item.category == "PredictionError":
        age_s = (t_us - item.t_us) / SECOND_US
        urgency = item.strength * 2.0 ** (-age_s / ERROR_HALVES_S)
        text, source = f"Something unexpected happened: {item.text}", "prediction"
    elif item.category == "GoalRehearsal":
        urgency, source = _goal_urgency(item, t_us), "goal"
        text = f"You think about what lies ahead: {item.text}"
    else:
        urgency, text, source = CONCERN_URGENCY, item.text, "social"
    return ThoughtCandidate(item.category, source, text, urgency, item.t_us, item)


def _goal_urgency(item: QueueItem, t_us: int) -> float:
    """Return how much a goal presses: its importance, and more from a day before it is due."""
    if item.due_us is None:
        return item.strength
    hours = (item.due_us - t_us) / HOUR_US
    pressing = max(0.0, 1.0 - hours / DUE_HOURS)
    return min(1.0, max(0.0, item.strength + DUE_URGENCY * pressing))
