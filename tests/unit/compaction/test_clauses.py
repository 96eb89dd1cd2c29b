"""What was said is cut where a reader would draw breath, and nowhere inside of a name or date."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.compaction.selection.clauses import MOST_CHARACTERS, clauses


@pytest.mark.parametrize(
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
