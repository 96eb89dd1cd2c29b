"""What is done with events that wait: claim and settle them, list and watch them."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from mindpipe.core.errors import (
    FencedError,
    IllegalStateError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.instants import deadline, later, seconds_between
from mindpipe.core.ports import NO_LIMIT, NOBODY, Chance, Clock, Rows, Store
from mindpipe.core.sources import space_source
from mindpipe.inbox import backoff, ordering
from mindpipe.inbox.ordering import Glimpse, WaitingEvent
from mindpipe.inbox.records import (
    BATCH,
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    Event,
    EventState,
    Release,
)
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.tables.events import ClockPair, EventClaim, EventReturn

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

    def heads(rows: Rows, passed: int) -> list[WaitingEvent]:
        return tables.heads(rows, agent=agent, now=now, limit=limit + passed)

    claim = EventClaim(owner=owner, seconds=seconds)
    return _take(store, agent, heads, now=now, claim=claim, limit=limit)


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

    def chosen(rows: Rows, _passed: int) -> list[WaitingEvent]:
        return tables.among(rows, agent=agent, now=now, ids=ids)

    claim = EventClaim(owner=owner, seconds=seconds)
    return _take(store, agent, chosen, now=now, claim=claim, limit=len(ids))


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
    agent: str,
    find: Callable[[Rows, int], list[WaitingEvent]],
    *,
    now: ClockPair,
    claim: EventClaim,
    limit: int,
) -> list[Event]:
    """Take what is found, once every used-up event at the head is dead."""
    taken: list[Event] = []
    with store.write(NOBODY) as rows:
        rows.hold("row", agent)
        passed: set[int] = set()
        while len(taken) < limit:
            found = [one for one in find(rows, len(passed)) if one.seq not in passed]
            used_up = [one.seq for one in found if one.attempts >= MAX_ATTEMPTS]
            if used_up:
                tables.use_up(rows, used_up, words=USED_UP)
                continue
            chosen = ordering.batch(found, now=now.wall, limit=limit - len(taken))
            if not chosen:
                break
            got = tables.lease(rows, chosen, claim=claim, now=now)
            taken += sorted(got, key=lambda event: chosen.index(event.seq))
            # What somebody else takes at the same time is passed over: what comes next is taken.
            passed.update(chosen)
            if len(got) == len(chosen):
                break
    return taken


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
        claim = EventClaim(owner=owner, seconds=seconds)
        tables.lease(rows, living, claim=claim, now=now, adopts=True)
        return [_event(rows, event_id) for event_id in ids]


def ack(store: Store, *, id: str, epoch: int, outcome: Outcome = "handled") -> Event:
    """Make a claimed event done and return it.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write(NOBODY) as rows:
        event = _held(rows, id, epoch)
        event.state.to(EventState.DONE)
        return _fenced(event, epoch, tables.finish(rows, event, outcome=outcome))


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
    with store.write(NOBODY) as rows:
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
        return _fenced(event, epoch, tables.put_back(rows, event, waiting))


def extend(
    store: Store, clock: Clock, *, id: str, epoch: int, seconds: float = LEASE_SECONDS
) -> Event:
    """Let a claim end `seconds` from now and return its event.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write(NOBODY) as rows:
        event = _held(rows, id, epoch)
        event.state.to(EventState.LEASED)
        until = deadline(clock.boot(), seconds=seconds)
        return _fenced(event, epoch, tables.extend(rows, event, until=until))


def dead(store: Store, *, id: str, reason: str, epoch: int | None = None) -> Event:
    """Let an event die and return it: the worker that holds it names its epoch, an operator none.

    Raises:
        FencedError: it is not held under this epoch any more.
        RefusedError: no epoch is named, but a worker holds it.
        UsageError: there is no such event.
    """
    with store.write(NOBODY) as rows:
        event = _event(rows, id) if epoch is None else _held(rows, id, epoch)
        if epoch is None and event.state is EventState.LEASED:
            raise RefusedError(
                f"{id} is held under epoch {event.epoch}; wait, or name --epoch {event.epoch}."
            )
        event.state.to(EventState.DEAD)
        _fence(event, event.epoch, held=tables.bury(rows, event, reason=reason))
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
    with store.write(agent) as rows:
        if ids is None:
            found = tables.list_events(
                rows, agent=agent, states=[EventState.DEAD], limit=NO_LIMIT, offset=0
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
    with store.write(NOBODY) as rows:
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
    """Return an event, which only its own row is held for; raises UsageError."""
    found = tables.find_event(rows, event_id)
    if found is None:
        raise UsageError(f'no event "{event_id}"; mind inbox list shows them.')
    rows.hold("row", found.agent)
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


def _fenced(event: Event, epoch: int, now: Event | None) -> Event:
    """Return an event as it is now; raises FencedError where it was not held any more."""
    _fence(event, epoch, held=now is not None)
    return now or event


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
        return glances.glimpses(rows, tables.seqs_of(rows, ids))


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
