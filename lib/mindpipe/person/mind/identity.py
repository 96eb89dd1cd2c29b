"""Who a person holds itself to be: given at first, and renewed once a day from what it lived."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.patterns import late
from mindpipe.person.mind.felt import PATTERNS
from mindpipe.person.mind.memory import LOOKED_BACK_US, LabelledInstant
from mindpipe.person.mind.residue import first_sentence
from mindpipe.person.records.person import PersonIdentity, Traits
from mindpipe.person.records.state import PersonRelation
from mindpipe.person.records.thought import PersonMemory

MEAN, DEVIATION = 0.5, 0.17
MARKED = 0.75
"""The deviation from the mean from which on a trait has a word."""
WORDS = (
    ("n", "worries easily", "hard to rattle"),
    ("e", "drawn to people", "keeps to oneself"),
    ("c", "orderly", "easy-going"),
    ("a", "warm", "blunt"),
    ("o", "inventive", "down to earth"),
)
"""The words of each trait, where it is high and where it is low."""
LEAST_THOUGHTS = 5
"""How many thoughts there must have been since the last renewal."""
MOST_MEMORIES, MEMORY_CHARACTERS = 5, 120
NARRATIVE_SENTENCES, NARRATIVE_CHARACTERS = 3, 600
_SENTENCE_END = late(r"(?<=[.!?])\s+")
LEAST_HITS, LEAST_SHARE = 5, 0.3
LEAST_INPUTS, MOST_RELATIONS, MARKED_VALENCE = 3, 3, 0.2


class IdentityCore:
    """An identity with what may change it; `identity` is the record of it."""

    __slots__ = ("identity",)

    def __init__(self, identity: PersonIdentity) -> None:
        self.identity = identity

    @classmethod
    def created(cls, traits: Traits, *, t_us: int = 0) -> "IdentityCore":
        """Return the identity of somebody new: the one that all have, and words for its traits."""
        words = []
        for name, high, low in WORDS:
            z = (getattr(traits, name) - MEAN) / DEVIATION
            if abs(z) >= MARKED:
                words.append(high if z > 0 else low)
        given = PersonIdentity(last_updated_us=t_us)
        named = (*given.disposition_traits, *words)
        return cls(msgspec.structs.replace(given, disposition_traits=named))

    def is_due(self, labelled: Iterable[LabelledInstant]) -> bool:
        """Tell whether there were enough thoughts since the last renewal."""
        since = self.identity.last_updated_us
        return sum(thought.t_us > since for thought in labelled) >= LEAST_THOUGHTS

    def renew(
        self,
        t_us: int,
        *,
        memories: Sequence[PersonMemory],
        labelled: Iterable[LabelledInstant],
        relations: Iterable[PersonRelation],
    ) -> PersonIdentity:
        """Return the identity of a new day; without memories or relations these stay as given."""
        was = self.identity
        self.identity = msgspec.structs.replace(
            was,
            key_memories=_key_memories(memories) or was.key_memories,
            emotional_patterns=_patterns(labelled, t_us),
            relational_markers=_markers(relations) or was.relational_markers,
            last_updated_us=t_us,
        )
        return self.identity

    def retell(self, words: str) -> PersonIdentity:
        """Return the identity told anew: at most three sentences; nothing said changes nothing."""
        told = narrative_of(words)
        if told:
            self.identity = msgspec.structs.replace(self.identity, self_narrative=told)
        return self.identity


def narrative_of(words: str) -> str:
    """Return the first three sentences of words on one line, at most 600 characters of them."""
    told = " ".join(_SENTENCE_END.split(words.strip())[:NARRATIVE_SENTENCES])
    told = " ".join(told.split())
    if len(told) <= NARRATIVE_CHARACTERS:
        return told
    return told[:NARRATIVE_CHARACTERS].rpartition(" ")[0] or told[:NARRATIVE_CHARACTERS]


def _key_memories(memories: Sequence[PersonMemory]) -> tuple[str, ...]:
    """Return how the most important memories begin; of equal ones newer first."""
    ranked = sorted(memories, key=lambda one: (-one.importance, -one.t_us, one.id))
    return tuple(
        first_sentence(memory.content, most=MEMORY_CHARACTERS) for memory in ranked[:MOST_MEMORIES]
    )


def _patterns(labelled: Iterable[LabelledInstant], t_us: int) -> tuple[str, ...]:
    """Return what labels that are frequent these seven days say, in the order of labels."""
    found = [one.labels for one in labelled if one.labels and one.t_us > t_us - LOOKED_BACK_US]
    hits = Counter(label for labels in found for label in set(labels))
    return tuple(
        phrase
        for label, phrase in PATTERNS.items()
        if hits[label] >= LEAST_HITS and hits[label] >= LEAST_SHARE * len(found)
    )


def _markers(relations: Iterable[PersonRelation]) -> tuple[str, ...]:
    """Return how it is with those who were met most; of equally many those met first."""
    known = [relation for relation in relations if relation.inputs >= LEAST_INPUTS]
    known.sort(key=lambda one: -one.inputs)
    return tuple(f"{one.name}: {_nearness(one)}" for one in known[:MOST_RELATIONS])


def _nearness(relation: PersonRelation) -> str:
    """Return what it is like to be with somebody."""
    mean = relation.valence_sum / relation.inputs
    if mean >= MARKED_VALENCE:
        return "close"
    return "tense" if mean <= -MARKED_VALENCE else "around"
