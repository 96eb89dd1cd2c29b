"""What a loop knows of an agent's last time, as a prompt tells of it."""

from collections.abc import Sequence

from mindpipe.context.recollection.blocks import SESSIONS
from mindpipe.context.recollection.records import EarlierSession, Habit, LivedMoment, RecentPast
from mindpipe.core.ports import Store
from mindpipe.engine.records.attention import PatternState
from mindpipe.engine.verbs import reflect
from mindpipe.engine.worker import checkpoints, log
from mindpipe.workers import tables
from mindpipe.workers.records import Iteration, WorkerSession, WorkerSessionState

MOST = 200
"""So many iterations are looked back on at most."""
_MOST_PATTERNS = 20


def recent_past_of(store: Store, agent: str) -> RecentPast:
    """Return the iterations of an agent's session, its earlier sessions, and patterns in force."""
    with store.read() as rows:
        found = log.list_iterations(store, agent=agent, limit=MOST)
        if not found:
            return RecentPast()
        ended = tables.newest_ended(rows, agent=agent, limit=SESSIONS + 1)
        running = tables.sessions_in(rows, WorkerSessionState.RUNNING)
        kept = checkpoints.load_checkpoint(store, agent=agent)
        patterns = reflect.patterns(store, agent=agent, limit=_MOST_PATTERNS)
    now = found[-1]
    mine = [one for one in found if one.life == now.life]
    this = next((one for one in (*running, *ended) if one.id == now.life), None)
    return RecentPast(
        moments=tuple(map(_moment, mine)),
        since=this.started if this else None,
        stretches=tuple(
            _stretch(life, [one for one in found if one.life == life.id])
            for life in reversed(ended)
            if life.id != now.life
        ),
        habits=tuple(
            Habit(kind=one.kind.value, at=one.at, words=one.words, change=one.change.value)
            for one in patterns
            if one.state is PatternState.IN_FORCE
        ),
        mode=now.mode.value,
        concern=now.concern,
        task=kept.task if kept else None,
        mean_seconds=kept.mean_seconds if kept else None,
    )


def _moment(one: Iteration) -> LivedMoment:
    """Return an iteration as working memory takes it."""
    return LivedMoment(
        number=one.number,
        at=one.at,
        cycle=one.cycle,
        concern=one.concern,
        mode=one.mode.value,
        outcome=one.outcome,
        events=one.events,
        significance=one.significance,
        error=one.error,
    )


def _stretch(life: WorkerSession, lived: Sequence[Iteration]) -> EarlierSession:
    """Return an earlier session, with the cycle that counted most in it."""
    best = max(
        (one for one in lived if one.cycle is not None),
        key=lambda one: (one.significance or 0.0, one.number),
        default=None,
    )
    return EarlierSession(
        since=life.started,
        until=life.ended,
        ended="ended by a crash" if life.state is WorkerSessionState.CRASHED else "ended in order",
        first=lived[0].number if lived else 0,
        last=lived[-1].number if lived else 0,
        concerns=tuple(dict.fromkeys(one.concern for one in lived if one.concern)),
        cycle=best.cycle if best else None,
    )
