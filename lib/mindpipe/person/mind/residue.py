"""What is left of a text when there is no room for it: its tone and its longest words."""

import re

from mindpipe.core.patterns import late

TONES = (
    (-0.5, "a painful moment"),
    (-0.15, "an uneasy moment"),
)
PLAIN, PLAIN_MOST = "a plain moment", 0.15
PLEASANT, PLEASANT_MOST = "a pleasant moment", 0.5
JOYFUL = "a joyful moment"
WORDS, LETTERS = 6, 5
_STOPPED = """about after again always because being could every everything feeling going nothing
other really should someone something their there these thing things think those though where
which while would"""
STOPPED = frozenset(_STOPPED.split())
"""Words that say nothing of what a moment was about."""
MOST_STORED = 8_000
"""The most characters of a text that are stored."""
_WORD = late(r"[^\W\d_]+")
_SENTENCE = late(r".*?[.!?]+(?=\s|$)", re.DOTALL)
_ENDS = ".!?"
_CONTROL = late("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = late("[\ud800-\udfff]")


def tone(valence: float) -> str:
    """Return what a moment of a valence between -1 and 1 was like."""
    for below, words in TONES:
        if valence < below:
            return words
    if valence <= PLAIN_MOST:
        return PLAIN
    return PLEASANT if valence <= PLEASANT_MOST else JOYFUL


def residue(text: str, valence: float) -> str:
    """Return what is left of a text: the tone of its valence and its first six distinct words.

    Words have at least 5 letters and none is one of `STOPPED`; without any the tone stands alone.
    """
    words: list[str] = []
    for word in _WORD.findall(text.lower()):
        if len(word) >= LETTERS and word not in STOPPED and word not in words:
            words.append(word)
    said = ", ".join(words[:WORDS])
    return f"{tone(valence)}: {said}" if said else tone(valence)


def first_sentence(text: str, *, most: int) -> str:
    """Return the first sentence without the mark that ends it, at most `most` characters long.

    It is cut at the last blank that leaves it short enough, within a word only where there is none.
    """
    words = " ".join(text.split())
    found = _SENTENCE.match(words)
    sentence = (found[0] if found else words).rstrip(_ENDS)
    return _beginning(sentence, most)


def storable(text: str) -> str:
    """Return the words of a voice without control characters other than newline and tab.

    At most 8,000 characters stay; a lone surrogate becomes U+FFFD.
    """
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))[:MOST_STORED]


def in_brief(text: str, *, most: int) -> str:
    """Return words on one line, the beginning of them with `…` where they have more characters."""
    words = on_one_line(text)
    begun = _beginning(words, most)
    return words if begun == words else f"{begun} …"


def _beginning(words: str, most: int) -> str:
    """Return at most so many characters of words, cut at a blank where there is one."""
    if len(words) <= most:
        return words
    cut = words[: most + 1].rfind(" ")
    return words[: cut if cut > 0 else most].rstrip()


def on_one_line(text: str) -> str:
    """Return words on one line without control characters, so that they can begin no other one."""
    return " ".join(_CONTROL.sub(" ", text).split())
