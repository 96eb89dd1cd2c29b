"""Make good what a crashed worker left, and let its agent remember it."""

import contextlib

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.lease import is_held
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import look
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.loop import resting, words
from mindpipe.loop.records import Life, LifeState, Mode, UnderWay
from mindpipe.loop.tables import lives as rows_of
from mindpipe.loop.verbs import moding
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import items
from mindpipe.spending import verbs as spending
from mindpipe.think import tables as journal
from mindpipe.think.verbs import tickets

SOURCE = "recovery"
SIGNIFICANCE = 7.0
MOST_CRASHES = 3
_LOOKED_AT = 20
POISON = f"{MOST_CRASHES} crashes of a worker that had it under way"


def mend(
    store: Store, clock: Clock, chance: Chance, *, run: Life, deliver: Deliver
) -> UnderWay | None:
    """Mark a life as crashed, free what it held and tell its agent, in one transaction.

    The caller knows that its process is gone. The open cycle stays for the next worker. What is
    told is an event, and an episode of memory from then on; the agent's loop is in recovery mode.
    Crashes again and again at one place open a ticket. Returns None where somebody else has found
    the crash.
    """
    at = clock.now()
    with store.write() as rows:
        found = _let_go(store, clock, rows, run)
        ended = msgspec.structs.replace(
            run,
            state=run.state.to(LifeState.CRASHED),
            ended=at,
            found=to_json(found).decode(),
        )
        if not rows_of.end_life(rows, ended):
            return None
        dead = [event for event in found.events if _is_poison(store, rows, event)]
        text = words.of_crash(run, found, at=at, dead=dead)
        crashes = in_a_row(store, agent=run.agent)
        if crashes > 1:
            text += f" It was crash {crashes} at this place."
        if crashes == resting.TOLD_AFTER:
            text += _escalated(store, clock, chance, run, found)
        _told(deliver, run, text)
        _remembered(store, clock, chance, run, text)
        _recovering(store, clock, run)
    return found


def in_a_row(store: Store, *, agent: str) -> int:
    """Return how many of an agent's newest lives crashed at the same place, one after another."""
    with store.read() as rows:
        lives = rows_of.newest_ended(rows, agent=agent, limit=_LOOKED_AT)
    found = [
        msgspec.json.decode(one.found, type=UnderWay) if one.found else UnderWay() for one in lives
    ]
    return resting.crashes_in_a_row(lives, found)


def _escalated(store: Store, clock: Clock, chance: Chance, run: Life, found: UnderWay) -> str:
    """Open a ticket about crashes at one place; return what is said of it."""
    why = f"{resting.TOLD_AFTER} crashes in a row at the same place: {resting.place_of(found)}"
    matter = tickets.Matter("escalation", why, found.cycle or 0)
    opened = tickets.open_matter(store, clock, chance, agent=run.agent, matter=matter)
    return f" A person is told of it by ticket {opened.id}."


def _told(deliver: Deliver, run: Life, text: str) -> None:
    """Push what is told of a crash."""
    critical = Priority.CRITICAL
    event = NewEvent(agent=run.agent, source=SOURCE, key=run.id, priority=critical, text=text)
    deliver([event])


def _remembered(store: Store, clock: Clock, chance: Chance, run: Life, text: str) -> None:
    """Keep a crash as an episode."""
    episode = NewItem(
        kind="episodic",
        text=text,
        significance=SIGNIFICANCE,
        tags=("crash",),
        origin="program",
        key=f"crash:{run.id}",
    )
    items.add(store, clock, chance, agent=run.agent, given=[episode])


def _recovering(store: Store, clock: Clock, run: Life) -> None:
    """Put the agent's loop into recovery mode, unless an earlier crash did."""
    why = f"the life that began {run.started} crashed"
    with contextlib.suppress(NothingToDoError):
        moding.change(store, clock, agent=run.agent, after=Mode.RECOVERY, by="loop", reason=why)


def _let_go(store: Store, clock: Clock, rows: Rows, run: Life) -> UnderWay:
    """Free the agent of a dead worker and count its last model call; return what it had begun."""
    lease = agents.lease_of(store, agent=run.agent)
    if lease.owner == run.id:
        agents.lease_release(store, agent=run.agent, owner=run.id, epoch=lease.epoch)
    elif is_held(lease, clock.boot()):
        return UnderWay()
    left = cycles.open_one(store, agent=run.agent)
    if left is None:
        return UnderWay()
    spending.lose_open(store, agent=run.agent, cycle=left.cycle)
    turn = journal.last_turn(rows, agent=run.agent, cycle=left.cycle)
    calls = journal.calls_of_cycle(rows, agent=run.agent, cycle=left.cycle)
    return words.under_way(left.cycle, left.events, turn, calls)


def _is_poison(store: Store, rows: Rows, event: str) -> bool:
    """Let an event die that was under way in too many crashes; tell whether it did."""
    if rows_of.crashes_with(rows, event) < MOST_CRASHES:
        return False
    found = look.show(store, id=event)
    if EventState.DEAD not in found.state.successors():
        return False
    epoch = found.epoch if found.state is EventState.LEASED else None
    inbox.dead(store, id=event, reason=POISON, epoch=epoch)
    return True
