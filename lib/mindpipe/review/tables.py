"""Rows of the observer's notes."""

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.review.records import Chart, ReviewNote

MIGRATIONS = (
    Migration(
        name="0020_review",
        sql="""
        CREATE TABLE person_observation(
            person TEXT NOT NULL, t_us INTEGER NOT NULL,
            body TEXT NOT NULL CHECK(json_valid(body)),
            PRIMARY KEY(person, t_us)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
    Migration(
        name="0054_person_charts",
        sql="""
        CREATE TABLE person_chart(
            person TEXT PRIMARY KEY, body TEXT NOT NULL CHECK(json_valid(body))
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


def put_chart(rows: Rows, person: str, chart: Chart) -> None:
    """Keep what the observer goes on by of a person, in the place of what it was."""
    rows.run(
        "INSERT INTO person_chart(person, body) VALUES(:person, :body)"
        " ON CONFLICT(person) DO UPDATE SET body = excluded.body",
        {"person": person, "body": to_json(chart).decode()},
    )


def find_chart(rows: Rows, person: str) -> Chart | None:
    """Return what the observer goes on by of a person, None where it never looked."""
    body = rows.value(
        str, "SELECT body FROM person_chart WHERE person = :person", {"person": person}
    )
    return None if body is None else msgspec.json.decode(body, type=Chart)


def put_observation(rows: Rows, observation: ReviewNote) -> None:
    """Keep a note, in the place of any other on that person at that instant."""
    rows.run(
        "INSERT INTO person_observation(person, t_us, body) VALUES(:person, :t_us, :body)"
        " ON CONFLICT(person, t_us) DO UPDATE SET body = excluded.body",
        {
            "person": observation.person,
            "t_us": observation.t_us,
            "body": to_json(observation).decode(),
        },
    )


def observations_of(rows: Rows, person: str) -> list[str]:
    """Return the notes on a person as JSON, oldest first."""
    sql = "SELECT body FROM person_observation WHERE person = :person ORDER BY t_us"
    return rows.all(str, sql, {"person": person})


def last_looked_us(rows: Rows, person: str) -> int | None:
    """Return when the latest note on a person was taken, None where there is none."""
    return rows.value(
        int, "SELECT max(t_us) FROM person_observation WHERE person = :person", {"person": person}
    )
