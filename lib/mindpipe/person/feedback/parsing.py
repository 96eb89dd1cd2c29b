"""What a thought is labelled, by the parser that is wished, and what that does to the body."""

from typing import NamedTuple

from mindpipe.person.feedback.changes import feedback_to_changes
from mindpipe.person.feedback.seed import parse_feedback
from mindpipe.person.records.person import ParserName


class Parsed(NamedTuple):
    """Labels, the name of the parser as thoughts hold it, and rates per second by mode."""

    labels: tuple[str, ...]
    parser: str
    rates: dict[str, float]


def parsed(text: str, parser: ParserName = "seed") -> Parsed:
    """Return what a parser finds in a thought; a text without words has no labels and no rates."""
    if parser == "seed":
        labels, name = parse_feedback(text), "seed"
    else:
        # The lexicon is loaded only where it is asked for.
        from mindpipe.person.feedback.improved import NAME, parse_improved

        labels, name = parse_improved(text), NAME
    return Parsed(labels, name, feedback_to_changes(labels))
