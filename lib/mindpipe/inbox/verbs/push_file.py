"""Append pushed events to a file of lines, with the same checks, keys and receipts as a store."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.instants import normal_instant
from mindpipe.core.ports import Chance, Clock
from mindpipe.core.problems import Problem
from mindpipe.inbox import ids
from mindpipe.inbox.ceilings import ceiling_of
from mindpipe.inbox.content import Content, content_of, content_of_line, other_content
from mindpipe.inbox.filing import Filing, Lines, LinesFile
from mindpipe.inbox.receipts import receipt_lines
from mindpipe.inbox.records import FileEvent, Receipt
from mindpipe.inbox.verbs.push import KeepReceipts
from mindpipe.inbox.wire import CheckedWire, decode_checked, encode_checked

_Key = tuple[str | None, str, str]


def push_file(
    file: LinesFile,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Lines],
    filing: Filing,
    keep: KeepReceipts,
) -> None:
    """Append checked lines as events with ids; print the receipts that `keep` got only afterwards.

    Raises:
        BadInputError: a key was used before for another event, or the file holds other lines;
            nothing is appended.
    """
    book = _Book(file)
    stem = ids.stem(chance.new_id("e", book.last + 1))
    pushed = clock.now()
    made: list[bytes] = []
    for piece in pieces:
        receipts = []
        for number, wire in zip(piece.numbers, decode_checked(piece.octets), strict=True):
            event = _event(wire, filing, stem=stem, seq=book.last + 1, pushed=pushed)
            same = book.find(event)
            if same is None:
                book.add(event)
                made.append(msgspec.json.encode(event) + b"\n")
                receipts.append(Receipt(id=event.id, key=event.key or event.id))
            elif same[1] == content_of_line(wire, filing.given):
                receipts.append(Receipt(id=same[0], key=event.key or "", duplicate=True))
            else:
                words = other_content(event.key or "", same[0])
                problem = Problem(source=filing.source, line=number, field="$.key", message=words)
                filing.bad_lines.refuse([problem], encode_checked(wire))
        keep(receipt_lines(receipts))
    filing.bad_lines.settle()
    if made:
        file.append(b"".join(made))


class _Book:
    """The keys of a file of events and the number of its last one."""

    def __init__(self, file: LinesFile) -> None:
        self.last = 0
        self._keys: dict[_Key, tuple[str, Content]] = {}
        for number, line in enumerate(file.lines(), 1):
            try:
                self.add(msgspec.json.decode(line, type=FileEvent))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                words = f"is no event of an inbox file: {error}"
                raise BadInputError(
                    [Problem(source="--output", line=number, message=words)]
                ) from None

    def find(self, event: FileEvent) -> tuple[str, Content] | None:
        """Return id and content of the event that is there under this one's key."""
        if event.key is None:
            return None
        return self._keys.get((event.agent, event.source, event.key))

    def add(self, event: FileEvent) -> None:
        """Remember an event."""
        self.last = max(self.last, event.seq)
        # The id of an event without key serves as its key.
        self._keys[(event.agent, event.source, event.key or event.id)] = (
            event.id,
            content_of(event),
        )


def _event(wire: CheckedWire, filing: Filing, *, stem: str, seq: int, pushed: str) -> FileEvent:
    """Return a checked line as the event that goes into the file."""
    given = filing.given
    source = wire.source or given.source
    priority = given.priority if wire.priority is None else wire.priority
    due = wire.due or given.due
    return FileEvent(
        id=next(ids.ids(stem, seq)),
        seq=seq,
        pushed=pushed,
        agent=wire.agent or given.agent,
        type=wire.type or given.type,
        source=source,
        key=wire.key or given.key,
        priority=max(priority, ceiling_of(source, filing.bounds.ceilings)),
        due=due and normal_instant(due),
        space=wire.space or given.space,
        sender=wire.sender or given.sender,
        text=wire.text,
        body=wire.body or {},
        lossy=bool(wire.lossy),
        original=wire.original,
    )
