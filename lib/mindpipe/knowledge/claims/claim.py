"""A claim, and how it is told."""

import contextlib
import re
from typing import Literal, NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.keys import normal_subject
from mindpipe.knowledge.records import Evidence, Kind

Sense = Literal["states", "ends"]
"""What is said of the value: that it is so, or of an edge of the graph that it is so no longer."""


class Claim(NamedTuple):
    """What a source says of a subject in one slot, before it is weighed against what is known.

    `word` is a word of the slot table. Of a figure, `family` is what is counted or measured, and
    `families` are those in which an older figure is looked for: its own, or where the text leaves
    it to be understood, every noun around. `topic` are the words behind the word in the slot, the
    nearest first, and `about` the stems of all the words around: figures of one family are of one
    slot where enough of `about` agrees, other claims where their slots are equal. `change` counts
    the words that say that the value is new. `begins` says that it says something by itself, and
    not only of what is held. `value` is "" of what has ended and was not named, which is then what
    is held. `said` is the sentence that says it, `items` are those that it was
    made from, if from any.
    """

    kind: Kind
    subject: str
    word: str
    value: str
    summary: str
    evidence: Evidence
    family: str = ""
    families: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()
    sense: Sense = "states"
    change: int = 0
    begins: bool = True
    said: str = ""
    items: tuple[str, ...] = ()

    @property
    def pretends(self) -> bool:
        """Tell whether it is of words that say they are of whom they speak, and nobody vouches."""
        claimed = self.evidence.claimed_speaker
        if claimed is None:
            return False
        with contextlib.suppress(UsageError):
            return normal_subject(claimed) == normal_subject(self.subject)
        return False


def is_operators(evidence: Evidence) -> bool:
    """Tell whether evidence is an operator's word: none is that stands under untrusted words."""
    return evidence.origin == "operator" and not evidence.sources


CLAUSE_CHARACTERS = 90
"""Of a longer clause without an end only so much to each side of a figure is repeated."""

_OWN = "the|my|our|your|his|her|its|their|this|an|a"
_WORD = rf"(?!(?:{_OWN}|for|of|in|on|with|to|at)\b)[^\W_][\w'’/.-]*"
# The last name in a clause: an article and some words, with what it is of.
_NAMED = re.compile(
    rf"\b(?:{_OWN})\s+(?P<name>{_WORD}(?:\s+{_WORD}){{0,5}}"
    rf"(?:\s+(?:for|of|in|on|with)\s+(?:(?:{_OWN})\s+)?{_WORD}(?:\s+{_WORD}){{0,3}})*)$",
    re.IGNORECASE,
)
# What leads from a name to its figure.
_LINK = re.compile(
    r"\s+(?P<words>(?:\b(?:is|are|was|were|has|have|had|been|be|will|now|currently|recently|just|"
    r"already|reached|set|scheduled|due|about|around|only|nearly|almost|approximately|roughly|"
    r"to|at|of|on|for|by)\b\s*)+)$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\b", re.IGNORECASE)
_BEGIN = re.compile(r"(?:(?:and|or|then|also|specifically)\s+)+", re.IGNORECASE)
_PLAIN = frozenset(["at", "be", "of", "to"])
_BREAK = re.compile(
    r"[,;:()–—]\s+|\s-\s|\b(?:but|so|because|since|while|when|which|that|where|if|although)\s+"
    r"|\band\s+(?=(?:I|we|it|he|she|they|the|my|our)\b)"
)
_AFTER = re.compile(
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
