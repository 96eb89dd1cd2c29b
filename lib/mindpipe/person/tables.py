"""Rows of persons who live in a store: who they are, how they are, and what they went through."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, Record

if TYPE_CHECKING:
    from mindpipe.person.records.thought import LifeRow, LifeRowKind, PersonRow

MIGRATIONS = (
    Migration(
        name="0019_person",
        sql="""
    CREATE TABLE person(
        id TEXT PRIMARY KEY,
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE person_version(
        person TEXT NOT NULL REFERENCES person(id),
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, tick, t_us)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE person_state(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE person_event(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        number INTEGER NOT NULL,
        id TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us, number),
        UNIQUE(person, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE thought(
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX thought_by_time ON thought(person, t_us);
    CREATE TABLE person_memory(
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX person_memory_by_time ON person_memory(person, t_us);
    CREATE TABLE person_failure(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
    Migration(
        name="0062_person_ticks",
        sql="""
    CREATE TABLE person_tick(
        person TEXT NOT NULL REFERENCES person(id),
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, tick)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
)

_INSERTS: "dict[LifeRowKind, str]" = {
    "person": "INSERT INTO person_version(person, tick, t_us, body)"
    " VALUES(:person, :number, :t_us, :body)"
    " ON CONFLICT(person, tick, t_us) DO UPDATE SET body = excluded.body",
    "state": "INSERT INTO person_state(person, t_us, body) VALUES(:person, :t_us, :body)"
    " ON CONFLICT(person, t_us) DO UPDATE SET body = excluded.body",
    "event": "INSERT INTO person_event(person, t_us, number, id, body)"
    " VALUES(:person, :t_us, (SELECT count(*) FROM person_event"
    " WHERE person = :person AND t_us = :t_us), :id, :body)",
    "thought": "INSERT INTO thought(id, person, t_us, body) VALUES(:id, :person, :t_us, :body)",
    "memory": "INSERT INTO person_memory(id, person, t_us, body)"
    " VALUES(:id, :person, :t_us, :body)",
    "failure": "INSERT INTO person_failure(person, t_us, body) VALUES(:person, :t_us, :body)",
    "tick": "INSERT INTO person_tick(person, tick, t_us, body)"
    " VALUES(:person, :number, :t_us, :body)",
}
_KEPT = "SELECT id AS person, tick, t_us, body, state FROM person"


def insert_person(rows: Rows, kept: "PersonRow") -> None:
    """Keep a new person."""
    rows.run(
        "INSERT INTO person(id, tick, t_us, body, state)"
        " VALUES(:person, :tick, :t_us, :body, :state)",
        cast("dict[str, Cell]", msgspec.structs.asdict(kept)),
    )


def is_person(rows: Rows, person: str) -> bool:
    """Tell whether there is a person of this id."""
    found = rows.value(str, "SELECT id FROM person WHERE id = :person", {"person": person})
    return found is not None


def find_person(rows: Rows, person: str) -> "PersonRow | None":
    """Return one person, or None."""
    # Workers of agents ask these tables, too, and need no record of a person.
    from mindpipe.person.records.thought import PersonRow

    return rows.one(PersonRow, f"{_KEPT} WHERE id = :person", {"person": person})


def ids(rows: Rows) -> list[str]:
    """Return the ids of all persons in order."""
    return rows.all(str, "SELECT id FROM person ORDER BY id")


def put_person(rows: Rows, kept: "PersonRow") -> bool:
    """Keep how a person is after tick `kept.tick`, if the tick before it was the latest."""
    return bool(
        rows.changed(
            "UPDATE person SET tick = :tick, t_us = :t_us, body = :body, state = :state"
            " WHERE id = :person AND tick = :tick - 1",
            cast("dict[str, Cell]", msgspec.structs.asdict(kept)),
        )
    )


def insert_rows(rows: Rows, kept: "Iterable[LifeRow]") -> None:
    """Add what a person went through, kind by kind."""
    for row in kept:
        rows.run(_INSERTS[row.kind], cast("dict[str, Cell]", msgspec.structs.asdict(row)))


def event_ids(rows: Rows, person: str) -> list[str]:
    """Return the ids of a person's events."""
    sql = "SELECT id FROM person_event WHERE person = :person ORDER BY id"
    return rows.all(str, sql, {"person": person})


def events(rows: Rows, person: str) -> list[str]:
    """Return the events that a person had as JSON, oldest first."""
    sql = "SELECT body FROM person_event WHERE person = :person ORDER BY t_us, number"
    return rows.all(str, sql, {"person": person})


def thoughts_since(rows: Rows, person: str, *, since: int) -> list[str]:
    """Return a person's thoughts at or after an instant as JSON, oldest first."""
    return rows.all(
        str,
        "SELECT body FROM thought WHERE person = :person AND t_us >= :since ORDER BY t_us",
        {"person": person, "since": since},
    )


def thoughts_by_id(rows: Rows, wanted: Iterable[str]) -> list[str]:
    """Return thoughts as JSON, in the order of their ids; those that are missing are left out."""
    found = (
        rows.value(str, "SELECT body FROM thought WHERE id = :id", {"id": id}) for id in wanted
    )
    return [body for body in found if body is not None]


def memories(rows: Rows, person: str) -> list[str]:
    """Return a person's memories as JSON, oldest first."""
    return rows.all(
        str,
        "SELECT body FROM person_memory WHERE person = :person ORDER BY t_us, id",
        {"person": person},
    )


class KeptVersion(Record):
    """Who a person was from a tick on, as JSON."""

    tick: int
    body: str


def versions(rows: Rows, person: str) -> list[KeptVersion]:
    """Return who a person was, each since its tick, the oldest first."""
    return rows.all(
        KeptVersion,
        "SELECT tick, body FROM person_version WHERE person = :person ORDER BY tick, t_us",
        {"person": person},
    )


def ticks(rows: Rows, person: str) -> list[str]:
    """Return how each tick of a person was lived as JSON, oldest first."""
    sql = "SELECT body FROM person_tick WHERE person = :person ORDER BY tick"
    return rows.all(str, sql, {"person": person})


def has_tick(rows: Rows, person: str, tick: int) -> bool:
    """Tell whether it is kept how a tick of a person was lived."""
    sql = "SELECT 1 FROM person_tick WHERE person = :person AND tick = :tick"
    return rows.value(int, sql, {"person": person, "tick": tick}) is not None


def failures(rows: Rows, person: str) -> list[str]:
    """Return the calls of a person's voice that failed as JSON, oldest first."""
    sql = "SELECT body FROM person_failure WHERE person = :person ORDER BY t_us"
    return rows.all(str, sql, {"person": person})


class MisplacedRow(Record):
    """A row whose body is of another person, instant or id than the row says."""

    table: str
    t_us: int


_BODIES = {
    "person_state": "",
    "person_event": " OR body ->> '$.id' IS DISTINCT FROM id",
    "thought": " OR body ->> '$.id' IS DISTINCT FROM id",
    "person_memory": " OR body ->> '$.id' IS DISTINCT FROM id",
    "person_failure": "",
    "person_tick": " OR CAST(body ->> '$.tick' AS TEXT) IS DISTINCT FROM CAST(tick AS TEXT)",
}


def misplaced(rows: Rows, person: str) -> list[MisplacedRow]:
    """Return the rows of a person whose bodies are not of what the rows say, table by table."""
    found: list[MisplacedRow] = []
    for table, other in _BODIES.items():
        sql = (
            f"SELECT '{table}' AS \"table\", t_us FROM {table} WHERE person = :person AND "
            "(body ->> '$.person' IS DISTINCT FROM person "
            "OR coalesce(CAST(body ->> '$.t_us' AS TEXT), '0') IS DISTINCT FROM "
            f"CAST(t_us AS TEXT){other}) ORDER BY t_us"
        )
        found += rows.all(MisplacedRow, sql, {"person": person})
    return found


def delete_life(rows: Rows, person: str) -> None:
    """Take away all that a person lived, and who it is."""
    for table in _OF_A_PERSON:
        rows.run(f"DELETE FROM {table} WHERE person = :person", {"person": person})
    rows.run("DELETE FROM person WHERE id = :person", {"person": person})


_OF_A_PERSON = (
    *("person_version", "person_state", "person_event", "thought", "person_memory"),
    *("person_failure", "person_tick"),
)


def delete_memories(rows: Rows, forgotten: Iterable[str]) -> None:
    """Take away memories for which a gist stands now."""
    rows.run_many("DELETE FROM person_memory WHERE id = ?", ((id,) for id in forgotten))


def states(rows: Rows, person: str) -> list[str]:
    """Return the states that were kept of a person as JSON, oldest first."""
    return rows.all(
        str,
        "SELECT body FROM person_state WHERE person = :person ORDER BY t_us",
        {"person": person},
    )
