"""What is held while claims are weighed: observations by key and family, and what has changed."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.belief import Belief
from mindpipe.knowledge.deciding.slots import Family, family_of
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import Change, Decision, Evidence, Mark, Observation

LATEST_OF_FAMILY = 64
"""Observations of a family, the latest, among which that of a figure is looked for."""
CHANGING = "entity"
"""The one substrate whose records change: what it says takes the place of what it said before."""


class LastWord(NamedTuple):
    """What an entity said last of a slot: when it was true, and which value, or that it ended."""

    at: str
    value: str | None
    ends: bool


class Beliefs:
    """Observations that are active or stale, as they were read and as they come to stand."""

    def __init__(self, held: Iterable[Observation]) -> None:
        self._beliefs: dict[str, Belief] = {}
        self._by_key: dict[str, str] = {}
        self._families: dict[Family, dict[str, None]] = {}
        self._expected: dict[str, int] = {}
        self._why: dict[str, str] = {}
        self.decisions: dict[str, Decision] = {}
        self.marks: dict[tuple[str, str, str], Mark] = {}
        self._weighed: set[tuple[str, str, str, str | None]] = set()
        self._last_words: dict[tuple[str, str], LastWord] = {}
        for one in sorted(held, key=lambda one: (one.valid_from, one.id)):
            self._expected[one.id] = one.version
            self._weighed |= {(one.kind, *_said(evidence)) for evidence in one.evidence}
            self._note_last_words(one)
            self._hold(Belief(one))

    def was_weighed(self, claim: Claim, key: str) -> bool:
        """Tell whether a claim's source was evidence for or against its value before.

        An entity is read again with every change: only what it said last under a key was weighed.
        """
        evidence = claim.evidence
        if evidence.source != CHANGING:
            return (claim.kind, *_said(evidence)) in self._weighed
        last = self._last_words.get((key, evidence.ref))
        return last is not None and last[1:] == (evidence.value, claim.sense == "ends")

    def under(self, key: str) -> Belief | None:
        """Return what is held under a key."""
        name = self._by_key.get(key)
        return None if name is None else self._beliefs[name]

    def of_families(self, families: Iterable[Family]) -> list[Belief]:
        """Return what is held in some families, the latest of each."""
        return [
            self._beliefs[name]
            for family in families
            for name in list(self._families.get(family, ()))[-LATEST_OF_FAMILY:]
        ]

    def begin(self, observation: Observation, *, why: str) -> None:
        """Hold something new, unless the same was held before."""
        if observation.id not in self._beliefs:
            self._why[observation.id] = why
            self._hold(Belief(observation))

    def changed(self, belief: Belief, *, why: str) -> None:
        """Note that a belief has changed; what has ended is held no more."""
        observation = belief.observation
        self._why.setdefault(observation.id, why)
        if not belief.held:
            self._why[observation.id] = why
            self._families.get(family_of(observation), {}).pop(observation.id, None)
            if self._by_key.get(observation.canonical_key) == observation.id:
                del self._by_key[observation.canonical_key]

    def changes(self, *, now: str, windows: Windows) -> list[Change]:
        """Return every observation that has changed, in the order in which it first did."""
        return [
            Change(
                observation=self._beliefs[name].settled(now=now, windows=windows),
                expected=self._expected.get(name, 0),
                why=why,
            )
            for name, why in self._why.items()
        ]

    def decide(self, decision: Decision) -> None:
        """Keep a decision, once."""
        self.decisions.setdefault(decision.id, decision)

    def mark(self, mark: Mark) -> None:
        """Keep a mark between two items, once."""
        self.marks.setdefault((mark.relation, mark.old, mark.new), mark)

    def _note_last_words(self, observation: Observation) -> None:
        """Note what each entity said last under the key of an observation."""
        for one in observation.evidence:
            if one.source == CHANGING:
                ends = one.stance == "contradict" and one.value == observation.value
                place = (observation.canonical_key, one.ref)
                word = LastWord(one.at, one.value, ends=ends)
                self._last_words[place] = max(self._last_words.get(place, word), word, key=_later)

    def _hold(self, belief: Belief) -> None:
        """Hold a belief under its key, and as one of its family."""
        observation = belief.observation
        self._beliefs[observation.id] = belief
        if belief.held:
            self._by_key[observation.canonical_key] = observation.id
            self._families.setdefault(family_of(observation), {})[observation.id] = None


def _later(word: LastWord) -> tuple[str, bool]:
    """Return what puts words in order: their instants, and the end of a value before another."""
    return (word.at, not word.ends)


def _said(evidence: Evidence) -> tuple[str, str, str | None]:
    """Return what said which value."""
    return (evidence.source, evidence.ref, evidence.value)
