"""What is asked in a talk, what is known that may answer it, and what does."""

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
QUOTED = re.compile(r'^(.+) said to you: "(.*)"$', re.S)
"""What was learnt of somebody's words: who said it, and what."""
NEVER = r"(?!)"
"""Fits nothing: for a pattern that a language does not have."""
Subject = Literal["self", "yours", "speaker", "other"]


class HeardQuestion(NamedTuple):
    """What is asked: how, about whom, by which words, and when it was.

    `asks` is the word it begins with, `yesno` for a question that has none; `need` are the words
    that an answer must have; `told` is whether it asks for what was said, and `span_us` the time
    in which it was, None for any. `taste` is whether nobody but the person can say it, `ahead`
    whether it is of what is to come, and `named` are the words by which somebody is known whom it
    is about; `light` are verbs that count only where nothing else is asked, as `make`. It is
    `whole` where `need` has all that it asks: else nothing is a yes to it.
    """

    asks: str
    subject: Subject
    need: frozenset[str]
    text: str
    past: bool = False
    told: bool = False
    span_us: tuple[int, int] | None = None
    taste: bool = False
    named: frozenset[str] = frozenset()
    ahead: bool = False
    whole: bool = True
    light: frozenset[str] = frozenset()


class KnownFact(NamedTuple):
    """Something that a person knows: as it says it, and by which words it is found.

    `of` is where it is from: what the person is, who somebody is, what was told, all that somebody
    said at once, or what happened; `source` who told it. What `ends` what was so is no yes to who
    asks whether it still is, nor what is `pending`, as a notice. What `lasts` is so still, or is to
    come, and is told without its time; what is `over` is so no more.
    What was told is the person's `own` where it turned its life.
    """

    text: str
    words: frozenset[str]
    of: Literal["self", "tie", "told", "said", "lived"]
    t_us: int = -(2**62)
    source: str = ""
    ends: bool = False
    lasts: bool = False
    pending: bool = False
    over: bool = False
    own: bool = False


class FoundAnswer(NamedTuple):
    """What is known to a question: a sentence without its mark, and whether that is a yes or no."""

    text: str
    yes: bool = False
    no: bool = False


class HowTold(NamedTuple):
    """How what happened is told: a deed in the first person, and from which instant it is seen."""

    deed: Callable[[str], str]
    now_us: int


def trade_in(text: str) -> frozenset[str]:
    """Return the word by which one asks for a trade, where a text names one or its place."""
    from mindpipe.language.words import OCCUPATIONS, WORKPLACES

    words = {word.casefold().replace("-", "") for word in WORD.findall(text)}
    return frozenset({"work"} if words & (OCCUPATIONS | WORKPLACES) else ())


def pattern_of(table: Mapping[str, str], name: str) -> re.Pattern[str]:
    """Return a pattern of a table, one that never fits where a language has none."""
    return re.compile(table.get(name, NEVER), re.I)
