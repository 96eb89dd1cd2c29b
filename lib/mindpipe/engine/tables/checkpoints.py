"""Rows of checkpoints: the session of each agent's loop as it was last written."""

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.workers.records import Checkpoint

MIGRATIONS = (
    Migration(
        name="0029_sessions",
        sql="""
        CREATE TABLE session(
            agent TEXT PRIMARY KEY, at TEXT NOT NULL,
            iteration INTEGER NOT NULL CHECK(iteration >= 0),
            mode TEXT NOT NULL CHECK(mode IN ('normal', 'deep_focus', 'exploration', 'overload',
                'sleep', 'recovery')),
            body TEXT NOT NULL CHECK(json_valid(body))
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


def save_checkpoint(rows: Rows, session: Checkpoint) -> None:
    """Write a checkpoint in place of the agent's earlier one."""
    rows.run(
        "INSERT INTO session(agent, at, iteration, mode, body) "
        "VALUES(:agent, :at, :iteration, :mode, :body) ON CONFLICT(agent) DO UPDATE SET "
        "at=excluded.at, iteration=excluded.iteration, mode=excluded.mode, body=excluded.body",
        {
            "agent": session.agent,
            "at": session.at,
            "iteration": session.iteration,
            "mode": session.mode.value,
            "body": to_json(session).decode(),
        },
    )


def checkpoint_of(rows: Rows, agent: str) -> Checkpoint | None:
    """Return an agent's checkpoint, or None; one that cannot be read is as good as none."""
    body = rows.value(str, "SELECT body FROM session WHERE agent=:agent", {"agent": agent})
    if body is None:
        return None
    try:
        return msgspec.json.decode(body, type=Checkpoint)
    except msgspec.DecodeError:
        return None
