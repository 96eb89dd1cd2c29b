"""Rows of decisions: what was decided on an observation, and what waits for a person."""

from collections.abc import Collection

import msgspec

from mindpipe.core.ports import Given, Rows
from mindpipe.knowledge.records import BeliefDecision
from mindpipe.knowledge.tables.observations import ANSWER, DECISION, cells, inserted, read


def insert(rows: Rows, decision: BeliefDecision) -> None:
    """Add a decision, unless the same was made before."""
    names = DECISION.split()
    rows.run(
        f"{inserted('observation_decision', names)} ON CONFLICT(agent, id) DO NOTHING",
        cells(decision, names),
    )


def answer(rows: Rows, decision: BeliefDecision) -> int:
    """Keep the answer to a queued decision; return 0 if it was answered already."""
    changes = ", ".join(f"{name} = :{name}" for name in sorted(ANSWER))
    return rows.changed(
        f"UPDATE observation_decision SET {changes} WHERE agent = :agent AND id = :id "
        "AND state = 'queued'",
        cells(decision, ["agent", "id", *ANSWER]),
    )


def find(
    rows: Rows, *, agent: str, ids: Collection[str] = (), key: str | None = None
) -> list[BeliefDecision]:
    """Return decisions of an agent, oldest first: all, those with some ids, or of one key."""
    values: dict[str, Given] = {"agent": agent, "key": key, "ids": [*ids]}
    of_some = " AND id IN :ids" if ids else ""
    found = rows.all(
        dict[str, object],
        f"SELECT {', '.join(DECISION.split())} FROM observation_decision WHERE agent = :agent "
        f"AND (CAST(:key AS TEXT) IS NULL OR canonical_key = :key){of_some} ORDER BY number",
        values,
    )
    return [msgspec.convert(read(row), BeliefDecision) for row in found]
