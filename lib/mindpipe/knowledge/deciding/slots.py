"""Slots, the families they are of, and whether two values agree."""

from typing import Literal, NamedTuple, Protocol

from mindpipe.core.errors import UsageError
from mindpipe.history.query import stem
from mindpipe.knowledge.claims.attributes import ATTRIBUTES, NOT
from mindpipe.knowledge.claims.claim import FROM, PLAN, SOME_DAY, Claim
from mindpipe.knowledge.claims.prose import preferred, stems
from mindpipe.knowledge.keys import (
    SELF,
    SLOTS,
    SUBJECT_TYPES,
    Slots,
    canonical_key,
    normal_subject,
    normal_topic,
    slot_of,
)
from mindpipe.knowledge.records import Kind, Observation
from mindpipe.language.figures import DAY, FREQUENT
from mindpipe.language.topics import topic_words

TOLD_AGREE = 2
UNTOLD_AGREE = 3
"""Stems of their surroundings in which two figures of one family agree to be of one slot: fewer
where the newer is said to be new; one more where the unit is met of many things."""


class Family(NamedTuple):
    """Figures of one subject that count or measure the same, of any topic."""

    kind: Kind
    subject_id: str
    name: str


class SlotPlace(NamedTuple):
    """Subject, slot and key of a claim."""

    subject_id: str
    slot: str
    key: str


def place_of(claim: Claim, slots: Slots) -> SlotPlace | None:
    """Return where a claim belongs, or None where its kind has no such slot."""
    try:
        subject = SELF if claim.kind == "self_model" else normal_subject(claim.subject)
        words = (claim.family, *claim.topic) if claim.family else claim.topic
        slot = slot_of(slots, claim.kind, claim.word, topic=" ".join(words) or None)
    except UsageError:
        return None
    key = canonical_key(claim.kind, SUBJECT_TYPES[claim.kind], subject, slot)
    return SlotPlace(subject, slot, key)


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

Comparison = Literal["same", "finer", "coarser", "other", "apart"]
"""How a new value stands to the old one; what is apart says nothing against it."""
ALIKE = 0.5
"""Share of the stems of two free texts from which on they say the same."""

_NAMED = frozenset(
    {"residence", "workplace", "name", "job", "relation", "partner", "lives_with", "diet", "pet"}
)


_READ = frozenset(one.slot for one in ATTRIBUTES.values())
_SEVERAL = (
    frozenset(one.slot for one in ATTRIBUTES.values() if one.many)
    | frozenset(word[:-2] for words in SLOTS.values() for word in words if word.endswith(".*"))
    | {"definition"}
)
"""Words of slots that hold one value per topic, and of that which is no value but a sentence."""


def is_single(slot: str) -> bool:
    """Tell whether a slot is of an attribute of which a subject has one value at a time."""
    return "." not in slot and slot not in _SEVERAL


def _is_called_by_name(word: str) -> bool:
    """Tell whether sentences call a slot by its word, and its values by their names."""
    return word not in _READ | _SEVERAL


def compare(word: str, *, old: str, new: str) -> Comparison:
    """Return how a new value of a slot stands to the old one, by the slot's word.

    Of places and names the one with more parts is finer, of versions the longer one; texts in
    somebody's own words are the same where half of their stems agree, unless the two sides of a
    preference have changed places. "not Bremen" says nothing against "Hamburg".
    """
    if old.casefold() == new.casefold():
        return "same"
    if word == PLAN:
        return _planned(old.casefold(), new.casefold())
    if old.startswith(NOT) != new.startswith(NOT):
        return _denied(word, old=old, new=new)
    return _compared(word, old.removeprefix(NOT), new.removeprefix(NOT))


def _compared(word: str, old: str, new: str) -> Comparison:
    """Compare two values that are both said to be so, or both not to be so."""
    if word == "version":
        return _nested(tuple(old.split(".")), tuple(new.split(".")))
    if word in _NAMED or _is_called_by_name(word):
        return _within(_parts(old), _parts(new))
    if word in ("date", "schedule"):
        return _days(old, new)
    if word in ("count", "metric", "age"):
        return "other"
    reversed_ = word == "prefers" and _is_reversed(preferred(old), preferred(new))
    one, other = set(map(stem, topic_words(old))), set(map(stem, topic_words(new)))
    alike = len(one & other) >= ALIKE * len(one | other) and one & other
    return "same" if alike and not reversed_ else "other"


def _planned(old: str, new: str) -> Comparison:
    """Compare plans: one that names no day, and what is said not to be, say nothing of the day."""
    (before, _, day), (after, _, other) = old.rpartition(FROM), new.rpartition(FROM)
    if not new or new == before:
        return "same"
    if before != after:
        return "other"
    return "same" if other == SOME_DAY else "finer" if day == SOME_DAY else "other"


def _denied(word: str, *, old: str, new: str) -> Comparison:
    """Compare a value with one that is denied: "not Bremen" says nothing against "Hamburg"."""
    if old.startswith(NOT):
        return "other"
    alike = compare(word, old=old, new=new.removeprefix(NOT))
    # Who does not live in downtown Graz may live in Graz.
    return "apart" if alike in ("other", "finer") and is_single(word) else "other"


def _is_reversed(old: tuple[str, str] | None, new: tuple[str, str] | None) -> bool:
    """Tell whether of two sides the other one is preferred now."""
    if old is None or new is None:
        return False
    (liked, left), (likes, leaves) = (tuple(map(_stems, one)) for one in (old, new))
    return bool(liked & leaves and left & likes) and not liked & likes


def _stems(text: str) -> frozenset[str]:
    """Return the stems of the words that tell what a text is about."""
    return stems(topic_words(text))


def _parts(value: str) -> frozenset[str]:
    """Return the words of a name."""
    return frozenset(value.casefold().replace(",", " ").split())


def _within(old: frozenset[str], new: frozenset[str]) -> Comparison:
    """Compare by which has the parts of the other."""
    if old == new:
        return "same"
    if old < new:
        return "finer"
    return "coarser" if new < old else "other"


def _nested(old: tuple[str, ...], new: tuple[str, ...]) -> Comparison:
    """Compare by which begins with the other."""
    if new[: len(old)] == old:
        return "finer"
    return "coarser" if old[: len(new)] == new else "other"


def _days(old: str, new: str) -> Comparison:
    """Compare days, of which one with a time of day is finer."""
    if old[:10] != new[:10] or (len(old) > 10 and len(new) > 10):
        return "other"
    return "finer" if len(new) > len(old) else "coarser"
