"""Push events: each batch is stored, or appended to a file, whole or not at all."""

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    RefusedError,
    UsageError,
)
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import FilePart
from mindpipe.core.ports import NOBODY, Cell, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.inbox import content
from mindpipe.inbox.batch import Batch, bounded, piece_of, redact
from mindpipe.inbox.content import Content, content_at, content_of, other_content, record_at
from mindpipe.inbox.lines import cleaned_event
from mindpipe.inbox.push_rules import LinesFile, PushRules, read_receipts, receipts_of
from mindpipe.inbox.records import (
    Bounds,
    Event,
    EventDefaults,
    FileEvent,
    Receipt,
)
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.wire import PushedLine, said_in, wire_of

KeepReceipts = Callable[[bytes], object]


def push(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Batch],
    agents: Collection[str],
    push_rules: PushRules,
    keep: KeepReceipts,
) -> None:
    """Store checked lines in one transaction, in the inboxes of some agents.

    `keep` gets the receipts as JSON Lines in the order of the events; print them only after this
    returns, when all is committed.

    Raises:
        BadInputError: a key was used before for another event; nothing is stored.
        RefusedError: an inbox would hold more open events than it may.
        UsageError: an agent is not known.
    """
    # Most that is pushed has no files: nothing is loaded for it.
    if push_rules.files:
        from mindpipe.history.verbs import attachments

        files = attachments.redacted(store.redactor, push_rules.files)
        push_rules = msgspec.structs.replace(push_rules, files=files)

    def files_of(owners: Collection[str]) -> dict[str, tuple[FilePart, ...]]:
        from mindpipe.history.verbs import attachments

        return attachments.of(store, owners=owners)

    with store.write(NOBODY) as rows:
        # All at once, in their order: each piece has them in its own.
        rows.hold("inbox", *agents)
        if push_rules.files:
            _keep(store, push_rules)
        batch = _Batch(rows, clock, chance, push_rules, files_of=files_of)
        for piece in pieces:
            redact(piece, store.redactor)
            receipts = batch.add(piece)
            if push_rules.files:
                _attach(store, read_receipts(receipts), push_rules)
            keep(receipts)
        batch.check_room()
        push_rules.bad_lines.settle()
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
    piece = piece_of(said_in(wires), first=1, given=EventDefaults(), ceilings=bounds.ceilings)
    redact(piece, store.redactor)
    push_rules = PushRules(bounds=bounds, source="event")
    with store.write(NOBODY) as rows:
        batch = _Batch(rows, clock, chance, push_rules)
        receipts = batch.add(piece)
        batch.check_room()
        push_rules.bad_lines.settle()
    return read_receipts(receipts)


def deliverer(store: Store, clock: Clock, chance: Chance, *, bounds: Bounds) -> Deliver:
    """Return what pushes events into this store's inboxes."""

    def deliver(events: list[NewEvent]) -> None:
        push_events(store, clock, chance, events=events, bounds=bounds)

    return deliver


def _checked(number: int, event: NewEvent, bounds: Bounds) -> PushedLine:
    """Return an event of the program's own, cleaned, if it is fit to be stored."""
    if event.agent is None:
        raise UsageError(f"event {number} names no agent; name one.")
    clean = cleaned_event(event)
    if len(to_json(clean)) > bounds.max_bytes:
        words = f"longer than {bounds.max_bytes} bytes; split it or raise inbox.max_bytes"
        raise BadInputError([Problem(source="event", line=number, message=words)])
    return wire_of(clean)


def _keep(store: Store, push_rules: PushRules) -> None:
    """Keep what is in the files that go along."""
    from mindpipe.history.verbs import attachments

    attachments.keep_octets(store, files=push_rules.files)


def _attach(store: Store, receipts: Sequence[Receipt], push_rules: PushRules) -> None:
    """Note which files go along with new events."""
    from mindpipe.history.verbs import attachments

    new = [one.id for one in receipts if not one.duplicate]
    attachments.go_along(store, owners=new, files=push_rules.files)


FilesOf = Callable[[Collection[str]], dict[str, tuple[FilePart, ...]]]
"""Return the files of those of some owners that have some."""


class _Batch:
    """One push inside its transaction, piece by piece."""

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        chance: Chance,
        push_rules: PushRules,
        *,
        files_of: FilesOf | None = None,
    ) -> None:
        self._rows = rows
        self._clock = clock
        self._chance = chance
        self._push_rules = push_rules
        self._files_of = files_of
        self._taken = self._used = 0
        self._stem = ""
        self._named = 0
        self._pushed = ""
        self._known: set[str] = set()
        self._bounded: set[tuple[str, str]] = set()

    def add(self, piece: Batch) -> bytes:
        """Insert one piece and return its receipts as lines."""
        self._meet(piece)
        first = tables.take_seqs(self._rows, count=piece.count, taken=self._taken)
        if not self._stem:
            self._stem = content.stem(self._chance.new_id("e", first))
            self._named = self._chance.number_named(first) - first
            self._pushed = self._clock.now()
        self._taken = first + piece.count - 1
        made = content.event_ids(self._stem, first + self._named, piece.count)
        gone = self._insert(piece, made, first)
        self._used = _last_of(piece.count, gone, first)
        known = {place: self._same(piece, place) for place in gone}
        self._refuse_other_files(piece, known, new=made)
        self._bounded |= bounded(piece, set(known))
        return receipts_of(piece, made, known)

    def check_room(self) -> None:
        """Raise RefusedError if an inbox holds more open events than it may."""
        if self._used < self._taken:
            tables.give_back_seqs(self._rows, used=self._used, last=self._taken)
        bounds = self._push_rules.bounds
        least = min(bounds.max_open, bounds.max_open_per_source)
        for agent in sorted({agent for agent, _ in self._bounded}):
            if tables.has_room(self._rows, agent=agent, most=least):
                continue
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
        most = self._push_rules.bounds.max_open_per_source
        for source in sorted(source for one, source in self._bounded if one == agent):
            if tables.count_open_of(self._rows, agent=agent, source=source) > most:
                raise RefusedError(
                    f"the inbox of {agent} is full for {source}: {most} open events. Let {agent} "
                    "think, or raise inbox.max_open_per_source."
                )

    def _meet(self, piece: Batch) -> None:
        """Make sure that every agent of a piece is known; one with open events was before."""
        new = sorted(piece.agents() - self._known)
        self._rows.hold("inbox", *new)
        for agent in new:
            if not tables.count_open(self._rows, agent=agent, most=1):
                self._push_rules.known(agent)
            self._known.add(agent)

    def _insert(self, piece: Batch, made: list[str], first: int) -> list[int]:
        """Insert a piece and return the places whose key was there already."""
        same: dict[str, Cell] = {**piece.same, "pushed": self._pushed}
        each: dict[str, Sequence[Cell]] = {**piece.each, "id": made}
        if "lossy" in each:
            each["lossy"] = [cell or 0 for cell in each["lossy"]]
        each["seq"] = range(first, first + piece.count)
        if not piece.has("key"):
            tables.add_events(self._rows, same=same, each=each)
            return []
        if known := self._named_by_id(piece):
            each = {
                name: [cell for place, cell in enumerate(cells) if place not in known]
                for name, cells in each.items()
            }
        tables.add_events(self._rows, same=same, each=each)
        last = first + piece.count - 1
        missing = tables.missing_seqs(self._rows, first=first, last=last)
        return [seq - first for seq in missing]

    def _named_by_id(self, piece: Batch) -> set[int]:
        """Return the places whose key is the id of an event that is there, which holds like a key.

        A receipt prints the id as the key of an event that was given none.
        """
        return {
            place
            for place, key in enumerate(piece.whole("key"))
            if isinstance(key, str)
            and content.seq_of(key) is not None
            and self._find(piece, place, key)
        }

    def _same(self, piece: Batch, place: int) -> str | None:
        """Return the id of the event that a key names; None where its content is another."""
        found = self._find(piece, place, piece.word("key", place))
        if found is not None and content_of(found) == content_at(piece, place):
            return found.id
        _refuse(self._push_rules, piece, place, found.id if found else "?")
        return None

    def _refuse_other_files(
        self, piece: Batch, known: dict[int, str | None], *, new: Sequence[str]
    ) -> None:
        """Refuse each line whose event is there with other files; then it has no id in `known`."""
        if not known or self._files_of is None:
            return
        before = {id for id in known.values() if id is not None}.difference(new)
        there = self._files_of(before)
        given = tuple(one.part for one in self._push_rules.files)
        for place, id in known.items():
            if id in before and there.get(id, ()) != given:
                _refuse(self._push_rules, piece, place, id, why=": its files are others")
                known[place] = None

    def _find(self, piece: Batch, place: int, key: str) -> Event | None:
        """Return the event that agent and source of a line have under a key."""
        agent, source = piece.word("agent", place), piece.word("source", place)
        return tables.find_key(self._rows, agent=agent, source=source, key=key)


def _last_of(count: int, gone: Collection[int], first: int) -> int:
    """Return the last number of a piece that is in use, or the one before: some have no event."""
    there = (place for place in range(count - 1, -1, -1) if place not in gone)
    return next((first + place for place in there), first - 1)


_Key = tuple[str | None, str, str]


def push_file(
    file: LinesFile,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Batch],
    push_rules: PushRules,
    keep: KeepReceipts,
) -> None:
    """Append checked lines as events with ids; print the receipts that `keep` got only afterwards.

    Raises:
        BadInputError: a key was used before for another event, or the file holds other lines;
            nothing is appended.
    """
    book = _Book(file, chance, pushed=clock.now())
    # One write appends all of them; apart they would take half as much again.
    made = bytearray()
    for piece in pieces:
        new: list[str] = []
        known: dict[int, str | None] = {}
        for place in range(piece.count):
            event = book.next(piece, place)
            new.append(event.id)
            same = book.find(event)
            if same is None:
                book.add(event)
                made += msgspec.json.encode(event) + b"\n"
            elif same[1] == content_at(piece, place):
                known[place] = same[0]
            else:
                known[place] = None
                _refuse(push_rules, piece, place, same[0])
        keep(receipts_of(piece, new, known))
    push_rules.bad_lines.settle()
    if made:
        file.append(made)


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
        self._stem = content.stem(chance.new_id("e", self._last + 1))

    def next(self, piece: Batch, place: int) -> FileEvent:
        """Return a checked line as the next event of the file."""
        seq = self._last + 1
        said = record_at(piece, place)
        said.pop("asked", None)
        numbered = {"id": content.event_id(self._stem, seq), "seq": seq, "pushed": self._pushed}
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


def _refuse(push_rules: PushRules, piece: Batch, place: int, known: str, *, why: str = "") -> None:
    """Refuse a line whose key names an event with other content."""
    problem = Problem(
        source=push_rules.source,
        line=piece.number(place),
        field="$.key",
        message=other_content(piece.word("key", place), known) + why,
    )
    push_rules.bad_lines.refuse([problem], msgspec.json.encode(record_at(piece, place)))
