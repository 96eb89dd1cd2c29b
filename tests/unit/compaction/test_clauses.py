"""What was said is cut where a reader would draw breath, and nowhere inside of a name or date."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.selection.clauses import (
    MOST_CHARACTERS,
    ClauseTable,
    clause_vocabulary,
    clauses,
    told,
)
from support.tables import each_row


@each_row(
    ("text", "cut"),
    [
        ("", []),
        (" \n ... — !? \n", []),
        ("One.", ["One"]),
        (
            "I sold the boat last May. We kept the oars, and they hang in the hall!",
            ["I sold the boat last May", "We kept the oars", "they hang in the hall!"],
        ),
        (
            "The kiln broke because the fuse was old, which cost 40 euros",
            ["The kiln broke", "because the fuse was old", "which cost 40 euros"],
        ),
        ("I like the sea: deeply", ["I like the sea: deeply"]),
        ("We sell bread, salt and candles.", ["We sell bread, salt and candles"]),
        ("Yes, well, so we met at 10:30.", ["we met at 10:30"]),
        ("From Nov 1 - Nov 15, 2031 it is v1.2.3.", ["From Nov 1 - Nov 15, 2031 it is v1.2.3"]),
        (
            "# Plan\n\n1. **Dig** the pond\n2. Fill it\n- [x] Fish",
            ["Plan", "Dig the pond", "Fill it", "[x] Fish"],
        ),
        ("| Ana | 3 |\n|---|---|\n| Ben | 4 |", ["Ana, 3", "Ben, 4"]),
        ("see [the lake. at noon] there now", ["see [the lake. at noon] there now"]),
        ("魚を買った。明日は雨！", ["魚を買った。", "明日は雨！"]),
    ],
)
def test_texts_are_cut_into_clauses(text: str, cut: list[str]) -> None:
    assert [clause.text for clause in clauses(text)] == cut


NEGATED = [
    "We checked all, but {no allergy to penicillin was found}.",
    "{No milk in the fridge today}, so it was not made.",
    "{Nope, never been there at all}.",
    "{Nah not my kind of music}.",
    "{No, I do not live in Bremen}.",
    "{No: the kiln is not broken}.",
    "Well, {no more sugar for me}.",
    "So {no longer do I work at Siemens}.",
    "Oh {no dogs are allowed here}.",
    "Yes and {no one came to the party}.",
    "And {nobody was told about it}.",
    "Definitely {no cats in this house}.",
    "{There is neither milk nor was there bread}.",
    "{Not only Anna but also Ben came here}.",
    "{I will come to the party unless it rains}.",
    "{I never smoked cigars or did drugs}.",
    "{I have never lied and was never asked}.",
    "{She does not smoke here and drink wine}.",
    "{There is no one here who is allergic to nuts}.",
    "{We found no evidence which supports the claim}.",
    "{We found nothing at all that is broken}.",
    "{I didn’t see her when she was in Rome}.",
    "{I can't eat these: nuts, fish, milk}.",
    "{He would not eat this - fish with milk}.",
    "{It is not true that he left and she stayed}.",
    "{I don't think he is ill and he needs a doctor}.",
    "{I have hardly any money as we speak}.",
    "{She left without the boat or was robbed}.",
]


@pytest.mark.parametrize("marked", NEGATED)
def test_a_clause_keeps_the_word_that_reverses_it(marked: str) -> None:
    whole = marked.partition("{")[2].partition("}")[0]
    text = marked.replace("{", "").replace("}", "")
    assert whole in [clause.text.partition(", so")[0] for clause in clauses(text)]


def test_a_clause_of_its_own_stands_alone_after_a_not() -> None:
    text = "He isn't a doctor and she is a nurse, but they did not meet because it rained."
    assert [clause.text for clause in clauses(text)] == [
        "He isn't a doctor",
        "she is a nurse",
        "they did not meet",
        "because it rained",
    ]


def test_fences_go_and_what_they_hold_is_code() -> None:
    found = list(clauses("Run this:\n```sh\nmake -C lib all\n```\nThen tell me how it went."))
    assert [(clause.text, clause.code) for clause in found] == [
        ("Run this", False),
        ("make -C lib all", True),
        ("tell me how it went", False),
    ]


@given(st.text(alphabet=st.sampled_from("aB1 .,;:!?-—\n\t[]()|*#`>。é")))
def test_clauses_are_short_lines_in_the_order_of_the_text(text: str) -> None:
    end = 0
    for clause in clauses(text):
        assert end <= clause.start < clause.end <= len(text)
        end = clause.end
        assert clause.text == clause.text.strip()
        assert clause.text.isprintable()
        assert 0 < len(clause.text) <= MOST_CHARACTERS
        assert any(map(str.isalnum, clause.text))
        assert set(clause.text) <= set(text) | {" ", ","}


@given(st.text(alphabet="ab .,:!\n", max_size=400))
def test_no_word_is_lost(text: str) -> None:
    kept = " ".join(clause.text for clause in clauses(text))
    assert sum(map(str.isalnum, kept)) == sum(map(str.isalnum, text))


def test_a_table_gives_back_what_is_told_of_each_text() -> None:
    texts = ["We sold the boat in May. Did you keep the oars?", "", "Anna, because of the fuse."]
    known = clause_vocabulary(texts, len(texts))
    table = ClauseTable()
    found = [told(text, known) for text in texts]
    for one in found:
        table.add(one)
    assert len(table) == len(texts)
    for place, one in enumerate(found):
        given_back = table[place]
        assert (given_back.timed, given_back.asks) == (one.timed, one.asks)
        assert all(list(a) == list(b) for a, b in zip(given_back[:4], one[:4], strict=True))
