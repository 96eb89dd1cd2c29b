"""The rows of escalations."""

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import to_json
from mindpipe.decisions.records import Escalation


def find(rows: Rows, key: str) -> Escalation | None:
    """Return one escalation."""
    body = rows.value(str, "SELECT body FROM escalation WHERE key=:key", {"key": key})
    return msgspec.json.decode(body, type=Escalation) if body else None


def to_call(rows: Rows, *, agent: str, now: str) -> list[Escalation]:
    """Return an agent's escalations that are to be called now, or were and that took too long."""
    found = rows.all(
        str,
        "SELECT body FROM escalation WHERE agent=:agent AND state IN ('waiting', 'calling') "
        "AND (due IS NULL OR due<=:now) ORDER BY rowid",
        {"agent": agent, "now": now},
    )
    return [msgspec.json.decode(body, type=Escalation) for body in found]


def save(rows: Rows, escalation: Escalation) -> None:
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
