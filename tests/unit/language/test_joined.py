"""What the strict reader takes apart: lists, two things said of one, and who is named before."""

from mindpipe.language.records import Statement, Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row


def read(text: str) -> tuple[Statement, ...]:
    """Return what Mara says in a text, but for figures."""
    (found,) = STRICT.read([Utterance(text, "Mara", "2026-05-01T10:00:00Z")])
    return tuple(one for one in found if one.unit is None)


JOINED = (
    ("I speak French and German.", "skill", {"French", "German"}),
    ("I speak English, French and a bit of Italian.", "skill", {"English", "French", "Italian"}),
    ("I play the piano and the guitar.", "skill", {"piano", "guitar"}),
    ("We have a dog and a cat.", "pet", {"dog", "cat"}),
    ("I have a dog called Rex and a cat called Mo.", "pet", {"Rex (dog)", "Mo (cat)"}),
    ("We have two cats, Tom and Jerry.", "pet", {"cats", "Tom (cat)", "Jerry (cat)"}),
    ("My cats are called Tom and Jerry.", "pet", {"Tom (cat)", "Jerry (cat)"}),
    ("I have two sisters, Eva and Mia.", "relation", {"Eva", "Mia"}),
    ("My kids are called Ben and Lea.", "relation", {"Ben", "Lea"}),
    ("I'm allergic to peanuts and cats.", "allergy", {"peanuts", "cats"}),
    ("I'm allergic to nuts and suffer a lot.", "allergy", {"nuts"}),
    ("I'm allergic to bee and wasp stings.", "allergy", {"bee and wasp stings"}),
    ("I love hiking, cooking and chess.", "taste", {"hiking", "cooking", "chess"}),
    ("I love gin and hate vodka.", "taste", {"gin", "not vodka"}),
    ("I like gin and tonic.", "taste", {"gin and tonic"}),
    ("I don't eat meat or fish.", "food", {"not meat", "not fish"}),
    ("I live with Anna and Tom.", "housemate", {"Anna", "Tom"}),
    ("My hobbies are chess and running.", "hobby", {"chess", "running"}),
    ("I like tea and my wife likes coffee.", "taste", {"tea"}),
    ("I play the piano and the fool.", "skill", {"piano"}),
)
"""What is said at once, of which attribute, and its values."""


@each_row(("text", "attribute", "values"), JOINED)
def test_what_is_joined_is_read_one_by_one(text: str, attribute: str, values: set[str]) -> None:
    assert {one.value for one in read(text) if one.attribute == attribute} == values


def test_two_things_that_are_said_of_one_are_of_him() -> None:
    found = read("My daughter Mia is 4 and loves horses.")
    assert {(one.subject, one.attribute, one.value) for one in found} == {
        ("Mara", "relation", "Mia"),
        ("Mia", "age", "4"),
        ("Mia", "taste", "horses"),
    }
    told = read("I'm a 34-year-old teacher from Graz")
    assert {one.value for one in told} == {"34", "teacher", "Graz"}


NAMED = (
    ("My brother Tom lives in Berlin.", ("Tom", "residence", "Berlin")),
    ("My brother Tom moved to Berlin in 2018.", ("Tom", "residence", "Berlin")),
    ("My wife's name is Anna and she is a doctor.", ("Anna", "job", "doctor")),
    ("My wife is Anna. She works as a lawyer.", ("Anna", "job", "lawyer")),
    ("My dog is called Rex. He loves cheese.", ("Rex", "taste", "cheese")),
    ("I live in Leipzig with my wife Anna.", ("Mara", "residence", "Leipzig")),
    ("My wife is Anna. He works as a lawyer.", None),
    ("My sister is Eva. It is called Mo.", None),
    ("My boss is Kim, my sister is Eva. She lives in Kiel.", None),
    ("My brother Tom says Eva lives in Kiel.", None),
)


@each_row(("text", "stated"), NAMED)
def test_who_is_named_by_what_he_is_to_one_is_told_of(
    text: str, stated: tuple[str, str, str] | None
) -> None:
    found = [
        (one.subject, one.attribute, f"{one.value}")
        for one in read(text)
        if one.attribute not in ("partner", "relation", "pet")
    ]
    assert found == ([stated] if stated else [])
