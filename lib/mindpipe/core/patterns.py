"""Regular expressions that cost nothing until a text holds the words that they need.

A reader of language has hundreds of patterns and a short message meets hardly any: to compile them
all takes longer than the rest of a cycle. What every match must contain is read off the pattern
itself, as Russ Cox does for an index of trigrams ("Regular Expression Matching with a Trigram
Index", 2012); a text without it is answered before anything is compiled.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

_SHORTEST = 2
"""Letters from which on a run of them is looked for in a text."""
_MOST = 2
"""Needs that are asked for: those of fewest words, since each is looked for in every text."""
_PATIENCE = 100
"""Texts after which a pattern is compiled in any case: from there on it answers faster so."""
_LONGEST = 32
"""Words of a need from which on looking for them takes longer than the pattern does."""
_ITEM = re.compile(
    r"(?P<run>[^\W\d_]+(?: [^\W\d_]+)*)|\[\^?\]?(?:[^\]\\]|\\.)*\]|"
    r"\\(?:x..|u.{4}|U.{8}|N\{[^}]*\}|.)|"
    r"\((?:\?(?:P<\w+>|i?:))?(?P<listed>[A-Za-z |]+)\)|"
    r"(?P<opens>\((?:\?(?:P<\w+>|(?P<around><?[=!])|(?P<flags>[a-zA-Z-]*)(?P<ends>[:)])|(?P<odd>.)))?)|"
    r"(?P<ended>[|)])|.",
    re.DOTALL,
)
_COUNT = re.compile(r"(?:(?P<none>[?*]|\{0?(?:,\d*)?\})|\+|\{\d+(?:,\d*)?\})[?+]?")

Need = frozenset[str]
"""Words in small letters, one of which each match contains as a part of it."""


class LatePattern:
    """A pattern, used as `re.Pattern` is, that is compiled for the first text that it may meet.

    One that is wrong raises `re.error` then, and not where it is written.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Keep a pattern as it is written."""
        self.pattern = pattern
        self._flags = flags
        self._asked = 0
        self._compiled: re.Pattern[str] | None = None

    def match(self, text: str, at: int = 0, to: int = sys.maxsize) -> re.Match[str] | None:
        """Return what `re.Pattern.match` does."""
        pattern = self._for(text)
        return pattern.match(text, at, to) if pattern else None

    def fullmatch(self, text: str, at: int = 0, to: int = sys.maxsize) -> re.Match[str] | None:
        """Return what `re.Pattern.fullmatch` does."""
        pattern = self._for(text)
        return pattern.fullmatch(text, at, to) if pattern else None

    def search(self, text: str, at: int = 0, to: int = sys.maxsize) -> re.Match[str] | None:
        """Return what `re.Pattern.search` does."""
        pattern = self._for(text)
        return pattern.search(text, at, to) if pattern else None

    def finditer(self, text: str, at: int = 0) -> Iterator[re.Match[str]]:
        """Return what `re.Pattern.finditer` does."""
        pattern = self._for(text)
        return pattern.finditer(text, at) if pattern else iter(())

    def findall(self, text: str) -> list[str]:
        """Return what `re.Pattern.findall` does, of a pattern with one group at most."""
        pattern = self._for(text)
        return pattern.findall(text) if pattern else []

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Return what `re.Pattern.split` does, of a pattern without groups."""
        pattern = self._for(text)
        return pattern.split(text, maxsplit) if pattern else [text]

    def sub(self, repl: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Return what `re.Pattern.sub` does."""
        pattern = self._for(text)
        return pattern.sub(repl, text, count) if pattern else text

    def compile(self) -> re.Pattern[str]:
        """Return the pattern, compiled now if it was not before."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._flags)
        return self._compiled

    def _for(self, text: str) -> re.Pattern[str] | None:
        """Return the pattern; None if it was not needed so far and cannot meet this text either."""
        if self._compiled is None:
            self._asked += 1
            if self._asked <= _PATIENCE and not self._may_meet(text):
                return None
        return self.compile()

    def _may_meet(self, text: str) -> bool:
        """Tell whether a text has the words that each match has."""
        words = folded(text)
        return all(any(word in words for word in need) for need in self._needs)

    @cached_property
    def cue(self) -> str:
        """What stands in the `folded` text of each match; "" where nothing alone does.

        Who tries many patterns at one text passes over most of them by it.
        """
        alone = (word for need in self._needs if len(need) == 1 for word in need)
        return max(alone, key=len, default="")

    @cached_property
    def _needs(self) -> tuple[Need, ...]:
        return () if self._flags & re.VERBOSE else needs_of(self.pattern)


@lru_cache(maxsize=64)
def folded(text: str) -> str:
    """Return a text in small letters; `re.IGNORECASE` takes a dotless i for one."""
    return text.casefold().replace("ı", "i")


def late(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> LatePattern:
    """Return a pattern that is compiled for the first text it may meet."""
    return LatePattern(pattern, flags)


def needs_of(pattern: str) -> tuple[Need, ...]:
    """Return what each match of a pattern contains; () where nothing is known.

    Known is what stands outside of all that may be left out; of alternatives one of each.
    """
    try:
        return _Reader(pattern).alternatives()
    except _OddError:
        return ()


class _OddError(Exception):
    """A pattern has what is seldom used, and nothing is told of it."""


class _Reader:
    """Walk over a pattern once."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def alternatives(self) -> tuple[Need, ...]:
        """Read up to the end of a group, or of all; return what every alternative needs."""
        each = [self._sequence()]
        while self._pattern.startswith("|", self._at):
            self._at += 1
            each.append(self._sequence())
        if len(each) == 1:
            return each[0]
        if not all(each):
            return ()
        need = frozenset[str]().union(*(max(needs, key=_least) for needs in each))
        return (need,) if len(need) <= _LONGEST else ()

    def _sequence(self) -> tuple[Need, ...]:
        """Read up to the end of an alternative; return what it needs, of fewest words first."""
        needs: list[Need] = []
        while item := _ITEM.match(self._pattern, self._at):
            kind = item.lastgroup
            if kind == "ended":
                break
            self._at = item.end()
            inside: tuple[Need, ...] = ()
            if kind == "listed":
                inside = _of_list(item["listed"])
            elif item["opens"]:
                inside = self._group(item)
            count = _COUNT.match(self._pattern, self._at)
            optional = False
            if count:
                self._at = count.end()
                optional = count["none"] is not None
            if kind == "run":
                needs += _in_run(item["run"][:-1] if optional else item["run"])
            elif inside and not optional:
                needs += inside
        return tuple(sorted(needs, key=len)[:_MOST])

    def _group(self, item: re.Match[str]) -> tuple[Need, ...]:
        """Read a group whose opening was read; return what it needs."""
        if item["odd"] or "x" in (item["flags"] or ""):
            raise _OddError
        if item["ends"] == ")":
            return ()
        inside = self.alternatives()
        self._at += 1
        return () if item["around"] else inside


def _of_list(listed: str) -> tuple[Need, ...]:
    """Return what alternatives that are plain words need."""
    each = frozenset(listed.casefold().split("|"))
    return (each,) if min(map(len, each)) >= _SHORTEST and len(each) <= _LONGEST else ()


def _in_run(run: str) -> tuple[Need, ...]:
    """Return what a run of letters needs."""
    return (frozenset({run.casefold()}),) if len(run) >= _SHORTEST else ()


def _least(need: Need) -> int:
    """Return the length of the shortest word of a need."""
    return min(map(len, need))
