"""Figures and days that a text states: how many of what, or when, and whether that is new.

Every reader yields them as statements, besides what its own forms or rules read.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mindpipe.core.instants import later
from mindpipe.core.patterns import late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.clauses import Stretch, clauses, sentences
from mindpipe.language.dates import Dated
from mindpipe.language.figure_names import CHANGED, figure_name
from mindpipe.language.figure_words import told
from mindpipe.language.guards import (
    clause_meant,
    denies,
    is_ironic,
    is_of_others,
    is_over,
    is_own_word,
    sentence_meant,
    taken_back,
    turned_by,
)
from mindpipe.language.records import Meant, Statement, Utterance
from mindpipe.language.times import told_days
from mindpipe.language.topics import singular, topic_words

MOST_FIGURES = 50
"""Of a text that states more, a table or a listing, no more are read."""
NEAR = 110
"""Characters to each side of a figure in which the words that say what it counts are sought."""
DAY_SECONDS = 86_400.0
DAY = "day"
"""The unit of a figure that is a day."""
CLOCK = "clock"
"""The unit of a figure that is a time of day."""
MEASURES = frozenset(
    [
        *("cm", "g", "gb", "h", "hour", "kb", "kg", "km", "left", "m", "mb", "min", "minute", "mm"),
        *("ms", "second", "time", "$", "£", "€"),
        *(CLOCK, DAY, ""),
    ]
)
"""Units of which a text may name many at once: only one that is said to be new is the newer."""
FREQUENT = (
    frozenset(["%", "day", "hour", "minute", "month", "problem", "word", "week", "year"]) | MEASURES
)
"""Units that are met of many things: one word more of the topic has to agree."""

_NUMBER = late(
    r"(?<![\w.,/:#-])(?P<money>[$€£]?)(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?"
    r"\s?(?P<sign>%|(?:percent|ms|[km]g|[kmg]b|[cmk]?m|min|hrs?)\b)?(?![\w/:°]|\.\d|-\d|,\d)",
    re.IGNORECASE,
)
_TIME = late(
    r"(?<![\w:.,/-])(?:(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?!\d|:\d)"
    r"(?:\s?(?P<half>[ap])\.?m\b)?|(?P<whole>1[0-2]|[1-9])\s?(?P<other>[ap])\.?m\b)",
    re.IGNORECASE,
)
_SPAN = late(
    r"(?P<between>\bbetween\s+)?(?<![\w:.,/-])(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d))?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"(?(between)\s+and\s+|(?:\s?[-–]\s?|\s+(?:to|until|till)\s+))(?P<last>(?P<end>[01]?\d|2[0-3])"
    r"(?:(?::(?P<past>[0-5]\d))?\s?(?P<other>[ap])\.?m\b|:(?P<after>[0-5]\d)(?!\d|:\d)))",
    re.IGNORECASE,
)
_LASTS = late(
    r"(?i)\b(?:is|are|was|were|be|['’]s|open|runs?|lasts?|works?|ranges?|costs?)\b[^,;]{0,25}$"
)
"""What stands before a range that `from` begins, and not before a change from one to another."""
_RANGE = late(
    r"(?<![\w.,/:#$€£-])(?P<money>[$€£]?)(?P<least>\d[\d,]*(?:\.\d+)?)"
    r"(?:\s?[-–]\s?|\s+to\s+)(?P<new>[$€£]?"
    r"(?P<most>\d[\d,]*(?:\.\d+)?))"
    r"\s?(?P<sign>%|(?:percent|ms|[km]g|[kmg]b|[cmk]?m|min|hrs?)\b)?(?![\w/:°-]|\.\d|,\d)",
    re.IGNORECASE,
)
_BETWEEN = late(
    r"\bbetween\s+(?P<money>[$€£]?)(?P<least>\d[\d,]*(?:\.\d+)?)(?:\s?%)?\s+and\s+(?P<new>[$€£]?"
    r"(?P<most>\d[\d,]*(?:\.\d+)?))"
    r"\s?(?P<sign>%|(?:percent|ms|[km]g|[kmg]b|[cmk]?m|min|hrs?)\b)?(?![\w/:°-]|\.\d|,\d)",
    re.IGNORECASE,
)
_UNREAL = late(
    r"(?i)\b(?:dream(?:t|s|ed|ing)?|nightmare|imagin(?:e|ed|ing)|suppos(?:e|ing)|pretend\w*|"
    r"hypothetical(?:ly)?)\b|\bif\b[^,;]*$|"
    r"^\W*(?:(?:and|but|so) )?(?:if|unless|in case)\b"
)
_WANTED = late(
    r"(?i)\b(?:should|ought to|wants?|wanted|wishes|demands?|demanded|proposes?|proposed|suggests?|"
    r"suggested|asks?|asked|requested)\b"
)
"""What stands before a figure that somebody would like: `the rent should be 600 euros`."""
_BUT = late(
    r"(?i)(?:\bbut|[,;–—] *(?:it['’]?s|it is|they['’]?re|they are))(?: (?:rather|now|on|at|in))* +$"
)
"""What leads from a figure that is denied to the right one."""
# A question for the figure itself: nothing before it that could be said beside the question.
_WHETHER = late(
    r"(?i)\W*(?:(?:and|so|but) )?(?:is|are|was|were|has|have|had|did|does|do|will)\b"
    r"(?!.*(?:[,;:]|\b(?:that|which|since|because|with|after|given|considering|when|where|while)\b))"
)
_TITLE = late(r"[\"“”](?:[A-Z0-9][\w'’.:-]*|of|the|a|an|and|in|on|for|to|at|with| )+[\"“”]")
"""What stands in quotation marks and is a name: the figure beside it is nobody else's word."""
_MADE_UP = late(
    r"(?i)^\W*(?:(?:and|but|so)\b\W*)?(?:(?:the|my|our|this|that|his|her|their|an?) )?"
    r"(?:(?!(?:in|on|of|at|from|for|with|by)\b)[\w-]+ )?(?:games?|novels?|story|stories|movies?|"
    r"films?)(?= (?:[\w'’-]+ )?(?:costs?|is|are|was|were|has|have|had|takes?|took|lasts?|runs?|"
    r"sold|weighs?|starts?|ends?)\b)"
)
"""A thing that is made up, as the thing that a figure is of, and not as where it is so."""
_TOLD_APART = late(r"[,;:()–—]|\b(?:and|but|so|because|since|that|which)\b")
_SIGNS = {"percent": "%", "hr": "hour", "hrs": "hour", "min": "minute"}
_CLOCK = late(r",?\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b", re.IGNORECASE)
_YEAR = late(r"(?:19|20)\d\d")
_WORD = late(r"[\s-]+([A-Za-z][\w'’]*)")
# What stands before a figure that is a difference or a bound, and not how much there is.
_STEP = late(
    r"\b(?:by|another|extra|additional|from|than|every|under|below|at least|at most)\s+"
    r"(?:about |around |over )?$",
    re.IGNORECASE,
)
_CHANGE = late(
    r"\b(?:(?:improv|increas|decreas|dropp|fall|ris|grow|reach|extend|expand|adjust|updat|chang|"
    r"rais|reduc|boost|bump|revis|lower|climb|jump|doubl|tripl|shrink|shorten|lengthen|upgrad|"
    r"downgrad)\w*|fell|rose|grew|shrunk|shrank|cut|went (?:up|down)|now|total of|so far|new|newly|"
    r"recently)\b",
    re.IGNORECASE,
)
_NOW = late(r"(?i)[^,;.!?]{0,20}\bnow\b")
"""How the words behind a figure call it new: `the rent is 900 now`."""
_MOVE = late(
    r"\b(?:(?:reschedul|postpon|shift|delay|extend|chang|updat|adjust)\w*|mov(?:e|ed|ing)|"
    r"push(?:ed|ing)?|brought forward|new|now|instead)\b",
    re.IGNORECASE,
)
_BREAKS = frozenset(
    [
        "across",
        "ago",
        "each",
        "every",
        "last",
        "next",
        "per",
        "this",
        "today",
        "using",
        "via",
        "within",
    ]
)


class StatedFigure(NamedTuple):
    """A number, a range, a time of day or a day that a text states.

    `unit` is the noun of what is counted, the sign of the measure, or "" where the text leaves it
    to be understood; `words` say what it is about, the nearest before it first. `change` counts the
    words before it that say that it is new, and `told` is what its `sentence` says with it, at
    whose character `start` it stands. `of` are the words that name what it is of, as `budget` in
    `the budget went up to 9`: "" of what a pronoun means, None where the sentence names no one
    thing.
    """

    value: str
    unit: str
    words: tuple[str, ...]
    change: int
    start: int
    told: str
    sentence: Stretch
    of: str | None


def figure_statements(said: Utterance, *, reader: str) -> Iterator[Statement]:
    """Yield the figures of an utterance as statements of its speaker."""
    denied: StatedFigure | None = None
    for one in figures(said.text, at=said.at):
        meant = _meant(one)
        figure = one if denied is None or meant != "asserted" else _righting(one, denied)
        denied = figure if meant == "denied" else None
        yield Statement(
            speaker=said.speaker,
            subject=said.speaker,
            attribute=_attribute_of(figure.unit),
            value=figure.value,
            topic=" ".join(figure.words),
            start=figure.sentence.start,
            end=figure.sentence.end,
            reader=reader,
            unit=figure.unit,
            change=figure.change,
            told=figure.told,
            of=figure.of,
            meant=meant,
        )


def _righting(figure: StatedFigure, denied: StatedFigure) -> StatedFigure:
    """Return a figure as of what the denied one before it is of: `is not 800 euros but 900`."""
    between = figure.sentence.text[denied.start : figure.start]
    alike = figure.unit in ("", denied.unit)
    if figure.sentence != denied.sentence or not alike or not _BUT.search(between):
        return figure
    told_of = f"{figure.told} ({denied.of})" if denied.of else figure.told
    return figure._replace(
        unit=denied.unit,
        words=denied.words,
        of=denied.of,
        told=told_of,
        change=max(figure.change, 1),
    )


def _meant(figure: StatedFigure) -> Meant:
    """Return how a figure is meant, by the words of its sentence around it.

    What a question takes for granted is stated: "can you check this, now that I have 20 rows?".
    """
    text = figure.sentence.text
    before, behind = text[: figure.start], text[figure.start :]
    if is_ironic(text):
        return "ironic"
    if _UNREAL.search(before):
        return "imagined"
    if _WHETHER.match(before) and text.rstrip().endswith("?"):
        return "asked"
    told_of = _TOLD_APART.split(before)[-1]
    if is_over(told_of):
        return "ended"
    if denies(told_of):
        return "denied"
    return _coloured(figure) or turned_by(behind, denied=False) or "asserted"


def _coloured(figure: StatedFigure) -> Meant | None:
    """Return how a figure is meant by its clause and what follows that, None where as it stands.

    A day may well be planned, and what somebody says that he told is his own word.
    """
    at = figure.sentence.start + figure.start
    clause = next(one for one in clauses(figure.sentence) if at < one.end)
    plain = _MADE_UP.sub("thing", _TITLE.sub("thing", clause.text))
    after = figure.sentence.text[clause.end - figure.sentence.start :]
    meant = sentence_meant(plain) or clause_meant(plain)
    if meant == "asked" or (meant == "reported" and is_own_word(clause.text)):
        meant = None
    if meant == "planned" and figure.unit == DAY:
        meant = None
    if meant is None and _WANTED.search(clause.text[: max(at - clause.start, 0)]):
        return "wished"
    if meant is None and is_of_others(figure.sentence.text):
        return "reported"
    return meant or taken_back(after)


def _attribute_of(unit: str) -> str:
    """Return the attribute that a figure is of, by its unit."""
    if unit == DAY:
        return "day"
    return "metric" if unit in MEASURES or unit == "%" else "count"


def figures(text: str, *, at: str) -> list[StatedFigure]:
    """Return the figures of a text's prose, those of a sentence by their place.

    `at` is the instant that days without a year are relative to; without it no day is read.
    """
    stated = (one for sentence in sentences(text, whole=True) for one in _figures_of(sentence, at))
    return sorted(
        islice(stated, MOST_FIGURES), key=lambda figure: figure.sentence.start + figure.start
    )


def _figures_of(sentence: Stretch, at: str) -> Iterator[StatedFigure]:
    """Yield the days, the times of day, the ranges, then the numbers of one sentence."""
    if not any(map(str.isdigit, sentence.text)):
        return
    dated = told_days(sentence.text, at=at, otherwise="near", done="near") if at else ()
    clocks = [_CLOCK.match(sentence.text, one.end) for one in dated]
    taken = [
        (one.start, clock.end() if clock else one.end)
        for one, clock in zip(dated, clocks, strict=True)
    ]
    yield from (_day(sentence, one) for one in dated if _is_one_day(sentence.text, one))
    for pattern, read in _READ:
        for found in pattern.finditer(sentence.text):
            if not any(start < found.end() and found.start() < end for start, end in taken):
                taken.append(found.span())
                yield from read(sentence, found)


def _is_one_day(text: str, dated: Dated) -> bool:
    """Tell whether words name one day by its number."""
    words = text[dated.start : dated.end]
    one = dated.until == later(dated.since, seconds=DAY_SECONDS)
    return one and any(map(str.isdigit, words))


def _day(sentence: Stretch, dated: Dated) -> StatedFigure:
    """Return a day as a figure, with the time of day if that stands behind it."""
    clock = _CLOCK.match(sentence.text, dated.end)
    value = dated.since[:10]
    if clock:
        hour = int(clock[1]) % 12 + (12 if clock[3].lower() == "p" else 0)
        value = f"{value} {hour:02}:{clock[2] or '00'}"
    end = clock.end() if clock else dated.end
    before = sentence.text[: dated.start]
    change = len(_MOVE.findall(before[-60:]))
    return _figure(sentence, (dated.start, end), value=value, unit=DAY, change=change)


def _number(sentence: Stretch, found: re.Match[str]) -> Iterator[StatedFigure]:
    """Yield a number, unless it is a time of day, a year or a difference."""
    before, after = sentence.text[: found.start()], sentence.text[found.end() :]
    value = found["whole"].replace(",", "") + (found["part"] or "")
    bare = not (found["sign"] or found["money"])
    if _STEP.search(before) or (bare and (_YEAR.fullmatch(value) or _is_clock(after))):
        return
    sign = (found["sign"] or "").lower()
    unit = found["money"] or _SIGNS.get(sign, sign) or _noun(after)
    change = len(_CHANGE.findall(before[-45:]))
    yield _figure(sentence, found.span(), value=value, unit=unit, change=change)


def _time(sentence: Stretch, found: re.Match[str]) -> Iterator[StatedFigure]:
    """Yield a time of day: `9:45`, `5 pm`."""
    half = (found["half"] or found["other"] or "").lower()
    before = sentence.text[: found.start()]
    value = _clock(int(found["hour"] or found["whole"]), found["minute"], half)
    change = len(_MOVE.findall(before[-60:]))
    yield _figure(sentence, found.span(), value=value, unit=CLOCK, change=change)


def _span(sentence: Stretch, found: re.Match[str]) -> Iterator[StatedFigure]:
    """Yield the time from one time of day to another: `9:00 to 17:00`, `from 9 am to 5 pm`.

    Where something is moved from one to the other only that is yielded. Of `9 to 5 pm` the first is
    the one that is before the other.
    """
    before = sentence.text[: found.start()]
    if _is_change(before):
        changed = _TIME.match(sentence.text, found.start("last"))
        yield from () if changed is None else _time(sentence, changed)
        return
    half, other = ((found[one] or "").lower() for one in ("half", "other"))
    hours = int(found["hour"]), int(found["end"])
    if other and not half and not found["minute"]:
        half = other if hours[0] % 12 < hours[1] % 12 else "a"
    first = _clock(hours[0], found["minute"], half)
    last = _clock(hours[1], found["past"] or found["after"], other)
    change = len(_MOVE.findall(before[-60:]))
    yield _figure(sentence, found.span(), value=f"{first}-{last}", unit=CLOCK, change=change)


def _clock(hour: int, minute: str | None, half: str) -> str:
    """Return a time of day as values have it."""
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    return f"{hour:02}:{minute or '00'}"


def _is_change(before: str) -> bool:
    """Tell whether two figures are a change from one to the other by what stands before them."""
    if re.search(r"(?i)\bfrom\s+$", before) is None:
        return False
    return CHANGED.search(before[-60:]) is not None or _LASTS.search(before) is None


def _range(sentence: Stretch, found: re.Match[str]) -> Iterator[StatedFigure]:
    """Yield a range: `10-15 messages`; `from 10 to 15` is a change."""
    before, after = sentence.text[: found.start()], sentence.text[found.end() :]
    if _is_change(before):
        last = _NUMBER.match(sentence.text, found.start("new"))
        yield from () if last is None else _number(sentence, last)
        return
    if not re.search(r"(?i)\bfrom\s+$", before) and _STEP.search(before):
        return
    sign = (found["sign"] or "").lower()
    value = "-".join(found[side].replace(",", "") for side in ("least", "most"))
    unit = found["money"] or _SIGNS.get(sign, sign) or _noun(after)
    change = len(_CHANGE.findall(before[-45:]))
    yield _figure(sentence, found.span(), value=value, unit=unit, change=change)


_READ = ((_SPAN, _span), (_TIME, _time), (_BETWEEN, _range), (_RANGE, _range), (_NUMBER, _number))
"""The patterns of figures that are no days, with what reads them, the longest first."""


def _is_clock(after: str) -> bool:
    """Tell whether a number is one of a time of day by what follows it."""
    return re.match(r"\s*(?:[ap]\.?m\b|o'clock)", after, re.IGNORECASE) is not None


def _figure(
    sentence: Stretch, span: tuple[int, int], *, value: str, unit: str, change: int
) -> StatedFigure:
    """Return a figure with the words around it."""
    before, after = sentence.text[: span[0]], sentence.text[span[1] :]
    near = before if len(before) <= NEAR else before[-NEAR:].partition(" ")[2]
    far = after if len(after) <= NEAR else after[:NEAR].rpartition(" ")[0]
    words = [*reversed(topic_words(near)), *topic_words(far)]
    kept = tuple(dict.fromkeys(word for word in words if singular(word) != unit))
    name = figure_name(before)
    told_new = (name is not None and name.changed) or _NOW.match(after) is not None
    return StatedFigure(
        value=value,
        unit=unit,
        words=kept,
        change=max(change, 1) if told_new else change,
        start=span[0],
        told=told(sentence.text, span, shown=value if unit == DAY else None, unit=unit),
        sentence=sentence,
        of=None if name is None else name.words,
    )


def _noun(after: str) -> str:
    """Return the noun that follows a number: the last word before one that begins a phrase."""
    return singular(_last(list(_words(after)))) if after else ""


def _words(after: str) -> Iterator[str]:
    """Yield up to four words that belong to the number before them."""
    place = 0
    for _ in range(4):
        word = _WORD.match(after, place)
        if word is None or word[1].lower() in FUNCTION_WORDS or word[1].lower() in _BREAKS:
            return
        yield word[1]
        place = word.end()


def _last(words: Sequence[str]) -> str:
    """Return the last of some words, or ""."""
    return words[-1] if words else ""
