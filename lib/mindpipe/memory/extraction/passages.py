"""The passages of what somebody says: a line, or some sentences of a long one."""

from collections.abc import Iterator, Sequence

from mindpipe.language.clauses import Stretch, sentences
from mindpipe.language.guards import sentence_meant

CHARACTERS = 600
"""No passage is longer; a longer sentence is no sentence but a listing or pasted text."""
_LEAST_WORDS = 3


def passages(text: str) -> Iterator[Stretch]:
    """Yield the passages of a text that tell something, in its order.

    Sentences of one line stand together as long as they fit, so that each is read beside what it
    hangs on. What only asks, or is but a word or two, tells nothing.
    """
    held: list[Stretch] = []
    for sentence in sentences(text, most=len(text)):
        if sentence.end - sentence.start > CHARACTERS:
            continue
        if held and not _together(text, held, sentence):
            yield from _passage(text, held)
            held = []
        held.append(sentence)
    yield from _passage(text, held)


def _together(text: str, held: Sequence[Stretch], sentence: Stretch) -> bool:
    """Tell whether a sentence follows others in one line, and they fit."""
    between = text[held[-1].end : sentence.start]
    fits = sentence.end - held[0].start <= CHARACTERS
    return fits and not between.strip(" \t,;:–—-") and "\n" not in between


def _passage(text: str, held: Sequence[Stretch]) -> Iterator[Stretch]:
    """Yield the passage that sentences make, if one of them says something."""
    if any(_tells(one.text) for one in held):
        start, end = held[0].start, held[-1].end
        yield Stretch(start, end, text[start:end])


def _tells(sentence: str) -> bool:
    """Tell whether a sentence says something."""
    return len(sentence.split()) >= _LEAST_WORDS and sentence_meant(sentence) != "asked"
