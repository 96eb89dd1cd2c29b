"""The observer without a model: a note made by a template from what is seen and heard."""

from collections.abc import Sequence

from mindpipe.person.records.labels import LABELS
from mindpipe.review.records import Heard, Question, Seen

MODEL = "composed"
LOW = -0.5
"""The valence below which a thought counts as one of negative affect."""
SUSTAINED = " Negative affect has been sustained and is worth watching."


def compose(question: Question) -> str:
    """Return the note on what is seen and heard; what the instruments do not show is left out."""
    thoughts = question.thoughts
    note = (
        f"{_instruments(question.seen)}Of the last {len(thoughts)} thoughts, {_pattern(thoughts)}."
    )
    low = sum(one.valence is not None and one.valence < LOW for one in thoughts)
    return note + SUSTAINED if thoughts and 2 * low >= len(thoughts) else note


def _instruments(seen: Seen) -> str:
    """Return a sentence of what the instruments show, in two decimals, and a space; or nothing."""
    names = ("arousal", "valence", "energy", "regulation")
    shown = [(name, getattr(seen, name)) for name in names]
    words = ", ".join(f"{name} {number:z.2f}" for name, number in shown if number is not None)
    return f"{words[:1].upper()}{words[1:]}. " if words else ""


def _pattern(thoughts: Sequence[Heard]) -> str:
    """Return how many thoughts show the commonest label."""
    counts = {label: sum(label in one.labels for one in thoughts) for label in LABELS}
    commonest = max(LABELS, key=counts.__getitem__)
    if not counts[commonest]:
        return "none shows a marked pattern"
    return f"{counts[commonest]} show {commonest}"
