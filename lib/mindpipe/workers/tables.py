"""Rows of worker sessions, whose table is called run, and of when to look at an agent next."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration
from mindpipe.workers.records import NextLook, WorkerSession, WorkerSessionState

MIGRATIONS = (
    Migration(
        name="0015_loop",
        sql="""
        CREATE TABLE run(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('running', 'clean', 'crashed')),
            pid INTEGER NOT NULL, born TEXT NOT NULL, boot TEXT NOT NULL,
            program TEXT NOT NULL, schema INTEGER NOT NULL,
            started TEXT NOT NULL, ended TEXT, found TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX run_running ON run(agent) WHERE state = 'running';
        CREATE INDEX run_crashed ON run(ended) WHERE state = 'crashed';
        """,
    ),
    Migration(
        name="0068_next_looks",
        sql="""
        ALTER TABLE run ADD COLUMN until REAL;
        CREATE TABLE next_look(
            agent TEXT PRIMARY KEY REFERENCES agent(name), boot TEXT NOT NULL,
            seconds REAL NOT NULL, position INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        postgres="""
        ALTER TABLE run ADD COLUMN until DOUBLE PRECISION;
        CREATE TABLE next_look(
            agent TEXT COLLATE "C" PRIMARY KEY REFERENCES agent(name) DEFERRABLE,
            boot TEXT COLLATE "C" NOT NULL,
            seconds DOUBLE PRECISION NOT NULL,
            position BIGINT NOT NULL
        );
        """,
    ),
)

_COLUMNS = ", ".join(WorkerSession.__struct_fields__)
_MARKS = ", ".join(f":{name}" for name in WorkerSession.__struct_fields__)


def insert_session(rows: Rows, run: WorkerSession) -> None:
    """Add the life that begins."""
    rows.run(f"INSERT INTO run({_COLUMNS}) VALUES({_MARKS})", msgspec.structs.asdict(run))


def count_sessions(rows: Rows) -> int:
    """Return how many lives there were."""
    return rows.value(int, "SELECT count(*) FROM run") or 0


def end_session(rows: Rows, run: WorkerSession) -> bool:
    """Write how a life ended, unless somebody did; tell whether it was still running."""
    return bool(
        rows.changed(
            "UPDATE run SET state=:state, ended=:ended, found=:found "
            "WHERE id=:id AND state='running'",
            {"id": run.id, "state": run.state, "ended": run.ended, "found": run.found},
        )
    )


def delete_session(rows: Rows, run: str) -> None:
    """Forget a life that has let its agent go."""
    rows.run("DELETE FROM run WHERE id=:id AND state='running'", {"id": run})


def hold_on(rows: Rows, runs: Sequence[str], *, until: float) -> None:
    """Let the lives of these that run count as going on until an instant of the store's clock."""
    rows.run(
        "UPDATE run SET until=:until WHERE id IN :runs AND state='running'",
        {"runs": runs, "until": until},
    )


def hold_silent(rows: Rows, run: WorkerSession) -> bool:
    """Hold the row of a life; tell whether it runs, and has not said since that it goes on."""
    return bool(
        rows.changed(
            "UPDATE run SET until=until WHERE id=:id AND state='running' "
            "AND until IS NOT DISTINCT FROM :until",
            {"id": run.id, "until": run.until},
        )
    )


def forget_next_look(rows: Rows, *, agent: str) -> None:
    """Let an agent be looked at soon."""
    rows.run("DELETE FROM next_look WHERE agent=:agent", {"agent": agent})


def running_of(rows: Rows, *, agent: str) -> list[str]:
    """Return the ids of an agent's lives that have no end."""
    sql = "SELECT id FROM run WHERE agent=:agent AND state='running' ORDER BY id"
    return rows.all(str, sql, {"agent": agent})


def sessions_in(rows: Rows, state: WorkerSessionState) -> list[WorkerSession]:
    """Return the lives that stand so, the oldest first."""
    return rows.all(
        WorkerSession,
        # An older store, which is to be migrated, has fewer columns.
        "SELECT * FROM run WHERE state=:state ORDER BY started, id",
        {"state": state},
    )


def newest_ended(rows: Rows, *, agent: str, limit: int) -> list[WorkerSession]:
    """Return an agent's newest lives that have ended, the newest first."""
    return rows.all(
        WorkerSession,
        f"SELECT {_COLUMNS} FROM run WHERE agent=:agent AND state<>'running' "
        "ORDER BY started DESC, ended DESC NULLS LAST, id DESC LIMIT :limit",
        {"agent": agent, "limit": limit},
    )


def crashes_with(rows: Rows, event: str) -> int:
    """Return how many crashed lives had an event under way."""
    return (
        rows.value(
            int,
            "SELECT count(*) FROM run, json_each(run.found ->> '$.events') AS one "
            "WHERE run.state='crashed' AND one.value=:event",
            {"event": event},
        )
        or 0
    )


def crashes_after(rows: Rows, instant: str) -> int:
    """Return how many crashes were found after an instant, of the agent that had the most."""
    counted = "SELECT count(*) AS n FROM run WHERE state='crashed' AND ended > :instant"
    return (
        rows.value(
            int, f"SELECT max(n) FROM ({counted} GROUP BY agent) AS counted", {"instant": instant}
        )
        or 0
    )


_LOOK = "agent, boot, seconds, position"


def put_next_look(rows: Rows, look: NextLook) -> None:
    """Keep when an agent is to be looked at next."""
    rows.run(
        f"INSERT INTO next_look({_LOOK}) VALUES(:agent, :boot, :seconds, :position) "
        "ON CONFLICT(agent) DO UPDATE SET boot=excluded.boot, seconds=excluded.seconds, "
        "position=excluded.position",
        {
            "agent": look.agent,
            "boot": look.boot,
            "seconds": look.seconds,
            "position": look.position,
        },
    )
