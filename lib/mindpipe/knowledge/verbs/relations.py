"""How what is found stands to other things: marks between items, successions, what backs a belief.

Every search asks for these, so that this file loads nothing of what beliefs are made with.
"""

from collections.abc import Collection

from mindpipe.core.ports import Rows, Store
from mindpipe.knowledge.records import BeliefMark, BeliefStatus, ObservationFilter
from mindpipe.knowledge.tables import marks as marks_table
from mindpipe.knowledge.tables import observations, windows


def marks_of(
    store: Store, *, agent: str, refs: Collection[str], as_of: str | None = None
) -> list[BeliefMark]:
    """Return the marks that name one of some items, as they count now or counted at `as_of`."""
    if not refs:
        return []
    with store.read() as rows:
        return list(marks_table.find(rows, agent=agent, refs=refs, as_of=as_of))


def successions_of(
    store: Store, *, agent: str, refs: Collection[str], as_of: str | None = None
) -> list[BeliefMark]:
    """Return which observation replaced which, of those that name one of some, by `as_of`."""
    if not refs:
        return []
    with store.read() as rows:
        return list(observations.successions(rows, agent=agent, refs=refs, as_of=as_of))


def backing_of(
    store: Store, *, agent: str, refs: Collection[str], as_of: str | None = None
) -> dict[str, str]:
    """Return the newest item that supports each of some observations, by `as_of`, by its id."""
    if not refs:
        return {}
    with store.read() as rows:
        found = observations.backing(rows, agent=agent, refs=refs, as_of=as_of)
    return {one.observation: one.item for one in reversed(found)}


def names_told(rows: Rows, *, agent: str) -> dict[str, str]:
    """Return by what name each who has spoken is held to be called, by the subject; "" by none."""
    voices = windows.voices(rows, agent)
    keys = [f"global:world_fact:{one}.name" for one in voices]
    ids = observations.ids_of_keys(rows, agent=agent, keys=keys) if keys else []
    wanted = ObservationFilter(agent=agent, ids=tuple(ids), statuses=(BeliefStatus.ACTIVE,))
    held = observations.find(rows, wanted) if ids else []
    return dict.fromkeys(voices, "") | {
        one.subject_id: one.value for one in held if not one.value.startswith("not ")
    }
