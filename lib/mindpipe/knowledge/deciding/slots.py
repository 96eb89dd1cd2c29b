"""Where a claim belongs: its subject, slot and key, and the families in which it may belong too."""

from typing import NamedTuple, Protocol

from mindpipe.core.errors import UsageError
from mindpipe.history.query import stem
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.claims.figures import DAY, FREQUENT
from mindpipe.knowledge.keys import (
    SELF,
    SUBJECT_TYPES,
    Slots,
    canonical_key,
    normal_subject,
    normal_topic,
    slot_of,
)
from mindpipe.knowledge.records import Kind, Observation

TOLD_AGREE = 2
UNTOLD_AGREE = 3
"""Stems of their surroundings in which two figures of one family agree to be of one slot: fewer
where the newer is said to be new; one more where the unit is met of many things."""


class Family(NamedTuple):
    """Figures of one subject that count or measure the same, of any topic."""

    kind: Kind
    subject_id: str
    name: str


class Place(NamedTuple):
    """Subject, slot and key of a claim."""

    subject_id: str
    slot: str
    key: str


def place_of(claim: Claim, slots: Slots) -> Place | None:
    """Return where a claim belongs, or None where its kind has no such slot."""
    try:
        subject = SELF if claim.kind == "self_model" else normal_subject(claim.subject)
        words = (claim.family, *claim.topic) if claim.family else claim.topic
        slot = slot_of(slots, claim.kind, claim.word, topic=" ".join(words) or None)
    except UsageError:
        return None
    key = canonical_key(claim.kind, SUBJECT_TYPES[claim.kind], subject, slot)
    return Place(subject, slot, key)


def families_of(claim: Claim, subject_id: str) -> list[Family]:
    """Return the families in which an older figure may stand that a claim is about."""
    names = dict.fromkeys(f"{claim.word}.{_first(one)}" for one in claim.families)
    if not claim.family:
        names |= dict.fromkeys(f"count.{_first(one)}" for one in claim.families)
    return [Family(claim.kind, subject_id, name) for name in names]


def family_of(observation: Observation) -> Family:
    """Return the family of an observation: its slot up to the second word of the topic."""
    name = observation.slot.partition("_")[0]
    return Family(observation.kind, observation.subject_id, name)


class Topical(Protocol):
    """What has a slot, and the stems of the words that tell its topic."""

    @property
    def slot(self) -> str:
        """Return the slot."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the stems."""
        ...


def agreement(claim: Claim, held: Topical) -> int:
    """Return in how many stems of their surroundings two figures agree, 0 where not in enough."""
    agreed = len(claim.about & set(held.tags))
    least = TOLD_AGREE if claim.change else UNTOLD_AGREE
    unit = held.slot.partition(".")[2].partition("_")[0]
    frequent = unit in _FREQUENT or claim.family == DAY
    if not claim.family and stem(unit) not in claim.about:
        return 0
    return agreed if agreed >= least + frequent else 0


def _first(name: str) -> str:
    """Return the first part of a topic as slots have it."""
    try:
        return normal_topic(name).partition("_")[0]
    except UsageError:
        return ""


_FREQUENT = (FREQUENT - {"", "%", "$", "€", "£"}) | {"percent", "dollar", "euro", "pound"}
