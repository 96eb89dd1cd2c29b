"""Look at what waits and say what this iteration attends to; nothing is written."""

from itertools import chain

from mindpipe.core.events import Priority
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox import ordering
from mindpipe.inbox.ordering import Glimpse
from mindpipe.inbox.verbs import look
from mindpipe.loop import attention
from mindpipe.loop.attention_records import Attended, Attending
from mindpipe.loop.records import Session
from mindpipe.loop.tables import concerns as tables

GLIMPSED = 20
"""How many events of each priority are looked at, at least; twice what may be taken up if more."""
WINDOW = 500
"""Of how many of each priority as many more are chosen from all talks, where there are concerns."""
MOST_COUNTED = 1_000_000


def attend(
    store: Store, clock: Clock, *, agent: str, session: Session, limits: Attending
) -> Attended:
    """Return what an agent's next iteration attends to, in the mode of its session.

    However many events wait, it looks at a bounded number of each priority, and counts the others
    from an index: with 10,000 that wait it takes some ms. A concern whose events all stand behind
    `WINDOW` others of their priority, or behind many of their own source, space and sender that are
    not its own, is not seen until these are fewer.
    """
    with store.read() as rows:
        concerns = tables.concerns_of(rows, agent=agent)
        turns = tables.turns_of(rows, agent=agent)
        limit = max(GLIMPSED, 2 * limits.most)
        window = WINDOW if concerns else limit
        seen = look.glimpse(store, clock, agent=agent, limit=limit, window=window)
        queue = look.count(store, clock, agent=agent, most=MOST_COUNTED)
        marked = {event.seq: attention.marks(event) for event in seen}
        known = tables.met(rows, agent=agent, marks=chain.from_iterable(marked.values()))
    now = clock.now()
    aged = ordering.ages(now, longest_wait=limits.longest_wait)
    novel = {seq: attention.novelty(found, known) for seq, found in marked.items()}
    assessed = attention.assess(seen, concerns, limits, aged=aged, novel=novel)
    picked = attention.pick(assessed, concerns, turns, limits, iteration=session.iteration + 1)
    focus = next((one.name for one in concerns if one.focus), None)
    return Attended(
        agent=agent,
        at=now,
        mode=session.mode,
        concern=picked.concern,
        focus=focus,
        events=tuple(event.id for event in picked.events),
        marks=tuple(mark for event in picked.events for mark in marked[event.seq]),
        working=picked.working,
        preempted=picked.preempted,
        queue=queue,
        urgent=sum(one.urgency <= Priority.URGENT for one in assessed),
        relevant=sum(one.concern == focus for one in assessed),
        oldest_seconds=_oldest(seen, now),
    )


def _oldest(seen: list[Glimpse], now: str) -> float:
    """Return for how many seconds the oldest event waits, 0 if nothing does."""
    first = min((one.since for one in seen), default=now)
    return max(0.0, seconds_between(first, now))
