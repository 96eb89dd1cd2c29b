"""With whom a person has to do: kinds, shared moments and ends of its relations."""

import msgspec
import pytest

from mindpipe.person.mind.ties import MOST_SHARED, MOST_TIES, met, with_moment
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import LearntFact, PersonIdentity
from mindpipe.person.records.state import PersonRelation
from support.lone_life import happening

IDENTITY = PersonIdentity(relational_markers=("Nuno, my husband", "Clara, my sister in Porto"))


def moment(t_us: int, *people: str) -> Episode:
    return Episode(
        id=f"e{t_us}", t_us=t_us, until_us=t_us, type="contact", text="you talk", people=people
    )


def test_who_was_met_has_a_kind_and_a_history() -> None:
    (nuno,) = with_moment((), moment(5, "Nuno"), IDENTITY)
    assert (nuno.name, nuno.kind, nuno.role) == ("Nuno", "partner", "husband")
    assert [(one.t_us, one.text) for one in nuno.shared] == [(5, "you talk")]


def test_a_relation_of_an_old_record_gets_its_kind_and_keeps_its_count() -> None:
    old = msgspec.json.decode(b'{"name":"Clara","inputs":4,"valence_sum":3.2}', type=PersonRelation)
    (clara,) = with_moment((old,), None, IDENTITY)
    assert (clara.inputs, clara.valence_sum, clara.kind) == (4, 3.2, "sibling")


def test_a_death_ends_a_relation_that_keeps_its_history() -> None:
    fact = LearntFact(text="Nuno is dead", since_us=9, about="Nuno", turn="bereavement")
    after = msgspec.structs.replace(IDENTITY, learnt=(fact,))
    (nuno,) = with_moment(with_moment((), moment(5, "Nuno"), IDENTITY), None, after)
    assert (nuno.ended, nuno.ended_us, len(nuno.shared)) == ("died", 9, 1)


def test_who_is_together_again_has_not_parted() -> None:
    fact = LearntFact(text="parted", since_us=9, about="Nuno", turn="separation")
    parted = with_moment((), None, msgspec.structs.replace(IDENTITY, learnt=(fact,)))
    assert parted[0].ended == "parted"
    again = msgspec.structs.replace(fact, until_us=20)
    assert (
        with_moment(parted, None, msgspec.structs.replace(IDENTITY, learnt=(again,)))[0].ended == ""
    )


def test_relations_are_bounded_and_keep_ones_own_people() -> None:
    found: tuple[PersonRelation, ...] = with_moment((), moment(0, "Nuno"), IDENTITY)
    for number in range(MOST_TIES + 9):
        found = with_moment(found, moment(number, f"Guest{number}"), IDENTITY)
    for number in range(MOST_SHARED + 3):
        found = with_moment(found, moment(number, "Clara"), IDENTITY)
    assert len(found) == MOST_TIES
    assert found[0].name == "Nuno"
    assert len(found[-1].shared) == MOST_SHARED


def test_what_is_told_of_somebody_is_of_the_history_with_them() -> None:
    told = msgspec.structs.replace(moment(5), type="news", text="Nuno wants a divorce")
    (nuno,) = with_moment((), told, IDENTITY)
    assert nuno.shared[0].text == "Nuno wants a divorce"


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("Clive had a stroke, he is on the ward.", 0.0),
        ("You never listen to me.", -0.8),
        ("I hate this house and I hate it here.", -0.8),
    ],
)
def test_bad_news_is_not_held_against_who_brings_it(said: str, held: float) -> None:
    """Only what somebody says of the two of them is between them."""
    (clara,) = met((), happening("08:00", "speech", source="Clara", text=said, valence=-0.8))

    assert (clara.inputs, clara.valence_sum) == (1, held)
