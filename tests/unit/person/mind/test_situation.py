"""Who is there: people, to whom one may speak, and animals beside them."""

import pytest

from mindpipe.person.life.cut import note
from mindpipe.person.mind.relations import is_animal, others_of
from mindpipe.person.mind.situation import situation_of, weather_in
from mindpipe.person.records.episode import Episode, RoutineBlock
from mindpipe.person.records.event import HOUR_US, EventType, PersonEvent
from mindpipe.person.records.person import Person, PersonIdentity
from mindpipe.person.records.state import Mind

IDENTITY = PersonIdentity(relational_markers=("my dog Bruno", "my sister Ana"))
KNOWN = others_of(IDENTITY)
MARA = Person(person="mara", name="Mara", identity=IDENTITY, routine=())


@pytest.mark.parametrize("name", ["the dog", "Bruno", "the cat Mio", "two goats", "Ana's horse"])
def test_an_animal_is_known_by_its_name_or_by_what_it_is(name: str) -> None:
    assert is_animal(name, KNOWN)


@pytest.mark.parametrize("name", ["Ana", "the dog owner", "Catherine", "Mr Lamb", "the vet"])
def test_people_are_no_animals(name: str) -> None:
    assert not is_animal(name, KNOWN)


def test_animals_are_beside_the_company() -> None:
    walk = PersonEvent(
        v=1,
        person="mara",
        t_us=10 * HOUR_US,
        id="walk",
        type="contact",
        text="a walk along the river",
        people=("Bruno", "Ana", "the dog of the neighbour, a terrier"),
        dur_us=HOUR_US,
    )
    found = situation_of(MARA, note(Mind(), walk, IDENTITY), 10 * HOUR_US + 1, awake=True)
    assert found.company == ("Ana",)
    assert found.animals == ("Bruno", "the dog of the neighbour, a terrier")


@pytest.mark.parametrize(
    ("text", "back", "company"),
    [
        ("Ana slams the door and drives off", "", ()),
        ("Ana slams the door and drives off", "Ana comes in and puts the keys down", ("Ana",)),
        ("Ana drives off the rain with a laugh", "", ("Ana",)),
        ("Ana puts the kettle on", "", ("Ana",)),
    ],
)
def test_who_has_driven_off_is_no_company(text: str, back: str, company: tuple[str, ...]) -> None:
    """Who left sits at no table until it is told to be back."""
    mind, told = Mind(), [(8, text), *([(9, back)] if back else [])]
    for hour, words in told:
        deed = PersonEvent(
            v=1, person="mara", t_us=hour * HOUR_US, id=words, type="action", text=words,
            source="Ana",
        )  # fmt: skip
        mind = note(mind, deed, IDENTITY)
    at_us = told[-1][0] * HOUR_US + 1
    assert situation_of(MARA, mind, at_us, awake=True).company == company


def _told(at: int, kind: EventType, text: str) -> PersonEvent:
    return PersonEvent(
        v=1, person="mara", t_us=at * HOUR_US, id=text, type=kind, text=text, nrs=6.0
    )


@pytest.mark.parametrize(
    ("hours", "hurts", "place"),
    [(3, ["injury"], "at the hospital"), (9, ["injury"], "at home"), (3, [], "at home")],
)
def test_one_who_is_hurt_stays_where_it_is_cared_for(
    hours: int, hurts: list[EventType], place: str
) -> None:
    mind = Mind()
    for kind in hurts:
        mind = note(mind, _told(1, kind, "a beam falls on your arm"), IDENTITY)
    mind = note(mind, _told(2, "contact", "Ana rides with you to the hospital"), IDENTITY)
    found = situation_of(MARA, mind, (2 + hours) * HOUR_US, awake=True)
    assert found.place == place


@pytest.mark.parametrize(
    ("text", "weather"),
    [
        ("It is snowing hard outside.", "it snows"),
        ("it rains hard on the depot roof", "it rains"),
        ("it is snowing", "it snows"),
        ("Take a coat, it's pouring.", "it rains"),
        ("the rain drums on the tin roof", "it rains"),
        ("If it rains we stay in.", ""),
        ("Is it raining?", ""),
        ("It rained all week.", ""),
        ("Mia reigns over the kitchen", ""),
    ],
)
def test_the_weather_is_known_by_words_that_tell_of_it(text: str, weather: str) -> None:
    assert weather_in(text) == weather


def test_company_is_where_it_is_known_from_only_if_all_of_it_is() -> None:
    who = Person(
        person="ann",
        identity=PersonIdentity(
            self_narrative="I'm Jonas, 23, a student.",
            relational_markers=("Clara, from the choir", "Felix, my flatmate"),
        ),
    )

    def place(*people: str) -> str:
        meal = Episode(
            id="e",
            t_us=HOUR_US,
            until_us=2 * HOUR_US,
            type="contact",
            text="you laugh",
            people=people,
        )
        return situation_of(who, Mind(episodes=(meal,)), HOUR_US, awake=True).place

    assert place("Clara", "Felix") != place("Clara")
    assert place("Clara", "Ida") == place("Ida")


def test_a_part_of_a_routine_without_a_place_is_at_home_with_its_company() -> None:
    meal = RoutineBlock(what="meal", start_min=1080, minutes=45, people=("household",), quality=0.6)
    identity = PersonIdentity(relational_markers=("Nuno, my husband",))
    person = Person(person="rosa", name="Rosa", identity=identity, routine=(meal,))
    found = situation_of(person, Mind(), 18 * HOUR_US + 1, awake=True)
    assert (found.place, found.activity, found.company) == ("at home", "eating", ("Nuno",))


def test_who_has_a_name_is_not_there_twice() -> None:
    identity = PersonIdentity(
        self_narrative="I'm Ngozi, a nurse. I live with my husband Dayo and our twins.",
        relational_markers=("Dayo, my husband", "Ife and Tobi, our twins, six"),
    )
    assert [one.name for one in others_of(identity) if one.at_home] == ["Dayo", "Ife", "Tobi"]
