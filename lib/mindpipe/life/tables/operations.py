"""What is recorded of operations, and what they could see of others, as a store keeps it."""

import functools
import hashlib
from collections.abc import Iterable, Mapping

import msgspec

from mindpipe.context.recollection.blocks import SESSIONS
from mindpipe.core.ports import NOBODY, Cell, Given, Pair, Rows, Sql
from mindpipe.core.records import Migration, Record, to_json
from mindpipe.life.operations import (
    BreakerRow,
    NewPart,
    Operation,
    OtherAgent,
    Outside,
    SeenRows,
)
from mindpipe.life.tables.lives import IN_SPACES, TABLES
from mindpipe.store.changes import LAST, columns_of

MIGRATIONS = (
    Migration(
        name="0060_operations",
        sql="""
    CREATE TABLE operation_setup(sha256 TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE operation(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, after INTEGER NOT NULL,
        setup TEXT NOT NULL,
        body TEXT NOT NULL CHECK(json_valid(body))
    ) STRICT;
    CREATE INDEX operation_of ON operation(agent, number);
    CREATE TABLE operation_part(
        operation INTEGER NOT NULL, part INTEGER NOT NULL, after INTEGER NOT NULL,
        number INTEGER NOT NULL, blobs TEXT NOT NULL CHECK(json_valid(blobs)), heard BLOB NOT NULL,
        PRIMARY KEY(operation, part)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
)


def outside(rows: Rows) -> Outside:
    """Return what others have done until now, in short."""
    found = list(rows.each(tuple, _OUTSIDE))
    change, agents = found[0][:2]
    failing = [
        BreakerRow(model=model, boot=boot, body=body)
        for _, _, model, boot, body in found
        if model is not None
    ]
    return Outside(change=change, agents=agents, breakers=to_json(failing).decode())


_OUTSIDE = """SELECT known.*, model, boot, body FROM
    (SELECT coalesce((SELECT max(number) FROM change), 0), (SELECT count(*) FROM agent)) AS known
    LEFT JOIN breaker ON true ORDER BY model"""


def asked_first(*, writes: bool) -> list[str]:
    """Return what is asked as a transaction begins, as far as that is known by now."""
    counts = [_highest(tuple(_COUNTING.items()))] if writes and _COUNTING else []
    return [_OUTSIDE, *counts]


def put_breakers(rows: Rows, found: Iterable[BreakerRow]) -> None:
    """Remember of failing models this and nothing else."""
    rows.run("DELETE FROM breaker")
    rows.run_many(
        "INSERT INTO breaker(model, boot, body) VALUES(?, ?, ?)",
        ((one.model, one.boot, one.body) for one in found),
    )


_LAST_OF_AGENT = "FROM operation WHERE agent = :agent ORDER BY number DESC LIMIT 1"
_BEFORE = (
    f"SELECT (SELECT body ->> '$.place' {_LAST_OF_AGENT}), "
    f"(SELECT count(*) FROM operation_part WHERE operation = (SELECT number {_LAST_OF_AGENT}))"
)


def insert_operation(rows: Rows, number: int, begun: Operation, *, after: int) -> None:
    """Keep what an operation was asked and set up with, and after which change it began."""
    setup = to_json(begun.setup)
    sha256 = hashlib.sha256(setup).hexdigest()
    rows.run(
        "INSERT INTO operation_setup(sha256, body) VALUES(:sha256, :body) "
        "ON CONFLICT(sha256) DO NOTHING",
        {"sha256": sha256, "body": setup.decode()},
    )
    ((last, parts),) = rows.each(tuple, _BEFORE, {"agent": begun.agent})
    place = int(last or 0) + 1
    rows.run(
        "INSERT INTO operation(number, agent, after, setup, body) "
        "VALUES(:number, :agent, :after, :setup, :body)",
        {
            "number": number,
            "agent": begun.agent,
            "after": after,
            "setup": sha256,
            "body": to_json(
                msgspec.structs.replace(begun.begun, place=place, parts_before=parts)
            ).decode(),
        },
    )


def insert_part(rows: Rows, part: NewPart) -> None:
    """Keep what an operation heard before one of its transactions."""
    rows.run(
        "INSERT INTO operation_part(operation, part, after, number, blobs, heard) "
        "VALUES(:operation, :part, :after, :number, :blobs, :heard)",
        msgspec.structs.asdict(part),
    )


class StoredOperation(Record):
    """An operation as it is stored: how it began and was set up, as JSON."""

    number: int
    body: str
    setup: str


def operations(rows: Rows, *, agent: str) -> list[StoredOperation]:
    """Return what is recorded of an agent's operations, in order."""
    sql = (
        "SELECT number, operation.body, operation_setup.body AS setup FROM operation "
        "JOIN operation_setup ON sha256 = setup WHERE agent = :agent ORDER BY number"
    )
    return rows.all(StoredOperation, sql, {"agent": agent})


def asked_since(rows: Rows, *, agent: str, number: int, kind: str) -> list[str]:
    """Return what operations of a kind were asked that began after a change, as JSON."""
    sql = (
        "SELECT body ->> '$.asked' FROM operation WHERE agent = :agent AND after >= :number "
        "AND body ->> '$.kind' = :kind ORDER BY number"
    )
    return rows.all(str, sql, {"agent": agent, "number": number, "kind": kind})


def parts_of(rows: Rows, operation: int) -> list[NewPart]:
    """Return the parts of an operation, in their order."""
    sql = (
        "SELECT operation, part, after, number, blobs, heard FROM operation_part "
        "WHERE operation = :operation ORDER BY part"
    )
    return rows.all(NewPart, sql, {"operation": operation})


class _Column(Record):
    name: str
    type: str


def put_placeholder(rows: Rows, table: str, number: int) -> None:
    """Put a row of nobody into a table, under a number; what it holds means nothing."""
    sql = "SELECT name, type FROM pragma_table_info(:table)"
    types = {one.name: one.type for one in rows.all(_Column, sql, {"table": table})}
    # An empty list is JSON too, where a text has to be some.
    values: dict[str, Cell] = {
        name: "[]" if kind == "TEXT" else number for name, kind in types.items()
    }
    values |= {name: NOBODY for name in ("agent",) if name in types}
    picked = ", ".join(f'"{name}"' for name in types)
    marks = ", ".join(f":{name}" for name in types)
    rows.run(
        f'INSERT INTO "{table}"({picked}) VALUES({marks})',
        {**values, counting(rows)[table]: number},
    )


def take_placeholder(rows: Rows, table: str, number: int) -> None:
    """Take such a row away again."""
    column = counting(rows)[table]
    rows.run(f'DELETE FROM "{table}" WHERE "{column}" = :number', {"number": number})


def number_anew(rows: Rows, table: str, numbers: Mapping[int, int]) -> None:
    """Give rows of a table other numbers, each of which may have been that of another one."""
    column = counting(rows)[table]
    for sign in (-1, 1):
        rows.run_many(
            f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?',
            [(-new, old) if sign < 0 else (new, -new) for old, new in numbers.items()],
        )


Counted = dict[str, int]
"""The highest number of each table whose rows a store counts for all its agents."""


_COUNTING: dict[str, str] = {}


def counting(rows: Rows) -> Mapping[str, str]:
    """Return the tables whose rows are counted for all agents, each with the column for it."""
    if not _COUNTING:
        for table in TABLES:
            if (column := columns_of(rows, table.name).number) is not None:
                _COUNTING[table.name] = column
    return _COUNTING


def counted(rows: Rows) -> Counted:
    """Return how far the numbers have come that are counted for all agents."""
    return rows.one(Counted, _highest(tuple(counting(rows).items()))) or {}


_FIRST_SAID = Pair(
    sqlite="SELECT 0, NULL",
    postgres="SELECT 1, min(number) FROM message WHERE agent = :agent AND number > :after",
)
"""Whether others write at the same time, and the first of what an agent said after a number."""


def asked_last(counted: Counted, *, agent: str) -> list[tuple[Sql, Mapping[str, Given]]]:
    """Return what is asked as a transaction ends that changed something."""
    return [(LAST, {}), (_FIRST_SAID, _said_after(counted, agent=agent))]


def _said_after(counted: Counted, *, agent: str) -> dict[str, Cell]:
    return {"agent": agent, "after": counted.get("message", 0)}


def counted_beside(
    rows: Rows, counted: Counted, first: Mapping[str, int], *, agent: str
) -> Counted:
    """Return how far the numbers had come before those that a transaction got.

    `counted` is how far they had come when it began, which is that where one writes at a time;
    `first` the least number of the rows that it made, by table.
    """
    ((is_shared, said),) = rows.each(tuple, _FIRST_SAID, _said_after(counted, agent=agent))
    if not is_shared:
        return counted
    came = {table: number - 1 for table, number in first.items() if table in counted}
    return {**counted, **came, **({} if said is None else {"message": said - 1})}


@functools.cache
def _highest(counting: tuple[tuple[str, str], ...]) -> str:
    """Return what asks for the highest number of each table, under the name of that table."""
    highest = ", ".join(
        f'coalesce((SELECT max({column}) FROM {table}), 0) AS "{table}"'
        for table, column in counting
        if table not in {"change", "operation"}
    )
    return f"SELECT {highest}"


def other_agents(rows: Rows, *, agent: str) -> list[OtherAgent]:
    """Return the agents beside one, each with since when it has been in another store."""
    sql = "SELECT name, body ->> '$.away' FROM agent WHERE name <> :agent ORDER BY name"
    return list(rows.each(tuple, sql, {"agent": agent}))


_SEEN = {
    "task": "worker = :agent AND agent <> :agent",
    "run_wait": f"agent <> :agent AND state = 'open' AND space IN {IN_SPACES}",
    "run": "agent = :agent AND (state = 'running' OR id IN (SELECT id FROM run "
    "WHERE agent = :agent AND state <> 'running' "
    f"ORDER BY started DESC, ended DESC NULLS LAST, id DESC LIMIT {SESSIONS + 1}))",
}
"""What an agent sees of rows that are not of its life: tasks that it was given, who waits where it
is, and its last sessions on this machine."""
_OWN = "run"


def seen_beside(rows: Rows, *, agent: str) -> SeenRows:
    """Return the rows that an agent sees and that are not of its life, by table."""
    found = {
        table: list(rows.each(tuple, f"SELECT * FROM {table} WHERE {where}", {"agent": agent}))
        for table, where in _SEEN.items()
    }
    return {table: seen for table, seen in found.items() if seen}


def put_seen_beside(rows: Rows, seen: SeenRows, *, agent: str) -> None:
    """Let these rows be there of what is not of the life of an agent, and no others."""
    for table in _SEEN:
        where = "TRUE" if table == _OWN else "agent <> :agent"
        rows.run(f"DELETE FROM {table} WHERE {where}", {"agent": agent})
        columns = columns_of(rows, table).all
        marks = ", ".join("?" * len(columns))
        rows.run_many(f"INSERT INTO {table} VALUES({marks})", seen.get(table, ()))


def put_other_agents(rows: Rows, others: Iterable[OtherAgent], *, agent: str) -> None:
    """Let these agents stand beside one and no others, all else of them as it is of this one."""
    rows.run("DELETE FROM agent WHERE name <> :agent", {"agent": agent})
    sql = (
        "INSERT INTO agent(name, entity, body) SELECT :name, :name, "
        "json_set(body, '$.name', :name, '$.entity', :name, '$.away', :away) "
        "FROM agent WHERE name = :agent"
    )
    for name, away in others:
        rows.run(sql, {"name": name, "away": away, "agent": agent})
