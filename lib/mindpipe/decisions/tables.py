"""Rows of decisions and of escalations."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.decisions.records import Decision, DecisionState, Escalation

MIGRATIONS = (
    Migration(
        name="0031_decisions",
        sql="""
        CREATE TABLE decision(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('proposed', 'decided', 'returned', 'waiting',
                'approved', 'rejected', 'expired', 'applied', 'failed', 'unknown', 'undoing',
                'undone')),
            created TEXT NOT NULL, ticket TEXT UNIQUE, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX decision_by_state ON decision(agent, state);
        CREATE TABLE escalation(
            key TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('waiting', 'calling', 'called', 'unknown',
                'quiet')),
            created TEXT NOT NULL, due TEXT, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX escalation_by_state ON escalation(agent, state);
        """,
    ),
)

# The row's own number is no part of it: it changes where a row is put back, or carried elsewhere.
_OLDEST_FIRST = "created, CAST(coalesce(body ->> 'place', '0') AS BIGINT), id"


def find(rows: Rows, decision: str) -> Decision | None:
    """Return one decision."""
    body = rows.value(str, "SELECT body FROM decision WHERE id=:id", {"id": decision})
    return msgspec.json.decode(body, type=Decision) if body else None


def of_ticket(rows: Rows, ticket: str) -> Decision | None:
    """Return the decision whose action runs by a ticket."""
    body = rows.value(str, "SELECT body FROM decision WHERE ticket=:ticket", {"ticket": ticket})
    return msgspec.json.decode(body, type=Decision) if body else None


def list_(
    rows: Rows, *, agent: str | None, states: Sequence[DecisionState] = tuple(DecisionState)
) -> list[Decision]:
    """Return decisions of one agent or of all in some states, oldest first."""
    found = rows.all(
        str,
        "SELECT body FROM decision WHERE (CAST(:agent AS TEXT) IS NULL OR agent=:agent) "
        f"AND state IN :states ORDER BY {_OLDEST_FIRST}",
        {"agent": agent, "states": [state.value for state in states]},
    )
    return [msgspec.json.decode(body, type=Decision) for body in found]


def ids(rows: Rows) -> list[str]:
    """Return the ids of all decisions."""
    return rows.all(str, f"SELECT id FROM decision ORDER BY {_OLDEST_FIRST}")


def placed(rows: Rows, decision: Decision) -> Decision:
    """Return a new decision behind those that its agent proposed at the same instant."""
    sql = "SELECT count(*) FROM decision WHERE agent=:agent AND created=:at"
    found = rows.value(int, sql, {"agent": decision.agent, "at": decision.created})
    return msgspec.structs.replace(decision, place=found or 0)


def save(rows: Rows, decision: Decision) -> None:
    """Insert a decision or replace it."""
    rows.run(
        "INSERT INTO decision VALUES(:id, :agent, :state, :created, :ticket, :body) "
        "ON CONFLICT(id) DO UPDATE SET state=excluded.state, ticket=excluded.ticket, "
        "body=excluded.body",
        {
            "id": decision.id,
            "agent": decision.agent,
            "state": decision.state.value,
            "created": decision.created,
            "ticket": decision.ticket,
            "body": to_json(decision).decode(),
        },
    )


def find_escalation(rows: Rows, key: str) -> Escalation | None:
    """Return one escalation."""
    body = rows.value(str, "SELECT body FROM escalation WHERE key=:key", {"key": key})
    return msgspec.json.decode(body, type=Escalation) if body else None


def to_call(rows: Rows, *, agent: str, now: str) -> list[Escalation]:
    """Return an agent's escalations that are to be called now, or were and that took too long."""
    found = rows.all(
        str,
        "SELECT body FROM escalation WHERE agent=:agent AND state IN ('waiting', 'calling') "
        "AND (due IS NULL OR due<=:now) ORDER BY created, key",
        {"agent": agent, "now": now},
    )
    return [msgspec.json.decode(body, type=Escalation) for body in found]


def save_escalation(rows: Rows, escalation: Escalation) -> None:
    """Insert an escalation or replace it."""
    rows.run(
        "INSERT INTO escalation VALUES(:key, :agent, :state, :created, :due, :body) "
        "ON CONFLICT(key) DO UPDATE SET state=excluded.state, due=excluded.due, "
        "body=excluded.body",
        {
            "key": escalation.key,
            "agent": escalation.agent,
            "state": escalation.state.value,
            "created": escalation.created,
            "due": escalation.due,
            "body": to_json(escalation).decode(),
        },
    )
