"""What the rules read: pieces that somebody said, and whose words they hold."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mindpipe.core.records import Record
from mindpipe.core.sources import Sources
from mindpipe.memory.records import Item, Origin


class Whose(NamedTuple):
    """Whose words a text holds: the sources that nobody vouches for, and those that are trusted.

    `speaker` is who is known to have said it, `claimed` who it says that it is of.
    """

    sources: Sources = ()
    trusted: Sources = ()
    speaker: str | None = None
    claimed: str | None = None


WhoseIs = Callable[[str, str | None], Whose]
"""Say whose words a text of a message holds, which is that of an event or all of the message.

It is given the text, and who is named there as its speaker.
"""


class SpeakerWords(Record):
    """Words of one speaker within a message of the log.

    `log` is the message's searched text where `text` is only a part of it; `places` has then the
    place there of each character of `text`, and one more for the end. `speaker` is None where
    nobody knows who speaks, `claimed_speaker` then who it says that it is; `session` names the
    talk. `learnt` is when the mind heard it, where that is later than `at`.
    """

    message: str
    text: str
    at: str
    learnt: str | None = None
    log: str | None = None
    places: tuple[int, ...] = ()
    speaker: str | None = None
    claimed_speaker: str | None = None
    session: str | None = None
    origin: Origin = "human"
    sources: Sources = ()
    trusted: Sources = ()

    def span(self, start: int, end: int) -> tuple[int, int, str]:
        """Return where characters of `text` stand in the log, and the log's own words there."""
        if self.log is None:
            return start, end, self.text[start:end]
        first, after = self.places[start], self.places[end]
        return first, after, self.log[first:after]


class LogPage(NamedTuple):
    """What was said in a stretch of a log, and the number of its last message."""

    upto: int
    said: Sequence[SpeakerWords]


FindItems = Callable[[Sequence[SpeakerWords]], list[Item]]
"""Find the items of some pieces."""
