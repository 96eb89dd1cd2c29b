"""Make good what a crashed worker left, and let its agent remember it."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.lease import is_held
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.ports import Clock, Deliver, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import look
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.loop import words
from mindpipe.loop.records import Life, LifeState, UnderWay
from mindpipe.loop.tables import lives as rows_of
from mindpipe.spending import verbs as spending
from mindpipe.think import tables as journal

SOURCE = "recovery"
MOST_CRASHES = 3
POISON = f"{MOST_CRASHES} crashes of a worker that had it under way"


def mend(store: Store, clock: Clock, *, run: Life, deliver: Deliver) -> UnderWay | None:
    """Mark a life as crashed, free what it held and tell its agent, in one transaction.

    The caller knows that its process is gone. The open cycle stays for the next worker. Returns
    None where somebody else has found the crash.
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
        deliver(
            [
                NewEvent(
                    agent=run.agent,
                    source=SOURCE,
                    key=run.id,
                    priority=Priority.CRITICAL,
                    text=text,
                )
            ]
        )
    return found


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
