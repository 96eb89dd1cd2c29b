"""The rows of delegated tasks."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.tasks.records import OPEN, Task, TaskState

MIGRATIONS = (
    Migration(
        name="0032_tasks",
        sql="""
        CREATE TABLE task(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, worker TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('created', 'sent', 'running', 'late', 'lost',
                'escalated', 'done', 'failed')),
            key TEXT NOT NULL UNIQUE, body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX task_by_state ON task(agent, state);
        CREATE INDEX task_by_worker ON task(worker, state);
        """,
    ),
)

# The row's own number is no part of it: it changes where a row is put back, or carried elsewhere.
_OLDEST_FIRST = "body ->> 'created', CAST(coalesce(body ->> 'place', '0') AS BIGINT), id"


def find(rows: Rows, task: str) -> Task | None:
    """Return one task."""
    body = rows.value(str, "SELECT body FROM task WHERE id=:id", {"id": task})
    return msgspec.json.decode(body, type=Task) if body else None


def list_(
    rows: Rows, *, agent: str | None, states: Sequence[TaskState] = tuple(TaskState)
) -> list[Task]:
    """Return the tasks that one agent delegated, or all, in some states, oldest first."""
    return _tasks(rows, "(CAST(:who AS TEXT) IS NULL OR agent=:who)", agent, states)


def of_worker(rows: Rows, *, worker: str, states: Sequence[TaskState] = OPEN) -> list[Task]:
    """Return the tasks that one agent is to work on, oldest first."""
    return _tasks(rows, "worker=:who", worker, states)


def _tasks(rows: Rows, where: str, who: str | None, states: Sequence[TaskState]) -> list[Task]:
    found = rows.all(
        str,
        f"SELECT body FROM task WHERE {where} AND state IN :states ORDER BY {_OLDEST_FIRST}",
        {"who": who, "states": [state.value for state in states]},
    )
    return [msgspec.json.decode(body, type=Task) for body in found]


def ids(rows: Rows) -> list[str]:
    """Return the ids of all tasks."""
    return rows.all(str, f"SELECT id FROM task ORDER BY {_OLDEST_FIRST}")


def count_created(rows: Rows, *, agent: str, at: str) -> int:
    """Return how many tasks an agent delegated at an instant."""
    sql = "SELECT count(*) FROM task WHERE agent=:agent AND body ->> 'created'=:at"
    return rows.value(int, sql, {"agent": agent, "at": at}) or 0


def save(rows: Rows, task: Task) -> None:
    """Insert a task or replace it."""
    rows.run(
        "INSERT INTO task VALUES(:id, :agent, :worker, :state, :key, :body) "
        "ON CONFLICT(id) DO UPDATE SET state=excluded.state, body=excluded.body",
        {
            "id": task.id,
            "agent": task.agent,
            "worker": task.to,
            "state": task.state.value,
            "key": task.key,
            "body": to_json(task).decode(),
        },
    )
