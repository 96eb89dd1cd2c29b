"""Rows that hold a whole record as JSON: reflections, lessons, and every version of an entity."""

from collections.abc import Iterable, Iterator
from typing import Literal

from mindpipe.core.ports import Given, Rows
from mindpipe.core.records import Record
from mindpipe.memory.records import StoredOutcome
from mindpipe.memory.tables.cells import cells_of, kept

_WRITTEN = "number, agent, id, key, learnt, body"
SCHEMA = f"""
    CREATE TABLE reflection(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        learnt TEXT NOT NULL, body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        since TEXT AS (body ->> 'since'), until TEXT AS (body ->> 'until'),
        UNIQUE(agent, id), UNIQUE(agent, key),
        CHECK(until >= since)
    ) STRICT;
    CREATE TABLE lesson(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        learnt TEXT NOT NULL, body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        UNIQUE(agent, id), UNIQUE(agent, key)
    ) STRICT;
    CREATE TABLE lesson_outcome(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, lesson TEXT NOT NULL,
        at TEXT NOT NULL, good INTEGER NOT NULL CHECK(good IN (0, 1)), note TEXT,
        learnt TEXT NOT NULL, confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1)
    ) STRICT;
    CREATE INDEX lesson_outcome_of ON lesson_outcome(agent, lesson, number);
    CREATE TABLE memory_entity(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL,
        version INTEGER NOT NULL CHECK(version >= 1), learnt TEXT NOT NULL,
        body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        UNIQUE(agent, id, version)
    ) STRICT;
    {kept("reflection", _WRITTEN)}
    {kept("lesson", _WRITTEN)}
    {kept("lesson_outcome", "number, agent, lesson, at, good, note, learnt, confidence")}
    {kept("memory_entity", "number, agent, id, version, learnt, body")}
"""

Written = Literal["reflection", "lesson", "memory_entity"]
"""The tables whose rows hold a whole record as JSON."""
Once = Literal["reflection", "lesson"]
"""Those of them in which a record stands once, with a key beside it where it has one."""


class Body(Record):
    """A record as JSON, with what stands beside it in its row."""

    number: int
    agent: str
    id: str
    body: str
    learnt: str
    retracted: str | None = None


_BODY = "SELECT number, agent, id, body, learnt, retracted FROM"
_BODY_THEN = (
    "SELECT number, agent, id, body, learnt, "
    "CASE WHEN retracted > :as_of THEN NULL ELSE retracted END AS retracted FROM"
)


def add_body(rows: Rows, table: Written, body: Body, *, beside: str | int | None) -> bool:
    """Insert a record, and beside it its key or version; return whether it was new.

    Of those that stand once it is not where the id is there, or the key, which a trigger looks at.
    """
    extra, there = "key", " ON CONFLICT(agent, id) DO NOTHING"
    if table == "memory_entity":
        extra, there = "version", ""
    return bool(
        rows.changed(
            f"INSERT INTO {table}(agent, id, {extra}, learnt, body, retracted)"
            f" VALUES(:agent, :id, :beside, :learnt, :body, :retracted){there}",
            {**cells_of(body), "beside": beside},
        )
    )


def find_body(rows: Rows, table: Once, *, agent: str, id: str, key: str | None) -> Body | None:
    """Return the record that has a key, or else an id, or None."""
    return rows.one(
        Body,
        f"{_BODY} {table} WHERE agent = :agent AND (key = :key OR id = :id)"
        " ORDER BY CASE WHEN key = :key THEN 0 ELSE 1 END LIMIT 1",
        {"agent": agent, "id": id, "key": key},
    )


def bodies(
    rows: Rows,
    table: Written,
    *,
    agent: str | None,
    ids: Iterable[str] | None = None,
    as_of: str | None = None,
) -> Iterator[Body]:
    """Yield records in the order in which they came, of some ids or all, as of an instant.

    Only what was learnt by then is there, and what was taken back later is not taken back.
    """
    values: dict[str, Given] = {"agent": agent, "as_of": as_of}
    of_some = ""
    if ids is not None:
        values["ids"], of_some = [*ids], " AND id IN :ids"
    return rows.each(
        Body,
        f"{_BODY_THEN} {table} WHERE (CAST(:agent AS TEXT) IS NULL OR agent = :agent)"
        f" AND (CAST(:as_of AS TEXT) IS NULL OR learnt <= :as_of){of_some} ORDER BY number",
        values,
    )


def bodies_after(
    rows: Rows, table: Written, number: int, *, agent: str | None, limit: int
) -> list[Body]:
    """Return the records with a greater number, in the order of numbers."""
    return rows.all(
        Body,
        f"{_BODY} {table} WHERE number > :number AND (CAST(:agent AS TEXT) IS NULL "
        "OR agent = :agent) ORDER BY number LIMIT :limit",
        {"number": number, "agent": agent, "limit": limit},
    )


def retract_bodies(rows: Rows, table: Written, numbers: Iterable[int], *, at: str) -> None:
    """Take records back."""
    rows.run(
        f"UPDATE {table} SET retracted = :at WHERE number IN :numbers",
        {"numbers": [*numbers], "at": at},
    )


def add_outcome(rows: Rows, outcome: StoredOutcome) -> None:
    """Keep how it went when a lesson was followed."""
    rows.run(
        "INSERT INTO lesson_outcome(agent, lesson, at, good, note, learnt, confidence)"
        " VALUES(:agent, :lesson, :at, :good, :note, :learnt, :confidence)",
        cells_of(outcome),
    )


def outcomes(rows: Rows, *, agent: str, lesson: str, as_of: str | None) -> list[StoredOutcome]:
    """Return how it went since a lesson was added, in the order in which it was learnt."""
    return rows.all(
        StoredOutcome,
        "SELECT agent, lesson, at, good, note, learnt, confidence FROM lesson_outcome"
        " WHERE agent = :agent AND lesson = :lesson"
        " AND (CAST(:as_of AS TEXT) IS NULL OR learnt <= :as_of) ORDER BY number",
        {"agent": agent, "lesson": lesson, "as_of": as_of},
    )
