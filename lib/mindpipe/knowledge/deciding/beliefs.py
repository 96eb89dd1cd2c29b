"""What is held while claims are weighed: observations by key and family, and what has changed."""

from collections.abc import Iterable

from mindpipe.knowledge.deciding.slots import Family, family_of
from mindpipe.knowledge.records import Change, Decision, Mark, Observation, Status

LATEST = 64
"""Observations of a family, the latest, among which that of a figure is looked for."""


class Beliefs:
    """Observations that are active or stale, as they were read and as they come to stand."""

    def __init__(self, held: Iterable[Observation]) -> None:
        self._held: dict[str, Observation] = {}
        self._by_key: dict[str, str] = {}
        self._families: dict[Family, dict[str, None]] = {}
        self._expected: dict[str, int] = {}
        self._why: dict[str, str] = {}
        self.decisions: list[Decision] = []
        self.marks: dict[tuple[str, str, str], Mark] = {}
        for one in held:
            self._expected[one.id] = one.version
            self._keep(one)

    def under(self, key: str) -> Observation | None:
        """Return what is held under a key."""
        name = self._by_key.get(key)
        return None if name is None else self._held[name]

    def of_families(self, families: Iterable[Family]) -> list[Observation]:
        """Return what is held in some families, the latest of each."""
        return [
            self._held[name]
            for family in families
            for name in list(self._families.get(family, ()))[-LATEST:]
        ]

    def changes(self) -> list[Change]:
        """Return every observation that has changed, in the order in which it first did."""
        return [
            Change(observation=self._held[name], expected=self._expected.get(name, 0), why=why)
            for name, why in self._why.items()
        ]

    def change(self, observation: Observation, *, why: str) -> None:
        """Keep an observation as it stands now; what has ended is held no more."""
        self._why.setdefault(observation.id, why)
        self._keep(observation)

    def decide(self, decision: Decision) -> None:
        """Keep a decision."""
        self.decisions.append(decision)

    def mark(self, mark: Mark) -> None:
        """Keep a mark between two items, once."""
        self.marks.setdefault((mark.relation, mark.old, mark.new), mark)

    def _keep(self, observation: Observation) -> None:
        """Hold an observation, or hold it no more."""
        self._held[observation.id] = observation
        held = observation.status in (Status.ACTIVE, Status.STALE)
        family = self._families.setdefault(family_of(observation), {})
        if held:
            self._by_key[observation.canonical_key] = observation.id
            family[observation.id] = None
        else:
            family.pop(observation.id, None)
            if self._by_key.get(observation.canonical_key) == observation.id:
                del self._by_key[observation.canonical_key]
