"""Work an inbox off: claim under a lease, ack, give back, let die and bring back."""

import math
from collections.abc import Callable, Sequence
from typing import Literal

from mindpipe.core.errors import (
    FencedError,
    IllegalStateError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.instants import later
from mindpipe.core.leases import deadline
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.inbox import ordering, retrying
from mindpipe.inbox.ordering import Candidate
from mindpipe.inbox.records import BATCH, LEASE_SECONDS, MAX_ATTEMPTS, Event, EventState, Release
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables.events import Claim, Moment, Waiting

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

    def heads(rows: Rows) -> list[Candidate]:
        return tables.heads(rows, agent=agent, now=now, limit=limit)

    return _claim(store, heads, now=now, claim=Claim(owner=owner, seconds=seconds), limit=limit)


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

    def chosen(rows: Rows) -> list[Candidate]:
        return tables.among(rows, agent=agent, now=now, ids=ids)

    return _claim(store, chosen, now=now, claim=Claim(owner=owner, seconds=seconds), limit=len(ids))


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


def _claim(
    store: Store, find: Callable[[Rows], list[Candidate]], *, now: Moment, claim: Claim, limit: int
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
        found = [_find(rows, event_id) for event_id in ids]
        for event in found:
            if event.state is EventState.READY and not tables.is_due(rows, event, now=now):
                raise NothingToDoError(f"the open cycle of {event.agent} waits for its next try.")
        open_ones = [one for one in found if EventState.LEASED in one.state.successors()]
        used_up = [one.seq for one in open_ones if one.attempts >= MAX_ATTEMPTS]
        tables.use_up(rows, used_up, words=USED_UP)
        living = [one.seq for one in open_ones if one.seq not in used_up]
        tables.lease(rows, living, claim=Claim(owner=owner, seconds=seconds), now=now)
        return [_find(rows, event_id) for event_id in ids]


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
        return _find(rows, id)


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
            seconds = retrying.delay(event.attempts, chance=chance.uniform())
        waiting = Waiting(
            attempts=max(0, event.attempts - 1) if how.clean else event.attempts,
            reason=how.reason,
            boot=deadline(clock.boot(), seconds=seconds) if seconds else None,
            wall=later(clock.now(), seconds=math.ceil(seconds) + 1) if seconds else None,
        )
        _fence(event, epoch, held=tables.put_back(rows, event, waiting))
        return _find(rows, id)


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
        return _find(rows, id)


def dead(store: Store, *, id: str, reason: str, epoch: int | None = None) -> Event:
    """Let an event die and return it: the worker that holds it names its epoch, an operator none.

    Raises:
        FencedError: it is not held under this epoch any more.
        RefusedError: no epoch is named, but a worker holds it.
        UsageError: there is no such event.
    """
    with store.write() as rows:
        event = _find(rows, id) if epoch is None else _held(rows, id, epoch)
        if epoch is None and event.state is EventState.LEASED:
            raise RefusedError(
                f"{id} is held under epoch {event.epoch}; wait, or name --epoch {event.epoch}."
            )
        event.state.to(EventState.DEAD)
        tables.bury(rows, [event.seq], reason=reason)
        return _find(rows, id)


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
            found = [_of_agent(_find(rows, event_id), agent) for event_id in ids]
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
        event = _find(rows, id)
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


def moment(clock: Clock) -> Moment:
    """Return now on both clocks."""
    return Moment(wall=clock.now(), boot=clock.boot())


def _find(rows: Rows, event_id: str) -> Event:
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
    event = _find(rows, event_id)
    _fence(event, epoch, held=event.state is EventState.LEASED and event.epoch == epoch)
    return event


def _fence(event: Event, epoch: int, *, held: bool) -> None:
    """Raise FencedError where an event is not held any more."""
    if not held:
        raise FencedError(
            f"{event.id} is not held under epoch {epoch} (it is {event.state.value}, epoch "
            f"{event.epoch}); another worker has it or it was settled."
        )
