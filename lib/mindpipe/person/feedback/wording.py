"""Words of a thought in the one form in which they are looked at."""

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


def words(text: str) -> frozenset[str]:
    """Return the words of a text without their order."""
    return frozenset(text.split())
