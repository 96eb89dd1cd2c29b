"""The parser `seed`: keywords that are looked for as they stand."""

import unicodedata

_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d", '"'),
    }
)


def plain(text: str) -> str:
    """Return text in NFKC with straight quotes, case folded and white space collapsed."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return " ".join(text.casefold().split())


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text without their order."""
    return frozenset(text.split())


KEYWORDS: dict[str, tuple[str, ...]] = {
    "rumination": ("can't stop thinking", "going over and over", "replaying"),
    "acceptance": ("it's okay", "accept", "let it go", "it is what it is"),
    "reappraisal": ("maybe it's not that bad", "another way to look", "reframe"),
    "suppression": ("push it down", "don't feel", "ignore it"),
    "catastrophizing": ("worst case", "disaster", "going to die"),
    "problem_solving": ("figure this out", "need a plan", "solve this"),
    "distraction": ("think about something else", "distract myself"),
    "denial": ("it's fine", "nothing's wrong", "not happening"),
}


def parse_feedback(text: str) -> tuple[str, ...]:
    """Return the labels whose keywords stand anywhere in a thought, each once, in table order.

    Words are compared as `plain` makes them, so that case, white space and the shape of an
    apostrophe do not matter; parts of words count, as in "unacceptable".
    """
    said = plain(text)
    return tuple(
        label
        for label, keywords in KEYWORDS.items()
        if any(keyword in said for keyword in keywords)
    )
