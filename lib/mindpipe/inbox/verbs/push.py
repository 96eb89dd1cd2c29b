"""Push events: all in one transaction or none, with receipts for after the commit."""

from collections.abc import Callable, Iterable, Sequence

from mindpipe.core.errors import BadInputError, RefusedError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.inbox import ids, tables
from mindpipe.inbox.batching import Layout, bounded, hold_down, lay_out, receipts_of
from mindpipe.inbox.cleaning import cleaned_event
from mindpipe.inbox.content import content_of, content_of_line, other_content
from mindpipe.inbox.filing import Filing, Lines
from mindpipe.inbox.receipts import read_receipts
from mindpipe.inbox.records import Bounds, Event, Receipt
from mindpipe.inbox.wire import CheckedWire, columns_of, decode_checked, encode_checked, wire_of

KeepReceipts = Callable[[bytes], object]


def push(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Lines],
    filing: Filing,
    keep: KeepReceipts,
) -> None:
    """Store checked lines in one transaction.

    `keep` gets the receipts as JSON Lines in the order of the events; print them only after this
    returns, when all is committed.

    Raises:
        BadInputError: a key was used before for another event; nothing is stored.
        RefusedError: the inbox would hold more open events than it may.
        UsageError: an agent is not known.
    """
    with store.write() as rows:
        batch = _Batch(rows, clock, chance, filing)
        for piece in pieces:
            keep(batch.add(decode_checked(piece.octets), piece.numbers))
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
    filing = Filing(bounds=bounds, source="event")
    wires = [_checked(number, event, bounds) for number, event in enumerate(events, 1)]
    if not wires:
        return []
    with store.write() as rows:
        batch = _Batch(rows, clock, chance, filing)
        receipts = batch.add(wires, range(1, len(wires) + 1))
        batch.check_room()
        filing.bad_lines.settle()
    return read_receipts(receipts)


def deliverer(store: Store, clock: Clock, chance: Chance, *, bounds: Bounds) -> Deliver:
    """Return what pushes events into this store's inboxes."""

    def deliver(events: list[NewEvent]) -> None:
        push_events(store, clock, chance, events=events, bounds=bounds)

    return deliver


def _checked(number: int, event: NewEvent, bounds: Bounds) -> CheckedWire:
    """Return an event of the program's own, cleaned, if it is fit to be stored."""
    if event.agent is None:
        raise UsageError(f"event {number} names no agent; name one.")
    wire = wire_of(cleaned_event(event))
    if len(encode_checked(wire)) > bounds.max_bytes + 1:
        words = f"longer than {bounds.max_bytes} bytes; split it or raise inbox.max_bytes"
        raise BadInputError([Problem(source="event", line=number, message=words)])
    return wire


class _Batch:
    """One push inside its transaction, piece by piece."""

    def __init__(self, rows: Rows, clock: Clock, chance: Chance, filing: Filing) -> None:
        self._rows = rows
        self._filing = filing
        self._next = tables.last_seq(rows) + 1
        self._stem = ids.stem(chance.new_id("e", self._next))
        self._pushed = clock.now()
        self._known: set[str] = set()
        self._bounded: set[tuple[str, str]] = set()

    def add(self, wires: Sequence[CheckedWire], numbers: Sequence[int]) -> bytes:
        """Insert one piece and return its receipts as lines."""
        if not wires:
            return b""
        layout = lay_out(
            columns_of(wires, self._filing.given),
            first=self._next,
            stem=self._stem,
            pushed=self._pushed,
        )
        self._next += len(wires)
        self._meet(layout)
        hold_down(layout, self._filing.bounds.ceilings)
        gone = self._insert(layout)
        known = {place: self._same(layout, wires, numbers, place) for place in gone}
        self._bounded |= bounded(layout, set(known))
        return receipts_of(layout, known)

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

    def _meet(self, layout: Layout) -> None:
        """Make sure that every agent of a piece is known."""
        for agent in sorted(set(map(str, layout.columns["agent"])) - self._known):
            self._filing.known(agent)
            self._known.add(agent)

    def _insert(self, layout: Layout) -> list[int]:
        """Insert a piece and return the places whose key was there already."""
        if "key" not in layout.columns:
            tables.add_events(self._rows, layout.columns)
            return []
        self._meet_keyless(layout)
        tables.add_events(self._rows, layout.columns)
        last = layout.first + len(layout) - 1
        missing = tables.missing_seqs(self._rows, first=layout.first, last=last)
        return [seq - layout.first for seq in missing]

    def _meet_keyless(self, layout: Layout) -> None:
        """Give a row whose key is the id of an event without key the number of that event.

        It is then passed over like any other duplicate, so that the key a receipt printed holds.
        """
        for place, key in enumerate(layout.columns["key"]):
            if isinstance(key, str) and ids.seq_of(key) is not None:
                same = self._find(layout, place, key)
                if same is not None:
                    layout.columns["seq"][place] = same.seq

    def _same(
        self, layout: Layout, wires: Sequence[CheckedWire], numbers: Sequence[int], place: int
    ) -> str | None:
        """Return the id of the event that a key names; None where its content is another."""
        key = layout.word("key", place)
        found = self._find(layout, place, key)
        assert found is not None
        wire = wires[place]
        if content_of(found) == content_of_line(wire, self._filing.given):
            return found.id
        problem = Problem(
            source=self._filing.source,
            line=numbers[place],
            field="$.key",
            message=other_content(key, found.id),
        )
        self._filing.bad_lines.refuse([problem], encode_checked(wire))
        return None

    def _find(self, layout: Layout, place: int, key: str) -> Event | None:
        """Return the event that agent and source of a row have under a key."""
        agent, source = layout.word("agent", place), layout.word("source", place)
        return tables.find_key(self._rows, agent=agent, source=source, key=key)
