"""Rows of attention: concerns, their turns, what is familiar, reflections, patterns."""

from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.ports import NO_LIMIT, Cell, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.engine.records.attention import (
    Concern,
    ConcernTurns,
    IterationPattern,
    IterationReflection,
    PatternState,
)

MIGRATIONS = (
    Migration(
        name="0030_concerns",
        sql="""
        CREATE TABLE concern(
            agent TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
            focus INTEGER NOT NULL CHECK(focus IN (0, 1)), body TEXT NOT NULL,
            PRIMARY KEY(agent, name)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX concern_focus ON concern(agent) WHERE focus = 1;
        CREATE TABLE attention_turn(
            agent TEXT NOT NULL, concern TEXT NOT NULL, credit REAL NOT NULL,
            turns INTEGER NOT NULL, last INTEGER NOT NULL, fired INTEGER NOT NULL,
            yields_until INTEGER NOT NULL,
            PRIMARY KEY(agent, concern)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE familiar(
            agent TEXT NOT NULL, mark TEXT NOT NULL, met INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY(agent, mark)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX familiar_last ON familiar(agent, last);
        CREATE TABLE iteration_reflection(
            agent TEXT NOT NULL, number INTEGER NOT NULL, iteration INTEGER NOT NULL,
            cycle INTEGER, at TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX iteration_reflection_cycle ON iteration_reflection(agent, cycle)
            WHERE cycle IS NOT NULL;
        CREATE INDEX iteration_reflection_at ON iteration_reflection(agent, at);
        CREATE TABLE pattern(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, iteration INTEGER NOT NULL,
            kind TEXT NOT NULL
                CHECK(kind IN ('stuck', 'oscillating', 'ineffective', 'overloaded')),
            state TEXT NOT NULL CHECK(state IN ('in_force', 'over', 'undone')),
            body TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pattern_agent ON pattern(agent, iteration);
        """,
    ),
)

MOST_FAMILIAR = 2000
"""How many marks of an agent are kept, the newest."""
_TURNS = ", ".join(ConcernTurns.__struct_fields__)
_TURN_MARKS = ", ".join(f":{name}" for name in ConcernTurns.__struct_fields__)
_TURNS_NOW = ", ".join(f"{name} = excluded.{name}" for name in ConcernTurns.__struct_fields__)


class _Body(msgspec.Struct):
    """The one column of a row that holds a record."""

    body: str


class _Met(msgspec.Struct):
    """How often something was met."""

    mark: str
    met: int


def concerns_of(rows: Rows, *, agent: str) -> list[Concern]:
    """Return an agent's concerns in the order in which they were added."""
    sql = "SELECT body FROM concern WHERE agent = :agent ORDER BY number, name"
    found = rows.all(_Body, sql, {"agent": agent})
    return [msgspec.json.decode(one.body, type=Concern) for one in found]


def save_concern(rows: Rows, concern: Concern) -> None:
    """Keep a concern, new or changed; one that takes the focus must find it free."""
    rows.run(
        "INSERT INTO concern(agent, name, number, focus, body) VALUES(:agent, :name,"
        " (SELECT coalesce(max(number), 0) + 1 FROM concern WHERE agent = :agent), :focus, :body)"
        " ON CONFLICT(agent, name) DO UPDATE SET focus = excluded.focus, body = excluded.body",
        {
            "agent": concern.agent,
            "name": concern.name,
            "focus": int(concern.focus),
            "body": to_json(concern).decode(),
        },
    )


def delete_concern(rows: Rows, *, agent: str, name: str) -> None:
    """Forget a concern and its turns."""
    values = {"agent": agent, "name": name}
    rows.run("DELETE FROM concern WHERE agent = :agent AND name = :name", values)
    rows.run("DELETE FROM attention_turn WHERE agent = :agent AND concern = :name", values)


def turns_of(rows: Rows, *, agent: str) -> dict[str, ConcernTurns]:
    """Return how an agent's concerns stand, by name."""
    sql = f"SELECT {_TURNS} FROM attention_turn WHERE agent = :agent"
    return {one.concern: one for one in rows.all(ConcernTurns, sql, {"agent": agent})}


def save_turns(rows: Rows, turns: Iterable[ConcernTurns], *, agent: str) -> None:
    """Keep how concerns stand."""
    for one in turns:
        rows.run(
            f"INSERT INTO attention_turn(agent, {_TURNS}) VALUES(:agent, {_TURN_MARKS})"
            f" ON CONFLICT(agent, concern) DO UPDATE SET {_TURNS_NOW}",
            {"agent": agent, **msgspec.structs.asdict(one)},
        )


def met(rows: Rows, *, agent: str, marks: Iterable[str]) -> dict[str, int]:
    """Return how often each of some marks was met, of those that were."""
    found = rows.all(
        _Met,
        "SELECT mark, met FROM familiar WHERE agent = :agent AND mark IN :marks",
        {"agent": agent, "marks": sorted(set(marks))},
    )
    return {one.mark: one.met for one in found}


def meet(rows: Rows, *, agent: str, marks: Sequence[str], iteration: int) -> None:
    """Count marks as met once more, and let go of the oldest beyond `MOST_FAMILIAR`."""
    rows.run_many(
        "INSERT INTO familiar(agent, mark, met, last) VALUES(?1, ?2, 1, ?3)"
        " ON CONFLICT(agent, mark) DO UPDATE SET met = familiar.met + 1, last = ?3",
        ((agent, mark, iteration) for mark in marks),
    )
    rows.run(
        "DELETE FROM familiar WHERE agent = :agent AND mark IN (SELECT mark FROM familiar"
        " WHERE agent = :agent ORDER BY last DESC, mark LIMIT :all OFFSET :most)",
        {"agent": agent, "all": NO_LIMIT, "most": MOST_FAMILIAR},
    )


def add_reflection(rows: Rows, one: IterationReflection) -> None:
    """Keep the reflection on an iteration behind the others of its agent."""
    rows.run(
        "INSERT INTO iteration_reflection(agent, number, iteration, cycle, at, body)"
        " VALUES(:agent, (SELECT coalesce(max(number), 0) + 1 FROM iteration_reflection"
        " WHERE agent = :agent), :iteration, :cycle, :at, :body)",
        {
            "agent": one.agent,
            "iteration": one.iteration,
            "cycle": one.cycle,
            "at": one.at,
            "body": to_json(one).decode(),
        },
    )


def forget_old(rows: Rows, *, agent: str, keep: int) -> None:
    """Let go of all but an agent's newest reflections on iterations."""
    rows.run(
        "DELETE FROM iteration_reflection WHERE agent = :agent AND number <="
        " (SELECT max(number) FROM iteration_reflection WHERE agent = :agent) - :keep",
        {"agent": agent, "keep": keep},
    )


def of_cycle(rows: Rows, *, agent: str, cycle: int) -> IterationReflection | None:
    """Return the reflection on a cycle, or None."""
    sql = "SELECT body FROM iteration_reflection WHERE agent = :agent AND cycle = :cycle"
    found = rows.one(_Body, sql, {"agent": agent, "cycle": cycle})
    return None if found is None else msgspec.json.decode(found.body, type=IterationReflection)


def newest(rows: Rows, *, agent: str, limit: int) -> list[IterationReflection]:
    """Return an agent's newest reflections, oldest first."""
    found = rows.all(
        _Body,
        "SELECT body FROM iteration_reflection WHERE agent = :agent"
        " ORDER BY number DESC LIMIT :limit",
        {"agent": agent, "limit": limit},
    )
    return [msgspec.json.decode(one.body, type=IterationReflection) for one in reversed(found)]


def between(rows: Rows, *, agent: str, since: str, until: str) -> list[IterationReflection]:
    """Return the reflections on iterations from an instant to before another, oldest first."""
    found = rows.all(
        _Body,
        "SELECT body FROM iteration_reflection WHERE agent = :agent"
        " AND at >= :since AND at < :until ORDER BY number",
        {"agent": agent, "since": since, "until": until},
    )
    return [msgspec.json.decode(one.body, type=IterationReflection) for one in found]


def since(rows: Rows, *, agent: str, since: str) -> list[IterationReflection]:
    """Return the reflections on iterations from an instant on, oldest first."""
    return between(rows, agent=agent, since=since, until="9999-12-31T23:59:59Z")


def last_cycle(rows: Rows, *, agent: str) -> int:
    """Return the number of the last cycle that was reflected on, or 0."""
    sql = "SELECT max(cycle) FROM iteration_reflection WHERE agent = :agent AND cycle > 0"
    return rows.value(int, sql, {"agent": agent}) or 0


def save_pattern(rows: Rows, pattern: IterationPattern) -> bool:
    """Keep a pattern, new or changed; tell whether it was new."""
    values: dict[str, Cell] = {
        "id": pattern.id,
        "agent": pattern.agent,
        "iteration": pattern.iteration,
        "kind": pattern.kind.value,
        "state": pattern.state.value,
        "body": to_json(pattern).decode(),
    }
    changed = rows.changed("UPDATE pattern SET state = :state, body = :body WHERE id = :id", values)
    if changed:
        return False
    rows.run(
        "INSERT INTO pattern(id, agent, iteration, kind, state, body)"
        " VALUES(:id, :agent, :iteration, :kind, :state, :body)",
        values,
    )
    return True


def find_pattern(rows: Rows, id: str) -> IterationPattern | None:
    """Return one pattern, or None."""
    found = rows.one(_Body, "SELECT body FROM pattern WHERE id = :id", {"id": id})
    return None if found is None else msgspec.json.decode(found.body, type=IterationPattern)


def patterns_of(
    rows: Rows, *, agent: str, state: PatternState | None = None, limit: int = NO_LIMIT
) -> list[IterationPattern]:
    """Return an agent's newest patterns, all or those in one state, oldest first."""
    found = rows.all(
        _Body,
        "SELECT body FROM pattern WHERE agent = :agent"
        " AND (CAST(:state AS TEXT) IS NULL OR state = :state)"
        " ORDER BY iteration DESC, id LIMIT :limit",
        {"agent": agent, "state": state and state.value, "limit": limit},
    )
    return [msgspec.json.decode(one.body, type=IterationPattern) for one in reversed(found)]
