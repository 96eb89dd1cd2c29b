"""What a reaction reacts to, in words: a change of one dimension that broke into awareness."""

from mindpipe.person.records.state import Dimension, Direction

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
