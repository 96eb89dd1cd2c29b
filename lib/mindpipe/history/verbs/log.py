"""The append-only log: appended to, read back, its segments, blobs and index."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import IllegalStateError, InputOutputError, NothingToDoError
from mindpipe.core.messages import CallPart, Message, calls_of
from mindpipe.core.ports import NOBODY, Clock, Rows, Store, Tokens
from mindpipe.core.records import to_json
from mindpipe.history import tables
from mindpipe.history.legality import breaches
from mindpipe.history.records import LogHead, MessageRow, NewSegment, Segment, SegmentRow, Window
from mindpipe.history.rows import (
    digest,
    link,
    message_of,
    message_tokens,
    row_octets,
    searched_text,
    segment_of,
    words_of_parts,
)

NO_SOURCES: Mapping[str, str] = {}


def log_head(store: Store, *, agent: str) -> LogHead:
    """Return where an agent's log ends, and the hash of its chain."""
    with store.read() as rows:
        return tables.log_head(rows, agent=agent)


def append(
    store: Store,
    tokens: Tokens,
    *,
    messages: Sequence[Message],
    sources: Mapping[str, str] = NO_SOURCES,
) -> None:
    """Append whole turns of one agent, in the caller's transaction if one is open.

    Each message is counted once with `tokens`, hashed onto the chain and made findable. `sources`
    maps ids of imported messages to the hash of what they were read from. The messages' segment is
    the newest one, and their cycles are open or imported.

    Raises:
        IllegalStateError: the messages may not follow the log's end; it names rule and seq.
    """
    if not messages:
        return
    agent = messages[0].agent
    with store.write(agent) as rows:
        head = tables.log_head(rows, agent=agent)
        _check(rows, head, messages)
        made = _rows(rows, tokens, head, messages, sources)
        tables.insert_messages(rows, made)
        numbers = (row.number for row in made)
        tables.insert_text(rows, zip(numbers, map(searched_text, messages), strict=True))
        tables.insert_calls(rows, agent=agent, ids=[call.id for call in _calls(messages)])


def _check(rows: Rows, head: LogHead, messages: Sequence[Message]) -> None:
    """Refuse messages that may not stand behind the log's end."""
    for breach in breaches(head, messages):
        raise IllegalStateError(f"{breach.rule}: message {breach.seq}: {breach.what}")
    cycles = {message.cycle for message in messages}
    known = tables.known_cycles(rows, agent=head.agent, first=min(cycles), last=max(cycles))
    if missing := sorted(cycles - known):
        raise IllegalStateError(f"H10: cycle {missing[0]} of {head.agent} is not open")
    ids = [call.id for call in _calls(messages)]
    if used := tables.used_ids(rows, table="call_id", agent=head.agent, ids=ids):
        raise IllegalStateError(f"H5: the call id {used[0]} is in the log already")


def _calls(messages: Sequence[Message]) -> list[CallPart]:
    """Return all calls of some messages."""
    return [call for message in messages for call in calls_of(message)]


def _rows(
    rows: Rows,
    tokens: Tokens,
    head: LogHead,
    messages: Sequence[Message],
    sources: Mapping[str, str],
) -> list[MessageRow]:
    """Return the rows of messages, each linked to the one before it."""
    segment = tables.last_segment(rows, agent=head.agent)
    first = tables.take_numbers(rows, count=len(messages))
    made: list[MessageRow] = []
    previous = head.sha256
    for number, message in enumerate(messages, first):
        if segment is None or message.segment != segment.segment:
            raise IllegalStateError(
                f"H11: message {message.seq} is not of the newest segment of {head.agent}"
            )
        row = _row(message, number=number, tokens=tokens, source=sources.get(message.id))
        octets = row_octets([*msgspec.structs.astuple(row)[:-1], segment.sha256])
        previous = link(previous, octets)
        made.append(msgspec.structs.replace(row, sha256=previous))
    return made


def _row(message: Message, *, number: int, tokens: Tokens, source: str | None) -> MessageRow:
    """Return the row of a message before it is linked."""
    return MessageRow(
        number=number,
        agent=message.agent,
        seq=message.seq,
        id=message.id,
        segment=message.segment,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role.value,
        parts=to_json(message.parts).decode(),
        raw=None if message.raw is None else to_json(message.raw).decode(),
        origin=message.origin,
        taint=int(message.taint),
        synthetic=int(message.synthetic),
        at=message.at,
        tokens=message_tokens(message, tokens.count),
        tokenizer=tokens.name,
        source=source,
        sha256="",
    )


class Counted(NamedTuple):
    """A message, its tokens as they were counted when it was appended, and by which tokenizer."""

    message: Message
    tokens: int
    tokenizer: str


def counted(store: Store, *, agent: str, first: int, last: int) -> list[Counted]:
    """Return the messages of the cycles `first` to `last`, oldest first; nothing else is read."""
    with store.read() as rows:
        found = tables.from_cycle(rows, agent=agent, cycle=first, until=last)
        return [Counted(message_of(row), row.tokens, row.tokenizer) for row in found]


def words_of(store: Store, *, agent: str, ids: Iterable[str]) -> dict[str, str]:
    """Return the searched text of those messages of an agent that are there, by id."""
    with store.read() as rows:
        found = (tables.message_by_id(rows, agent=agent, id=one) for one in sorted(set(ids)))
        return {row.id: searched_text(message_of(row)) for row in found if row is not None}


def index_gaps(store: Store) -> int:
    """Return how many messages cannot be found by their words, or are found but not there."""
    with store.read() as rows:
        return tables.count_index_gaps(rows)


def rebuild_index(store: Store) -> None:
    """Make the index anew from all messages, in one transaction."""
    with store.write() as rows:
        tables.clear_index(rows)
        tables.insert_text(rows, _texts(rows, after=0))


def extend_index(rows: Rows, *, after: int, agent: str | None = None) -> None:
    """Make the messages findable, of one agent or all, whose numbers are over `after`."""
    tables.insert_text(rows, _texts(rows, after=after, agent=agent))


def _texts(rows: Rows, *, after: int, agent: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield the number and the searched words of every message whose number is over `after`."""
    for number, parts in tables.numbered_parts(rows, after=after, agent=agent):
        yield number, words_of_parts(parts)


def open_segment(store: Store, clock: Clock, *, agent: str, new: NewSegment) -> Segment:
    """Open the next segment of an agent; its head is kept as bytes under their hash."""
    head = to_json(new.head)
    opened = clock.now()
    with store.write(agent) as rows:
        last = tables.last_segment(rows, agent=agent)
        row = SegmentRow(
            agent=agent,
            segment=1 if last is None else last.segment + 1,
            head_sha256=digest(head),
            target=to_json(new.target).decode(),
            first_cycle=new.first_cycle,
            raw_from_cycle=new.raw_from_cycle,
            reason=new.reason,
            opened=opened,
            sha256="",
        )
        tables.insert_blobs(rows, [(row.head_sha256, head)])
        tables.insert(rows, hashed(row))
    return segment_of(row, head=head)


def hashed(row: SegmentRow) -> SegmentRow:
    """Return a segment's row with the hash of all its other columns."""
    return msgspec.structs.replace(row, sha256=row_sha256(row))


def row_sha256(row: SegmentRow) -> str:
    """Return the hash that a segment's row should have."""
    return digest(row_octets(msgspec.structs.astuple(row)[:-1]))


def current_segment(store: Store, *, agent: str) -> Segment | None:
    """Return an agent's newest segment with its head, or None before the first.

    Raises:
        InputOutputError: the bytes of its head are gone.
    """
    with store.read() as rows:
        row = tables.last_segment(rows, agent=agent)
        return None if row is None else _with_head(rows, row)


def segment(store: Store, *, agent: str, number: int) -> Segment | None:
    """Return one segment of an agent with its head, or None."""
    with store.read() as rows:
        row = tables.numbered_segment(rows, agent=agent, number=number)
        return None if row is None else _with_head(rows, row)


def _with_head(rows: Rows, row: SegmentRow) -> Segment:
    """Return a segment with its head."""
    head = tables.blob(rows, sha256=row.head_sha256)
    if head is None:
        raise InputOutputError(
            f"the head of segment {row.segment} is gone. Run mind history verify."
        )
    return segment_of(row, head=head)


def window(
    store: Store,
    *,
    agent: str,
    number: int | None = None,
    until: int | None = None,
    ranges: Sequence[tuple[int, int | None]] | None = None,
) -> Window:
    """Return the messages from the segment's first cycle on, with their blobs and tokens.

    It is the newest segment's, or that of segment `number` up to the cycle `until`; of `ranges` of
    cycles (first and last, None: no end), where they are given. Raw replies are loaded only from
    the segment's `raw_from_cycle` on, files by whoever renders them (`StoredBlobs`).

    Raises:
        NothingToDoError: the agent has no segment yet.
    """
    with store.read() as rows:
        if number is None:
            opened = current_segment(store, agent=agent)
        else:
            opened = segment(store, agent=agent, number=number)
        if opened is None:
            raise NothingToDoError(f"{agent} has no history yet.")
        found = [
            row
            for first, last in _clipped(ranges or [(opened.first_cycle, None)], until)
            for row in tables.from_cycle(rows, agent=agent, cycle=first, until=last)
        ]
        messages = tuple(map(message_of, found))
        return Window(
            segment=opened,
            messages=messages,
            blobs=dict(tables.blobs(rows, shas=_needed(opened, messages))),
            tokens=sum(row.tokens for row in found),
        )


def _clipped(
    ranges: Sequence[tuple[int, int | None]], until: int | None
) -> list[tuple[int, int | None]]:
    """Return the parts of ranges that do not lie behind the cycle `until` (None: no end)."""
    if until is None:
        return list(ranges)
    return [
        (first, until if last is None else min(last, until))
        for first, last in ranges
        if first <= until
    ]


def _needed(segment: Segment, messages: tuple[Message, ...]) -> set[str]:
    """Return the hashes of the raw replies that rendering may ask for."""
    return {
        sha256
        for message in messages
        if message.raw is not None and message.cycle >= segment.raw_from_cycle
        for sha256 in message.raw.sha256
    }


def put_blob(store: Store, *, octets: bytes) -> str:
    """Keep octets and return their SHA-256, under which they are found again."""
    return put_blobs(store, octets=(octets,))[0]


def put_blobs(store: Store, *, octets: Iterable[bytes]) -> list[str]:
    """Keep many octets in one transaction and return their SHA-256, in order."""
    named = [(digest(one), one) for one in octets]
    with store.write(NOBODY) as rows:
        tables.insert_blobs(rows, named)
    return [sha256 for sha256, _ in named]


def blobs(store: Store, *, shas: Collection[str]) -> dict[str, bytes]:
    """Return the octets under some hashes; hashes of which nothing is kept are left out."""
    with store.read() as rows:
        return dict(tables.blobs(rows, shas=shas))


class StoredBlobs(Mapping[str, bytes]):
    """The store's blobs as a mapping that reads each when it is asked for and keeps none.

    Those that are `held` already are not read again.
    """

    def __init__(self, store: Store, held: Mapping[str, bytes] | None = None) -> None:
        self._store = store
        self._held = held or {}

    def __getitem__(self, sha256: str) -> bytes:
        """Return the octets under a hash; raises KeyError where nothing is kept."""
        if sha256 in self._held:
            return self._held[sha256]
        with self._store.read() as rows:
            found = tables.blob(rows, sha256=sha256)
        if found is None:
            raise KeyError(sha256)
        return found

    def __iter__(self) -> Iterator[str]:
        """Refuse: nobody wants every hash of a store at once."""
        raise NotImplementedError("blobs are asked for one by one")

    def __len__(self) -> int:
        """Refuse, as iterating does."""
        raise NotImplementedError("blobs are asked for one by one")
