"""What may come to mind by itself: needs of body and mood, drives, and the drift of thoughts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

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


class Candidate(NamedTuple):
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


def update_needs(read: Readouts, t_us: int) -> Iterator[Candidate]:
    """Yield the needs that body and mood have at an instant; nothing of them is remembered."""
    if read.energy < 0.2:
        yield Candidate("BiologicalNeed", "exhausted", EXHAUSTED, 1.0 - read.energy, t_us)
    if read.valence < -0.5 and read.arousal > 0.6:
        urgency = max(-read.valence, read.arousal)
        yield Candidate("BiologicalNeed", "distressed", DISTRESSED, urgency, t_us)
    if read.isolation_phase in ("loneliness", "despair"):
        yield Candidate("BiologicalNeed", "alone", ALONE, max(0.3, read.isolation), t_us)


def driven(
    drives: Sequence[tuple[str, float]], *, thermal: float, t_us: int
) -> Iterator[Candidate]:
    """Yield the drives that are strong enough to come to mind; `thermal` below 0 is cold."""
    for name, drive in drives:
        if drive >= SPAWNS:
            category, text = DRIVES[name]
            words = COLD if name == "warmth" and thermal < 0 else text
            yield Candidate(category, name, words, drive, t_us)


def drift(read: Readouts, t_us: int) -> Candidate:
    """Return how a mind drifts in the state that it is in."""
    if read.energy < 0.3:
        place = 0
    elif read.valence < -0.2:
        place = 1
    elif read.arousal < 0.3 and read.energy > 0.6:
        place = 2
    else:
        place = 3
    return Candidate("AssociativeDrift", f"drift{place + 1}", DRIFTS[place], 0.0, t_us)
