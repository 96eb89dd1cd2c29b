"""Whose kin somebody is: the family of a partner is not one's own, nor is that of a friend."""

import pytest

from mindpipe.person.mind.relations import others_of
from mindpipe.person.mind.turns import turn_of
from mindpipe.person.records.person import PersonIdentity
from support.lone_life import happening

IVA = PersonIdentity(
    self_narrative="I'm Iva, thirty-six, a potter in Zadar, married to Luka.",
    relational_markers=(
        *("Luka, my husband", "Dora, our daughter, ten", "Marko, my brother", "Vesna, my friend"),
        *("Stipe, Luka's father, who mends nets", "Ante, my father", "Pavo, Marko's son"),
        *("Nina, Vesna's mother", "Miki, our cat"),
    ),
)
GRAVE = {"valence": -0.9, "intensity": 1.0}


@pytest.mark.parametrize(
    ("name", "kind", "role"),
    [
        ("Stipe", "relative", "father-in-law"),
        ("Pavo", "relative", "nephew"),
        ("Nina", "other", ""),
        ("Ante", "parent", "father"),
        ("Dora", "child", "daughter"),
    ],
)
def test_somebody_is_what_it_is_to_the_person(name: str, kind: str, role: str) -> None:
    """The father of a husband is a father-in-law, and whose mother is a friend's is no mother."""
    found = next(one for one in others_of(IVA) if one.name == name)

    assert (found.kind, found.role) == (kind, role)


@pytest.mark.parametrize(
    ("source", "said", "who"),
    [
        ("Luka", "Papa died in the night.", "Stipe"),
        ("Luka", "My father died in the night.", "Stipe"),
        ("Luka", "Mum died in the night.", "Luka's mother"),
        ("Marko", "Papa died in the night.", "Ante"),
        ("Vesna", "My father died in the night.", "Vesna's father"),
    ],
)
def test_who_tells_of_a_father_means_its_own(source: str, said: str, who: str) -> None:
    """A brother's father is the person's too, a husband's is not."""
    event = happening("08:00", "speech", source=source, text=said, **GRAVE)

    turn = turn_of(event, IVA)

    assert turn is not None
    assert turn.about == who


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("the vet had to put Miki to sleep, there was nothing to be done", "Miki"),
        ("Miki was run over and killed", "Miki"),
        ("Ante went to sleep last night and did not wake up", "Ante"),
        ("Marko's heart gave out at the station", "Marko"),
        ("you put Dora to sleep and read to her", ""),
        ("Marko's heart stopped at the sight of the bill", ""),
    ],
)
def test_a_death_is_known_by_the_words_in_which_it_is_told(text: str, who: str) -> None:
    """What a vet does to an animal is its death; who puts a child to sleep does not kill it."""
    event = happening("08:00", "news", text=text, valence=-0.9, importance=0.9)

    turn = turn_of(event, IVA)

    assert (turn.about if turn else "") == who
