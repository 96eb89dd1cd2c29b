"""Say of thoughts what they are labelled and what that does to the body."""

import msgspec

from mindpipe.person.feedback.changes import feedback_to_changes
from mindpipe.person.feedback.parsing import parsed
from mindpipe.person.records.person import ParserName
from mindpipe.person.records.thought import Thought


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
