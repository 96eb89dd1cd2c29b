"""Beliefs while it is decided about them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.instants import later
from mindpipe.core.sources import joined
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem
from mindpipe.knowledge.claims.attributes import (
    ATTRIBUTES,
    DOUBTED,
    ENDED,
    HANGS_ON,
    NOT,
    REPLACED,
)
from mindpipe.knowledge.claims.claim import PERSONS, PLAN, RETURNED, UNLIKE, Claim
from mindpipe.knowledge.claims.prose import preferred, stems
from mindpipe.knowledge.confidence import (
    DAY_SECONDS,
    Windows,
    aged,
    due_at,
    settled,
    weight_of,
    window_of,
)
from mindpipe.knowledge.deciding.slots import Family, family_of
from mindpipe.knowledge.keys import normal_topic
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefMark,
    BeliefStatus,
    Components,
    Evidence,
    Observation,
)
from mindpipe.language.figures import CLOCK, DAY
from mindpipe.language.named_before import NAMED_BEFORE
from mindpipe.language.topics import singular, topic_words

SETTLING_DAYS = 60
"""Days within which who told of a new home says that he has moved, and means there."""
MOVING_DAYS = 200
"""Days after which who tells of a new home means no more the one that was planned."""
SHORTEST = 2
"""A word of so few letters names nothing by itself."""
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
        return self.observation.status in (BeliefStatus.ACTIVE, BeliefStatus.STALE)

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
        due = due_at(last or base.learnt, window=window_of(base, windows))
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
        support_weight=base.support_weight + sum(map(weight_of, supports)),
        contradiction_weight=base.contradiction_weight + sum(map(weight_of, against)),
    )


def is_timed(observation: Observation) -> bool:
    """Tell whether days may overtake what is held."""
    return (
        observation.valid_to is not None
        or observation.slot == "age"
        or observation.slot.startswith(f"{PLAN}.")
    )


_GO_ON = (FUNCTION_WORDS | {"again", "another", "yesterday", "today", "last"}) - {"and", "or"}
"""What may stand behind a thing that is named."""
LATEST_OF_FAMILY = 64
"""Observations of a family, the latest, among which that of a figure is looked for."""
CHANGING = "entity"
"""The one substrate whose records change: what it says takes the place of what it said before."""


def over_by(claim: Claim) -> tuple[str, ...]:
    """Return the attributes of which a claim may say that a value is over, or is not so."""
    ends = claim.evidence.meant == "ended"
    return ENDED if ends else tuple(dict.fromkeys((*ENDED, *REPLACED)))


def doubted(claim: Claim) -> Iterable[str]:
    """Return the attributes of which a claim may put a value in doubt."""
    return DOUBTED if claim.evidence.meant == "ended" else ATTRIBUTES


def leaves_behind(word: str, held: Observation) -> bool:
    """Tell whether what is held of somebody hangs on a home or a place to work at of his."""
    related = held.slot.startswith("relation.") and not held.value.startswith(NOT)
    return related and not HANGS_ON.get(word, frozenset()).isdisjoint(_topic_words(held))


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
        self._timed: dict[str, None] = {}
        self._expected: dict[str, int] = {}
        self._why: dict[str, str] = {}
        self.decisions: dict[str, BeliefDecision] = {}
        self.marks: dict[tuple[str, str, str], BeliefMark] = {}
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

    def named_by(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one figure that is held of a subject and that a newer one names, or None.

        `the budget went up to 50` means the one budget that there is, or that its speaker has told
        of, whatever else was said of it, and be it that of a project; so does `the deadline was
        extended`.
        """
        found = [
            one
            for one in self._beliefs.values()
            if one.held
            and claim.kind == "world_fact"
            and value_as_held(claim, one.observation.value) is not None
            and claim.named == frozenset({stem(one.observation.slot)})
            and one.observation.kind == "project_state"
        ]
        found += [
            self._beliefs[name]
            for family, names in self._families.items()
            if (family.kind, family.subject_id) == (claim.kind, subject_id)
            and _fits(claim, family.name)
            for name in names
            if claim.named is not None and claim.named <= set(self._beliefs[name].observation.tags)
        ]
        if len(found) > 1:
            found = [one for one in found if _told_by(one, claim.evidence.speaker)]
        return found[0] if len(found) == 1 and not found[0].stands_on(claim.evidence) else None

    def timed(self) -> list[Belief]:
        """Return what is held and days may overtake."""
        return [self._beliefs[name] for name in self._timed]

    def only_other(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one value of a claim's word that is held of its subject, or None.

        A home that was told of not long ago is the one that is moved to, and not the one left;
        what is denied may be that too.
        """
        denied = claim.evidence.meant == "denied"
        settled = later(claim.evidence.at, seconds=-SETTLING_DAYS * DAY_SECONDS)
        found = [
            one
            for one in self._of_word(claim, subject_id)
            if not one.observation.value.startswith(NOT)
            and (denied or claim.word != "residence" or one.observation.valid_from <= settled)
            and (not claim.names_kind or one.observation.value.endswith(f"({claim.value[4:]})"))
            and (claim.word != "relation" or {*claim.topic} <= {*_topic_words(one.observation)})
        ]
        return found[0] if len(found) == 1 else None

    def named_in_short(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one thing that is held and an end names by the last of its words, or None.

        `I sold my bike` is of the red one where no other is held.
        """
        over = claim.value.removeprefix(NOT).casefold()
        found = [
            one
            for one in self._of_word(claim, subject_id)
            if f" {one.observation.value.casefold()}".endswith(f" {over}")
        ]
        return found[0] if len(found) == 1 else None

    def mentioned(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one thing that is held to please or displease whom a claim is of otherwise.

        Of all that is held it must be the only one that the sentence before names, as the thing
        that its speaker did something to.
        """
        before = re.match(NAMED_BEFORE, claim.said)
        said = list(map(singular, before["thing"].lower().split())) if before else []
        found = [
            one
            for one in self._of_word(claim, subject_id)
            if one.observation.value.startswith(NOT) != claim.value.startswith(NOT)
            and _begin_with(said, one.observation.value.removeprefix(NOT))
        ]
        return found[0] if len(found) == 1 else None

    def planned(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one plan of a claim's word that its subject made of late, and not since.

        Since what is held now began he has planned it: a home, a place to work at.
        """
        late = later(claim.evidence.at, seconds=-MOVING_DAYS * DAY_SECONDS)
        begun = [one.observation.valid_from for one in self._of_word(claim, subject_id)]
        late = max([late, *begun])
        found = [
            one
            for one in self._beliefs.values()
            if one.held
            and one.observation.subject_id == subject_id
            and one.observation.slot == f"{PLAN}.{claim.word}"
            and not one.observation.contested
            and late <= _begun(one)
            and one.observation.valid_from <= claim.evidence.at
        ]
        return found[0] if len(found) == 1 else None

    def outdone_by(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return what a preference ends: those in which the one thing that it names comes second.

        Where it names two it is those that name the second alone.
        """
        mine = _sides(claim.value)
        return [
            one
            for one in self._of_word(claim, subject_id)
            if not one.observation.value.startswith(NOT)
            and _outdoes(mine, _sides(one.observation.value))
        ]

    def _of_word(self, claim: Claim, subject_id: str) -> Iterator[Belief]:
        """Yield what is held of a claim's subject under its word when it was said."""
        return (
            one
            for one in self._beliefs.values()
            if one.held
            and (one.observation.kind, one.observation.subject_id) == (claim.kind, subject_id)
            and _word_of(one.observation) == claim.word
            and one.observation.valid_from <= claim.evidence.at
            and not one.stands_on(claim.evidence)
        )

    def replaced_by(self, claim: Claim, subject_id: str) -> Belief | None:
        """Return the one thing that is held of a subject and has a replaced value, or None.

        It may be held already that this is not so.
        """
        old = claim.instead_of.casefold()
        found = [
            one
            for one in self._of_attributes(claim, subject_id, REPLACED)
            if one.observation.value.removeprefix(NOT).partition(" (")[0].casefold() == old
        ]
        return found[0] if len(found) == 1 else None

    def ended_by(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return all that is held of a subject under a value that is said to be over.

        A thing may be named by the last of its words alone, and by what it is called besides.
        """
        over = claim.value.removeprefix(NOT).casefold()
        return [
            one
            for one in self._of_attributes(claim, subject_id, over_by(claim))
            if any(
                f" {name.casefold()}".endswith(f" {over}")
                for name in one.observation.value.rstrip(")").split(" (")
            )
            and not one.observation.value.startswith(NOT)
        ]

    def nearly_ended_by(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return what is held of a subject under the last of the words that are said to be over.

        Who is `not strictly vegan any longer` may be no vegan at all.
        """
        over = f" {claim.value.removeprefix(NOT).casefold()}"
        return [
            one
            for one in self._of_attributes(claim, subject_id, over_by(claim))
            if over.endswith(f" {one.observation.value.casefold()}")
        ]

    def doubted_by(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return what is believed of a subject and named where something may be over.

        Of words that are called wrong it must be the one thing that they name.
        """
        settled = later(claim.evidence.at, seconds=-SETTLING_DAYS * DAY_SECONDS)
        found = [
            one
            for one in self._of_attributes(claim, subject_id, doubted(claim))
            if one.observation.value.startswith(NOT) == (RETURNED in claim.topic)
            and f"{NOT}{_word_of(one.observation)}" not in claim.topic
            and (
                _may_be_over(one.observation, claim)
                or one.observation.value == claim.value
                or (_is_of(claim.topic, one.observation) and _begun(one) <= settled)
            )
        ]
        return found if claim.evidence.meant == "ended" or len(found) == 1 else []

    def left_behind(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return who is of a home or an office of a subject that a claim says to be another now."""
        related = self._of_attributes(claim, subject_id, ("relation",))
        return [one for one in related if leaves_behind(claim.word, one.observation)]

    def animals_of(self, claim: Claim, subject_id: str) -> list[Belief]:
        """Return the animals that are held of a subject when a claim is made."""
        return list(self._of_attributes(claim, subject_id, ("pet",)))

    def _of_attributes(
        self, claim: Claim, subject_id: str, attributes: Iterable[str]
    ) -> Iterator[Belief]:
        """Yield what is held of a subject by some attributes when a claim is made."""
        words = {ATTRIBUTES[one].slot for one in attributes}
        return (
            one
            for one in self._beliefs.values()
            if one.held
            and one.observation.subject_id == subject_id
            and _word_of(one.observation) in words
            and one.observation.valid_from <= claim.evidence.at
            and not one.stands_on(claim.evidence)
        )

    def begin(self, observation: Observation, *, why: str) -> None:
        """Hold something new, unless the same was held before."""
        if observation.id not in self._beliefs:
            self._why[observation.id] = why
            self._hold(Belief(observation))

    def changed(self, belief: Belief, *, why: str) -> None:
        """Note that a belief has changed; what has ended is held no more."""
        observation = belief.observation
        self._why.setdefault(observation.id, why)
        self._note_days(belief)
        if not belief.held:
            self._why[observation.id] = why
            self._families.get(family_of(observation), {}).pop(observation.id, None)
            if self._by_key.get(observation.canonical_key) == observation.id:
                del self._by_key[observation.canonical_key]

    def changes(self, *, now: str, windows: Windows) -> list[BeliefChange]:
        """Return every observation that has changed, in the order in which it first did."""
        return [
            BeliefChange(
                observation=self._beliefs[name].settled(now=now, windows=windows),
                expected=self._expected.get(name, 0),
                why=why,
            )
            for name, why in self._why.items()
        ]

    def decide(self, decision: BeliefDecision) -> None:
        """Keep a decision, once."""
        self.decisions.setdefault(decision.id, decision)

    def mark(self, mark: BeliefMark) -> None:
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
        self._note_days(belief)
        if belief.held:
            self._by_key[observation.canonical_key] = observation.id
            self._families.setdefault(family_of(observation), {})[observation.id] = None

    def _note_days(self, belief: Belief) -> None:
        """Note whether days may overtake a belief as it stands."""
        observation = belief.observation
        if belief.held and is_timed(observation):
            self._timed[observation.id] = None
        else:
            self._timed.pop(observation.id, None)


_FIGURES = frozenset({"count", "metric"})
_SUM = re.compile(r"(?P<sign>[$€£]?)(?P<figure>\d[\d,]*(?:\.\d+)?)(?:\s?(?P<unit>[^\W\d]+|%))?")
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "%": "percent"}
_UNLIKE = frozenset({"%", "percent", CLOCK, DAY})
"""Units that are never left to be understood."""


def value_as_held(claim: Claim, held: str) -> str | None:
    """Return a figure as the slot of a project holds it, None where that holds no such figure.

    60000 euros are `60,000 euros` where `50,000 euros` are held; a day is a day.
    """
    if claim.word == "date":
        return claim.value
    found = _SUM.fullmatch(held)
    if claim.word not in _FIGURES or found is None or not claim.value.isdecimal():
        return None
    unit = singular(found["unit"] or "")
    if claim.family not in ("", _SIGNS.get(found["sign"] or unit, unit)):
        return None
    figure = f"{int(claim.value):,}" if "," in found["figure"] else claim.value
    return f"{held[: found.start('figure')]}{figure}{held[found.end('figure') :]}"


def _told_by(belief: Belief, speaker: str | None) -> bool:
    """Tell whether somebody who is known told of what is held."""
    return speaker is not None and any(one.speaker == speaker for one in belief.all())


def _fits(claim: Claim, family: str) -> bool:
    """Tell whether figures of a family can be what a newer figure is of, by what they count."""
    word, _, unit = family.partition(".")
    if claim.family:
        return (word, unit) == (claim.word, normal_topic(claim.family).partition("_")[0])
    return word in _FIGURES and unit not in _UNLIKE


def _topic_words(held: Observation) -> list[str]:
    """Return the words of the topic of a slot."""
    return held.slot.partition(".")[2].split("_")


class _Sides(NamedTuple):
    """The stems of what is preferred, and of what comes second, None where that is not named."""

    liked: frozenset[str]
    left: frozenset[str] | None


def _sides(value: str) -> _Sides:
    """Return the two sides of a preference."""
    both = preferred(value)
    liked, left = both or (value, "")
    return _Sides(stems(topic_words(liked)), stems(topic_words(left)) if both else None)


def _outdoes(one: _Sides, other: _Sides) -> bool:
    """Tell whether of two preferences, of which one names both sides, the other is not so."""
    if one.left is None:
        return one.liked == other.left
    return other.left is None and other.liked == one.left


def _word_of(held: Observation) -> str:
    """Return the word of a slot."""
    return held.slot.partition(".")[0]


def _is_of(words: Iterable[str], held: Observation) -> bool:
    """Tell whether what is held is of one of some attributes, or hangs on it."""
    return _word_of(held) in words or any(leaves_behind(one, held) for one in words)


def _begun(belief: Belief) -> str:
    """Return when somebody last told of something that he has: then it was new, if it ever was."""
    held = belief.observation
    return held.last_supported_at or held.valid_from


_PERSONS = frozenset({"partner", "lives_with", "relation"})
_OF_ONESELF = frozenset(
    {"diet", "eats", "allergy", "health", "medication", "taste", "skill", "hobby", "job"}
)
"""Slots of what somebody is or does, so that who names it behind a "not" speaks of that."""


def _may_be_over(held: Observation, claim: Claim) -> bool:
    """Tell whether a doubt is of what is held: near its sign stand its last word, or its name.

    The first word of a name is written as such: who is "long gone" has not left Long Eaton.
    """
    if _word_of(held) in _PERSONS and PERSONS not in claim.topic:
        return False
    is_kin = _word_of(held) == "relation" and not any(leaves_behind(one, held) for one in HANGS_ON)
    if is_kin and claim.evidence.meant == "ended":
        return False
    if UNLIKE in claim.topic and _word_of(held) not in _OF_ONESELF:
        return False
    words = re.findall(r"\w+", held.value.removeprefix(NOT).partition(" (")[0])
    careless = claim.said == claim.said.lower()
    first = (one for one in words[:-1] if one[0].isupper())
    told = [one for one in first if careless or one in claim.said] + words[-1:]
    return not claim.about.isdisjoint(stem(one.lower()) for one in told if len(one) > SHORTEST)


def _begin_with(said: list[str], thing: str) -> bool:
    """Tell whether words begin with a thing's, and go on with none that makes another of it.

    `coffee again` does, `coffee ice cream` and `coffee and tea` do not.
    """
    named = list(map(singular, thing.lower().split()))
    rest = said[len(named) :][:1]
    return said[: len(named)] == named and set(rest) <= _GO_ON


def _later(word: LastWord) -> tuple[str, bool]:
    """Return what puts words in order: their instants, and the end of a value before another."""
    return (word.at, not word.ends)


def _said(evidence: Evidence) -> tuple[str, str, str | None]:
    """Return what said which value."""
    return (evidence.source, evidence.ref, evidence.value)
