"""New persons: drawn as the specification says, and named."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.person.life.birth import Birth, draw_traits, new_persons, normals
from mindpipe.person.records.person import Traits
from support.tables import each_row

NORMALS = [
    -1.6056567712956051,
    1.396059539447814,
    1.4864180884776537,
    -0.21141737298743604,
    -1.6988047681807512,
    -1.80178418071977,
]


def test_the_normal_draws_of_the_specification() -> None:
    assert normals(7, "p000001") == pytest.approx(NORMALS, rel=1e-12)


def test_traits_and_chronotype_follow_from_the_draws() -> None:
    traits, chronotype_h = draw_traits(7, "p000001")
    assert traits.o == pytest.approx(0.5 + 0.17 * NORMALS[0])
    assert traits.n == pytest.approx(0.5 + 0.17 * NORMALS[4])
    assert chronotype_h == pytest.approx(0.7 * NORMALS[5])


def test_what_is_drawn_stays_in_its_range() -> None:
    found = [draw_traits(seed, "p000001") for seed in range(5000)]
    lowest = min(min(traits.o, traits.n) for traits, _ in found)
    assert lowest >= 0.0
    assert max(max(traits.o, traits.n) for traits, _ in found) <= 1.0
    assert max(abs(hours) for _, hours in found) <= 2.5


def test_one_person_is_average_and_known_by_its_name() -> None:
    (mara,) = new_persons(Birth(name="Mara Löw", seed=7))
    assert (mara.person, mara.name, mara.seed) == ("mara-low", "Mara Löw", 7)
    assert mara.traits == Traits()
    assert mara.identity.disposition_traits == ("thoughtful", "curious", "sometimes anxious")


def test_marked_traits_have_words() -> None:
    (mara,) = new_persons(Birth(name="Mara", traits={"n": 0.9, "e": 0.1}))
    assert (mara.traits.n, mara.traits.e, mara.traits.o) == (0.9, 0.1, 0.5)
    assert mara.identity.disposition_traits[3:] == ("worries easily", "keeps to oneself")


def test_many_have_numbers_and_drawn_traits_but_those_that_are_given() -> None:
    first, second = new_persons(Birth(count=2, seed=7, traits={"n": 0.7}))
    assert (first.person, second.person) == ("p000001", "p000002")
    assert first.traits.o == pytest.approx(0.5 + 0.17 * NORMALS[0])
    assert first.traits.n == second.traits.n == 0.7
    assert first.traits.o != second.traits.o


@each_row("birth", [Birth(), Birth(name=""), Birth(count=2, name="Mara")])
def test_a_person_without_a_name_is_refused(birth: Birth) -> None:
    with pytest.raises(UsageError):
        list(new_persons(birth))


@each_row(
    "name, person",
    [
        ("Zoë", "zoe"),
        ("Åsa Jürgens", "asa-jurgens"),
        ("Ünï 😀", "uni"),
        ("Mara  (the 2nd)", "mara-the-2nd"),
        ("-x-", "x"),
    ],
)
def test_a_name_gives_an_id_that_can_be_typed(name: str, person: str) -> None:
    assert [one.person for one in new_persons(Birth(name=name, seed=7))] == [person]


def test_a_name_of_which_no_id_comes_is_refused() -> None:
    with pytest.raises(UsageError):
        list(new_persons(Birth(name="美咲", seed=7)))
