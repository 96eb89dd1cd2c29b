"""What the rules read: one piece that somebody said."""

from mindpipe.core.records import Record
from mindpipe.core.sources import Sources
from mindpipe.memory.records import Origin


class Said(Record):
    """Words of one speaker within a message of the log.

    `log` is the message's searched text where `text` is only a part of it; `places` has then the
    place there of each character of `text`, and one more for the end. `speaker` is None where
    nobody says who speaks, `session` names the talk.
    """

    message: str
    text: str
    at: str
    log: str | None = None
    places: tuple[int, ...] = ()
    speaker: str | None = None
    session: str | None = None
    origin: Origin = "human"
    sources: Sources = ()

    def span(self, start: int, end: int) -> tuple[int, int, str]:
        """Return where characters of `text` stand in the log, and the log's own words there."""
        if self.log is None:
            return start, end, self.text[start:end]
        first, after = self.places[start], self.places[end]
        return first, after, self.log[first:after]
