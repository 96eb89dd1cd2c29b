"""Append pushed events to a file of lines, with the same checks, keys and receipts as a store."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.ports import Chance, Clock
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe.inbox import ids
from mindpipe.inbox.content import Content, content_at, content_of, other_content, record_at
from mindpipe.inbox.filing import Filing, LinesFile
from mindpipe.inbox.piece import Piece
from mindpipe.inbox.receipts import receipts_of
from mindpipe.inbox.records import FileEvent
from mindpipe.inbox.verbs.push import KeepReceipts

_Key = tuple[str | None, str, str]


def push_file(
    file: LinesFile,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Piece],
    filing: Filing,
    keep: KeepReceipts,
) -> None:
    """Append checked lines as events with ids; print the receipts that `keep` got only afterwards.

    Raises:
        BadInputError: a key was used before for another event, or the file holds other lines;
            nothing is appended.
    """
    book = _Book(file, chance, pushed=clock.now())
    made: list[bytes] = []
    for piece in pieces:
        new: list[str] = []
        known: dict[int, str | None] = {}
        for place in range(piece.count):
            event = book.next(piece, place)
            new.append(event.id)
            same = book.find(event)
            if same is None:
                book.add(event)
                made.append(msgspec.json.encode(event) + b"\n")
            elif same[1] == content_at(piece, place):
                known[place] = same[0]
            else:
                known[place] = None
                _refuse(filing, piece, place, same[0])
        keep(receipts_of(piece, new, known))
    filing.bad_lines.settle()
    if made:
        file.append(b"".join(made))


class _Book:
    """The keys of a file of events, and what comes after its last one."""

    def __init__(self, file: LinesFile, chance: Chance, *, pushed: str) -> None:
        self._pushed = pushed
        self._last = 0
        self._keys: dict[_Key, tuple[str, Content]] = {}
        for number, line in enumerate(file.lines(), 1):
            try:
                self.add(msgspec.json.decode(line, type=FileEvent))
            except NO_RECORD as error:
                words = f"is no event of an inbox file: {error}"
                problem = Problem(source="--output", line=number, message=words)
                raise BadInputError([problem]) from None
        self._stem = ids.stem(chance.new_id("e", self._last + 1))

    def next(self, piece: Piece, place: int) -> FileEvent:
        """Return a checked line as the next event of the file."""
        seq = self._last + 1
        said = record_at(piece, place)
        said.pop("asked", None)
        numbered = {"id": ids.event_id(self._stem, seq), "seq": seq, "pushed": self._pushed}
        return msgspec.convert({**said, **numbered}, FileEvent)

    def find(self, event: FileEvent) -> tuple[str, Content] | None:
        """Return id and content of the event that is there under this one's key."""
        if event.key is None:
            return None
        return self._keys.get((event.agent, event.source, event.key))

    def add(self, event: FileEvent) -> None:
        """Remember an event; where it has no key its id serves as one."""
        self._last = max(self._last, event.seq)
        key = (event.agent, event.source, event.key or event.id)
        self._keys[key] = (event.id, content_of(event))


def _refuse(filing: Filing, piece: Piece, place: int, known: str) -> None:
    """Refuse a line whose key names an event with other content."""
    problem = Problem(
        source=filing.source,
        line=piece.number(place),
        field="$.key",
        message=other_content(piece.word("key", place), known),
    )
    filing.bad_lines.refuse([problem], msgspec.json.encode(record_at(piece, place)))
