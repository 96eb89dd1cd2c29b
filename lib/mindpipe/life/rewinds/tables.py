"""Rewinds as they are kept, and the rows that a life leaves behind as it goes back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mindpipe.core.ports import NOBODY, Cell, Given, Row, Rows
from mindpipe.core.records import Migration
from mindpipe.life.records import LifeEffect, Rewind
from mindpipe.store.changes import Plain, RowsUndone, columns_of, last_of_all

MIGRATIONS = (
    Migration(
        name="0061_rewinds",
        sql="""
    CREATE TABLE rewind(
        agent TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
        cycle INTEGER NOT NULL, upto INTEGER NOT NULL, PRIMARY KEY(agent, number)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
)

# Numbers that stand in the index, among the vectors, or elsewhere for one thing for ever. The
# others of a table may point to nothing that is left behind under another name.
_KEPT = {
    **dict.fromkeys(("message", "event", "memory_item", "reflection", "lesson", "memory_entity")),
    **dict.fromkeys(("clearance", "agent_run", "mode_change", "lesson_outcome", "relation")),
    "item_mark": None,
    "observation": ("supersedes_observation_id",),
    "observation_decision": ("observation", "made"),
}


def insert(rows: Rows, one: Rewind) -> None:
    """Keep a rewind."""
    rows.run(
        "INSERT INTO rewind(agent, number, at, cycle, upto) "
        "VALUES(:agent, :change, :at, :parted, :upto)",
        {
            "agent": one.agent,
            "change": one.change,
            "at": one.at,
            "parted": one.parted,
            "upto": one.upto,
        },
    )


def all_of(rows: Rows, *, agent: str) -> list[Rewind]:
    """Return the rewinds of an agent, oldest first."""
    sql = (
        "SELECT agent, row_number() OVER (ORDER BY number) AS number, at, cycle AS parted, "
        "number AS change, upto FROM rewind WHERE agent = :agent ORDER BY change"
    )
    return rows.all(Rewind, sql, {"agent": agent})


def cycle_before(rows: Rows, *, agent: str) -> int:
    """Return the cycle whose end came before that of the last one, or 0."""
    sql = (
        "SELECT cycle FROM cycle WHERE agent = :agent AND state != 'open' "
        "ORDER BY cycle DESC LIMIT 1 OFFSET 1"
    )
    return rows.value(int, sql, {"agent": agent}) or 0


_FIRST = (
    "SELECT number FROM change WHERE agent = :agent "
    "AND EXISTS(SELECT 1 FROM json_each(undo ->> '$.{table}.made')) ORDER BY number LIMIT 1"
)


def before_all(rows: Rows, *, agent: str) -> int | None:
    """Return the change before the first event of an agent came and its first cycle began.

    None where it has lived none, or the first is older than the log.
    """
    began = rows.value(int, _FIRST.format(table="cycle"), {"agent": agent})
    first = "SELECT undo ->> '$.cycle.made' ->> 0 ->> 1 FROM change WHERE number = :number"
    if began is None or rows.value(int, first, {"number": began}) != 1:
        return None
    came = rows.value(int, _FIRST.format(table="event"), {"agent": agent})
    return min(began, came or began) - 1


def last_cycle(rows: Rows, *, agent: str) -> int:
    """Return the last cycle that there is, or 0."""
    sql = "SELECT max(cycle) FROM cycle WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent}) or 0


def ends_of_cycles(rows: Rows, *, agent: str) -> dict[int, str]:
    """Return the hash of the last message of each cycle."""
    sql = (
        "SELECT cycle, sha256 FROM message WHERE agent = :agent "
        "AND seq IN (SELECT max(seq) FROM message WHERE agent = :agent GROUP BY cycle)"
    )
    found = rows.each(tuple, sql, {"agent": agent})
    return {int(cycle): str(sha256) for cycle, sha256 in found}


def last_same(rows: Rows, before: Mapping[int, str], *, agent: str) -> int:
    """Return the last cycle that ends as it did before, as then all before it does too; or 0."""
    now = ends_of_cycles(rows, agent=agent)
    return max((cycle for cycle, sha in now.items() if before.get(cycle) == sha), default=0)


def next_change(rows: Rows) -> int:
    """Return the number that the next change of any agent gets, if nobody else writes one first."""
    return last_of_all(rows) + 1


def newest_change(rows: Rows, *, agent: str, upto: int) -> tuple[int, str] | None:
    """Return the last change of an agent up to a number, and what takes it back; or None."""
    sql = (
        "SELECT number, undo FROM change WHERE agent = :agent AND number <= :upto "
        "ORDER BY number DESC LIMIT 1"
    )
    found = next(rows.each(tuple, sql, {"agent": agent, "upto": upto}), None)
    return None if found is None else (int(found[0]), str(found[1]))


_CUT = (
    "DELETE FROM message WHERE agent = :agent AND cycle > :cycle",
    "DELETE FROM cycle_change WHERE agent = :agent AND cycle > :cycle",
    # What came from another store ends where the log does.
    "DELETE FROM carried WHERE agent = :agent AND upto > (SELECT min(upto) FROM carried "
    "WHERE agent = :agent AND upto >= :seq)",
    "UPDATE carried SET upto = :seq WHERE agent = :agent AND upto > :seq AND :seq > 0",
    "DELETE FROM carried WHERE agent = :agent AND upto > :seq",
    # Other cycles will have these numbers and ids, and what was spent stays spent.
    "UPDATE ledger SET id = id || '~' || :number, cycle = 0, turn = 0, "
    "attempt = :last + place FROM ("
    "SELECT id AS of, row_number() OVER (ORDER BY cycle, turn, attempt) AS place "
    "FROM ledger WHERE agent = :agent AND cycle > :cycle) AS spent WHERE id = of",
)


def cut(
    rows: Rows, *, agent: str, cycle: int, seq: int, number: int, back: dict[str, "LeftSpent"]
) -> None:
    """Leave behind what was said after a cycle, whose last message is `seq`, by rewind `number`.

    What was spent and came `back` only to be left again is as it was left before.
    """
    place = "id, cycle, turn, attempt"
    for id in [one.id for one in back.values() if one.had > cycle]:
        left = back.pop(id)
        rows.run(
            f"UPDATE ledger SET ({place}) = (:left, 0, 0, :attempt) WHERE id = :id", left.cells
        )
    left_before = "SELECT max(attempt) FROM ledger WHERE agent = :agent AND cycle = 0"
    before = rows.value(int, left_before, {"agent": agent}) or 0
    last = max((before, *(one.attempt for one in back.values())))
    named: dict[str, Cell] = {"agent": agent, "cycle": cycle, "seq": seq, "number": number}
    for sql in _CUT:
        rows.run(sql, {**named, "last": last})


def spent_after(rows: Rows, *, agent: str, cycle: int) -> int:
    """Return what was spent in later cycles, in micro-dollars."""
    sql = (
        "SELECT CAST(sum(micros) AS BIGINT) FROM ledger "
        "WHERE agent = :agent AND cycle > :cycle AND state != 'void'"
    )
    return rows.value(int, sql, {"agent": agent, "cycle": cycle}) or 0


class LeftSpent(NamedTuple):
    """What was spent, and where it stood among what was left: under another id, at an attempt.

    It `had` been spent in a cycle.
    """

    id: str
    left: str
    had: int
    attempt: int

    @property
    def cells(self) -> dict[str, Cell]:
        """Return what it is left as."""
        return {"id": self.id, "left": self.left, "attempt": self.attempt}


def put_spent_back(rows: Rows, undo: RowsUndone) -> Iterator[LeftSpent]:
    """Let what was spent have the places again that a rewind took from it; what it cost stays."""
    left_as = {str(left).rpartition("~")[0]: str(left) for (left,) in undo.made}
    for key, values in undo.gone:
        id = str(key[0])
        left = left_as.get(id)
        attempt = "SELECT attempt FROM ledger WHERE id = :left"
        found = None if left is None else rows.value(int, attempt, {"left": left})
        if left is not None and found is not None:
            rows.run(
                "UPDATE ledger SET id = :id, cycle = :cycle, turn = :turn, attempt = :attempt "
                "WHERE id = :left",
                {"id": id, "left": left, **{name: values[name] for name in _PLACE}},
            )
            yield LeftSpent(id, left, int(str(values["cycle"])), found)


_PLACE = ("cycle", "turn", "attempt")


def last_rows(rows: Rows, *, agent: str) -> Iterator[tuple[str, str, Row]]:
    """Yield the last row of each table that is numbered for all agents, where it is the agent's.

    Each comes with its table and the column of its number.
    """
    for table in _KEPT:
        columns = columns_of(rows, table)
        (column,) = columns.key
        picked = ", ".join(f'"{name}"' for name in columns.all)
        sql = (
            f'SELECT {picked} FROM "{table}" WHERE agent = :agent '
            f'AND "{column}" = (SELECT max("{column}") FROM "{table}")'
        )
        for row in list(rows.each(tuple, sql, {"agent": agent})):
            yield table, column, row


def keep_number(rows: Rows, table: str, column: str, row: Row, *, name: str) -> int | None:
    """Leave a row under another name where it was taken away, so that its number stays taken.

    Return the number if it was.
    """
    names = columns_of(rows, table).all
    cells = dict(zip(names, row, strict=True)) | {"agent": name}
    cells |= dict.fromkeys(_KEPT[table] or ())
    if table == "message":
        cells |= {"parts": "[]", "raw": None, "source": None}
    picked = ", ".join(f'"{one}"' for one in names)
    marks = ", ".join(f":{one}" for one in names)
    there = f'SELECT 1 FROM "{table}" WHERE "{column}" = :{column}'
    kept = rows.changed(
        f'INSERT INTO "{table}"({picked}) SELECT {marks} WHERE NOT EXISTS({there})', cells
    )
    return int(str(cells[column])) if kept else None


def kept_numbers(rows: Rows, numbers: Iterable[int]) -> list[int]:
    """Return those of some numbers of messages that rewinds keep under another name."""
    sql = (
        "SELECT number FROM message WHERE instr(agent, '~') > 0 "
        "AND number IN :numbers ORDER BY number"
    )
    return rows.all(int, sql, {"numbers": [*numbers]})


def left_names(rows: Rows, *, agent: str) -> list[str]:
    """Return the names under which rewinds of an agent left rows, so that their numbers stay."""
    # Behind the tilde comes a digit, and behind the last of these comes a colon.
    sql = " UNION ".join(
        f'SELECT agent FROM "{table}" WHERE agent >= :first AND agent < :stop' for table in _KEPT
    )
    return rows.all(str, sql, {"first": f"{agent}~0", "stop": f"{agent}~:"})


def is_there(rows: Rows, table: str, key: Sequence[object]) -> bool:
    """Tell whether a row stands under a number that is wanted back."""
    column = columns_of(rows, table).key[0]
    sql = f'SELECT 1 FROM "{table}" WHERE "{column}" = :key'
    return rows.value(int, sql, {"key": int(str(key[0]))}) is not None


_RAN = "state IN ('running', 'executed', 'failed', 'unknown', 'was_done')"


def tickets_that_ran(rows: Rows, *, agent: str) -> frozenset[str]:
    """Return the tickets of an agent whose calls have been begun."""
    sql = f"SELECT id FROM ticket WHERE agent = :agent AND {_RAN}"
    return frozenset(rows.all(str, sql, {"agent": agent}))


_POSTED = (
    "sender = :agent AND state = 'visible' "
    "AND EXISTS(SELECT 1 FROM change, json_each(undo ->> '$.post.made') AS made "
    "WHERE change.agent = :nobody AND change.number > :number "
    "AND made.value ->> 0 = space AND CAST(made.value ->> 1 AS BIGINT) = seq)"
)
_EFFECTS = (
    # What the program's own tools change in the store goes back.
    "SELECT 'call' AS kind, id, tool AS what, cycle FROM call WHERE agent = :agent "
    "AND cycle > :cycle AND effect NOT IN ('pure', 'store') "
    "AND state IN ('started', 'done', 'failed', 'unknown') ORDER BY cycle, turn, position",
    # A call that was approved runs under its ticket, in whatever cycle it was asked for.
    f"SELECT 'call' AS kind, id, tool AS what, cycle FROM ticket WHERE agent = :agent AND {_RAN} "
    "AND id IN :tickets ORDER BY cycle, id",
    f"SELECT 'post' AS kind, id, space AS what, NULL AS cycle FROM post WHERE {_POSTED} "
    "ORDER BY space, seq",
    "SELECT 'task' AS kind, id, worker AS what, NULL AS cycle FROM task WHERE agent = :agent "
    "AND id IN :tasks ORDER BY id",
    "SELECT 'escalation' AS kind, key AS id, state AS what, NULL AS cycle FROM escalation "
    "WHERE agent = :agent AND key IN :escalations ORDER BY key",
    "SELECT 'event' AS kind, id, source AS what, NULL AS cycle FROM event WHERE agent = :agent "
    "AND seq IN :events ORDER BY seq",
)


def mark_posts(rows: Rows, *, agent: str, number: int, at: str) -> None:
    """Mark what an agent posted after a change as taken back, unless it is already."""
    rows.run(
        f"UPDATE post SET taken_back = :at WHERE {_POSTED} AND taken_back IS NULL",
        {"agent": agent, "nobody": NOBODY, "number": number, "at": at},
    )


def standing_items(rows: Rows, numbers: Iterable[int], *, agent: str) -> list[str]:
    """Return the ids of those items of an agent's memory that are not taken back."""
    sql = (
        "SELECT id FROM memory_item WHERE agent = :agent AND retracted IS NULL "
        "AND number IN :numbers ORDER BY number"
    )
    return rows.all(str, sql, {"agent": agent, "numbers": [*numbers]})


def effects(
    rows: Rows, *, agent: str, cycle: int, number: int, made: Mapping[str, list[Plain]]
) -> Iterator[LifeEffect]:
    """Yield what came of later cycles and changes that the world has, but for what was `made`."""
    values: dict[str, Given] = {
        "agent": agent,
        "nobody": NOBODY,
        "cycle": cycle,
        "number": number,
        "tasks": [str(key) for key in made.get("task", ())],
        "escalations": [str(key) for key in made.get("escalation", ())],
        "tickets": [str(key) for key in made.get("ticket", ())],
        "events": [int(str(key)) for key in made.get("event", ())],
    }
    for sql in _EFFECTS:
        yield from rows.all(LifeEffect, sql, values)
