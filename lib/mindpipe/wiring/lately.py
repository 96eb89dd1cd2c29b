"""What a loop knows of an agent's last time, as a prompt tells of it."""

from collections.abc import Sequence

from mindpipe.context.recollecting.records import Habit, Lately, Moment, Stretch
from mindpipe.context.recollecting.working import SESSIONS
from mindpipe.core.ports import Store
from mindpipe.loop.records import Iteration, Life, LifeState
from mindpipe.loop.reflection_records import PatternState
from mindpipe.loop.tables import lives
from mindpipe.loop.verbs import iterations, reflecting, sessions

MOST = 200
"""So many iterations are looked back on at most."""
_MOST_PATTERNS = 20


def lately_of(store: Store, agent: str) -> Lately:
    """Return the iterations of an agent's session, its earlier sessions, and patterns in force."""
    with store.read() as rows:
        found = iterations.list_(store, agent=agent, limit=MOST)
        if not found:
            return Lately()
        ended = lives.newest_ended(rows, agent=agent, limit=SESSIONS + 1)
        running = lives.lives_in(rows, LifeState.RUNNING)
        kept = sessions.load(store, agent=agent)
        patterns = reflecting.patterns_of(store, agent=agent, limit=_MOST_PATTERNS)
    now = found[-1]
    mine = [one for one in found if one.life == now.life]
    this = next((one for one in (*running, *ended) if one.id == now.life), None)
    return Lately(
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


def _moment(one: Iteration) -> Moment:
    """Return an iteration as working memory takes it."""
    return Moment(
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


def _stretch(life: Life, lived: Sequence[Iteration]) -> Stretch:
    """Return an earlier session, with the cycle that counted most in it."""
    best = max(
        (one for one in lived if one.cycle is not None),
        key=lambda one: (one.significance or 0.0, one.number),
        default=None,
    )
    return Stretch(
        since=life.started,
        until=life.ended,
        ended="ended by a crash" if life.state is LifeState.CRASHED else "ended in order",
        first=lived[0].number if lived else 0,
        last=lived[-1].number if lived else 0,
        concerns=tuple(dict.fromkeys(one.concern for one in lived if one.concern)),
        cycle=best.cycle if best else None,
    )
