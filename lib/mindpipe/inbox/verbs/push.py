"""Push events: all in one transaction or none, with receipts for after the commit."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from mindpipe.core.errors import BadInputError, RefusedError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Cell, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.inbox import ids
from mindpipe.inbox.cleaning import cleaned_event
from mindpipe.inbox.content import content_at, content_of, other_content, record_at
from mindpipe.inbox.filing import Filing
from mindpipe.inbox.piece import Piece, bounded, piece_of
from mindpipe.inbox.receipts import read_receipts, receipts_of
from mindpipe.inbox.records import Bounds, Event, Given, Receipt
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.wire import Wire, said_in, wire_of

KeepReceipts = Callable[[bytes], object]


def push(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Piece],
    filing: Filing,
    keep: KeepReceipts,
) -> None:
    """Store checked lines in one transaction.

    `keep` gets the receipts as JSON Lines in the order of the events; print them only after this
    returns, when all is committed.

    Raises:
        BadInputError: a key was used before for another event; nothing is stored.
        RefusedError: an inbox would hold more open events than it may.
        UsageError: an agent is not known.
    """
    with store.write() as rows:
        batch = _Batch(rows, clock, chance, filing)
        for piece in pieces:
            keep(batch.add(piece))
        batch.check_room()
        filing.bad_lines.settle()
        reach("push.before_commit")
    reach("push.after_commit")


def push_events(
    store: Store, clock: Clock, chance: Chance, *, events: Sequence[NewEvent], bounds: Bounds
) -> list[Receipt]:
    """Store the program's own events in the caller's transaction, or in one of their own.

    Raises:
        BadInputError: too long, or a key was used before for another event.
        RefusedError: an inbox would hold more open events than it may.
        UsageError: an event names no agent.
    """
    if not events:
        return []
    wires = [_checked(number, event, bounds) for number, event in enumerate(events, 1)]
    piece = piece_of(said_in(wires), first=1, given=Given(), ceilings=bounds.ceilings)
    filing = Filing(bounds=bounds, source="event")
    with store.write() as rows:
        batch = _Batch(rows, clock, chance, filing)
        receipts = batch.add(piece)
        batch.check_room()
        filing.bad_lines.settle()
    return read_receipts(receipts)


def deliverer(store: Store, clock: Clock, chance: Chance, *, bounds: Bounds) -> Deliver:
    """Return what pushes events into this store's inboxes."""

    def deliver(events: list[NewEvent]) -> None:
        push_events(store, clock, chance, events=events, bounds=bounds)

    return deliver


def _checked(number: int, event: NewEvent, bounds: Bounds) -> Wire:
    """Return an event of the program's own, cleaned, if it is fit to be stored."""
    if event.agent is None:
        raise UsageError(f"event {number} names no agent; name one.")
    clean = cleaned_event(event)
    if len(to_json(clean)) > bounds.max_bytes:
        words = f"longer than {bounds.max_bytes} bytes; split it or raise inbox.max_bytes"
        raise BadInputError([Problem(source="event", line=number, message=words)])
    return wire_of(clean)


class _Batch:
    """One push inside its transaction, piece by piece."""

    def __init__(self, rows: Rows, clock: Clock, chance: Chance, filing: Filing) -> None:
        self._rows = rows
        self._filing = filing
        self._next = tables.last_seq(rows) + 1
        self._stem = ids.stem(chance.new_id("e", self._next))
        self._pushed = clock.now()
        self._dense = True
        self._known: set[str] = set()
        self._bounded: set[tuple[str, str]] = set()

    def add(self, piece: Piece) -> bytes:
        """Insert one piece and return its receipts as lines."""
        self._meet(piece)
        made = ids.event_ids(self._stem, self._next, piece.count)
        gone = self._insert(piece, made)
        self._next += piece.count
        known = {place: self._same(piece, place) for place in gone}
        self._bounded |= bounded(piece, set(known))
        return receipts_of(piece, made, known)

    def check_room(self) -> None:
        """Raise RefusedError if an inbox holds more open events than it may."""
        bounds = self._filing.bounds
        for agent in sorted({agent for agent, _ in self._bounded}):
            count = tables.count_open(self._rows, agent=agent, most=bounds.max_open + 1)
            if count > bounds.max_open:
                raise RefusedError(
                    f"the inbox of {agent} is full: {bounds.max_open} open events. Let {agent} "
                    "think, or raise inbox.max_open."
                )
            if count > bounds.max_open_per_source:
                self._check_sources(agent)

    def _check_sources(self, agent: str) -> None:
        """Raise RefusedError if a source has more open events than one may."""
        most = self._filing.bounds.max_open_per_source
        for source in sorted(source for one, source in self._bounded if one == agent):
            if tables.count_open_of(self._rows, agent=agent, source=source) > most:
                raise RefusedError(
                    f"the inbox of {agent} is full for {source}: {most} open events. Let {agent} "
                    "think, or raise inbox.max_open_per_source."
                )

    def _meet(self, piece: Piece) -> None:
        """Make sure that every agent of a piece is known; one with open events was before."""
        for agent in sorted(set(map(str, piece.values("agent"))) - self._known):
            if not tables.count_open(self._rows, agent=agent, most=1):
                self._filing.known(agent)
            self._known.add(agent)

    def _insert(self, piece: Piece, made: list[str]) -> list[int]:
        """Insert a piece and return the places whose key was there already.

        Without keys and gaps SQLite gives the next numbers by itself, which is much faster.
        """
        same: dict[str, Cell] = {**piece.same, "pushed": self._pushed}
        each: dict[str, Sequence[Cell]] = {**piece.each, "id": made}
        if "lossy" in each:
            each["lossy"] = [cell or 0 for cell in each["lossy"]]
        if piece.has("key") or not self._dense:
            each["seq"] = self._numbers(piece)
        tables.add_events(self._rows, same=same, each=each)
        if not piece.has("key"):
            return []
        last = self._next + piece.count - 1
        missing = tables.missing_seqs(self._rows, first=self._next, last=last)
        self._dense = self._dense and not missing
        return [seq - self._next for seq in missing]

    def _numbers(self, piece: Piece) -> list[int]:
        """Return the numbers of new events, but of a known one where its id is given as key.

        It is then passed over like any other duplicate, so that the key a receipt printed holds.
        """
        numbers = list(range(self._next, self._next + piece.count))
        for place, key in enumerate(piece.whole("key")):
            if isinstance(key, str) and ids.seq_of(key) is not None:
                same = self._find(piece, place, key)
                numbers[place] = same.seq if same else numbers[place]
        return numbers

    def _same(self, piece: Piece, place: int) -> str | None:
        """Return the id of the event that a key names; None where its content is another."""
        key = piece.word("key", place)
        found = self._find(piece, place, key)
        if found is not None and content_of(found) == content_at(piece, place):
            return found.id
        problem = Problem(
            source=self._filing.source,
            line=piece.number(place),
            field="$.key",
            message=other_content(key, found.id if found else "?"),
        )
        self._filing.bad_lines.refuse([problem], msgspec.json.encode(record_at(piece, place)))
        return None

    def _find(self, piece: Piece, place: int, key: str) -> Event | None:
        """Return the event that agent and source of a line have under a key."""
        agent, source = piece.word("agent", place), piece.word("source", place)
        return tables.find_key(self._rows, agent=agent, source=source, key=key)
