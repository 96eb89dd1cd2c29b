"""Whom a name means, of what speakers are held to be called."""

from mindpipe.knowledge.bearers import bearers
from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import consolidated
from mindpipe.knowledge.records import BeliefStatus
from support.sayings import TERMS, said
from support.tables import each_row

MEANT = (
    ({"root": "Paul"}, {"paul": "root"}),
    ({"root": "Paul Weber"}, {"paul": "root", "paul-weber": "root"}),
    ({"root": "Paul", "lena": ""}, {"paul": "root"}),
    ({"root": "Paul", "paul": ""}, {}),
    ({"root": "Paul", "ben": "Paul"}, {}),
    ({"root": ""}, {}),
)


@each_row(("told", "whom"), MEANT)
def test_a_name_means_the_one_who_is_called_so(told: dict[str, str], whom: dict[str, str]) -> None:
    assert bearers(told) == whom


def subjects(*words: tuple[str, str]) -> set[tuple[str, str]]:
    """Return of whom what is believed after words of some speakers."""
    items = [said(day, text, speaker=who) for day, (who, text) in enumerate(words, 1)]
    found = consolidated([], RememberedClaims(items=items), TERMS).observations
    return {
        (one.subject_id, one.value)
        for one in found
        if one.status is BeliefStatus.ACTIVE and one.slot != "name"
    }


ME = ("root", "I'm Paul.")
HOME = ("root", "I live in Kiel.")
MERGED = (
    ((ME, HOME, ("lena", "Paul lives in Kiel.")), {("root", "Kiel")}),
    ((ME, HOME, ("lena", "Paul lives in Rome.")), {("root", "Kiel")}),
    ((ME, HOME, ("paul", "I live in Rome.")), {("root", "Kiel"), ("paul", "Rome")}),
    (
        (ME, HOME, ("root", "My brother Paul lives in Rome.")),
        {("root", "Kiel"), ("root", "Paul"), ("paul", "Rome")},
    ),
    ((HOME, ("lena", "Paul lives in Rome.")), {("root", "Kiel"), ("paul", "Rome")}),
)


@each_row(("words", "left"), MERGED)
def test_two_names_of_one_are_one_and_one_name_of_two_is_not(
    words: tuple[tuple[str, str], ...], left: set[tuple[str, str]]
) -> None:
    assert subjects(*words) == left
