"""What is asked: words, days, names, and the full-text expression for them."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.dates import Dated, Side, dates_in
from mindpipe.memory.entities import slug
from mindpipe.recall.topics import kin_of
from mindpipe.recall.words import day_in_words, folded, forms_of, stem

# Patterns are texts, compiled when they are first used: those of days only for who names days.
_OPENS = r"(?i)\b(?:between|from) (?:the )?$"
_RANGE = r"(?i)(?:between|from) "
_JOINS = r"(?i),? (?:and|to|until|till|through) (?:the )?"
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*"
_WORD = re.compile(r"[^\W_]+")
_ALWAYS_SAID = (
    rf"(?i){_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|fall|winter"
    r"|(?:1[89]|20|21)\d\d"
)
_YEAR = r"\b(?:1[89]|20|21)\d\d\b"
_DATES = rf"(?i)\b{_MONTH}\b|{_YEAR}"
_IN_NUMBERS = r"[\dTZ:./-]+"


def days_asked(text: str, *, at: str) -> tuple[Dated, ...]:
    """Return the days that a question names, at the instant that it is asked, ranges as one.

    Raises:
        UsageError: `at` is no instant.
    """
    found: list[Dated] = []
    for one in dates_in(text, at=at):
        joined = _range(text, found[-1], one) if found else None
        if joined is None:
            found.append(one)
        else:
            found[-1] = joined
    return tuple(found)


def words_beside_days(text: str, days: Sequence[Dated], *, at: str) -> str:
    """Return a question without the words that only say when; `at` is when it is asked."""
    parts: list[str] = []
    end = 0
    for one in days:
        parts += [text[end : one.start], _looked_for(text, one, at=at)]
        end = one.end
    return " ".join([*parts, text[end:]])


def _looked_for(text: str, one: Dated, *, at: str) -> str:
    """Return the words that are looked for in the place of those that name days."""
    words = text[one.start : one.end]
    # A date in figures; rows have their day in words too.
    if re.fullmatch(_IN_NUMBERS, words) and len(words) >= len("2026-6-7"):
        return f"{words} {day_in_words(one.since[:10])}"
    if one.since > at or _is_quoted(text, one):
        return words
    return _said(words)


def _range(text: str, first: Dated, last: Dated) -> Dated | None:
    """Return the days from the first of some to the last of others, where a text joins both."""
    opened = re.compile(_OPENS).search(text, 0, first.start)
    if opened is None or not re.compile(_JOINS).fullmatch(text, first.end, last.start):
        return None
    since, until = first.since, last.until
    # A year that is said once counts for both ends.
    if not re.compile(_YEAR).search(text, first.start, first.end):
        since = _again(text, first, at=last.since).since if since >= until else since
    elif not re.compile(_YEAR).search(text, last.start, last.end):
        until = _again(text, last, at=since, side="ahead").until
    return Dated(opened.start(), last.end, since, until) if since < until else None


def _again(text: str, one: Dated, *, at: str, side: Side = "behind") -> Dated:
    """Return the days that words name where they are said at another instant."""
    (found, *_) = (*dates_in(text[one.start : one.end], at=at, side=side), one)
    return found


def _is_quoted(text: str, one: Dated) -> bool:
    """Tell whether words stand in double quotes, so that they are meant as they are."""
    return len(re.findall(r"[\"“”]", text[: one.start])) % 2 == 1


def _said(words: str) -> str:
    """Return those of the words of a date that rows hold."""
    if re.match(_RANGE, words):
        return ""
    numbers = re.search(_DATES, words) is not None
    return " ".join(
        word
        for word in _WORD.findall(words)
        if re.fullmatch(_ALWAYS_SAID, word) or (numbers and word[0].isdigit())
    )


FREQUENT = 0.05
"""A capitalised word that stands in more than this share of all rows tells nothing apart: it is
left out of what is embedded."""
MOST_WORDS = 1000
"""So many words of a question at most are looked for, the first ones."""
WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\S+")
_PHRASE = r"[\"“”]([^\"“”]{2,200})[\"“”]"
_WHEN = (
    r"(?i)\bwhen\b|\bhow long\b|\b(?:what|which)\s+(?:\w+\s+)?(?:time|date|day|week|month|year)\b"
)
_OF_YOU = (
    r"(?i)\b(?:did|had|have|were) you\b|\byour (?:advice|answer|suggestion|recommendation)s?\b"
    r"|\byou (?:said|told|gave|suggested|recommended|mentioned|explained|proposed|advised)\b"
)
_NOW = (
    r"(?i)\b(?:now(?:adays)?|current(?:ly)?|today|still|latest|any ?more"
    r"|these days|(?:at|right|for) (?:present|the moment))\b"
)
_EARLIER = (
    r"(?i)\b(?:before|original(?:ly)?|previous(?:ly)?|former(?:ly)?|earlier|used to|at first"
    r"|did (?:\w+ ){1,3}use to"
    r"|initial(?:ly)?|over time|history of)\b"
)
_TIME = (
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|(?-i:March)|april|(?-i:May)"
    r"|june|july|august|september|october|november|december|(?:1[89]|20)\d\d|yesterday|today"
    r"|tomorrow|morning|noon|midnight|evening|night|(?:last|this|next) (?:week|month|year)"
    r"|spring|summer|autumn|winter|christmas|easter|\d{1,2}(?::\d\d| ?[ap]m))\b"
)
# What lies between two times; between two places or people lies something else.
_SPANS = (
    r"(?i)\bhow (?:long|much time|many (?:hour|day|week|month|year)s)\b[^?]{0,120}?\bbetween\b"
    rf"|\bbetween\b(?:(?!\band\b)[^?]){{0,80}}?{_TIME}(?:(?!\band\b)[^?]){{0,80}}"
    rf"\band\b[^?]{{0,80}}?{_TIME}"
    r"|\bhow (?:long|much time|many (?:day|week|month|year)s) did it take\b"
)
_OF_ASKER = r"(?i)\b(?:I|my|mine|me|we|our|ours)\b"
_SAID_OTHERWISE = (
    (r"(?i)\bwho (?:am i|i am)\b(?!\s*\w)", "my name"),
    (r"(?i)\bfor a living\b", "as a job"),
)
"""What people ask in words that nobody answers in, and words that say the same."""
_PAST = r"(?i)\b(?:did|was|were|had)\b"
_PRESENT = r"(?i)\b(?:do|does|is|are|am)\b|\b(?:what|who|where|which|how|when)['’]s\b"
_ANY_WORDS = "happen do say tell talk speak mention discuss write go news new event memory"
_ANYTHING = frozenset(map(stem, _ANY_WORDS.split()))
"""Stems of words that ask for whatever there was, so that days alone tell what is meant."""
Asked = Literal["assistant", "anybody"]


class QueryWord(NamedTuple):
    """A word that a question carries: its stem, and how it and its irregular forms are spelled."""

    stem: str
    forms: tuple[str, ...]


class ParsedQuery(NamedTuple):
    """A question as the ranking takes it.

    `names` are its capitalised words, lower case; `phrases` what stands in double quotes, lower
    case; `days` the dates that it names, `dated` that it asks for nothing but what
    happened then, or was said by whom. `kin` are the other words of the topics that it is about.
    `when` says that it asks for a time, `now` that it asks for what is so now and not since when,
    `present` that it is in the present tense and names no other time,
    `earlier` that it asks for what was so once, which is as good as what is true now, `spans` for
    what lies between two times, of which neither takes the place of the other. `of` is whose words
    it asks for, `own` that it names nobody and asks of whoever asks. `meant` are the names of whom
    it means by a relation alone, lower case.
    """

    text: str
    wanted: tuple[QueryWord, ...]
    kin: tuple[QueryWord, ...] = ()
    names: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    days: tuple[Dated, ...] = ()
    dated: bool = False
    when: bool = False
    now: bool = False
    present: bool = False
    earlier: bool = False
    spans: bool = False
    of: Asked = "anybody"
    own: bool = False
    meant: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Return every spelling of the words that it carries."""
        return tuple(form for one in self.wanted for form in one.forms)

    @property
    def led(self) -> tuple[str, ...]:
        """Return every spelling of the words of its topics that are not its own."""
        return tuple(form for one in self.kin for form in one.forms)


def understand(text: str, *, at: str) -> ParsedQuery:
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
    for pattern, plainly in _SAID_OTHERWISE:
        text = re.sub(pattern, plainly, text)
    days = days_asked(text, at=at)
    words = WORD.findall(folded(words_beside_days(text, days, at=at)))
    phrases = tuple(dict.fromkeys(folded(one).strip() for one in re.findall(_PHRASE, text)))
    when = re.search(_WHEN, text) is not None
    earlier = re.search(_EARLIER, text) is not None
    # Who asks for days to come asks for what is so now.
    ahead = not re.search(_PAST, text) and any(one.since > at for one in days)
    now = not when and not earlier and (ahead or re.search(_NOW, text) is not None)
    spans = not now and re.search(_SPANS, text) is not None
    other = earlier or spans or bool(days) or re.search(_PAST, text) is not None
    dropped = FUNCTION_WORDS.difference(*map(_own, filter(_is_of_function_words, phrases)))
    content = list(dict.fromkeys(word for word in words if word not in dropped))
    content = content or ([] if days else words)
    content = content[:MOST_WORDS]
    # Reversed, so that of words of one stem the first spelling stays.
    wanted = {stem(word): word for word in reversed(content)}
    first = dict.fromkeys(map(stem, content))
    capitals = (folded(one) for one in WORD.findall(text) if one[0].isupper())
    names = tuple(dict.fromkeys(one for one in capitals if one not in FUNCTION_WORDS))
    return ParsedQuery(
        text=text,
        wanted=tuple(QueryWord(one, forms_of(wanted[one])) for one in first),
        kin=tuple(
            QueryWord(one, kin)
            for one in first
            if wanted[one] not in names and (kin := kin_of(wanted[one]))
        ),
        names=names,
        phrases=phrases,
        days=days,
        dated=bool(days) and _asks_no_more(content, {*names, *_of_dates(text, days)}),
        when=when,
        now=now,
        present=not other and (now or re.search(_PRESENT, text) is not None),
        earlier=earlier,
        spans=spans,
        of="assistant" if re.search(_OF_YOU, text) else "anybody",
        own=not names and re.search(_OF_ASKER, text) is not None,
    )


def with_names(asked: ParsedQuery, names: Iterable[str]) -> ParsedQuery:
    """Return a question that asks for some names, too, lower case: for those whom it means."""
    known = {one.stem for one in asked.wanted}
    meant = tuple(dict.fromkeys(names))
    new = (one for one in meant if stem(one) not in known)
    return asked._replace(
        wanted=(*asked.wanted, *(QueryWord(stem(one), forms_of(one)) for one in new)), meant=meant
    )


def and_of(asked: ParsedQuery, names: Iterable[str]) -> ParsedQuery:
    """Return a question that names some more, lower case, who are called what it names."""
    known = {one.stem for one in asked.wanted}
    new = [one for one in dict.fromkeys(names) if one not in asked.names]
    words = (QueryWord(stem(one), forms_of(one)) for one in new if stem(one) not in known)
    return asked._replace(
        names=(*asked.names, *new), wanted=(*asked.wanted, *words), meant=tuple(new)
    )


def falls_in(asked: ParsedQuery, at: str) -> bool:
    """Tell whether an instant lies within days that a question names."""
    return any(one.since <= at < one.until for one in asked.days)


def dense_words(asked: ParsedQuery, *, rows: int, rows_with: Mapping[str, int]) -> str:
    """Return a question without the names that stand in more than FREQUENT of all rows.

    `rows` and `rows_with` are those of `mindpipe.recall.signals.Statistics`. A question of
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


BUDGET = 20_000
"""So many rows are weighed for a question, or those of its rarest word."""


class Expression(NamedTuple):
    """A query as FTS5 takes it, the words that pick its rows, and all that weigh these.

    Both begin with the rarest. `wide` says that even that is held by more rows than may be
    weighed, `rows` how many the words that pick have at most.
    """

    text: str
    picking: tuple[str, ...]
    words: tuple[str, ...]
    rows: int
    wide: bool = False


KIN_SHARE = 4
"""What topics lead to picks one in so many of the rows that a question may cost."""


def expression_of(
    holders: Mapping[str, int], *, kin: Container[str] = (), budget: int = BUDGET
) -> Expression | None:
    """Return the query for words of which it is known how many rows hold each; None for none.

    Those of `kin` are no words of the question. One of them that is held by more rows than it may
    pick is left out: it tells little, and to weigh by it takes a walk through all its rows.
    """
    rare_first = sorted((word for word, count in holders.items() if count), key=holders.__getitem__)
    if not rare_first:
        return None
    left = {True: budget // KIN_SHARE, False: budget}
    picking: list[str] = []
    for word in rare_first:
        is_kin = word in kin
        left[is_kin] -= holders[word]
        if left[is_kin] >= 0:
            picking.append(word)
    picking = picking or rare_first[:1]
    wide = holders[picking[0]] > budget
    # The rare words pick the rows, within the budget; the others only weigh these.
    weighing = [word for word in rare_first if word in picking or word not in kin]
    beyond = f" AND ({_any(weighing)})" if len(picking) < len(weighing) else ""
    return Expression(
        text=f"({_any(picking)}){beyond}" if beyond else _any(picking),
        picking=tuple(picking),
        words=tuple(weighing),
        rows=sum(holders[word] for word in picking),
        wide=wide,
    )


def quoted(word: str) -> str:
    """Return a word as FTS5 takes it, whatever characters it has."""
    return '"' + word.replace('"', '""') + '"'


def _any(words: Iterable[str]) -> str:
    return " OR ".join(map(quoted, words))


_LONGEST = 4


def slugs_in(text: str) -> set[str]:
    """Return the ids that up to four words of a text, side by side, would be an entity's.

    Function words alone are no name.
    """
    words = WORD.findall(text)[:MOST_WORDS]
    runs = (
        words[start : start + length]
        for length in range(1, _LONGEST + 1)
        for start in range(len(words) - length + 1)
    )
    return {slug(" ".join(run)) for run in runs if not FUNCTION_WORDS.issuperset(map(folded, run))}


def names_any(text: str, names: Iterable[str]) -> bool:
    """Tell whether all words of one of some names stand side by side in a text."""
    said = _spaced(text)
    return any(name.strip() and name in said for name in map(_spaced, names))


def words_in(names: Iterable[str]) -> list[str]:
    """Return the words of some names as full text takes them, each once, no function words."""
    words = (word for name in names for word in WORD.findall(folded(name)))
    return list(dict.fromkeys(word for word in words if word not in FUNCTION_WORDS))


def _spaced(text: str) -> str:
    """Return the words of a text with a space before and after each."""
    return f" {' '.join(WORD.findall(folded(text)))} "
