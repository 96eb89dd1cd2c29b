"""Up to which message of its history an agent's log was read for items."""

from mindpipe.core.migrations import Migration
from mindpipe.core.ports import Rows

MIGRATIONS = (
    Migration(
        name="0025_extraction",
        sql="""
        CREATE TABLE extraction_mark(
            agent TEXT PRIMARY KEY,
            upto INTEGER NOT NULL CHECK(upto >= 0)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


def mark(rows: Rows, *, agent: str) -> int:
    """Return the sequence number of the last message that was read, or 0."""
    sql = "SELECT upto FROM extraction_mark WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent}) or 0


def set_mark(rows: Rows, *, agent: str, upto: int) -> None:
    """Remember the last message that was read; the mark never goes back."""
    rows.run(
        "INSERT INTO extraction_mark(agent, upto) VALUES(:agent, :upto) "
        "ON CONFLICT(agent) DO UPDATE SET upto = max(upto, excluded.upto)",
        {"agent": agent, "upto": upto},
    )
