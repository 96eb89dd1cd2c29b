"""The short spellings of chats written out, with where each character stood before."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from mindpipe.core.patterns import late
from mindpipe.language.own_text import own_text
from mindpipe.language.records import Statement, Utterance

_WORDS = {
    "i": "I", "n": "and", "u": "you", "r": "are", "ur": "your", "w": "with", "w/": "with",
    "abt": "about", "bout": "about", "b4": "before", "bc": "because", "coz": "because",
    "cuz": "because", "tmrw": "tomorrow", "tmr": "tomorrow", "rn": "right now", "ppl": "people",
    "yr": "year", "yrs": "years", "tho": "though", "pls": "please", "thx": "thanks",
}  # fmt: skip
_WORD = r"(?<![\w'’./@#&+-])(?:{0})(?![\w'’/@&+-]|\.\w)"
_BEEN = "moved|started|joined|quit|bought|sold|been|died|retired|stopped"
_IS = (
    "allergic|pregnant|expecting|vegan|vegetarian|coeliac|celiac|diabetic|asthmatic|engaged|"
    "living|working|studying|teaching|doing|still|now|not"
)
"""Before what `'s` behind a name is a verb: `Ana's moved`, `Ana's pregnant`."""
_SHORT = late(
    "|".join(
        (
            rf"(?P<word>{_WORD.format('|'.join(sorted(map(re.escape, _WORDS), key=len)[::-1]))})",
            _WORD.format(r"(?P<who>[Ii])(?P<be>m|ve)"),
            _WORD.format(r"(?P<they>[Yy]ou|[Tt]hey|[Ww]e)(?P<have>ve)"),
            _WORD.format(r"(?P<you>[Yy]ou|[Tt]hey)(?P<are>re|ll)"),
            _WORD.format(r"(?P<he>[Hh]e|[Ss]he|[Tt]hat|[Ww]hat|[Tt]here|[Ww]ho)(?P<is>s)"),
            _WORD.format(
                r"(?P<do>[Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]ave|[Hh]as|[Hh]ad|"
                r"[Ww]ould|[Cc]ould|[Ss]hould|[Cc]a|[Ww]o|[Aa]i)(?P<not>nt)"
            ),
            r"(?<=[A-Za-zÀ-ž])(?P<owner>['’]s)"
            rf"(?= (?:a|an|the|my|our|your|his|her|their|got|called|named|{_BEEN}|{_IS})\b)",
            r"(?<![\w'’])(?P<word_2>i)(?=['’](?:m|ve|ll|d)\b)",
            r"\b(?P<go>tak|work|liv|mov|mak|driv|teach|play|eat|drink)(?P<ing>in)['’]?(?= )",
        )
    )
)


class Spelling(NamedTuple):
    """A text that is spelt out, and from which of its characters on it stands how far behind."""

    text: str
    starts: tuple[int, ...]
    shifts: tuple[int, ...]
    first: "Spelling | None" = None

    def place(self, at: int) -> int:
        """Return where a character of it stood before."""
        found = bisect_right(self.starts, at)
        stood = at if not found else at + self.shifts[found - 1]
        return stood if self.first is None else self.first.place(stood)


class Rewriting(NamedTuple):
    """The characters of a text from one place up to another, and what stands for them."""

    start: int
    end: int
    text: str


def rewritten(
    text: str, rewritings: Iterable[Rewriting], *, first: Spelling | None = None
) -> Spelling:
    """Return a text with some of it written otherwise, in order; `first` is how it came about."""
    parts, starts, shifts = [], [], []
    before, length = 0, 0
    for one in rewritings:
        parts += [text[before : one.start], one.text]
        length += one.start - before + len(one.text)
        before = one.end
        starts.append(length)
        shifts.append(before - length)
    return Spelling("".join((*parts, text[before:])), tuple(starts), tuple(shifts), first)


def spelt_out(text: str) -> Spelling:
    """Return a text with the short spellings of chats written out: `im w my mum n dont work`."""
    return rewritten(text, (Rewriting(*one.span(), _in_full(one)) for one in _SHORT.finditer(text)))


def in_full(
    said: Utterance,
    read: Callable[[Utterance], Iterable[Statement]],
    spell: Callable[[str], Spelling] = spelt_out,
) -> Iterator[Statement]:
    """Yield what is read of an utterance that is spelt out, on the characters that it has.

    What it holds of others' words is not read.
    """
    spelling = spell(own_text(said.text, speaker=said.speaker))
    for one in read(said._replace(text=spelling.text)):
        start, end = spelling.place(one.start), spelling.place(one.end)
        yield msgspec.structs.replace(one, start=start, end=end)


def _in_full(found: re.Match[str]) -> str:
    """Return what a short spelling stands for."""
    if word := found["word"] or found["word_2"]:
        return _WORDS[word]
    if found["owner"]:  # who owns something stands before no article, and no verb
        done = re.match(rf" (?:got|{_BEEN})\b", found.string[found.end() :])
        return " has" if done else " is"
    said = [one for one in found.groups() if one is not None]
    first, last = said
    if found["who"]:
        first = "I"
    if found["ing"]:
        return f"{first}ing"
    return f"{first}n't" if found["not"] else f"{first}'{last}"
