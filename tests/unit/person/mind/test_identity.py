"""Who a person holds itself to be: at first, and once a day from what it lived."""

from mindpipe.person.mind.felt import DISTORTED
from mindpipe.person.mind.identity import IdentityCore, narrative_of
from mindpipe.person.mind.memory import LabelledInstant, Recollection
from mindpipe.person.records.person import PersonIdentity, Traits
from mindpipe.person.records.state import PersonRelation
from mindpipe.person.records.thought import PersonMemory
from support.persons import DAY_US, memory, thought
from support.tables import each_row

NOW = 8 * DAY_US


def renewed(
    memories: list[PersonMemory] | None = None,
    labelled: list[LabelledInstant] | None = None,
    relations: list[PersonRelation] | None = None,
    identity: PersonIdentity | None = None,
) -> PersonIdentity:
    return IdentityCore(identity or PersonIdentity()).renew(
        NOW, memories=memories or [], labelled=labelled or [], relations=relations or []
    )


def test_the_identity_that_all_have() -> None:
    identity = IdentityCore.created(Traits()).identity
    assert identity.self_narrative == (
        "I'm a person, trying to make sense of the world around me. "
        "I think a lot, sometimes too much."
    )
    assert identity.disposition_traits == ("thoughtful", "curious", "sometimes anxious")
    assert identity.values_commitments == ("honesty", "understanding", "being kind")
    assert identity.relational_markers == ()
    assert identity.key_memories == ()
    assert identity.emotional_patterns == ()
    assert IdentityCore.created(Traits(), t_us=5).identity.last_updated_us == 5


@each_row(
    ("trait", "value", "word"),
    [
        ("n", 0.6276, "worries easily"),
        ("n", 0.3724, "hard to rattle"),
        ("e", 0.6276, "drawn to people"),
        ("e", 0.3724, "keeps to oneself"),
        ("c", 0.6276, "orderly"),
        ("c", 0.3724, "easy-going"),
        ("a", 0.6276, "warm"),
        ("a", 0.3724, "blunt"),
        ("o", 0.6276, "inventive"),
        ("o", 0.3724, "down to earth"),
        ("n", 0.6274, None),
        ("o", 0.38, None),
    ],
)
def test_a_marked_trait_has_a_word(trait: str, value: float, word: str | None) -> None:
    identity = IdentityCore.created(Traits(**{trait: value})).identity
    added = identity.disposition_traits[3:]
    assert added == ((word,) if word else ())


def test_words_of_traits_stand_in_order() -> None:
    identity = IdentityCore.created(Traits(o=1, c=0, e=1, a=0, n=1)).identity
    words = ("worries easily", "drawn to people", "easy-going", "blunt", "inventive")
    assert identity.disposition_traits[3:] == words


def test_a_renewal_is_due_after_five_thoughts() -> None:
    core = IdentityCore(PersonIdentity(last_updated_us=10))
    old = [LabelledInstant(t_us, ()) for t_us in (1, 5, 10, 11, 12, 13, 14)]
    assert not core.is_due(old)
    assert core.is_due([*old, LabelledInstant(15, ())])


def test_key_memories_are_how_the_five_most_important_begin() -> None:
    stored = [memory(number, f"Memory {number}. And more.", importance=0.5) for number in range(6)]
    stored.append(memory(9, "word " * 60, importance=0.9))
    found = renewed(stored)
    assert found.key_memories[1:] == ("Memory 5", "Memory 4", "Memory 3", "Memory 2")
    assert found.key_memories[0] == ("word " * 24).rstrip()
    assert len(found.key_memories[0]) <= 120
    assert found.last_updated_us == NOW


@each_row(
    ("label", "phrase"),
    [
        ("rumination", "goes over things again and again"),
        ("catastrophizing", "expects the worst"),
        ("suppression", "pushes feelings down"),
        ("denial", "says nothing is wrong"),
        ("distraction", "turns away from trouble"),
        ("acceptance", "lets things be"),
        ("reappraisal", "finds another side"),
        ("problem_solving", "makes plans"),
        *((name, phrase) for name, phrase in DISTORTED.items() if name != "catastrophizing"),
    ],
)
def test_a_label_that_is_frequent_becomes_a_pattern(label: str, phrase: str) -> None:
    often = [LabelledInstant(NOW - 1, (label,))] * 5
    assert renewed(labelled=often).emotional_patterns == (phrase,)


def test_a_pattern_needs_five_hits_and_a_third_of_seven_days() -> None:
    often = [LabelledInstant(NOW - 1, ("denial",))]
    other = [LabelledInstant(NOW - 1, ("acceptance",))]
    silent = [LabelledInstant(NOW - 1, ())]
    assert renewed(labelled=often * 4).emotional_patterns == ()
    assert renewed(labelled=often * 5 + silent * 90).emotional_patterns != ()
    late = often * 6 + other * 14
    assert renewed(labelled=late).emotional_patterns == ("lets things be", "says nothing is wrong")
    assert renewed(labelled=often * 6 + other * 15).emotional_patterns == ("lets things be",)
    week_old = [LabelledInstant(NOW - 7 * DAY_US, ("denial",))] * 9
    assert renewed(labelled=week_old).emotional_patterns == ()


def test_those_who_were_met_most_have_a_place() -> None:
    met = [
        PersonRelation(name="Tom", inputs=3, valence_sum=0.75),
        PersonRelation(name="Eve", inputs=9, valence_sum=-1.8),
        PersonRelation(name="Max", inputs=2, valence_sum=2.0),
        PersonRelation(name="Kim", inputs=4, valence_sum=0.7),
        PersonRelation(name="Lou", inputs=3, valence_sum=3.0),
    ]
    found = renewed(relations=met)
    assert found.relational_markers == ("Eve: tense", "Kim: around", "Tom: close")


def test_what_was_given_stays_where_nothing_was_lived() -> None:
    given = PersonIdentity(key_memories=("The sea",), relational_markers=("Tom: brother",))
    found = renewed(identity=given)
    assert (found.key_memories, found.relational_markers) == (("The sea",), ("Tom: brother",))


def test_a_recollection_holds_five_thoughts_seven_days_of_labels_and_memories_by_id() -> None:
    past = Recollection([thought(number * DAY_US) for number in range(10)], [memory(1)])
    assert [one.t_us // DAY_US for one in past.recent] == [5, 6, 7, 8, 9]
    assert [one.t_us // DAY_US for one in past.labelled] == [3, 4, 5, 6, 7, 8, 9]
    past.remember(memory(1, "told otherwise"))
    assert [one.content for one in past.memories] == ["told otherwise"]
    for number in range(2, 1003):
        found = past.remember(memory(number, importance=0.5))
    assert len(past.memories) <= 1000
    assert sum(one.count for one in past.memories) == 1002
    assert found.forgotten == () or found.gists


def test_what_is_told_of_oneself_is_three_sentences_and_600_characters() -> None:
    assert narrative_of(" I am Ann.  Really?\nYes! No more.") == "I am Ann. Really? Yes!"
    assert narrative_of("word " * 200) == ("word " * 120).rstrip()
    assert narrative_of("x" * 700) == "x" * 600
    assert narrative_of("x" * 600) == "x" * 600
