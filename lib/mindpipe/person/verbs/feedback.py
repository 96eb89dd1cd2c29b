"""Say of thoughts what they are labelled and what that does to the body."""

from collections.abc import Sequence

import msgspec

from mindpipe.person.feedback.changes import feedback_to_changes
from mindpipe.person.feedback.parsing import parsed
from mindpipe.person.feedback.scoring import LabelledText, Parse, Score, scores
from mindpipe.person.inner.making import thought_of
from mindpipe.person.records.person import ParserName
from mindpipe.person.records.thought import Thought
from mindpipe.person.voicing import COMPOSED, About

PARSERS: tuple[ParserName, ...] = ("seed", "improved")


def feedback(thought: Thought, *, parser: ParserName = "seed") -> Thought:
    """Return a thought with its labels, the parser that found them, and its rates per second.

    Labels that stand there without a parser were given by hand: they stay, and have their rates.

    Raises:
        ValueError: a label that was given is none that a thought can have.
    """
    if thought.labels and not thought.parser:
        return msgspec.structs.replace(thought, rates=feedback_to_changes(thought.labels))
    found = parsed(thought.content, parser)
    return msgspec.structs.replace(
        thought, labels=found.labels, parser=found.parser, rates=found.rates
    )


def answered(about: About, words: str, *, model: str, parser: ParserName | None = None) -> Thought:
    """Return the thought that a model's answer to a request for one is.

    `parser` stands before the one that the request names.
    """
    wished = about if parser is None else msgspec.structs.replace(about, parser=parser)
    return thought_of(wished, words, model=model, composed=model == COMPOSED)


def score(rows: Sequence[LabelledText]) -> list[Score]:
    """Return how well each parser finds the labels of a labelled set, part by part."""
    return [
        found for parser in PARSERS for found in scores(rows, _labels_by(parser), parser=parser)
    ]


def _labels_by(parser: ParserName) -> Parse:
    """Return what finds labels by a parser."""
    return lambda text: parsed(text, parser).labels
