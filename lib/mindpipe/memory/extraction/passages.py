"""The passages of what somebody says: a line, or some sentences of a long one."""

import re
from collections.abc import Iterable, Iterator, Sequence

from mindpipe.language.clauses import Stretch, sentences
from mindpipe.language.guards import sentence_meant

CHARACTERS = 600
"""No passage is longer; a longer sentence gives several."""


_TELLS = re.compile(
    r"(?i)\b(?:did|didn['’]?t|have|haven['’]?t|had|hadn['’]?t) (?:I|we) "
    r"(?:(?:not|ever|already|just) )*(?:tell|told|mention|mentioned|say|said)\b"
)
"""How somebody asks who tells it thereby: `did I tell you that I moved to Bremen?`."""


def passages(text: str) -> Iterator[Stretch]:
    """Yield the passages of a text that tell something, in its order.

    Sentences of one line stand together as long as they fit, so that each is read beside what it
    hangs on. What only asks tells nothing, unless it asks whether it was told.
    """
    held: list[Stretch] = []
    for sentence in _short(sentences(text, most=len(text))):
        if held and not _together(text, held, sentence):
            yield from _passage(text, held)
            held = []
        held.append(sentence)
    yield from _passage(text, held)


def _short(sentences: Iterable[Stretch]) -> Iterator[Stretch]:
    """Yield sentences, the longer ones in parts that end with a word where they can."""
    for one in sentences:
        start = one.start
        while one.end - start > CHARACTERS:
            words = one.text[start - one.start :][:CHARACTERS]
            cut = words.rpartition(" ")[0] or words
            yield Stretch(start, start + len(cut), cut)
            start += len(cut) + one.text[start - one.start + len(cut) :].startswith(" ")
        if start < one.end:
            yield Stretch(start, one.end, one.text[start - one.start :])


def _together(text: str, held: Sequence[Stretch], sentence: Stretch) -> bool:
    """Tell whether a sentence follows others in one line, and they fit."""
    between = text[held[-1].end : sentence.start]
    fits = sentence.end - held[0].start <= CHARACTERS
    return fits and not between.strip(" \t,;:–—-") and "\n" not in between


def _passage(text: str, held: Sequence[Stretch]) -> Iterator[Stretch]:
    """Yield the passage that sentences make, if one of them says something."""
    if any(sentence_meant(one.text) != "asked" or _TELLS.search(one.text) for one in held):
        start, end = held[0].start, held[-1].end
        yield Stretch(start, end, text[start:end])
