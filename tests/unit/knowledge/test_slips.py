"""What few words set right of what their speaker has just said."""

from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import consolidated
from support.sayings import TERMS, held, said
from support.tables import each_row


def at_once(first: str, then: str, minute: int = 1) -> dict[str, str]:
    """Return what is held when somebody has said two things, so many minutes apart."""
    last = said(1, then, at=f"2026-05-01T10:{minute:02}:00Z", id="it_last")
    return held(consolidated([], RememberedClaims(items=[said(1, first), last]), TERMS))


SLIPS = (
    (("I live in Reading.", "*Redding"), {"residence": "Redding"}),
    (("I live in Reading.", "*Redding, stupid autocorrect"), {"residence": "Redding"}),
    (("I live in Reading.", "I mean Bath"), {"residence": "Bath"}),
    (("I work at Bosh.", "Bosch, sorry."), {"workplace": "Bosch"}),
    (("I work at Bosh.", "Bosch*"), {"workplace": "Bosch"}),
    (("I'm 42.", "sorry, 43"), {"age": "43"}),
    (("I'm 42 and I live in Ulm.", "*forty-three"), {"age": "43", "residence": "Ulm"}),
    (("I have three kids.", "two, sorry"), {"children": "2"}),
    (("My birthday is 3 May.", "I mean 3 June"), {"birthday": "3 June"}),
    (
        ("My dog is called Fido.", "I mean Fidel."),
        {"pet.fidel": "Fidel (dog)", "pet.fido": "not Fido"},
    ),
    (("I'm 42.", "43 actually"), {}),
    (("My birthday is 3 May.", "no, 3 June"), {}),
    (("I live in Reading.", "No, Bath."), {}),
    (("I live in Reading.", "sorry Anna"), {"residence": "Reading"}),
    (("I live in Reading.", "*sighs*"), {"residence": "Reading"}),
    (("I live in Reading.", "*Anna*"), {"residence": "Reading"}),
    (("I live in Reading.", "Sorry!"), {"residence": "Reading"}),
    (("I live in Reading.", "sorry, 43"), {"residence": "Reading"}),
    (("I live in Reading.", "No, Bath is too small for us."), {"residence": "Reading"}),
)


@each_row(("texts", "left"), SLIPS)
def test_few_words_right_behind_set_a_slip_right_or_put_it_in_doubt(
    texts: tuple[str, ...], left: dict[str, str]
) -> None:
    assert at_once(*texts) == left


def test_a_name_alone_rights_what_was_said_right_before() -> None:
    assert at_once("I live in Graz", "no wait, Linz") == {"residence": "Linz"}
    assert at_once("I live in Graz", "no wait, Linz", minute=30) == {"residence": "Graz"}
    assert at_once("I live in Graz", "sorry, Tom") == {"residence": "Graz"}
    assert at_once("I have a cough", "no wait, Linz").get("residence") is None
    both = at_once("My sister is called Ana.", "I mean Anna!")
    assert both == {"relation.sister_anna": "Anna", "relation.sister_ana": "not Ana"}
