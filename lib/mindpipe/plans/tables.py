"""Rows of plans and of their windows; a window's row is what makes it run once."""

from collections.abc import Mapping
from typing import cast

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.core.sources import stored_sources, with_sources
from mindpipe.plans.records import Plan, PlanWindow, WindowClaim, WindowOutcome, WindowState

MIGRATIONS = (
    Migration(
        name="0005_plans",
        sql="""
    CREATE TABLE plan(
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        cron TEXT,
        at TEXT,
        after INTEGER,
        zone TEXT NOT NULL,
        catch_up TEXT NOT NULL CHECK(catch_up IN ('once', 'all', 'none')),
        created TEXT NOT NULL,
        since TEXT NOT NULL,
        next TEXT,
        last TEXT,
        state TEXT NOT NULL CHECK(state IN ('active', 'done')),
        UNIQUE(agent, number),
        CHECK((cron IS NOT NULL) + (at IS NOT NULL) + (after IS NOT NULL) = 1)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plan_by_next ON plan(state, next);
    CREATE TABLE plan_count(agent TEXT PRIMARY KEY, made INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE plan_window(
        plan TEXT NOT NULL REFERENCES plan(id),
        window TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('claimed', 'done', 'skipped', 'lost')),
        attempts INTEGER NOT NULL,
        boot TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY(plan, window)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plan_window_open ON plan_window(plan, window) WHERE state = 'claimed';
    """,
    ),
    Migration(
        name="0012_plan_sources",
        sql="ALTER TABLE plan ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';",
    ),
    Migration(
        name="0043_plan_outcomes",
        sql="""
    ALTER TABLE plan ADD COLUMN expects TEXT NOT NULL DEFAULT '[]';
    CREATE TABLE plan_outcome(
        plan TEXT NOT NULL, window TEXT NOT NULL, attempt INTEGER NOT NULL,
        since TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('open', 'met', 'failed')),
        at TEXT, why TEXT,
        PRIMARY KEY(plan, window, attempt),
        FOREIGN KEY(plan, window) REFERENCES plan_window(plan, window),
        CHECK((state = 'open') = (at IS NULL)), CHECK((state = 'failed') = (why IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plan_outcome_open ON plan_outcome(plan) WHERE state = 'open';
    CREATE INDEX plan_window_by_time ON plan_window(window);
    """,
    ),
)

_PLAN = (
    "SELECT id, agent, title, text, cron, at, after, zone, catch_up, created, since, next, last,"
    " state, expects, sources,"
    " (SELECT count(*) FROM plan_window WHERE plan = plan.id AND state = 'lost') AS lost FROM plan"
)
_OF_AGENT = "(CAST(:agent AS TEXT) IS NULL OR agent = :agent)"
_CLAIM = 'SELECT plan, "window", attempts, boot, seconds FROM plan_window'
_OF_WINDOW = 'plan = :plan AND "window" = :window'


def next_number(rows: Rows, agent: str) -> int:
    """Return the number of the agent's next plan; no number is ever given twice."""
    rows.run(
        "INSERT INTO plan_count(agent, made) VALUES(:agent, 1)"
        " ON CONFLICT(agent) DO UPDATE SET made = plan_count.made + 1",
        {"agent": agent},
    )
    return (
        rows.value(int, "SELECT made FROM plan_count WHERE agent = :agent", {"agent": agent}) or 0
    )


def add_plan(rows: Rows, plan: Plan, *, number: int) -> None:
    """Keep a new plan."""
    rows.run(
        "INSERT INTO plan(id, agent, number, title, text, cron, at, after, zone, catch_up,"
        " created, since, next, last, state, expects, sources) VALUES(:id, :agent, :number, :title,"
        " :text, :cron, :at, :after, :zone, :catch_up, :created, :since, :next, :last, :state,"
        " :expects, :sources)",
        {**_cells(plan), "number": number},
    )


def update_plan(rows: Rows, plan: Plan) -> None:
    """Keep a changed plan."""
    rows.run(
        "UPDATE plan SET title = :title, text = :text, cron = :cron, at = :at, after = :after,"
        " zone = :zone, catch_up = :catch_up, since = :since, next = :next, last = :last,"
        " state = :state, expects = :expects, sources = :sources WHERE id = :id",
        _cells(plan),
    )


def find_plan(rows: Rows, plan: str) -> Plan | None:
    """Return one plan, or None."""
    found = _plans(rows, f"{_PLAN} WHERE id = :plan", {"plan": plan})
    return found[0] if found else None


def plans_of(rows: Rows, agent: str | None) -> list[Plan]:
    """Return the plans of one agent, or of all, in the order in which they were made."""
    return _plans(rows, f"{_PLAN} WHERE {_OF_AGENT} ORDER BY agent, number", {"agent": agent})


def _plans(rows: Rows, sql: str, values: Mapping[str, Cell]) -> list[Plan]:
    """Return the plans that a statement names."""
    found = rows.all(dict[str, object], sql, values)
    return [msgspec.convert(_with_expects(with_sources(row)), Plan) for row in found]


def _with_expects(row: dict[str, object]) -> dict[str, object]:
    """Return a row with its postconditions as a list."""
    return {**row, "expects": msgspec.json.decode(str(row["expects"]))}


def delete_plan(rows: Rows, plan: str) -> None:
    """Forget a plan and its windows."""
    rows.run("DELETE FROM plan_outcome WHERE plan = :plan", {"plan": plan})
    rows.run("DELETE FROM plan_window WHERE plan = :plan", {"plan": plan})
    rows.run("DELETE FROM plan WHERE id = :plan", {"plan": plan})


def plans_to_look_at(rows: Rows, agent: str | None, now: str) -> list[Plan]:
    """Return the plans whose next window has come.

    A plan whose last window lies in the future, because the clock went back, is among them.
    """
    return _plans(
        rows,
        f"{_PLAN} WHERE {_OF_AGENT} AND state = 'active' AND (next <= :now OR last > :now)"
        " ORDER BY agent, number",
        {"agent": agent, "now": now},
    )


def next_window(rows: Rows, agent: str) -> str | None:
    """Return the first of the next windows of an agent's plans, or None."""
    return rows.value(
        str,
        "SELECT min(next) FROM plan WHERE agent = :agent AND state = 'active'",
        {"agent": agent},
    )


def last_window(rows: Rows, plan: str, now: str) -> str | None:
    """Return the latest window up to now that has a row."""
    return rows.value(
        str,
        'SELECT max("window") FROM plan_window WHERE plan = :plan AND "window" <= :now',
        {"plan": plan, "now": now},
    )


def add_window(rows: Rows, claim: WindowClaim, state: WindowState) -> bool:
    """Keep a row for a window and return True, or return False where it has one."""
    return bool(
        rows.changed(
            'INSERT INTO plan_window(plan, "window", state, attempts, boot, seconds)'
            " VALUES(:plan, :window, :state, :attempts, :boot, :seconds)"
            ' ON CONFLICT(plan, "window") DO NOTHING',
            {**_claim_cells(claim), "state": state},
        )
    )


def open_claims(rows: Rows, agent: str | None) -> list[WindowClaim]:
    """Return the claims that nobody has settled, oldest window first."""
    return rows.all(
        WindowClaim,
        f"{_CLAIM} WHERE state = 'claimed'"
        f' AND plan IN (SELECT id FROM plan WHERE {_OF_AGENT}) ORDER BY "window", plan',
        {"agent": agent},
    )


def change_claim(rows: Rows, claim: WindowClaim, *, held: int) -> None:
    """Keep a claim in the place of the one with `held` attempts, if that still stands."""
    rows.run(
        "UPDATE plan_window SET attempts = :attempts, boot = :boot, seconds = :seconds"
        f" WHERE {_OF_WINDOW} AND state = 'claimed' AND attempts = :held",
        {**_claim_cells(claim), "held": held},
    )


def end_claim(rows: Rows, claim: WindowClaim, state: WindowState) -> None:
    """Keep how a claimed window ended; one that has ended stays as it is."""
    rows.run(
        f"UPDATE plan_window SET state = :state WHERE {_OF_WINDOW} AND state = 'claimed'",
        {"plan": claim.plan, "window": claim.window, "state": state},
    )


def add_outcome(rows: Rows, outcome: WindowOutcome) -> None:
    """Keep what an attempt at a window has come to so far."""
    rows.run(
        'INSERT INTO plan_outcome(plan, "window", attempt, since, state, at, why)'
        " VALUES(:plan, :window, :attempt, :since, :state, :at, :why)"
        ' ON CONFLICT(plan, "window", attempt) DO NOTHING',
        cast("dict[str, Cell]", msgspec.structs.asdict(outcome)),
    )


def judge_outcome(rows: Rows, outcome: WindowOutcome) -> bool:
    """Keep how an open attempt was judged, and tell whether it was open."""
    return bool(
        rows.changed(
            "UPDATE plan_outcome SET state = :state, at = :at, why = :why"
            f" WHERE {_OF_WINDOW} AND attempt = :attempt AND state = 'open'",
            cast(
                "dict[str, Cell]",
                {
                    name: value
                    for name, value in msgspec.structs.asdict(outcome).items()
                    if name != "since"
                },
            ),
        )
    )


def open_outcomes(rows: Rows, agent: str) -> list[WindowOutcome]:
    """Return the attempts of an agent's plans that nobody has judged, oldest window first."""
    return rows.all(
        WindowOutcome,
        'SELECT plan, "window", attempt, since, state, at, why FROM plan_outcome'
        " WHERE state = 'open' AND plan IN (SELECT id FROM plan WHERE agent = :agent)"
        ' ORDER BY "window", plan',
        {"agent": agent},
    )


def handed_over(rows: Rows, *, plan: str, window: str) -> str | None:
    """Return when a window with postconditions was first handed over, or None if it never was."""
    return rows.value(
        str,
        f"SELECT min(since) FROM plan_outcome WHERE {_OF_WINDOW}",
        {"plan": plan, "window": window},
    )


_LAST_TRY = (
    " LEFT JOIN plan_outcome o ON o.plan = w.plan AND o.window = w.window AND o.attempt ="
    ' (SELECT max(attempt) FROM plan_outcome WHERE plan = w.plan AND "window" = w.window)'
)


def windows_of(rows: Rows, *, agent: str | None, plan: str | None, limit: int) -> list[PlanWindow]:
    """Return the newest windows that came due, each with its last attempt, the oldest first."""
    return rows.all(
        PlanWindow,
        "SELECT p.id AS plan, p.agent, p.title, w.window, w.state, o.state AS outcome, o.attempt,"
        f" o.at, o.why FROM plan_window w JOIN plan p ON p.id = w.plan{_LAST_TRY}"
        " WHERE (CAST(:agent AS TEXT) IS NULL OR p.agent = :agent)"
        " AND (CAST(:plan AS TEXT) IS NULL OR p.id = :plan)"
        " ORDER BY w.window DESC, p.number DESC LIMIT :limit",
        {"agent": agent, "plan": plan, "limit": limit},
    )[::-1]


def count_missed(rows: Rows, *, agent: str, since: str, overdue: str) -> int:
    """Return how many windows after an instant were lost, let go or failed, or are overdue.

    A plan whose next window came before the instant `overdue` counts as one.
    """
    found = rows.value(
        int,
        f"SELECT (SELECT count(*) FROM plan_window w JOIN plan p ON p.id = w.plan{_LAST_TRY}"
        " WHERE p.agent = :agent AND w.window > :since"
        " AND (w.state = 'lost' OR w.state = 'skipped' AND p.catch_up = 'none'"
        " OR o.state = 'failed'))"
        " + (SELECT count(*) FROM plan"
        " WHERE agent = :agent AND state = 'active' AND next < :overdue)",
        {"agent": agent, "since": since, "overdue": overdue},
    )
    return found or 0


def _cells(plan: Plan) -> dict[str, Cell]:
    """Return a plan's fields as named parameters."""
    cells = {
        **msgspec.structs.asdict(plan),
        "expects": to_json(plan.expects).decode(),
        "sources": stored_sources(plan.sources),
    }
    return cast("dict[str, Cell]", cells)


def _claim_cells(claim: WindowClaim) -> dict[str, Cell]:
    """Return a claim's fields as named parameters."""
    return cast("dict[str, Cell]", msgspec.structs.asdict(claim))
