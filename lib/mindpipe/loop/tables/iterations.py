"""Rows of iterations: what each did, as many as are kept, the newest ones."""

import msgspec

from mindpipe.core.migrations import Migration
from mindpipe.core.ports import Rows
from mindpipe.loop.records import Iteration

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


def iterations_of(rows: Rows, *, agent: str, after: int, limit: int) -> list[Iteration]:
    """Return the newest `limit` iterations after a number, the oldest first."""
    found = rows.all(
        Iteration,
        f"SELECT {_COLUMNS} FROM iteration WHERE agent=:agent AND number > :after "
        "ORDER BY number DESC LIMIT :limit",
        {"agent": agent, "after": after, "limit": limit},
    )
    return found[::-1]
