"""A question that names somebody by a relation alone is answered of him, what is so first."""

import json

import pytest

from support.command import Mind

pytestmark = pytest.mark.heavy

TOLD = (
    ("Jonas", "03-01", "My wife is Lena."),
    ("Lena", "03-02", "I work at Siemens."),
    ("Mara", "03-03", "My sister Eva lives in Graz."),
    ("Eva", "04-03", "I live in Graz."),
    ("Lena", "05-02", "I joined Bosch."),
    ("Eva", "05-10", "I moved to Linz."),
    ("Mara", "05-11", "The weather in Graz was nice and work was dull."),
    ("Jonas", "05-12", "I work at Lidl."),
    ("Tom", "05-12", "My boss is Petra."),
    ("Petra", "05-12", "I'm allergic to nuts."),
    ("Petra", "05-13", "I am vegan."),
    ("Ana", "05-13", "Dana owns the billing service."),
    ("Dana", "05-14", "I live in Oslo."),
    ("Max", "05-15", "Who works where is none of my business, honestly."),
)


@pytest.fixture(name="ava")
def _ava(mind: Mind) -> Mind:
    mind("init", "--agent", "ava")
    items = (
        {"id": f"m{n}", "speaker": who, "at": f"2026-{day}T10:00:00Z", "text": text}
        for n, (who, day, text) in enumerate(TOLD)
    )
    mind("memory", "add", "--agent", "ava", stdin="".join(f"{json.dumps(one)}\n" for one in items))
    mind("consolidate", "--agent", "ava")
    return mind


ASKED = (
    ("Who is Jonas's spouse and where does she work?",
     ["Lena is Jonas's partner.", "Lena works at Bosch.", "I joined Bosch."]),
    ("Where does Jonas's wife work?",
     ["Lena is Jonas's partner.", "Lena works at Bosch.", "I joined Bosch."]),
    ("Where does Mara's sister live?",
     ["Eva is Mara's sister.", "Eva lives in Linz.", "I moved to Linz."]),
    ("What is Tom's boss allergic to?",
     ["Petra is Tom's boss.", "Petra is allergic to nuts.", "I'm allergic to nuts."]),
    ("Does the boss of Tom eat meat?",
     ["Petra is Tom's boss.", "Petra is vegan.", "I am vegan."]),
    ("Who owns the billing service and where does she live?",
     ["billing service's owner is Dana.", "Dana lives in Oslo."]),
)  # fmt: skip


def test_the_second_step_comes_to_what_is_so_with_its_evidence_beside_it(ava: Mind) -> None:
    for question, expected in ASKED:
        found = ava("recall", "--agent", "ava", question).records()
        assert [one["text"] for one in found][: len(expected)] == expected, question


def test_what_is_so_no_longer_stands_below_unless_it_is_asked_for(ava: Mind) -> None:
    def order(question: str) -> list[str]:
        found = ava("recall", "--agent", "ava", question).records()
        return [one["text"] for one in found]

    now = order("Where does Mara's sister live?")
    old = {"My sister Eva lives in Graz.", "I live in Graz."}
    assert min(map(now.index, old)) > now.index("Eva lives in Linz.")
    before = order("Where did Mara's sister live before?")
    assert before.index("My sister Eva lives in Graz.") < before.index("Eva lives in Linz.")
