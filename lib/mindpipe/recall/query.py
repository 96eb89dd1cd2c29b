"""What a question asks for, as far as its words show: words, names, days, phrases, and of whom.

Two strings are made of it. Full text gets every word that carries meaning, with its irregular
forms. Vectors get the question without names: people address each other by name, so that a name
draws the words of whoever speaks to them (see `dense_words`).
"""

import re
from collections.abc import Container, Iterable, Mapping
from typing import Literal, NamedTuple

from mindpipe.core.dates_in_words import Dated
from mindpipe.core.function_words import FUNCTION_WORDS
from mindpipe.recall.days_asked import days_asked, words_beside_days
from mindpipe.recall.row_words import day_in_words
from mindpipe.recall.spelling import folded
from mindpipe.recall.stems import stem
from mindpipe.recall.word_forms import forms_of

FREQUENT = 0.05
"""A capitalised word that stands in more than this share of all rows tells nothing apart: it is
left out of what is embedded."""
MOST_WORDS = 1000
"""So many words of a question at most are looked for, the first ones."""
WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\S+")
_PHRASE = re.compile(r"[\"“”]([^\"“”]{2,200})[\"“”]")
_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which)\s+(?:\w+\s+)?(?:time|date|day|week|month|year)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^\W*(?:can|could|would|will) (?:you|i)\b|\bplease\b|\bhelp me\b|^\W*i(?:'m| am| want| need)\b"
    r"|\bhow (?:do|should|can|could|would|might) (?:i|we|one)\b|\bshould i\b"
    r"|\b(?:recommend|suggest|advise|explain|describe|write|implement|show me|give me)\b",
    re.IGNORECASE,
)
_LOOKS_BACK = re.compile(
    r"\b(?:have|did|had|was) i\b|\bi(?:'ve| have)\b|\bdid you\b|\border in which\b|\bin order\b"
    r"|\b(?:across|throughout|over time|summary|summari[sz]e)\b",
    re.IGNORECASE,
)
_OF_YOU = re.compile(
    r"\b(?:did|had|have|were) you\b|\byour (?:advice|answer|suggestion|recommendation)s?\b"
    r"|\byou (?:said|told|gave|suggested|recommended|mentioned|explained|proposed|advised)\b",
    re.IGNORECASE,
)

_COURSE = re.compile(
    r"\bbetween\b|\bfrom\b.{1,60}\bto\b|\bover time\b|\border in which\b|\bin order\b"
    r"|\b(?:throughout|across)\b|\bsummar(?:y|i[sz]e)\b|\b(?:evolved?|changed|developed|progressed)\b"
    r"|\b(?:originally|previously|formerly|used to|at first)\b",
    re.IGNORECASE,
)

_ANY_WORDS = "happen do say tell talk speak mention discuss write go news new event memory"
_ANYTHING = frozenset(map(stem, _ANY_WORDS.split()))
"""Stems of words that ask for whatever there was, so that days alone tell what is meant."""

Asked = Literal["assistant", "anybody"]


class Wanted(NamedTuple):
    """A word that a question carries: its stem, and how it and its irregular forms are spelled."""

    stem: str
    forms: tuple[str, ...]


class Understood(NamedTuple):
    """A question as the ranking takes it.

    `names` are its capitalised words, lower case; `phrases` what stands in double quotes, lower
    case; `days` the dates that it names, `dated` that it asks for nothing but what
    happened then, or was said by whom. `when` says that it asks for a time, `wish` that it wants
    something done now, so that standing wishes bear on it; `course` that it asks how things went,
    so that what was true once is as good as what is true now. `of` is whose words it asks for.
    """

    text: str
    wanted: tuple[Wanted, ...]
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    days: tuple[Dated, ...] = ()
    dated: bool = False
    when: bool = False
    wish: bool = False
    course: bool = False
    of: Asked = "anybody"

    @property
    def words(self) -> tuple[str, ...]:
        """Return every spelling that full text is asked for."""
        return tuple(form for one in self.wanted for form in one.forms)


def understand(text: str, *, at: str) -> Understood:
    """Return what a question asks for.

    A question of nothing but function words is taken by these, unless it names days, as is a quoted
    phrase, and one of more than MOST_WORDS others by the first. Words that only say when are not
    looked for (see `words_beside_days`).

    Args:
        text: English words; of others only their spelling is understood.
        at: the instant that `last May` is meant from.

    Raises:
        UsageError: `at` is no instant.
    """
    days = days_asked(text, at=at)
    words = WORD.findall(folded(words_beside_days(text, days, at=at)))
    phrases = tuple(dict.fromkeys(folded(one).strip() for one in _PHRASE.findall(text)))
    dropped = FUNCTION_WORDS.difference(*map(_own, filter(_is_of_function_words, phrases)))
    content = list(dict.fromkeys(word for word in words if word not in dropped))
    content = content or ([] if days else words)
    content = content[:MOST_WORDS]
    wanted = {stem(word): word for word in reversed(content)}
    first = dict.fromkeys(map(stem, content))
    capitals = (folded(one) for one in WORD.findall(text) if one[0].isupper())
    names = tuple(dict.fromkeys(one for one in capitals if one not in FUNCTION_WORDS))
    return Understood(
        text=text,
        wanted=tuple(Wanted(one, forms_of(wanted[one])) for one in first),
        names=names,
        phrases=phrases,
        days=days,
        dated=bool(days) and _asks_no_more(content, {*names, *_of_dates(text, days)}),
        when=_WHEN.search(text) is not None,
        wish=_WISH.search(text) is not None and _LOOKS_BACK.search(text) is None,
        course=_COURSE.search(text) is not None,
        of="assistant" if _OF_YOU.search(text) else "anybody",
    )


def falls_in(asked: Understood, at: str) -> bool:
    """Tell whether an instant lies within days that a question names."""
    return any(one.since <= at < one.until for one in asked.days)


def dense_words(asked: Understood, *, rows: int, rows_with: Mapping[str, int]) -> str:
    """Return a question without the names that stand in more than FREQUENT of all rows.

    `rows` and `rows_with` are those of `mindpipe.recall.candidates.Statistics`. A question of
    nothing else is kept as it is.
    """
    frequent = {name for name in asked.names if rows_with.get(name, 0) > FREQUENT * rows}
    kept = [token for token in _TOKEN.findall(asked.text) if not frequent & _own(token)]
    return " ".join(kept) or asked.text


def _own(token: str) -> set[str]:
    """Return the words of what stands between two spaces, or two quotes."""
    return set(WORD.findall(folded(token)))


def _asks_no_more(content: Iterable[str], known: Container[str]) -> bool:
    """Tell whether words ask what there was: they are known, or of what always is."""
    return all(word in known or stem(word) in _ANYTHING for word in content)


def _of_dates(text: str, days: Iterable[Dated]) -> set[str]:
    """Return the words that name days, and those of days that are written in numbers."""
    named = (f"{text[one.start : one.end]} {day_in_words(one.since[:10])}" for one in days)
    return {word for words in named for word in _own(words)}


def _is_of_function_words(phrase: str) -> bool:
    """Tell whether a phrase has no other words, as the name of a band may: these are meant."""
    return _own(phrase) <= FUNCTION_WORDS
