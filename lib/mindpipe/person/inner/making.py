"""Making a thought of words: what it is labelled, and what that does to the body."""

from mindpipe.core.said import Said
from mindpipe.person.feedback.parsing import parsed
from mindpipe.person.inner.residues import storable
from mindpipe.person.records.thought import Thought
from mindpipe.person.voicing import COMPOSED, About


def thought_of(about: About, words: str, *, model: str, composed: bool) -> Thought:
    """Return the thought that words are, at the moment that they were asked for.

    Words are stored without control characters and up to 8,000 characters long; without labels
    they do nothing to the body. Words that were recorded are those of the model that found them.
    """
    moment = about.moment
    if isinstance(words, Said):
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
