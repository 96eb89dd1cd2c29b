"""What attention sees of the events that wait: no more than it looks at."""

from collections.abc import Sequence

from mindpipe.core.events import Priority
from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration
from mindpipe.inbox.ordering import GLIMPSED, Glimpse
from mindpipe.inbox.tables.events import (
    CLAIMABLE,
    OPEN,
    OPEN_OF,
    ClockPair,
    of_each,
)

MIGRATIONS = (
    Migration(
        name="0036_later_events",
        sql="""
    CREATE INDEX event_later ON event(agent, due)
        WHERE due IS NOT NULL AND state IN ('ready', 'leased');
    """,
    ),
)

_TALKS = f"""SELECT * FROM (SELECT seq FROM (SELECT seq, row_number()
    OVER (PARTITION BY source, space, sender ORDER BY seq) AS place FROM (
        SELECT seq, source, space, sender FROM event WHERE <open>
        AND {CLAIMABLE} <in order> LIMIT :window) AS seen) AS placed
    ORDER BY place, seq LIMIT :limit) AS first"""
_ALL_TALKS = of_each(_TALKS, tuple(Priority))
_INTERRUPT = f"""SELECT seq FROM (SELECT seq, type FROM event WHERE <open> AND {CLAIMABLE}
    <in order> LIMIT :limit) AS first WHERE type = 'interrupt'"""
# Each step of a cycle asks: a statement over all priorities would take five times as long.
_INTERRUPTS = tuple(of_each(_INTERRUPT, tuple(Priority)[: up_to + 1]) for up_to in Priority)
_BODY_TEXT = "CASE json_type(body, '$.{0}') WHEN 'text' THEN body ->> '$.{0}' END"
_GLIMPSE = (
    "SELECT seq, epoch, priority, pushed, attempts, due, id, type, source, space, sender,"
    f" substr(text, 1, {GLIMPSED}) AS text, {_BODY_TEXT.format('path')} AS path,"
    f" {_BODY_TEXT.format('concern')} AS concern"
    " FROM event WHERE seq IN :seqs ORDER BY seq"
)


def talks(rows: Rows, *, agent: str, now: ClockPair, limit: int, window: int) -> list[int]:
    """Return, of the first `window` events of each priority, `limit` from all talks in turn.

    A talk is what one sender says from one source in one space.
    """
    values = {"agent": agent, "limit": limit, "window": window, **now.values()}
    return rows.all(int, _ALL_TALKS, values)


def interrupts(rows: Rows, *, agent: str, now: ClockPair, up_to: int, limit: int) -> list[int]:
    """Return the interrupts among the first `limit` events of each priority up to `up_to`."""
    values = {"agent": agent, "limit": limit, **now.values()}
    return rows.all(int, _INTERRUPTS[up_to], values)


def glimpses(rows: Rows, seqs: Sequence[int]) -> list[Glimpse]:
    """Return the events of these numbers as far as attention looks at them, by arrival."""
    return rows.all(Glimpse, _GLIMPSE, {"seqs": list(seqs)})


def next_instant(rows: Rows, *, agent: str, now: ClockPair) -> str | None:
    """Return when the next open event that is for later is due, or None."""
    sql = f"SELECT min(due) FROM event WHERE agent = :agent AND due > :now AND {OPEN}"
    return rows.value(str, sql, {"agent": agent, "now": now.wall})


def next_return(rows: Rows, *, agent: str, now: ClockPair) -> float | None:
    """Return when, on the boot clock, a delay or the lease of an open event is over, or None."""
    sql = (
        "SELECT min(CASE state WHEN 'leased' THEN lease_seconds ELSE retry_seconds END) FROM event "
        f"WHERE {OPEN_OF} AND (due IS NULL OR due <= :now) AND ("
        "state = 'leased' AND lease_boot = :boot AND lease_seconds > :seconds OR "
        "state = 'ready' AND retry_boot = :boot AND retry_seconds > :seconds)"
    )
    return rows.value(float, sql, {"agent": agent, **now.values()})


def count_later(rows: Rows, *, agent: str, now: str) -> int:
    """Return how many open events of an agent are not due yet."""
    sql = f"SELECT count(*) FROM event WHERE agent = :agent AND due > :now AND {OPEN}"
    return rows.value(int, sql, {"agent": agent, "now": now}) or 0


def count_due_at(rows: Rows, *, agent: str, at: str, taken: Sequence[int]) -> int:
    """Return how many events were there and due at an instant that are open, or were taken since.

    `taken` are numbers of events that count whatever became of them.
    """
    there = "pushed <= :at AND (due IS NULL OR due <= :at)"
    sql = (
        f"SELECT (SELECT count(*) FROM event WHERE {OPEN_OF} AND {there}) + (SELECT count(*) FROM "
        f"event WHERE seq IN :taken AND agent = :agent AND {there} AND NOT {OPEN})"
    )
    return rows.value(int, sql, {"agent": agent, "at": at, "taken": list(taken)}) or 0
