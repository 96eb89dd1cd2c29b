"""The words in which a sentence tells one of its figures."""

import re

from mindpipe.core.patterns import late

CLAUSE_CHARACTERS = 90
"""Of a longer clause without an end only so much to each side of a figure is repeated."""

_OWN = "the|my|our|your|his|her|its|their|this|an|a"
_WORD = rf"(?!(?:{_OWN}|for|of|in|on|with|to|at)\b)[^\W_][\w'’/.-]*"
# The last name in a clause: an article and some words, with what it is of.
_NAMED = late(
    rf"\b(?:{_OWN})\s+(?P<name>{_WORD}(?:\s+{_WORD}){{0,5}}"
    rf"(?:\s+(?:for|of|in|on|with)\s+(?:(?:{_OWN})\s+)?{_WORD}(?:\s+{_WORD}){{0,3}})*)$",
    re.IGNORECASE,
)
# What leads from a name to its figure.
_LINK = late(
    r"\s+(?P<words>(?:\b(?:is|are|was|were|has|have|had|been|be|will|now|currently|recently|just|"
    r"already|reached|set|scheduled|due|about|around|only|nearly|almost|approximately|roughly|"
    r"to|at|of|on|for|by)\b\s*)+)$",
    re.IGNORECASE,
)
_FROM = late(r"\bfrom\b", re.IGNORECASE)
_BEGIN = late(r"(?:(?:and|or|then|also|specifically)\s+)+", re.IGNORECASE)
_PLAIN = frozenset(["at", "be", "of", "to"])
_BREAK = late(
    r"[,;:()–—]\s+|\s-\s|\b(?:but|so|because|since|while|when|which|that|where|if|although)\s+"
    r"|\band\s+(?=(?:I|we|it|he|she|they|the|my|our)\b)"
)
_AFTER = late(
    r"[,;:()–—]|\s-\s|\s(?:and|but|so|because|since|while|when|which|that|where|if|although)\s"
)


def told(sentence: str, span: tuple[int, int], *, shown: str | None, unit: str) -> str:
    """Return what a sentence says with the figure at `span`, without a full stop.

    `shown` stands in the place of its words, if it is given. A noun as the `unit` is what is
    counted, and ends what is told; where nothing is named before the figure the clause is told.
    """
    before = _clause(sentence[: span[0]])
    after = sentence[span[1] :]
    figure = shown or re.sub(r"(?<=\d)(?=[A-Za-z])", " ", sentence[span[0] : span[1]])
    counted = re.match(rf"\W{{0,2}}(?:[\w'’-]+[\s-]+){{0,3}}?{re.escape(unit)}\w*", after, re.I)
    many = f"{figure}{counted[0]}" if unit.isalpha() and counted and not shown else figure
    link = _LINK.search(before)
    named = _NAMED.search(before[: link.start()]) if link else None
    if link is None or named is None or _FROM.search(before):
        return _whole(before, figure, after)
    words = " ".join(link["words"].split())
    if named.start() == 0:
        return f"{named['name']} {words} {many}"
    return (
        f"{named['name']} is {many}" if words.lower() in _PLAIN else _whole(before, figure, after)
    )


def _clause(before: str) -> str:
    """Return the words of a clause up to its figure."""
    ends = [found.end() for found in _BREAK.finditer(before)]
    clause = before[ends[-1] if ends else 0 :].lstrip()
    if len(clause) > CLAUSE_CHARACTERS:
        clause = clause[-CLAUSE_CHARACTERS:].partition(" ")[2]
    return clause


def _whole(before: str, figure: str, after: str) -> str:
    """Return a clause as it stands, with what follows its figure."""
    end = _AFTER.search(after)
    rest = after[: end.start() if end else None].rstrip(" .!?\n")
    if len(rest) > CLAUSE_CHARACTERS:
        rest = rest[:CLAUSE_CHARACTERS].rpartition(" ")[0]
    begin = _BEGIN.match(before)
    return " ".join(f"{before[begin.end() if begin else 0 :]}{figure}{rest}".split())
