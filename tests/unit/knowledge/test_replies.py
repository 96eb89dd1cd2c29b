"""What somebody answers to what another has just said of him."""

from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import consolidated
from support.sayings import TERMS, held, said
from support.tables import each_row

# What Tom says, and what Mara says then; what is held of her.
ANSWERS = (
    ("Mara is allergic to cats.", "dogs, not cats, I'm afraid", {"allergy.dog": "dogs"}),
    ("Mara is allergic to cats.", "no, dogs not cats", {"allergy.dog": "dogs"}),
    ("Mara lives in Rome.", "Oslo, not Rome", {"residence": "Oslo"}),
    ("Mara lives in Rome.", "yes", {"residence": "Rome"}),
    ("Mara lives in Rome.", "That's right.", {"residence": "Rome"}),
    ("Mara lives in Rome.", "Yes, but not for long", {}),
    ("Mara lives in Rome.", "yeah right", {}),
    ("Mara lives in Rome. Mara works at Bosch.", "yes", {}),
    ("Mara is 60 years old.", "59 thank you. And no party", {"age": "59"}),
    ("Mara is 60 years old.", "59 people came to the party", {}),
    ("Mara lives in Rome.", "59 thank you", {}),
    ("Ana lives in Rome.", "yes", {}),
    ("Mara lives in Rome.", "salt, not pepper", {}),
)


@each_row(("told", "answer", "home"), ANSWERS)
def test_an_answer_is_the_own_word_of_who_gives_it(
    told: str, answer: str, home: dict[str, str]
) -> None:
    items = [
        said(1, told, speaker="Tom"),
        said(2, answer, at="2026-05-01T11:00:00Z", id="it_2"),
    ]
    found = consolidated([], RememberedClaims(items=items), TERMS)
    assert {
        one.slot: one.value
        for one in found.observations
        if one.subject_id == "mara" and one.slot in held(found)
    } == home


def test_what_was_said_the_day_before_is_not_answered() -> None:
    items = [said(1, "Mara lives in Rome.", speaker="Tom"), said(3, "yes")]
    assert held(consolidated([], RememberedClaims(items=items), TERMS)) == {}
