"""What is done with an inbox: push events, claim and settle them, list and watch them."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    FencedError,
    IllegalStateError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import deadline, later, seconds_between
from mindpipe.core.messages import FilePart
from mindpipe.core.ports import Cell, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.core.sources import space_source
from mindpipe.inbox import backoff, content, ordering
from mindpipe.inbox.batch import Batch, bounded, piece_of, redact
from mindpipe.inbox.content import Content, content_at, content_of, other_content, record_at, seq_of
from mindpipe.inbox.lines import cleaned_event
from mindpipe.inbox.ordering import Glimpse, WaitingEvent
from mindpipe.inbox.push_rules import LinesFile, PushRules, read_receipts, receipts_of
from mindpipe.inbox.records import (
    BATCH,
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    Bounds,
    Event,
    EventDefaults,
    EventState,
    FileEvent,
    Receipt,
    Release,
)
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.tables.events import ClockPair, EventClaim, EventReturn
from mindpipe.inbox.wire import PushedLine, said_in, wire_of

KeepReceipts = Callable[[bytes], object]


def push(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Batch],
    push_rules: PushRules,
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
    # Most that is pushed has no files: nothing is loaded for it.
    if push_rules.files:
        from mindpipe.history.verbs import attachments

        files = attachments.redacted(store.redactor, push_rules.files)
        push_rules = msgspec.structs.replace(push_rules, files=files)

    def files_of(owners: Collection[str]) -> dict[str, tuple[FilePart, ...]]:
        from mindpipe.history.verbs import attachments

        return attachments.of(store, owners=owners)

    with store.write() as rows:
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
    with store.write() as rows:
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


def _attach(store: Store, receipts: Sequence[Receipt], push_rules: PushRules) -> None:
    """Keep the files that go along with new events."""
    from mindpipe.history.verbs import attachments

    new = [one.id for one in receipts if not one.duplicate]
    attachments.keep(store, owners=new, files=push_rules.files)


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
        self._push_rules = push_rules
        self._files_of = files_of
        self._next = tables.last_seq(rows) + 1
        self._stem = content.stem(chance.new_id("e", self._next))
        self._pushed = clock.now()
        self._dense = True
        self._known: set[str] = set()
        self._bounded: set[tuple[str, str]] = set()

    def add(self, piece: Batch) -> bytes:
        """Insert one piece and return its receipts as lines."""
        self._meet(piece)
        made = content.event_ids(self._stem, self._next, piece.count)
        gone = self._insert(piece, made)
        self._next += piece.count
        known = {place: self._same(piece, place) for place in gone}
        self._refuse_other_files(piece, known, new=made)
        self._bounded |= bounded(piece, set(known))
        return receipts_of(piece, made, known)

    def check_room(self) -> None:
        """Raise RefusedError if an inbox holds more open events than it may."""
        bounds = self._push_rules.bounds
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
        most = self._push_rules.bounds.max_open_per_source
        for source in sorted(source for one, source in self._bounded if one == agent):
            if tables.count_open_of(self._rows, agent=agent, source=source) > most:
                raise RefusedError(
                    f"the inbox of {agent} is full for {source}: {most} open events. Let {agent} "
                    "think, or raise inbox.max_open_per_source."
                )

    def _meet(self, piece: Batch) -> None:
        """Make sure that every agent of a piece is known; one with open events was before."""
        for agent in sorted(set(map(str, piece.values("agent"))) - self._known):
            if not tables.count_open(self._rows, agent=agent, most=1):
                self._push_rules.known(agent)
            self._known.add(agent)

    def _insert(self, piece: Batch, made: list[str]) -> list[int]:
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

    def _numbers(self, piece: Batch) -> list[int]:
        """Return the numbers of new events, but of a known one where its id is given as key.

        It is then passed over like any other duplicate, so that the key a receipt printed holds.
        """
        numbers = list(range(self._next, self._next + piece.count))
        for place, key in enumerate(piece.whole("key")):
            if isinstance(key, str) and content.seq_of(key) is not None:
                same = self._find(piece, place, key)
                numbers[place] = same.seq if same else numbers[place]
        return numbers

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


Outcome = Literal["handled", "skipped"]
USED_UP = f"{MAX_ATTEMPTS} attempts used"


def claim(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    owner: str,
    limit: int = BATCH,
    seconds: float = LEASE_SECONDS,
) -> list[Event]:
    """Take the events that come next, each under a new epoch, and return them in their order.

    An event whose attempts are used up becomes dead instead. Nothing due gives an empty list.
    """
    now = moment(clock)

    def heads(rows: Rows) -> list[WaitingEvent]:
        return tables.heads(rows, agent=agent, now=now, limit=limit)

    return _take(store, heads, now=now, claim=EventClaim(owner=owner, seconds=seconds), limit=limit)


def claim_only(
    store: Store,
    clock: Clock,
    *,
    agent: str,
    ids: Sequence[str],
    owner: str,
    seconds: float = LEASE_SECONDS,
) -> list[Event]:
    """Take these events and no others, as far as they may be claimed, like `claim`."""
    now = moment(clock)

    def chosen(rows: Rows) -> list[WaitingEvent]:
        return tables.among(rows, agent=agent, now=now, ids=ids)

    return _take(
        store, chosen, now=now, claim=EventClaim(owner=owner, seconds=seconds), limit=len(ids)
    )


def next_due(store: Store, clock: Clock, *, agent: str) -> float | None:
    """Return in how many seconds the next open event can be claimed that cannot be now, or None.

    It is for later, waits for its next try, or is held by somebody until a lease ends.
    """
    now = moment(clock)
    with store.read() as rows:
        instant = glances.next_instant(rows, agent=agent, now=now)
        returns = glances.next_return(rows, agent=agent, now=now)
    known = [seconds_between(now.wall, instant)] if instant is not None else []
    known += [returns - now.boot.seconds] if returns is not None else []
    return min(known, default=None)


def upcoming(
    store: Store, clock: Clock, *, agent: str, limit: int, only: Sequence[str] | None = None
) -> list[Event]:
    """Return what a claim of these events, or of all, would take, in its order; change nothing.

    Events whose attempts are used up are among them.
    """
    now = moment(clock)
    with store.read() as rows:
        if only is None:
            found = tables.heads(rows, agent=agent, now=now, limit=limit)
        else:
            found = tables.among(rows, agent=agent, now=now, ids=only)
        chosen = ordering.batch(found, now=now.wall, limit=limit)
        return sorted(tables.events_at(rows, chosen), key=lambda event: chosen.index(event.seq))


def _take(
    store: Store,
    find: Callable[[Rows], list[WaitingEvent]],
    *,
    now: ClockPair,
    claim: EventClaim,
    limit: int,
) -> list[Event]:
    """Take what is found, once every used-up event at the head is dead."""
    with store.write() as rows:
        while True:
            found = find(rows)
            used_up = [one.seq for one in found if one.attempts >= MAX_ATTEMPTS]
            if not used_up:
                break
            tables.use_up(rows, used_up, words=USED_UP)
        chosen = ordering.batch(found, now=now.wall, limit=limit)
        if not chosen:
            return []
        taken = tables.lease(rows, chosen, claim=claim, now=now)
    return sorted(taken, key=lambda event: chosen.index(event.seq))


def adopt(
    store: Store, clock: Clock, *, ids: Sequence[str], owner: str, seconds: float = LEASE_SECONDS
) -> list[Event]:
    """Take over the events of a cycle that another worker left, and return them as they now are.

    The caller must hold what fences that worker. Events whose attempts are used up become dead;
    those that are done or dead stay so.

    Raises:
        NothingToDoError: one of them was given back and is not due yet.
        UsageError: there is no such event.
    """
    now = moment(clock)
    with store.write() as rows:
        found = [_event(rows, event_id) for event_id in ids]
        for event in found:
            if event.state is EventState.READY and not tables.is_due(rows, event, now=now):
                raise NothingToDoError(f"the open cycle of {event.agent} waits for its next try.")
        open_ones = [one for one in found if EventState.LEASED in one.state.successors()]
        used_up = [one.seq for one in open_ones if one.attempts >= MAX_ATTEMPTS]
        tables.use_up(rows, used_up, words=USED_UP)
        living = [one.seq for one in open_ones if one.seq not in used_up]
        tables.lease(rows, living, claim=EventClaim(owner=owner, seconds=seconds), now=now)
        return [_event(rows, event_id) for event_id in ids]


def ack(store: Store, *, id: str, epoch: int, outcome: Outcome = "handled") -> Event:
    """Make a claimed event done and return it.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _held(rows, id, epoch)
        event.state.to(EventState.DONE)
        _fence(event, epoch, held=tables.finish(rows, event, outcome=outcome))
        return _event(rows, id)


def release(
    store: Store, clock: Clock, chance: Chance, *, id: str, epoch: int, how: Release
) -> Event:
    """Give a claimed event back and return it.

    It is due again at once, after a wait, or after a random delay. The wall clock has whole
    seconds only, so that it must show one more before it counts.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _held(rows, id, epoch)
        event.state.to(EventState.READY)
        seconds = how.wait
        if seconds is None and not how.clean:
            seconds = backoff.delay(event.attempts, chance=chance.uniform())
        waiting = EventReturn(
            attempts=max(0, event.attempts - 1) if how.clean else event.attempts,
            reason=how.reason,
            boot=deadline(clock.boot(), seconds=seconds) if seconds else None,
            wall=later(clock.now(), seconds=math.ceil(seconds) + 1) if seconds else None,
        )
        _fence(event, epoch, held=tables.put_back(rows, event, waiting))
        return _event(rows, id)


def extend(
    store: Store, clock: Clock, *, id: str, epoch: int, seconds: float = LEASE_SECONDS
) -> Event:
    """Let a claim end `seconds` from now and return its event.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _held(rows, id, epoch)
        event.state.to(EventState.LEASED)
        until = deadline(clock.boot(), seconds=seconds)
        _fence(event, epoch, held=tables.extend(rows, event, until=until))
        return _event(rows, id)


def dead(store: Store, *, id: str, reason: str, epoch: int | None = None) -> Event:
    """Let an event die and return it: the worker that holds it names its epoch, an operator none.

    Raises:
        FencedError: it is not held under this epoch any more.
        RefusedError: no epoch is named, but a worker holds it.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _event(rows, id) if epoch is None else _held(rows, id, epoch)
        if epoch is None and event.state is EventState.LEASED:
            raise RefusedError(
                f"{id} is held under epoch {event.epoch}; wait, or name --epoch {event.epoch}."
            )
        event.state.to(EventState.DEAD)
        tables.bury(rows, [event.seq], reason=reason)
        return _event(rows, id)


def free_other_boots(store: Store, clock: Clock) -> int:
    """Give back, their attempts counted, the events held before the machine last started."""
    with store.write() as rows:
        return tables.free_other_boots(rows, boot=clock.boot().boot)


def redrive(store: Store, *, agent: str, ids: Sequence[str] | None = None) -> list[Event]:
    """Make dead events ready with all attempts before them, these or all, and return them.

    Raises:
        IllegalStateError: one of them is not dead.
        UsageError: there is no such event in this inbox.
    """
    with store.write() as rows:
        if ids is None:
            found = tables.list_events(
                rows, agent=agent, states=[EventState.DEAD], limit=-1, offset=0
            )
        else:
            found = [_of_agent(_event(rows, event_id), agent) for event_id in ids]
        for event in found:
            if event.state is not EventState.DEAD:
                raise IllegalStateError(f"{event.id} is {event.state.value}, not dead.")
        tables.revive(rows, [event.seq for event in found])
        return tables.events_at(rows, [event.seq for event in found])


def trust(store: Store, *, id: str) -> Event:
    """Clear an event that the operator has read, and return what it was.

    Raises:
        NothingToDoError: nobody's words but the operator's are in it, or it is cleared already.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _event(rows, id)
        if not event.origins():
            raise NothingToDoError(f"{id} is trusted already.")
        tables.clear(rows, event)
    return event


def peek(store: Store, clock: Clock, *, agent: str, limit: int = BATCH) -> list[Event]:
    """Return the events that could be claimed now, the oldest first, and change nothing."""
    now = moment(clock)
    with store.read() as rows:
        due = tables.oldest(rows, agent=agent, now=now, limit=limit)
        return tables.events_at(rows, [one.seq for one in due])


def moment(clock: Clock) -> ClockPair:
    """Return now on both clocks."""
    return ClockPair(wall=clock.now(), boot=clock.boot())


def _event(rows: Rows, event_id: str) -> Event:
    """Return an event; raises UsageError."""
    found = tables.find_event(rows, event_id)
    if found is None:
        raise UsageError(f'no event "{event_id}"; mind inbox list shows them.')
    return found


def _of_agent(event: Event, agent: str) -> Event:
    """Return the event if it is in this agent's inbox; raises UsageError."""
    if event.agent != agent:
        raise UsageError(f"{event.id} is in the inbox of {event.agent}, not of {agent}.")
    return event


def _held(rows: Rows, event_id: str, epoch: int) -> Event:
    """Return an event that is held under this epoch; raises FencedError."""
    event = _event(rows, event_id)
    _fence(event, epoch, held=event.state is EventState.LEASED and event.epoch == epoch)
    return event


def _fence(event: Event, epoch: int, *, held: bool) -> None:
    """Raise FencedError where an event is not held any more."""
    if not held:
        raise FencedError(
            f"{event.id} is not held under epoch {epoch} (it is {event.state.value}, epoch "
            f"{event.epoch}); another worker has it or it was settled."
        )


_WATCH_PAGE = 500
OPEN_STATES = (EventState.READY, EventState.LEASED)
Wait = Callable[[float], None]
"""Return when the store may have changed, or at the latest after so many seconds."""


def list_(
    store: Store,
    *,
    agent: str,
    states: Sequence[EventState] = OPEN_STATES,
    limit: int = 100,
    offset: int = 0,
) -> list[Event]:
    """Return an agent's events in some states, most urgent first, then in order of arrival."""
    with store.read() as rows:
        found = tables.list_events(rows, agent=agent, states=states, limit=limit, offset=offset)
        return with_files(store, found)


def with_files(store: Store, events: Sequence[Event]) -> list[Event]:
    """Return events with the files that went along with them, or with the messages they tell of."""
    from mindpipe.history.verbs import attachments

    return attachments.with_files(store, events, _file_owner)


def _file_owner(event: Event) -> str:
    """Return with what the files of an event are kept: the message, where its space told it."""
    told = event.type == "space_message" and event.source == space_source(event.space or "")
    return event.key if told and event.key is not None else event.id


def show(store: Store, *, id: str) -> Event:
    """Return one event; raises UsageError if there is none of this id."""
    with store.read() as rows:
        found = tables.find_event(rows, id)
    if found is None:
        raise UsageError(f'no event "{id}"; mind inbox list shows them.')
    return found


def find(store: Store, *, agent: str, source: str, key: str) -> Event | None:
    """Return the event that was pushed under a key, if it was."""
    with store.read() as rows:
        return tables.find_key(rows, agent=agent, source=source, key=key)


def watch(
    store: Store, clock: Clock, *, agent: str, wait: Wait, timeout: float | None = None
) -> Iterator[list[Event]]:
    """Yield what may be claimed now, then what comes, each event once per epoch, changing nothing.

    Ends after `timeout` seconds on the boot clock; None means never.
    """
    seen: set[tuple[int, int]] = set()
    began = clock.boot().seconds
    while True:
        due: set[tuple[int, int]] = set()
        for page in _claimable_pages(store, clock, agent):
            fresh = [one.seq for one in page if (one.seq, one.epoch) not in seen]
            due.update((one.seq, one.epoch) for one in page)
            if fresh:
                with store.read() as rows:
                    events = tables.events_at(rows, fresh)
                yield events
        seen = due
        left = 3600.0 if timeout is None else began + timeout - clock.boot().seconds
        if left <= 0:
            return
        wait(left)


def glimpse(
    store: Store, clock: Clock, *, agent: str, limit: int, window: int = 0
) -> list[Glimpse]:
    """Return some events of each priority that may be claimed now, by arrival.

    They are the first `limit`, and as many more from all sources, spaces and senders in turn of the
    first `window`, so that a flood of one does not hide the others. However many wait, it reads the
    text of at most ten times `limit` and no more than five times `window` rows.
    """
    now = ClockPair(wall=clock.now(), boot=clock.boot())
    with store.read() as rows:
        found = {one.seq for one in tables.heads(rows, agent=agent, now=now, limit=limit)}
        if window > limit and len(found) >= limit:
            found |= set(glances.talks(rows, agent=agent, now=now, limit=limit, window=window))
        return glances.glimpses(rows, sorted(found))


def cleared(
    store: Store, *, agent: str, sources: Sequence[str], keys: Sequence[str]
) -> frozenset[str]:
    """Return which of some keys name events of some sources that the operator vouches for."""
    with store.read() as rows:
        return frozenset(tables.cleared_keys(rows, agent=agent, sources=sources, keys=keys))


def glimpse_at(store: Store, *, ids: Sequence[str]) -> list[Glimpse]:
    """Return events of some ids, whatever became of them, by arrival."""
    with store.read() as rows:
        seqs = [seq for seq in map(seq_of, ids) if seq is not None]
        return [one for one in glances.glimpses(rows, seqs) if one.id in ids]


def count(store: Store, clock: Clock, *, agent: str, most: int) -> int:
    """Return how many open events of an agent are due, of the `most` that are looked at."""
    with store.read() as rows:
        later = glances.count_later(rows, agent=agent, now=clock.now())
        return max(0, tables.count_open(rows, agent=agent, most=most + later) - later)


def arrived(store: Store, *, agent: str, after: int | None) -> tuple[int, int]:
    """Return how many events of an agent came after a number, and the number of the newest now.

    Without a number none came.
    """
    with store.read() as rows:
        newest = tables.last_seq(rows)
        if after is None or newest == after:
            return 0, newest
        return tables.arrived(rows, agent=agent, after=after), newest


def _claimable_pages(store: Store, clock: Clock, agent: str) -> Iterator[list[WaitingEvent]]:
    """Yield what may be claimed now, the oldest first, a page at a time."""
    after = 0
    now = ClockPair(wall=clock.now(), boot=clock.boot())
    while True:
        with store.read() as rows:
            page = tables.oldest(rows, agent=agent, now=now, limit=_WATCH_PAGE, after=after)
        if not page:
            return
        yield page
        after = page[-1].seq
