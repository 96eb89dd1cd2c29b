"""Look again at what is due: re-read its evidence, mark it stale or invalidated, say why."""

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge.records import (
    Change,
    Changes,
    EvidenceSource,
    Observation,
    Revalidated,
    Status,
    Wanted,
)
from mindpipe.knowledge.revalidation import revalidated
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import origins
from mindpipe.knowledge.verbs.observations import with_evidence
from mindpipe.knowledge.verbs.publishing import publish

BY = "revalidate"


class Due(NamedTuple):
    """Which observations are looked at: those that are due, or all that are held; how many."""

    every: bool = False
    limit: int | None = None
    dry_run: bool = False


def revalidate(
    store: Store, clock: Clock, *, agent: str, due: Due, rules: Rules
) -> list[Revalidated]:
    """Look again at held observations and return those whose status changed, the longest due first.

    Each is written in a transaction of its own, so that a killed run can be repeated.

    Raises:
        NothingToDoError: none is due.
        UsageError: there is no such agent.
    """
    agents.show(store, name=agent)
    now = clock.now()
    wanted = Wanted(
        agent=agent, due=None if due.every else now, statuses=(Status.ACTIVE, Status.STALE)
    )
    with store.read() as rows:
        found = observations.find(rows, wanted)
    if not found:
        raise NothingToDoError(f"no observation of {agent} is due.")
    found.sort(key=lambda one: (one.revalidation_due_at, one.id))
    looked = [
        _look_again(store, agent, one.id, now, rules, dry_run=due.dry_run)
        for one in found[: due.limit]
    ]
    return [one for one in looked if one is not None and one.before is not one.after]


def _look_again(
    store: Store, agent: str, id: str, now: str, rules: Rules, *, dry_run: bool
) -> Revalidated | None:
    """Look again at one observation, and keep what comes of it; None where it has ended by now."""
    with store.write() as rows:
        wanted = Wanted(agent=agent, ids=(id,), statuses=(Status.ACTIVE, Status.STALE))
        held = observations.find(rows, wanted)
        if not held:
            return None
        before = with_evidence(rows, held[0])
        made, told = revalidated(_reread(store, before, now), now=now, windows=rules.windows)
        if not dry_run:
            for source, refs in _newly_retracted(before, made).items():
                observations.retract_evidence(rows, agent=agent, source=source, refs=refs, at=now)
            change = Change(observation=made, expected=before.version, why=told.why)
            publish(
                store, Changes(agent=agent, at=now, by=BY, changes=(change,)), slots=rules.slots
            )
    return told


def _reread(store: Store, held: Observation, now: str) -> Observation:
    """Return an observation whose evidence no longer counts where its source was taken back."""
    kept = origins.sources_of(store, agent=held.agent or "", evidence=held.evidence)
    gone = {place for place, origin in kept.items() if origin.retracted is not None}
    evidence = tuple(
        msgspec.structs.replace(one, retracted=now)
        if (one.source, one.ref) in gone and one.retracted is None
        else one
        for one in held.evidence
    )
    return msgspec.structs.replace(held, evidence=evidence)


def _newly_retracted(
    before: Observation, after: Observation
) -> dict[EvidenceSource, Collection[str]]:
    """Return the sources whose evidence counted and does no longer, by substrate."""
    counted = {(one.source, one.ref) for one in before.evidence if one.retracted is None}
    found: dict[EvidenceSource, Collection[str]] = {}
    for one in after.evidence:
        if one.retracted is not None and (one.source, one.ref) in counted:
            found[one.source] = {*found.get(one.source, ()), one.ref}
    return found
