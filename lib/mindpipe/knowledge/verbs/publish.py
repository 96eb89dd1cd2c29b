"""Write what has been decided of beliefs: observations, evidence, decisions and marks."""

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    TemporaryError,
)
from mindpipe.core.ports import Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.knowledge.audit import faults_of
from mindpipe.knowledge.keys import SLOTS, Slots
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefStatus,
    Changes,
    Evidence,
    Observation,
    ObservationFilter,
)
from mindpipe.knowledge.tables import decisions, marks, observations

_HELD = (BeliefStatus.ACTIVE, BeliefStatus.STALE)


def publish(store: Store, changes: Changes, *, slots: Slots = SLOTS) -> None:
    """Write observations, evidence, decisions and marks of one subject, all or nothing.

    It joins an open transaction, so that a caller can move its own mark on in the same one.

    Raises:
        BadInputError: an observation breaks an invariant; every fault is named.
        TemporaryError: an observation has been changed since it was read, or its key has been
            taken meanwhile.
    """
    _check(changes, slots)
    made = [one for one in changes.changes if not one.expected]
    kept = [one for one in changes.changes if one.expected]
    # What ends makes room for what begins under the same key.
    kept.sort(key=lambda one: one.observation.status in _HELD)
    with store.write(changes.agent) as rows:
        for change in kept:
            _stand(rows, changes, change)
        for change in made:
            _begin(rows, changes, change)
        for decision in changes.decisions:
            decisions.insert(rows, msgspec.structs.replace(decision, agent=changes.agent))
        for mark in changes.marks:
            marks.insert(rows, mark, agent=changes.agent)


def believed(store: Store, *, agent: str, keys: tuple[str, ...]) -> dict[str, Observation]:
    """Return what is held under some canonical keys, active before stale, with all its evidence."""
    with store.read() as rows:
        found = held_under(rows, agent, keys)
        found.sort(key=lambda one: one.status is BeliefStatus.ACTIVE)
        held = {one.canonical_key: one for one in found}
        return {key: _with_evidence(rows, one) for key, one in held.items()}


def held_under(rows: Rows, agent: str, keys: tuple[str, ...]) -> list[Observation]:
    """Return what is held under some keys, without evidence; what was held once is not read."""
    ids = observations.ids_of_keys(rows, agent=agent, keys=keys)
    return observations.find(rows, ObservationFilter(agent=agent, ids=tuple(ids))) if ids else []


def _check(changes: Changes, slots: Slots) -> None:
    """Raise BadInputError naming all that is unsound."""
    problems = [
        Problem(source=change.observation.id, message=fault)
        for change in changes.changes
        for fault in faults_of(change.observation, slots=slots)
    ]
    if problems:
        raise BadInputError(problems)


def _stand(rows: Rows, changes: Changes, change: BeliefChange) -> None:
    """Change how one observation stands, and link its new evidence."""
    next_one = msgspec.structs.replace(
        change.observation, agent=changes.agent, version=change.expected + 1
    )
    if not observations.update(rows, next_one, expected=change.expected):
        raise _overtaken(next_one)
    linked = msgspec.structs.replace(next_one, evidence=_unlinked(next_one, since=changes.at))
    _log(rows, changes, change, linked)


def _unlinked(observation: Observation, *, since: str) -> tuple[Evidence, ...]:
    """Return the evidence of what was held before that was not linked before an instant."""
    return tuple(one for one in observation.evidence if one.linked is None or one.linked >= since)


def _begin(rows: Rows, changes: Changes, change: BeliefChange) -> None:
    """Add one observation with its evidence."""
    first = msgspec.structs.replace(change.observation, agent=changes.agent, version=1)
    held = held_under(rows, changes.agent, (first.canonical_key,))
    if BeliefStatus.ACTIVE in {first.status} & {one.status for one in held}:
        raise _overtaken(first)
    observations.insert(rows, first)
    _log(rows, changes, change, first)


def _log(rows: Rows, changes: Changes, change: BeliefChange, stands: Observation) -> None:
    """Link evidence and note how the observation stands."""
    observations.insert_evidence(rows, stands, at=changes.at)
    observations.log_standing(rows, stands, at=changes.at, by=changes.by, why=change.why)


def _with_evidence(rows: Rows, observation: Observation) -> Observation:
    """Return an observation with its evidence."""
    evidence = observations.evidence_of(
        rows, agent=observation.agent or "", observation=observation.id
    )
    return msgspec.structs.replace(observation, evidence=evidence)


def _overtaken(observation: Observation) -> TemporaryError:
    """Return the error for what somebody else has changed meanwhile."""
    return TemporaryError(
        f"{observation.canonical_key} has been changed since it was read. Try again."
    )
