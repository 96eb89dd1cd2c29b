"""Rows of reflections on iterations and of patterns over them."""

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import to_json
from mindpipe.engine.records.reflection import IterationPattern, IterationReflection, PatternState


class _Body(msgspec.Struct):
    """The one column of a row that holds a record."""

    body: str


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
    changed = rows.run("UPDATE pattern SET state = :state, body = :body WHERE id = :id", values)
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
    rows: Rows, *, agent: str, state: PatternState | None = None, limit: int = -1
) -> list[IterationPattern]:
    """Return an agent's newest patterns, all or those in one state, oldest first."""
    found = rows.all(
        _Body,
        "SELECT body FROM pattern WHERE agent = :agent AND (:state IS NULL OR state = :state)"
        " ORDER BY iteration DESC, id LIMIT :limit",
        {"agent": agent, "state": state and state.value, "limit": limit},
    )
    return [msgspec.json.decode(one.body, type=IterationPattern) for one in reversed(found)]
