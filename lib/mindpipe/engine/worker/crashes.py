"""Make good what a crashed worker left, let its agent remember it, and rest if crashes repeat."""

import contextlib
from collections.abc import Sequence

import msgspec

from mindpipe.agents.lease import is_held
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.engine.cycle import tickets
from mindpipe.engine.records.journal import Call, CallState, Turn, TurnState
from mindpipe.engine.tables import journal
from mindpipe.engine.worker import log
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.spending import verbs as spending
from mindpipe.workers import tables
from mindpipe.workers.records import LoopMode, UnfinishedWork, WorkerSession, WorkerSessionState

FIRST_SECONDS, LONGEST_SECONDS = 1.0, 300.0
TOLD_AFTER = 3
"""After so many crashes in a row at one place a person is told by a ticket."""


def place_of(found: UnfinishedWork) -> str | None:
    """Return where a worker crashed: its cycle, and what it did in it; None between two cycles."""
    return None if found.cycle is None else f"cycle {found.cycle}: {found.doing}"


def crashes_in_a_row(lives: Sequence[WorkerSession], found: Sequence[UnfinishedWork]) -> int:
    """Return how many of an agent's newest lives ended at the same place, without one between.

    Both go from the newest life that has ended to older ones.
    """
    first = place_of(found[0]) if found else None
    if first is None:
        return 0
    count = 0
    for life, one in zip(lives, found, strict=True):
        if life.state is not WorkerSessionState.CRASHED or place_of(one) != first:
            break
        count += 1
    return count


def rest_after(crashes: int) -> float:
    """Return the seconds to rest after so many crashes at one place.

    After the first none, then 1, 2, 4 and so on, 300 at the most.
    """
    if crashes < 2:
        return 0.0
    return float(min(LONGEST_SECONDS, FIRST_SECONDS * 2.0 ** min(crashes - 2, 30)))


_DOING = {
    TurnState.ASKING: "asking the model",
    TurnState.RECORDED: "doing what the model asked for",
    TurnState.COMMITTED: "between two turns",
    TurnState.ABANDONED: "between two turns",
}


def under_way(
    cycle: int, events: tuple[str, ...], turn: Turn | None, calls: Sequence[Call]
) -> UnfinishedWork:
    """Return what the journal of an open cycle says of the worker that left it."""
    doing = "taking up its events" if turn is None else f"{_DOING[turn.state]}, turn {turn.turn}"
    return UnfinishedWork(
        cycle=cycle,
        events=events,
        doing=doing,
        done=tuple(call.tool for call in calls if call.state is CallState.DONE),
        unknown=tuple(
            call.tool for call in calls if call.state in {CallState.STARTED, CallState.UNKNOWN}
        ),
    )


def of_crash(run: WorkerSession, found: UnfinishedWork, *, at: str, dead: Sequence[str]) -> str:
    """Return the memory of a crash: when, what was under way, what is done, what is not known."""
    where = "no cycle was open" if found.cycle is None else f"cycle {found.cycle}: {found.doing}"
    said = [
        f"Your worker that began at {run.started} crashed; this was found at {at}.",
        f"Under way: {where}.",
        f"Done in it: {', '.join(found.done) or 'no tool call'}.",
    ]
    if found.unknown:
        said.append(f"Not known whether it ran: {', '.join(found.unknown)}.")
    if dead:
        said.append(f"Dead after 3 crashes: {', '.join(dead)}.")
    return " ".join(said)


def of_error(words: str) -> str:
    """Return what an agent is told of an error in its loop."""
    return f"An error in your loop: {words}"


SOURCE = "recovery"
SIGNIFICANCE = 7.0
MOST_CRASHES = 3
_LOOKED_AT = 20
POISON = f"{MOST_CRASHES} crashes of a worker that had it under way"


def mend(
    store: Store, clock: Clock, chance: Chance, *, run: WorkerSession, deliver: Deliver
) -> UnfinishedWork | None:
    """Mark a life as crashed, free what it held and tell its agent, in one transaction.

    The caller knows that its process is gone. The open cycle stays for the next worker. What is
    told is an event, and an episode of memory from then on; the agent's loop is in recovery mode.
    Crashes again and again at one place open a ticket. Returns None where somebody else has found
    the crash, or the life has said since that it goes on.
    """
    at = clock.now()
    with store.write(run.agent) as rows:
        if not tables.hold_silent(rows, run):
            return None
        is_here = agents.away_since(store, name=run.agent) is None
        found = _let_go(store, clock, rows, run) if is_here else UnfinishedWork()
        ended = msgspec.structs.replace(
            run,
            state=run.state.to(WorkerSessionState.CRASHED),
            ended=at,
            found=to_json(found).decode(),
        )
        tables.end_session(rows, ended)
        if not is_here:
            return found
        dead = [event for event in found.events if _is_poison(store, rows, event)]
        text = of_crash(run, found, at=at, dead=dead)
        crashes = in_a_row(store, agent=run.agent)
        if crashes > 1:
            text += f" It was crash {crashes} at this place."
        if crashes == TOLD_AFTER:
            text += _escalated(store, clock, chance, run, found)
        _told(deliver, run, text)
        _remembered(store, clock, chance, run, text)
        _recovering(store, clock, run)
    return found


def in_a_row(store: Store, *, agent: str) -> int:
    """Return how many of an agent's newest lives crashed at the same place, one after another."""
    with store.read() as rows:
        lives = tables.newest_ended(rows, agent=agent, limit=_LOOKED_AT)
    found = [
        msgspec.json.decode(one.found, type=UnfinishedWork) if one.found else UnfinishedWork()
        for one in lives
    ]
    return crashes_in_a_row(lives, found)


def rest_left(store: Store, clock: Clock, *, agent: str) -> float:
    """Return for how many seconds an agent is still to rest after crashes at one place."""
    seconds = rest_after(in_a_row(store, agent=agent))
    if not seconds:
        return 0.0
    with store.read() as rows:
        last = tables.newest_ended(rows, agent=agent, limit=1)[0]
    return max(0.0, seconds - max(0.0, seconds_between(last.ended or last.started, clock.now())))


def _escalated(
    store: Store, clock: Clock, chance: Chance, run: WorkerSession, found: UnfinishedWork
) -> str:
    """Open a ticket about crashes at one place; return what is said of it."""
    why = f"{TOLD_AFTER} crashes in a row at the same place: {place_of(found)}"
    matter = tickets.TicketMatter("escalation", why, found.cycle or 0)
    opened = tickets.open_matter(store, clock, chance, agent=run.agent, matter=matter)
    return f" A person is told of it by ticket {opened.id}."


def _told(deliver: Deliver, run: WorkerSession, text: str) -> None:
    """Push what is told of a crash."""
    critical = Priority.CRITICAL
    event = NewEvent(agent=run.agent, source=SOURCE, key=run.id, priority=critical, text=text)
    deliver([event])


def _remembered(store: Store, clock: Clock, chance: Chance, run: WorkerSession, text: str) -> None:
    """Keep a crash as an episode."""
    episode = NewItem(
        kind="episodic",
        text=text,
        significance=SIGNIFICANCE,
        tags=("crash",),
        origin="program",
        key=f"crash:{run.id}",
    )
    memory.add(store, clock, chance, agent=run.agent, given=[episode])


def _recovering(store: Store, clock: Clock, run: WorkerSession) -> None:
    """Put the agent's loop into recovery mode, unless an earlier crash did."""
    why = f"the life that began {run.started} crashed"
    with contextlib.suppress(NothingToDoError):
        log.change_mode(
            store, clock, agent=run.agent, after=LoopMode.RECOVERY, by="loop", reason=why
        )


def _let_go(store: Store, clock: Clock, rows: Rows, run: WorkerSession) -> UnfinishedWork:
    """Free the agent of a dead worker and count its last model call; return what it had begun."""
    lease = leases.find(store, agent=run.agent)
    if lease.owner == run.id:
        leases.release(store, agent=run.agent, owner=run.id, epoch=lease.epoch)
    elif is_held(lease, clock.boot()):
        return UnfinishedWork()
    left = cycles.open_one(store, agent=run.agent)
    if left is None:
        return UnfinishedWork()
    spending.lose_open(store, agent=run.agent, cycle=left.cycle)
    turn = journal.last_turn(rows, agent=run.agent, cycle=left.cycle)
    calls = journal.calls_of_cycle(rows, agent=run.agent, cycle=left.cycle)
    return under_way(left.cycle, left.events, turn, calls)


def _is_poison(store: Store, rows: Rows, event: str) -> bool:
    """Let an event die that was under way in too many crashes; tell whether it did."""
    if tables.crashes_with(rows, event) < MOST_CRASHES:
        return False
    found = inbox.show(store, id=event)
    if EventState.DEAD not in found.state.successors():
        return False
    epoch = found.epoch if found.state is EventState.LEASED else None
    inbox.dead(store, id=event, reason=POISON, epoch=epoch)
    return True
