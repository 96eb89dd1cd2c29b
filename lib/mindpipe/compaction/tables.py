"""Rows of what changed an agent's window; the windows themselves are blobs of the history."""

from typing import cast

import msgspec

from mindpipe.compaction.records import Compaction
from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration
from mindpipe.core.triggers import not_replaced

MIGRATIONS = (
    Migration(
        name="0016_compaction",
        sql="""
        CREATE TABLE compaction(
            agent TEXT NOT NULL, number INTEGER NOT NULL,
            action TEXT NOT NULL CHECK(action IN ('apply', 'undo')),
            window TEXT, before INTEGER NOT NULL, through INTEGER NOT NULL, strategy TEXT NOT NULL,
            tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL,
            segment INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY(agent, number), UNIQUE(agent, segment)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER compaction_UPDATE BEFORE UPDATE ON compaction
        BEGIN SELECT RAISE(ABORT, 'rows of compaction are only ever added'); END;
        CREATE TRIGGER compaction_DELETE BEFORE DELETE ON compaction
        BEGIN SELECT RAISE(ABORT, 'rows of compaction are only ever added'); END;
        """,
    ),
    Migration(
        name="0047_compaction_not_replaced",
        sql=not_replaced("compaction", "agent number", "agent segment"),
    ),
)

_FIELDS = Compaction.__struct_fields__
_COLUMNS = ", ".join(f'"{name}"' for name in _FIELDS)
_MARKS = ", ".join(f":{name}" for name in _FIELDS)


def insert(rows: Rows, compaction: Compaction) -> None:
    """Add a change of an agent's window."""
    rows.run(
        f"INSERT INTO compaction({_COLUMNS}) VALUES({_MARKS})",
        cast("dict[str, Cell]", msgspec.structs.asdict(compaction)),
    )


def in_force(rows: Rows, *, agent: str, segment: int | None = None) -> Compaction | None:
    """Return the change whose window an agent's newest segment sends, or segment `segment`."""
    return rows.one(
        Compaction,
        f"SELECT {_COLUMNS} FROM compaction WHERE agent=:agent "
        "AND (CAST(:segment AS BIGINT) IS NULL OR segment <= :segment) "
        "ORDER BY number DESC LIMIT 1",
        {"agent": agent, "segment": segment},
    )


def find(rows: Rows, *, agent: str, number: int) -> Compaction | None:
    """Return one change, or None."""
    return rows.one(
        Compaction,
        f"SELECT {_COLUMNS} FROM compaction WHERE agent=:agent AND number=:number",
        {"agent": agent, "number": number},
    )


def all_of(rows: Rows, *, agent: str) -> list[Compaction]:
    """Return all changes of an agent's window, oldest first."""
    return rows.all(
        Compaction,
        f"SELECT {_COLUMNS} FROM compaction WHERE agent=:agent ORDER BY number",
        {"agent": agent},
    )
