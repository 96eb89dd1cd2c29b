"""The ledger's rows."""

from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration
from mindpipe.spending.records import (
    LEAST_CALIBRATION,
    MOST_CALIBRATION,
    Cost,
    EntryState,
    LedgerEntry,
    NewLedgerEntry,
    Settlement,
)

MIGRATIONS = (
    Migration(
        name="0007_spending",
        sql="""
        CREATE TABLE ledger(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            turn INTEGER NOT NULL, attempt INTEGER NOT NULL, purpose TEXT NOT NULL,
            model TEXT NOT NULL, day TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('reserved', 'settled', 'lost', 'void')),
            micros INTEGER NOT NULL CHECK(micros >= 0), priced INTEGER NOT NULL,
            input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
            at TEXT NOT NULL,
            UNIQUE(agent, cycle, turn, attempt)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ledger_by_day ON ledger(day, agent, state, micros);
        """,
    ),
    Migration(
        name="0017_counted_spending",
        sql="""
        ALTER TABLE ledger ADD COLUMN counted_tokens INTEGER;
        ALTER TABLE ledger ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
        """,
    ),
    Migration(
        name="0045_clamped_spending",
        sql="ALTER TABLE ledger ADD COLUMN clamped INTEGER NOT NULL DEFAULT 0;",
    ),
)

_COLUMNS = (
    "id, agent, cycle, turn, attempt, purpose, model, day, state, micros, priced, "
    "input_tokens, output_tokens, at, counted_tokens, cached_tokens, clamped"
)
_NEWEST = 100


def insert(rows: Rows, entry: NewLedgerEntry, *, day: str, at: str) -> None:
    """Add one reservation."""
    rows.run(
        f"INSERT INTO ledger({_COLUMNS}) VALUES(:id, :agent, :cycle, :turn, :attempt, :purpose, "
        ":model, :day, 'reserved', :micros, :priced, 0, 0, :at, :counted, 0, 0)",
        {
            "id": entry.id,
            "agent": entry.agent,
            "cycle": entry.cycle,
            "turn": entry.turn,
            "attempt": entry.attempt,
            "purpose": entry.purpose,
            "model": entry.model,
            "day": day,
            "micros": entry.micros or 0,
            "priced": int(entry.micros is not None),
            "at": at,
            "counted": entry.counted_tokens,
        },
    )


def spent_in_cycle(rows: Rows, *, agent: str, cycle: int) -> int:
    """Return what a cycle has cost or may still cost, in micro-dollars."""
    return (
        rows.value(
            int,
            "SELECT CAST(sum(micros) AS BIGINT) FROM ledger WHERE agent=:agent AND cycle=:cycle "
            "AND state != 'void'",
            {"agent": agent, "cycle": cycle},
        )
        or 0
    )


def spent_on_day(
    rows: Rows, *, day: str, agent: str | None = None, purpose: str | None = None
) -> int:
    """Return what a day has cost or may still cost, of one agent or purpose or of all."""
    return (
        rows.value(
            int,
            "SELECT CAST(sum(micros) AS BIGINT) FROM ledger WHERE day=:day AND state != 'void' "
            "AND (CAST(:agent AS TEXT) IS NULL OR agent=:agent) "
            "AND (CAST(:purpose AS TEXT) IS NULL OR purpose=:purpose)",
            {"day": day, "agent": agent, "purpose": purpose},
        )
        or 0
    )


def find(rows: Rows, entry_id: str) -> LedgerEntry | None:
    """Return one entry."""
    return rows.one(LedgerEntry, f"SELECT {_COLUMNS} FROM ledger WHERE id=:id", {"id": entry_id})


def reserved_of(rows: Rows, *, agent: str, cycle: int) -> list[str]:
    """Return the ids of a cycle's entries that are still reserved."""
    return rows.all(
        str,
        "SELECT id FROM ledger WHERE agent=:agent AND cycle=:cycle AND state='reserved'",
        {"agent": agent, "cycle": cycle},
    )


def set_state(rows: Rows, entry_id: str, state: EntryState) -> None:
    """Change an entry's state and nothing else."""
    rows.run("UPDATE ledger SET state=:state WHERE id=:id", {"state": state.value, "id": entry_id})


def settle(rows: Rows, settlement: Settlement) -> None:
    """Replace a reservation by the true cost and tokens; a count that nobody reported goes.

    Where nobody reported the input, it is what we counted of the request, if that was counted.
    """
    usage = settlement.usage
    cached = usage.cache_read_tokens
    rows.run(
        "UPDATE ledger SET state='settled', micros=:micros, priced=:priced, "
        "input_tokens=CASE :reported WHEN 1 THEN :input ELSE coalesce(counted_tokens, :input) END, "
        "output_tokens=:output, cached_tokens=:cached, clamped=:clamped, "
        "counted_tokens=CASE :reported WHEN 1 THEN counted_tokens END WHERE id=:id",
        {
            "id": settlement.id,
            "micros": settlement.micros or 0,
            "priced": int(settlement.micros is not None),
            "input": (usage.input_tokens or 0) + cached + usage.cache_write_tokens,
            "output": usage.output_tokens or 0,
            "cached": cached,
            "reported": int(settlement.reported),
            "clamped": int(usage.clamped),
        },
    )


def last_reported(rows: Rows, *, agent: str, model: str) -> LedgerEntry | None:
    """Return the last turn of an agent of which a model reported believably what we had counted.

    It is looked for among the newest 100 calls, so that it takes no longer in a long life.
    """
    return rows.one(
        LedgerEntry,
        f"SELECT {_COLUMNS} FROM (SELECT * FROM ledger WHERE agent=:agent "
        "ORDER BY cycle DESC, turn DESC, attempt DESC LIMIT :newest) AS newest WHERE model=:model "
        "AND purpose='think' AND state='settled' AND counted_tokens > 0 "
        "AND input_tokens BETWEEN :least * counted_tokens AND :most * counted_tokens "
        "ORDER BY cycle DESC, turn DESC, attempt DESC LIMIT 1",
        {
            "agent": agent,
            "model": model,
            "newest": _NEWEST,
            "least": LEAST_CALIBRATION,
            "most": MOST_CALIBRATION,
        },
    )


def last_request(rows: Rows, agent: str) -> LedgerEntry | None:
    """Return the newest settled turn of an agent, among its newest 100 calls."""
    return rows.one(
        LedgerEntry,
        f"SELECT {_COLUMNS} FROM (SELECT * FROM ledger WHERE agent=:agent "
        "ORDER BY cycle DESC, turn DESC, attempt DESC LIMIT :newest) AS newest "
        "WHERE purpose='think' AND state='settled' "
        "ORDER BY cycle DESC, turn DESC, attempt DESC LIMIT 1",
        {"agent": agent, "newest": _NEWEST},
    )


def _sum(column: str, *, of: EntryState | None = None) -> str:
    """Return the SQL of a column's sum as a whole number, over the entries in one state or all."""
    where = "" if of is None else f" FILTER (WHERE state='{of.value}')"
    return f"CAST(coalesce(sum({column}){where}, 0) AS BIGINT)"


def costs(rows: Rows, *, agent: str | None, since: str | None) -> list[Cost]:
    """Return what was spent, by agent, model and day."""
    return rows.all(
        Cost,
        f"SELECT agent, model, day, count(*) AS calls, {_sum('input_tokens')} AS input_tokens, "
        f"{_sum('cached_tokens')} AS cached_tokens, {_sum('output_tokens')} AS output_tokens, "
        f"{_sum('micros', of=EntryState.SETTLED)} AS settled_micros, "
        f"{_sum('micros', of=EntryState.RESERVED)} AS reserved_micros, "
        f"{_sum('micros', of=EntryState.LOST)} AS lost_micros, "
        "count(*) FILTER (WHERE priced = 0) AS unpriced_calls, "
        "count(*) FILTER (WHERE clamped = 1) AS clamped_calls "
        "FROM ledger WHERE state != 'void' AND (CAST(:agent AS TEXT) IS NULL OR agent=:agent) "
        "AND (CAST(:since AS TEXT) IS NULL OR day >= :since) "
        "GROUP BY agent, model, day ORDER BY day, agent, model",
        {"agent": agent, "since": since},
    )


def cycle_entries(rows: Rows, *, agent: str, cycle: int) -> list[LedgerEntry]:
    """Return the entries of one cycle in order."""
    return rows.all(
        LedgerEntry,
        f"SELECT {_COLUMNS} FROM ledger WHERE agent=:agent AND cycle=:cycle ORDER BY turn, attempt",
        {"agent": agent, "cycle": cycle},
    )
