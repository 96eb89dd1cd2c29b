"""Which agents to look at next: those without a worker whose instant has come or that changed.

A worker that releases an agent stores when to look at it next, and the last change that it knew. So
one query finds all that are due, for whatever reason, and idle agents cost no worker anything.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.store.changes import last_change
from mindpipe.workers import tables
from mindpipe.workers.records import NextLook, WorkerSession

_TO_LOOK_AT = """
    SELECT name FROM (
        SELECT agent.name, next_look.seconds, next_look.agent IS NULL OR next_look.boot <> :boot
            OR next_look.seconds <= :seconds OR EXISTS(
                SELECT 1 FROM change WHERE change.agent = agent.name
                AND change.number > next_look.position) AS is_due
        FROM agent LEFT JOIN next_look ON next_look.agent = agent.name
        WHERE agent.name >= :first AND agent.name < :last AND NOT EXISTS(
            SELECT 1 FROM run WHERE run.agent = agent.name AND run.state = 'running')
        AND NOT EXISTS(SELECT 1 FROM person WHERE person.id = agent.name)
    ) AS found WHERE is_due
    ORDER BY (SELECT min(priority) FROM event WHERE event.agent = name AND priority >= 0
        AND event.state IN ('ready', 'leased')) NULLS LAST, seconds NULLS FIRST, name
"""
_NEXT = (
    "SELECT min(seconds) FROM next_look WHERE agent >= :first AND agent < :last "
    "AND boot = :boot AND seconds > :seconds"
)
_POSITIONS = (
    "SELECT name, (SELECT max(number) FROM change WHERE change.agent = agent.name) "
    "FROM agent WHERE name IN :agents"
)
_WILD = "*?["
_AFTER_ALL_NAMES = "\U0010ffff"


def to_look_at(store: Store, clock: Clock, *, patterns: Sequence[str]) -> list[str]:
    """Return the agents that are due and have no worker, the urgent first, none twice.

    Their names match one of the patterns, as `fnmatch` reads them.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        with store.read() as rows:
            due = rows.all(str, _TO_LOOK_AT, _given(pattern, clock))
        found.update(dict.fromkeys(name for name in due if fnmatchcase(name, pattern)))
    return list(found)


def next_look_in(store: Store, clock: Clock, *, patterns: Sequence[str]) -> float | None:
    """Return in how many seconds the next one of such agents is due at the latest, or None."""
    return min(_next_looks(store, clock, patterns), default=None)


def position(store: Store, *, agent: str) -> int:
    """Return the number of the last change of an agent, 0 where there is none."""
    with store.read() as rows:
        return last_change(rows, agent=agent) or 0


def positions(store: Store, *, agents: Sequence[str]) -> dict[str, int]:
    """Return the number of the last change of each of some agents, 0 where there is none."""
    with store.read() as rows:
        found = rows.each(tuple, _POSITIONS, {"agents": agents})
        return {name: last or 0 for name, last in found}


def let_go(
    store: Store, clock: Clock, *, run: WorkerSession, known: int, changes: int, seconds: float
) -> bool:
    """Release an agent until it changes, or so many seconds have passed.

    `known` is the last change before the look, and `changes` are the worker's own since then.
    Returns False, and does nothing, where another came meanwhile: then it is to be looked at again.
    """
    # One query, as somebody may push to it between two.
    sql = (
        "SELECT count(*), coalesce(max(number), :known) FROM change "
        "WHERE agent=:agent AND number > :known"
    )
    with store.write(run.agent) as rows:
        ((came, last),) = rows.each(tuple, sql, {"agent": run.agent, "known": known})
        if came > changes:
            return False
        _put_off(rows, clock, agent=run.agent, seconds=seconds, known=last)
        tables.delete_session(rows, run.id)
    return True


def put_off(store: Store, clock: Clock, *, agent: str, known: int, seconds: float) -> None:
    """Let an agent be looked at again when it changes, or after so many seconds.

    `known` is its last change when that was decided.
    """
    with store.write(agent) as rows:
        _put_off(rows, clock, agent=agent, seconds=seconds, known=known)


def _put_off(rows: Rows, clock: Clock, *, agent: str, seconds: float, known: int) -> None:
    now = clock.boot()
    look = NextLook(agent=agent, boot=now.boot, seconds=now.seconds + seconds, position=known)
    tables.put_next_look(rows, look)


def _next_looks(store: Store, clock: Clock, patterns: Sequence[str]) -> Iterator[float]:
    for pattern in patterns:
        with store.read() as rows:
            instant = rows.value(float, _NEXT, _given(pattern, clock))
        if instant is not None:
            yield instant - clock.boot().seconds


def _given(pattern: str, clock: Clock) -> dict[str, str | float]:
    """Return now, and from which name on and before which all names are that match a pattern."""
    start = pattern
    for mark in _WILD:
        start = start.partition(mark)[0]
    now = clock.boot()
    return {
        "first": start,
        "last": start + _AFTER_ALL_NAMES,
        "boot": now.boot,
        "seconds": now.seconds,
    }
