"""One observation while claims are weighed: what it stands on grows, and is settled at the end."""

from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.sources import joined
from mindpipe.knowledge.freshness import Windows, due_at
from mindpipe.knowledge.records import Components, Evidence, Observation, Status
from mindpipe.knowledge.standing import aged, settled

LATEST = 64
"""Pieces of evidence, the latest, by which a held value is weighed: older ones are outweighed."""


class Belief:
    """An observation and its evidence, of which a store hands over the latest only.

    `counted` says of how many sources and how much weight its evidence was before.
    """

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        self._evidence = list(observation.evidence)
        self._seen = {(one.source, one.ref) for one in observation.evidence}
        self._linked = {(one.source, one.ref, one.stance) for one in observation.evidence}
        self._new: list[Evidence] = []
        supports = sum(one.stance == "support" for one in observation.evidence)
        self._whole = supports >= observation.components.source_count

    def stands_on(self, evidence: Evidence) -> bool:
        """Tell whether a source is linked already."""
        return (evidence.source, evidence.ref) in self._seen

    def stands_on_any(self, items: Iterable[str]) -> bool:
        """Tell whether one of some items is linked already."""
        return any(("memory_item", id) in self._seen for id in items)

    def link(self, evidence: Evidence) -> None:
        """Link one more piece of evidence; a source is linked once in each stance."""
        place = (evidence.source, evidence.ref, evidence.stance)
        if place in self._linked:
            return
        self._linked.add(place)
        self._seen.add((evidence.source, evidence.ref))
        self._evidence.append(evidence)
        self._new.append(evidence)

    def latest(self) -> Sequence[Evidence]:
        """Return the latest evidence that counts."""
        return [one for one in self._evidence[-LATEST:] if one.retracted is None]

    def all(self) -> list[Evidence]:
        """Return all the evidence that is known and counts."""
        return [one for one in self._evidence if one.retracted is None]

    def change(self, **changes: object) -> None:
        """Change how the observation stands."""
        self.observation = msgspec.structs.replace(self.observation, **changes)

    @property
    def held(self) -> bool:
        """Tell whether it is believed still."""
        return self.observation.status in (Status.ACTIVE, Status.STALE)

    def settled(self, *, now: str, windows: Windows) -> Observation:
        """Return the observation with all that follows from its evidence as of an instant."""
        whole = msgspec.structs.replace(self.observation, evidence=tuple(self._evidence))
        stands = settled(whole, now=now, windows=windows)
        return stands if self._whole else self._counted_on(stands, now=now, windows=windows)

    def _counted_on(self, stands: Observation, *, now: str, windows: Windows) -> Observation:
        """Return an observation of which the older evidence is only known by its sums."""
        base = self.observation
        supports = [one for one in self._new if one.stance == "support"]
        last = max([base.last_supported_at or "", *(one.at for one in supports)]) or None
        due = due_at(last or base.learnt, window=windows[base.kind])
        known = msgspec.structs.replace(
            stands,
            components=_added(base.components, self._new, stands.components),
            last_supported_at=last,
            revalidation_due_at=due,
            sources=joined(base.sources, stands.sources),
        )
        return aged(known, now=now, windows=windows)


def _added(base: Components, new: Iterable[Evidence], seen: Components) -> Components:
    """Return what evidence adds up to, with some that is new."""
    supports = [one for one in new if one.stance == "support"]
    against = [one for one in new if one.stance == "contradict"]
    return msgspec.structs.replace(
        seen,
        source_count=base.source_count + len(supports),
        source_diversity=max(base.source_diversity, seen.source_diversity),
        support_weight=base.support_weight + sum(one.weight for one in supports),
        contradiction_weight=base.contradiction_weight + sum(one.weight for one in against),
    )
