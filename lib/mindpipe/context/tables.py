"""Rows of what is not taken on trust: whose words each cycle took in, and what was cleared."""

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from mindpipe.context.records import Clearance, LeftOut
from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.core.sources import stored_sources, with_sources
from mindpipe.history.records import CycleSource

MIGRATIONS = (
    Migration(
        name="0013_cycle_sources",
        sql="""
        CREATE TABLE cycle_source(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, source TEXT NOT NULL,
            PRIMARY KEY(agent, cycle, source)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE clearance(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            kind TEXT NOT NULL CHECK(kind IN ('event', 'cycle', 'note', 'goal', 'plan')),
            subject TEXT NOT NULL, sources TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX clearance_of ON clearance(agent, kind);
        """,
    ),
    Migration(
        name="0035_left_out",
        sql="""
        CREATE TABLE segment_left_out(
            agent TEXT NOT NULL, segment INTEGER NOT NULL, records TEXT NOT NULL,
            PRIMARY KEY(agent, segment)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


def add_sources(rows: Rows, *, agent: str, cycle: int, sources: Iterable[str]) -> None:
    """Remember whose words a cycle took in, beside those that are known."""
    rows.run_many(
        "INSERT INTO cycle_source(agent, cycle, source) VALUES(?, ?, ?) "
        "ON CONFLICT(agent, cycle, source) DO NOTHING",
        ((agent, cycle, source) for source in sources),
    )


def sources(rows: Rows, *, agent: str, first: int, last: int) -> list[CycleSource]:
    """Return whose words the cycles of a range took in."""
    return rows.all(
        CycleSource,
        "SELECT cycle, source FROM cycle_source WHERE agent=:agent "
        "AND cycle BETWEEN :first AND :last ORDER BY cycle, source",
        {"agent": agent, "first": first, "last": last},
    )


def known_sources(rows: Rows, *, agent: str) -> list[str]:
    """Return all whose words an agent ever took in, by name."""
    sql = "SELECT DISTINCT source FROM cycle_source WHERE agent=:agent ORDER BY source"
    return rows.all(str, sql, {"agent": agent})


def add_left_out(rows: Rows, *, agent: str, segment: int, records: Sequence[LeftOut]) -> None:
    """Remember what did not fit into the head of a segment."""
    rows.run(
        "INSERT INTO segment_left_out(agent, segment, records) VALUES(:agent, :segment, :records)",
        {"agent": agent, "segment": segment, "records": to_json(records).decode()},
    )


def left_out(rows: Rows, *, agent: str, segment: int) -> tuple[LeftOut, ...]:
    """Return what did not fit into the head of a segment."""
    found = rows.value(
        str,
        "SELECT records FROM segment_left_out WHERE agent = :agent AND segment = :segment",
        {"agent": agent, "segment": segment},
    )
    return msgspec.json.decode(found, type=tuple[LeftOut, ...]) if found else ()


def add_clearance(rows: Rows, clearance: Clearance) -> None:
    """Remember that the operator has read something and vouches for it."""
    cells = {**msgspec.structs.asdict(clearance), "sources": stored_sources(clearance.sources)}
    rows.run(
        "INSERT INTO clearance(agent, kind, subject, sources, person, at) "
        "VALUES(:agent, :kind, :subject, :sources, :person, :at)",
        cast("dict[str, Cell]", cells),
    )


def clearances(rows: Rows, *, agent: str, kind: str | None = None) -> list[Clearance]:
    """Return what was cleared of an agent, of one kind or of all, oldest first."""
    found = rows.all(
        dict[str, object],
        "SELECT agent, kind, subject, sources, person, at FROM clearance "
        "WHERE agent=:agent AND (CAST(:kind AS TEXT) IS NULL OR kind=:kind) ORDER BY number",
        {"agent": agent, "kind": kind},
    )
    return [msgspec.convert(with_sources(row), Clearance) for row in found]
