"""Rows of a loop: iterations and changes of mode, as many as are kept, and checkpoints."""

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.workers.records import Checkpoint, Iteration, ModeChange

_MODES = "'normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery'"

MIGRATIONS = (
    Migration(
        name="0028_iterations",
        sql=f"""
        CREATE TABLE iteration(
            agent TEXT NOT NULL, number INTEGER NOT NULL CHECK(number >= 1),
            life TEXT NOT NULL, at TEXT NOT NULL,
            mode TEXT NOT NULL CHECK(mode IN ({_MODES})),
            concern TEXT, cycle INTEGER, outcome TEXT NOT NULL, events INTEGER NOT NULL,
            queue INTEGER NOT NULL, rate REAL NOT NULL, observe_ms REAL NOT NULL,
            think_ms REAL NOT NULL, decide_ms REAL NOT NULL, act_ms REAL NOT NULL,
            reflect_ms REAL NOT NULL, interval_ms INTEGER NOT NULL, decided INTEGER NOT NULL,
            applied INTEGER NOT NULL, confidence REAL, significance REAL, error TEXT,
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mode_change(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, at TEXT NOT NULL,
            "before" TEXT NOT NULL CHECK("before" IN ({_MODES})),
            "after" TEXT NOT NULL CHECK("after" IN ({_MODES}) AND "after" <> "before"),
            "by" TEXT NOT NULL, reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX mode_change_of ON mode_change(agent, number);
        """,
    ),
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

_COLUMNS = ", ".join(Iteration.__struct_fields__)
_MARKS = ", ".join(f":{name}" for name in Iteration.__struct_fields__)


def insert_iteration(rows: Rows, iteration: Iteration, *, keep: int) -> None:
    """Add an iteration; the one that is `keep` before it, and any older, are kept no longer."""
    rows.run(
        f"INSERT INTO iteration({_COLUMNS}) VALUES({_MARKS})", msgspec.structs.asdict(iteration)
    )
    rows.run(
        "DELETE FROM iteration WHERE agent=:agent AND number <= :oldest",
        {"agent": iteration.agent, "oldest": iteration.number - keep},
    )


def last_number(rows: Rows, *, agent: str) -> int:
    """Return the number of an agent's newest iteration, or 0."""
    sql = "SELECT max(number) FROM iteration WHERE agent=:agent"
    return rows.value(int, sql, {"agent": agent}) or 0


def last_numbers(rows: Rows, *, agents: list[str]) -> dict[str, int]:
    """Return the number of the newest iteration of each of these agents that has one."""
    sql = "SELECT agent, max(number) FROM iteration WHERE agent IN :agents GROUP BY agent"
    return dict(rows.each(tuple, sql, {"agents": agents}))


def iterations_of(rows: Rows, *, agent: str, after: int, limit: int) -> list[Iteration]:
    """Return the newest `limit` iterations after a number, the oldest first."""
    found = rows.all(
        Iteration,
        f"SELECT {_COLUMNS} FROM iteration WHERE agent=:agent AND number > :after "
        "ORDER BY number DESC LIMIT :limit",
        {"agent": agent, "after": after, "limit": limit},
    )
    return found[::-1]


_CHANGE_COLUMNS = ", ".join(f'"{name}"' for name in ModeChange.__struct_fields__)
_CHANGE_MARKS = ", ".join(f":{name}" for name in ModeChange.__struct_fields__)


def insert_change(rows: Rows, change: ModeChange, *, keep: int) -> None:
    """Add a change; of its agent the newest `keep` stay."""
    rows.run(
        f"INSERT INTO mode_change({_CHANGE_COLUMNS}) VALUES({_CHANGE_MARKS})",
        msgspec.structs.asdict(change),
    )
    rows.run(
        "DELETE FROM mode_change WHERE agent=:agent AND number <= (SELECT number FROM mode_change "
        "WHERE agent=:agent ORDER BY number DESC LIMIT 1 OFFSET :keep)",
        {"agent": change.agent, "keep": keep},
    )


def last_change(rows: Rows, *, agent: str) -> ModeChange | None:
    """Return an agent's last change of mode, or None."""
    found = changes_of(rows, agent=agent, limit=1)
    return found[0] if found else None


def changes_of(rows: Rows, *, agent: str, limit: int) -> list[ModeChange]:
    """Return an agent's newest changes of mode, the oldest first."""
    found = rows.all(
        ModeChange,
        f"SELECT {_CHANGE_COLUMNS} FROM mode_change "
        "WHERE agent=:agent ORDER BY number DESC LIMIT :limit",
        {"agent": agent, "limit": limit},
    )
    return found[::-1]


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
