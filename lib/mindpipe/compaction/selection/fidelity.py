"""What somebody's own wording left out of the words that it stands on: a denial, a doubt, a report.

No meaning is compared: a line that has only words of one passage says what that passage says, so
it has to deny, doubt or report where the passage does. What is worded anew cannot be told so.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.compaction.selection.governing import governing, telling
from mindpipe.compaction.selection.passages import passages
from mindpipe.compaction.task import SpokenWords
from mindpipe.language.guards import denies

LEAST_WORDS = 2
"""A line with fewer telling words stands on no passage of its own."""


class Wording(NamedTuple):
    """Words of somebody's own about what was said in cycles `first` to `last`, and their place."""

    place: int
    text: str
    first: int
    last: int


def contradicted(wordings: Iterable[Wording], said: Iterable[SpokenWords]) -> set[int]:
    """Return the places of the wordings that turn around what they stand on.

    A wording stands on a passage that has all of its telling words. It turns it around where it
    drops a denial, doubt, question or report that governs them there, or denies what is not denied
    there. Where another passage has them as the wording does, that one bears it out.
    """
    open_ = [(one, words) for one in wordings if len(words := telling(one.text)) >= LEAST_WORDS]
    turned: set[int] = set()
    borne_out: set[int] = set()
    for cycle, speaker, text in _passages(said):
        words = telling(f"{speaker or ''} {text}")
        for one, needed in open_:
            if one.first <= cycle <= one.last and needed <= words:
                (turned if _turned(one.text, text) else borne_out).add(one.place)
    return turned - borne_out


def _turned(line: str, source: str) -> bool:
    """Tell whether a line drops what governs its source, or denies what that does not."""
    here, there = governing(line), governing(source)
    return denies(line) != denies(source) or (here < there and not denies(line))


def _passages(said: Iterable[SpokenWords]) -> Iterator[tuple[int, str | None, str]]:
    """Yield the cycle, speaker and words of each passage; code says nothing of anybody."""
    for one in said:
        for passage in passages(one.text):
            if not passage.code:
                yield one.cycle, one.speaker, one.text[passage.start : passage.end]
