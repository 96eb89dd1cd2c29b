"""Make a thought of words: what it is labelled, and what that does to the body."""

from typing import NamedTuple

from mindpipe.core.text import RecordedWords
from mindpipe.person.body.modes import feedback_to_changes
from mindpipe.person.mind.parsers.seed import parse_feedback
from mindpipe.person.mind.residue import storable
from mindpipe.person.records.person import ParserName
from mindpipe.person.records.thought import COMPOSED, PendingThought, Thought


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
        from mindpipe.person.mind.parsers.improved import NAME, parse_improved

        labels, name = parse_improved(text), NAME
    return Parsed(labels, name, feedback_to_changes(labels))


def thought_of(about: PendingThought, words: str, *, model: str, composed: bool) -> Thought:
    """Return the thought that words are, at the moment that they were asked for.

    Words are stored without control characters and up to 8,000 characters long; without labels
    they do nothing to the body. Words that were recorded are those of the model that found them.
    """
    moment = about.moment
    if isinstance(words, RecordedWords):
        model, composed = words.model, words.model == COMPOSED
    content = storable(words)
    found = parsed(content, about.parser)
    return Thought(
        person=moment.person,
        t_us=moment.t_us,
        id=f"th:{moment.person}:{moment.t_us}",
        mode=moment.mode,
        trigger=about.trigger,
        content=content,
        model=model,
        composed=composed,
        labels=found.labels,
        parser=found.parser,
        rates=found.rates,
        hold_s=about.hold_s,
        affect=about.affect,
        context=about.context,
    )
