"""The words of a text that mean one thing only: paths, addresses, ids, numbers, dates."""

import re
from collections.abc import Iterator

# What may stand inside of one; the ends are trimmed to letters and digits.
_RUN = re.compile(r"(?:[^\s\"'`()\[\]{}<>,;|*“”‘’«»…]|(?<=\d),(?=\d))+")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")
# A digit; a slash, underscore, at sign or backslash inside; a dot before a name's ending; a capital
# after a small letter.
_TELLING = re.compile(r"\d|\w[/\\@_]\w|\w:[/\\]|\w\.\w{2}|[a-z][A-Z]")
# "10-minute" is a number and a word.
_MEASURED = re.compile(r"^(\d+)-[^\W\d_]+$")


def identifiers(text: str) -> Iterator[str]:
    """Yield what of a text is a path, an address, an id, a number or a date."""
    for run in _RUN.findall(text):
        word = _MEASURED.sub(r"\1", _ENDS.sub("", run))
        if _TELLING.search(word):
            yield word


def stands_in(word: str, text: str) -> bool:
    """Tell whether a word stands in a text, not as a piece of a longer word or number."""
    place = text.find(word)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(word) : place + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        place = text.find(word, place + 1)
    return False
