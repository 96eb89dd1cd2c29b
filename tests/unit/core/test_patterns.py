"""A pattern is compiled for the first text it may meet, and meets what `re` says that it meets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.patterns import folded, late, needs_of

_BROKEN = r"(?:live|dwell) in ("
_PIECES = st.sampled_from(
    ("ab", "b", "Ca", "a b", r"\bab", "[ab]", "[^]a]", r"[\]b]", ".", "(?!ab)", "(?=a)", "(?<=b)",
     "(?i:AB)", r"\x61b", "(ab)", "(?:ab|ca|bb)", "(?:abc|)", r"\(", "ı", "ſa", "k")
)  # fmt: skip
_COUNTS = st.sampled_from(
    ("", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,2}?", "{,1}", "{0}", "*?")
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return patterns made of patterns."""
    groups = st.lists(inner, min_size=1, max_size=3).map(lambda each: f"(?:{'|'.join(each)})")
    counted = st.tuples(groups, _COUNTS).map("".join)
    return st.one_of(counted, st.lists(inner, min_size=1, max_size=3).map("".join))


_PATTERNS = st.builds(
    lambda flags, each: flags + "|".join(each),
    st.sampled_from(("", "(?i)")),
    st.lists(st.recursive(_PIECES, _grown, max_leaves=6), min_size=1, max_size=2),
)
_TEXTS = st.text(alphabet="abcABC (ıſKk]", max_size=12)


@given(_PATTERNS, _TEXTS)
def test_a_late_pattern_meets_what_the_pattern_meets(pattern: str, text: str) -> None:
    plain, lazy = re.compile(pattern), late(pattern)
    for how in ("match", "fullmatch", "search"):
        one, other = getattr(plain, how)(text), getattr(lazy, how)(text)
        assert (one and one.span()) == (other and other.span())
    assert [one.span() for one in plain.finditer(text)] == [
        one.span() for one in late(pattern).finditer(text)
    ]
    assert plain.sub("-", text) == late(pattern).sub("-", text)
    if plain.search(text) is not None:
        assert lazy.cue in folded(text)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"(?:I|[Ww]e) (?:(?:just|now) )*live (?:here )?in \w+", [{"in"}, {"live"}]),
        (r"(?i)\b(?:No|nope)\b", [{"no", "nope"}]),
        (r"(?:has )?(?:moved|re-located) to", [{"to"}, {"moved", "located"}]),
        (r"colou?rs?(?= of)", [{"colo"}]),
        (r"left|[a-z]+", []),
        (r"(?x) left # or not", []),
    ],
)
def test_what_each_match_has_is_read_off_the_pattern(pattern: str, needs: list[set[str]]) -> None:
    assert sorted(map(sorted, needs_of(pattern))) == sorted(map(sorted, needs))


def test_a_pattern_is_compiled_for_a_text_that_it_may_meet_and_kept() -> None:
    broken = late(_BROKEN)
    assert broken.search("Nobody was here.") is None
    with pytest.raises(re.error):
        broken.search("Ava will dwell in Porto.")


def test_words_that_are_spread_over_lines_are_no_words_of_a_pattern() -> None:
    assert late("a b c d", re.VERBOSE).fullmatch("abcd") is not None
