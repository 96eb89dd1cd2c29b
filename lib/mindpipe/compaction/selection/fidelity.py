"""What somebody's own wording left out of the words that it stands on: a denial, a doubt, a report.

No meaning is compared: a line that has only words of one passage says what that passage says, so
it has to deny, doubt or report where the passage does. What is worded anew cannot be told so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.compaction.selection.passages import governed, governing, passages
from mindpipe.compaction.task import SpokenWords
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem
from mindpipe.language.guards import denies

LEAST_WORDS = 2
"""A line with fewer telling words stands on no passage of its own."""

_WORD = re.compile(r"\w{3,}")


class Wording(NamedTuple):
    """Words of somebody's own about what was said in cycles `first` to `last`."""

    text: str
    first: int
    last: int


class Source(NamedTuple):
    """A passage that was said, and who said it where that is known."""

    speaker: str | None
    text: str


def contradicted(wordings: Sequence[Wording], said: Iterable[SpokenWords]) -> dict[int, Source]:
    """Return, by the place of each wording that turns its source around, the shortest source.

    A wording turns around what it stands on where it has all of its telling words and drops a
    denial, doubt, question or report that governs them there, or denies what is not denied there.
    Where another passage has them as the wording does, that one bears it out.
    """
    own = [(at, one, _telling(one.text)) for at, one in enumerate(wordings)]
    open_ = {at: (one, words) for at, one, words in own if len(words) >= LEAST_WORDS}
    found: dict[int, Source] = {}
    for cycle, source in _passages(said):
        words = _telling(f"{source.speaker or ''} {source.text}")
        standing = [
            (at, one)
            for at, (one, needed) in open_.items()
            if one.first <= cycle <= one.last and needed <= words
        ]
        for at, one in standing:
            if not _turned(one.text, source.text):
                del open_[at]
                found.pop(at, None)
            elif at not in found or len(source.text) < len(found[at].text):
                found[at] = source
    return found


def _turned(line: str, source: str) -> bool:
    """Tell whether a line drops what governs its source, or denies what that does not."""
    here, there = governing(line), governing(source)
    return (here < there) or denies(line) != denies(source)


def _passages(said: Iterable[SpokenWords]) -> Iterator[tuple[int, Source]]:
    """Yield the passages of what was said, each with its cycle; code says nothing of anybody."""
    for one in said:
        for passage in passages(one.text):
            if not passage.code:
                yield one.cycle, Source(one.speaker, one.text[passage.start : passage.end])


def _telling(text: str) -> frozenset[str]:
    """Return the stems of words that tell something, without those that govern others."""
    words = _WORD.findall(text.lower())
    return frozenset(
        stem(word) for word in words if word not in FUNCTION_WORDS and not governed(word)
    )
