"""What was said is cut only between passages, each of which says what it said in its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.selection.clauses import (
    LONGEST,
    MOST_CHARACTERS,
    ClauseTable,
    ClauseWeights,
    clause_vocabulary,
    clauses,
    told,
)
from mindpipe.compaction.selection.governing import governed
from mindpipe.compaction.selection.passages import leading, passages
from support.tables import each_row


@each_row(
    ("text", "cut"),
    [
        ("", []),
        (" \n ... — !? \n", []),
        ("One.", ["One"]),
        (
            "I sold the boat last May. We kept the oars, and they hang in the hall!",
            ["I sold the boat last May", "We kept the oars, and they hang in the hall!"],
        ),
        ("Yes, well, so we met at 10:30.", ["Yes, well, so we met at 10:30"]),
        ("From Nov 1 - Nov 15, 2031 it is v1.2.3.", ["From Nov 1 - Nov 15, 2031 it is v1.2.3"]),
        ("Dr. Smith has no. 5 here. Meet Ana at 9.", ["Dr. Smith has no. 5 here", "Meet Ana at 9"]),
        (
            "# Plan\n\n1. **Dig** the pond\n2. Fill it\n- [x] Fish",
            ["Plan", "Dig the pond", "Fill it", "[x] Fish"],
        ),
        ("| Ana | 3 |\n|---|---|\n| Ben | 4 |", ["Ana, 3", "Ben, 4"]),
        ("see [the lake. at noon] there now", ["see [the lake. at noon] there now"]),
        ("We need:\n- milk\n- eggs", ["We need", "milk", "eggs"]),
        ("魚を買った。明日は雨！", ["魚を買った。", "明日は雨！"]),
    ],
)
def test_texts_are_cut_into_passages(text: str, cut: list[str]) -> None:
    assert [clause.text for clause in clauses(text)] == cut


# What is in braces stands or goes together.
TOGETHER = [
    "{We take snacks, incl. Nuts of Kim, which I never eat}. All laughed about her.",
    "I believe in these kids. {We sail at nine to Kiel}.",
    "{Tell Marta that we sail. Don't tell Pedro.} All is well so far.",
    "{We checked all, but no allergy to penicillin was found}. All is well so far.",
    "{I work here. Nope, never been there at all}. I stay at home.",
    "{I live in Bremen… not!} Hello there my friend.",
    "{I love the sea. NOT!} We sail on Friday morning.",
    "{Do you live in Bremen? No.} We sail on Friday.",
    "{Do I live in Bremen? Nope, in Rome.} I work hard every day.",
    "{I live in Rome. That is simply not true at all.} I work hard.",
    "{He is a doctor. Just kidding.} Good morning to all of you.",
    '{He said: "I live in Berlin. I love it there. Come over."} All laughed about him.',
    "{She wrote “We moved. We are happy. Come” in jest}. All laughed about her.",
    "{He told me (in jest. Truly so.) that I win.} Good morning to all.",
    "{Yeah, right, I live in Bremen.} We sail on Friday morning.",
    "{Imagine this case. You live in Bonn. You are rich.}\n\nI live in Rome these days.",
    "{I had a dream last night. I moved to Bonn.}\n\nI live in Rome these days.",
    "{I do not\nlive in Bremen\nand so on}. Next one is here.",
    "{ich habe keine\nKatze}. Guten Tag zusammen.",
    "{I don't eat:\n- nuts\n- fish}\n\nI like bread a lot. It is good.",
    "{Not included\n\n- dental work\n- glasses}\n\nIncluded here:\n- eyes",
    "{Tom told me:\n> I live in Bremen.\n> I love it.}\n\nI see that now.",
    "{On Monday Tom sent:\n> I live in Bremen\n> for good}\n\nI see that now.",
    "{Tom: I live in Bremen. I love it.}\n{Ann: You lie to me. You live in Rome.}",
    "{I want none of these:\n```\nmake all}\n```\nWe sail on Friday morning.",
    "{If it rains we stay; we leave otherwise}. All is well so far.",
    "{I do not want: fish; meat; milk}. All is well so far.",
    "{I have never lied - I was never asked}. All is well so far.",
    "{It is not true that he left and she stayed}. All is well so far.",
    "{I can't eat these: nuts, fish, milk}. All is well so far.",
]


@pytest.mark.parametrize("marked", TOGETHER)
def test_what_governs_stays_with_what_it_governs(marked: str) -> None:
    text = marked.replace("{", "").replace("}", "")
    found = {text[one.start : one.end].strip(" .") for one in passages(text)}
    wanted = [piece.partition("}")[0].strip(" .") for piece in marked.split("{")[1:]]
    assert found.issuperset(wanted), found
    assert len(found) > 1


def test_a_text_is_shortened_by_whole_passages_or_not_at_all() -> None:
    text = f"All is well. {'The rumour goes round ' * 40}that I live in Bremen, which is false."
    assert leading(text, 1000) == text
    assert leading(text, 160) == "All is well. …"
    assert leading(text.partition(". ")[2], 160) == ""
    assert leading("It is fine, or so says " + "very " * 20 + "old Tom. He left.", 45).endswith(
        "old Tom. …"
    )


def test_only_what_no_word_governs_is_cut_at_a_length() -> None:
    row = "12 boats 13 oars " * 100
    assert {len(one.text) <= MOST_CHARACTERS for one in clauses(row)} == {True}
    (whole,) = clauses(f"none of these: {row}")
    assert len(whole.text) > LONGEST


def test_fences_go_and_what_they_hold_is_code() -> None:
    found = list(clauses("Run this:\n```sh\nmake -C lib all\n```\nThen tell me how it went."))
    assert [(clause.text, clause.code) for clause in found] == [
        ("Run this", False),
        ("make -C lib all", True),
        ("Then tell me how it went", False),
    ]


@given(st.text(alphabet=st.sampled_from("aB1 .,;:!?-—\n\t[]()|*#`>。é\"“”'…")))
def test_clauses_are_lines_in_the_order_of_the_text(text: str) -> None:
    end = 0
    for clause in clauses(text):
        assert end <= clause.start < clause.end <= len(text)
        end = clause.end
        assert clause.text == clause.text.strip()
        assert clause.text.isprintable()
        assert any(map(str.isalnum, clause.text))
        assert len(clause.text) <= LONGEST or governed(clause.text)


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

    def plain(one: ClauseWeights) -> list[object]:
        """Return what is told of a text, its columns as lists."""
        return [each if isinstance(each, bool) else list(each) for each in one]

    assert [plain(table[place]) for place in range(len(texts))] == [plain(one) for one in found]
