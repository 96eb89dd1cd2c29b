"""When something that is said holds: from which day on, and until which."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language import words
from mindpipe.language.dates import Dated, Side, dates_in
from mindpipe.language.guards import clause_meant
from mindpipe.language.verb_forms import PAST

_DAYS = late(
    r"(?i)\d|day\b|week|month|year|spring|summer|autumn|winter|tomorrow|tonight|"
    r"last night|days ago|"
    r"\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
_LEAD = late(
    r"(?i)[\s,]*\b(?P<word>since|from|as of|starting(?: from| on| in)?|beginning|effective|until|"
    r"till|on|in|at|by)?(?: the)?\s*$"
)
_END = late(r"(?i)(?:\s+(?:on|onwards?|forward))?[\s.,!;]*$")
_PARTICIPLE = rf"(?:(?!need|seed|feed|bed|red|indeed)\w{{2,}}ed|{words.any_of(PAST)}|set|put)"
_ARRANGED = r"(?!schedul|reschedul|book|plann|arrang|reserv|postpon|agreed|register|set\b|put\b)"
"""Before a past verb: what is done about a day that may well be to come."""
_VERB = late(
    r"(?i)\b(?P<comes>(?:(?:is|are|am|will|shall|can|must|should|may|might)\b|(?:is|are|wo)n['’]?t)"
    rf"(?: (?!\w+ed\b)\w+)?(?: {_PARTICIPLE}\b)?|(?:have|has) got\b|"
    rf"(?:have|has)\b(?! (?:\w+ )?(?:{_PARTICIPLE}|been|done)\b))|"
    rf"(?P<comes_2>['’]ve got\b|['’](?:s|re|m|ll)\b(?: {_PARTICIPLE}\b)?)|"
    rf"\b(?P<past>was|were|had|did|been|(?:I|we|you|he|she|it|they|who)(?!['’]ve got)(?:['’]ve)?"
    rf"(?: (?:just|also|finally|already|only|\w+ly))* {_ARRANGED}{_PARTICIPLE})\b|"
    rf"\b(?P<done>{_PARTICIPLE})\b"
)
"""Verbs whose form tells whether the day beside them lies ahead, or behind: that somebody did what
he has done, or perhaps that something is done, such as `a rescheduled meeting`."""
_OF_ITS_VERB = 5
"""Words between a verb and the day that is still its own."""
_GERUND = late(r"(?i)\b[a-z]{2,}ing\b")
_GOAL = late(r"(?i)\b(?:to|for|through)(?: the)? $")
_FROM = late(r"(?i)\bfrom\b")
_SINCE = late(r"(?i)\bsince(?: [a-z]+){0,2} $")
_BOUND = late(
    r"(?i)[.!?;:,–—]\s|\n|\b(?:after|since|because|before|when|while|which|that|who|given|so|and|but)\b"
)
_UNTIL = frozenset({"until", "till"})


_NTHS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_ON_THE_NTH = late(
    rf"(?i)\bon the (\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_NTHS)})\b(?=\W*$|[,.;!]| in | at | with )"
)
"""A day of this month or the next, of what is to be: `I start on the 14th`."""
_TODAY = late(
    r"(?i)(?<!as of )\b(?:today|tonight|for the day|for now|"
    r"this (?:morning|afternoon|evening|week|weekend))\b"
)
"""What somebody is today alone says nothing of what he is: `I'm the cook tonight`."""
_THIS_HOUR = late(r"(?i)\b(?:right now|at the moment|just now|this (?:time|minute|second))\b")


ON_HOLIDAY = "on holiday"
"""How somebody is who is away for some days."""
_PASSING: tuple[tuple[int, str], ...] = (
    (
        21,
        r"(?:cold|flu|fever|cough|bug|food poisoning|antibiotics|hung ?over"
        r"|(?<!terminally )(?<!seriously )(?<!chronically )(?<!mentally )"
        r"(?:ill|sick|unwell|poorly))",
    ),
    (14, rf"(?:on (?:{words.any_of(words.ABSENCES)}))"),
    (90, r"(?:broken?|fractured?|sprained?|twisted)"),
    (210, r"(?:pregnant|expecting)"),
)
_PASSES = tuple((days, late(rf"(?i)\b{spelling}\b")) for days, spelling in _PASSING)


def passes_within(health: str) -> int | None:
    """Return after how many days a state of health or a medication is likely over, None if never.

    Nobody says so when his cold or her pregnancy is over; and nobody tells of a child before its
    tenth week.
    """
    return next((days for days, spelling in _PASSES if spelling.search(health)), None)


class HoldingTime(NamedTuple):
    """The words without those that say when, and the instants from and until which it holds."""

    text: str
    since: str = ""
    until: str = ""


def names_days(text: str) -> bool:
    """Tell whether a text may name a day: the cheap look before the dear one."""
    return _DAYS.search(text) is not None


_FOR_THE_DAY = late(
    r"(?i)\b(?:early|late|at (?:noon|midnight|lunch(?:time)?|\d[\d:.]*(?: ?[ap]m)?)|"
    r"for (?:today|the day|now|tonight|lunch|the (?:night|weekend|evening|morning)))\b"
)


def is_for_the_day(text: str) -> bool:
    """Tell whether words are of an hour, or hold for a day: who left at noon comes back."""
    return _FOR_THE_DAY.search(text) is not None


def is_of_today(text: str) -> bool:
    """Tell whether words are of today alone."""
    return _TODAY.search(text) is not None


def is_of_the_moment(text: str) -> bool:
    """Tell whether words are of this hour alone: `I hate trains right now`."""
    return is_of_today(text) or _THIS_HOUR.search(text) is not None


def told_days(text: str, *, at: str, otherwise: Side, done: Side) -> tuple[Dated, ...]:
    """Return the days that a text names, each on the side of an instant that its verb points to.

    Only a past verb points back, but for the day that something was moved to or is kept for.
    `otherwise` is the side of a day beside no verb whose form tells that, `done` of one beside a
    participle.
    """
    sides = {side: dates_in(text, at=at, side=side) for side in ("behind", "near", "ahead")}
    if len(set(map(len, sides.values()))) > 1:
        return sides["behind"]
    return tuple(
        sides[_side_of(text, one, otherwise, done)][place]
        for place, one in enumerate(sides["behind"])
    )


def _side_of(text: str, day: Dated, otherwise: Side, done: Side) -> Side:
    """Return to which side the last verb before a day in its clause points.

    Where the clause begins with the day, it is the first behind it.
    """
    if _SINCE.search(text, 0, day.start):
        return "behind"
    before = _BOUND.split(text[: day.start])[-1]
    verb, near = None, True
    for verb in _VERB.finditer(before):
        between = before[verb.end() :]
        near = len(between.split()) <= _OF_ITS_VERB and _GERUND.search(between) is None
    if verb is None and len(before.split()) <= 2:
        verb = _VERB.search(_BOUND.split(text[day.end :].lstrip(" ,"))[0])
    if verb is None or (verb["past"] or verb["done"]) is None:
        comes = verb is not None and near
        return "ahead" if comes or clause_meant(before) == "planned" else otherwise
    if _GOAL.search(before) and (verb["done"] or not _FROM.search(before)):
        return "ahead"
    return "behind" if verb["past"] and near else done


def holding_time(text: str, *, at: str) -> HoldingTime:
    """Return when a clause holds by the day that ends it: `I live here until May`, else never.

    A day without a year lies behind what is done and ahead of what is to be.
    """
    if not at or not names_days(text):
        return HoldingTime(text)
    days = told_days(text, at=at, otherwise="ahead", done="behind")
    if not days or not _END.fullmatch(text, days[-1].end):
        return HoldingTime(text)
    return _told(text, days[-1])


def only_day(text: str, *, at: str, ahead: bool = True) -> HoldingTime:
    """Return when something holds by the one day that its words name, wherever it stands."""
    side: Side = "ahead" if ahead else "behind"
    days = _whole(text, dates_in(text, at=at, side=side)) if at and names_days(text) else []
    if not days and at and ahead and (nth := _ON_THE_NTH.search(text)) is not None:
        days = list(dates_in(_next_such(nth[1].lower(), at), at=at))
    return _told(text, days[0]) if len(days) == 1 else HoldingTime(text)


def _next_such(day: str, at: str) -> str:
    """Return the next day of that number from an instant on: of `14th` and `fourteenth`."""
    digits = "".join(filter(str.isdigit, day))
    number = int(digits) if digits else _NTHS.index(day) + 1
    year, month, today = map(int, at[:10].split("-"))
    month += number <= today
    return f"{year + (month > 12)}-{(month - 1) % 12 + 1:02}-{number:02}"


def _whole(text: str, days: Iterable[Dated]) -> list[Dated]:
    """Return days without a weekday that stands before its own date: `Thursday the 14th of May`."""
    found: list[Dated] = []
    for day in days:
        if found and not text[found[-1].end : day.start].strip(" ,"):
            found.pop()
        found.append(day)
    return found


def _told(text: str, day: Dated) -> HoldingTime:
    """Return what the word before a day makes of it."""
    lead = _LEAD.search(text, 0, day.start)
    before = text[: lead.start()] if lead else text[: day.start]
    if lead and (lead["word"] or "").lower() in _UNTIL:
        return HoldingTime(before.rstrip(" ,"), until=day.until)
    return HoldingTime(before.rstrip(" ,"), since=day.since)
