"""A stem is what SQLite's porter tokenizer makes of a word."""

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.recall.words import forms_of, stem

_WORDS = """
caresses ponies caress cats feed agreed plastered bled motoring sing conflated troubled sized
hopping tanned falling hissing fizzed failing filing happy sky relational conditional rational
valency hesitancy digitizer conformably radically differently vilely analogously vietnamization
predication operator feudalism decisiveness hopefulness callousness formality sensitivity
sensibility triplicate formative formalize electricity electrical hopeful goodness revival
allowance inference airliner gyroscopic adjustable defensible irritant replacement adjustment
dependent adoption homologou communism activate angularity homologous effective bowdlerize probate
rate cease controll roll apology yearly yes a is be oed ing yed ies
"""


def indexed(words: list[str]) -> list[str]:
    """Return the terms that SQLite makes of words."""
    rows = sqlite3.connect(":memory:")
    rows.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
    rows.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
    rows.executemany("INSERT INTO texts(rowid, text) VALUES(?, ?)", enumerate(words))
    found = dict(rows.execute("SELECT doc, term FROM terms"))
    rows.close()
    return [found[number] for number in range(len(words))]


def test_stems_are_those_of_the_index() -> None:
    words = _WORDS.split()
    words.append("running" * 10)
    assert [stem(word) for word in words] == indexed(words)


@given(
    st.lists(
        st.builds(
            "".join,
            st.tuples(
                st.text("abelstyz", min_size=3, max_size=6),
                st.sampled_from(
                    ["", "s", "ed", "ing", "ies", "y", "ational", "iveness", "bility", "ement"]
                ),
            ),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_whatever_the_word(words: list[str]) -> None:
    assert [stem(word) for word in words] == indexed(words)


def test_words_of_other_letters_are_their_own_stems() -> None:
    assert [stem(word) for word in ("2023", "naïves", "b2bs")] == ["2023", "naïves", "b2bs"]


def test_irregular_forms_come_along_with_a_word_and_regular_ones_do_not() -> None:
    assert forms_of("going") == ("going", "went", "gone")
    assert set(forms_of("children")) == {"children", "child"}
    assert forms_of("paints") == ("paints",)
