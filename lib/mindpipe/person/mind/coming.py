"""What lies ahead of a person: its goals, what was said of a time to come, and its habits."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mindpipe.core.patterns import late
from mindpipe.language.numerals import number_of
from mindpipe.person.calendar import DAY_US, WEEKDAYS, ahead_text, weekday_of
from mindpipe.person.mind.queue import goals_of
from mindpipe.person.mind.relations import GROWN, own_age
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.mind.routine import HOME, block_at, coming_at
from mindpipe.person.records.episode import ComingThing, Episode, RoutineBlock
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Mind, QueueItem

NEXT_US = DAY_US
"""Within which time the next part of a routine lies ahead."""
MONTHS_US = 28 * DAY_US
"""For how long something lies ahead of which only the month was told."""
TOLD = frozenset(("speech", "news", "contact", "action", "touch"))
"""Types of events whose words may tell what is to come."""


def coming_things(
    person: Person, mind: Mind, t_us: int, *, habits: bool = True
) -> tuple[ComingThing, ...]:
    """Return what lies ahead, soonest first; what has no time comes last, what presses most first.

    Without `habits` the routine has no part in it.
    """
    goals = [one for one in goals_of(mind.queue) if one.due_us is None or one.due_us > t_us]
    found = [
        ComingThing(text=one.text, t_us=one.due_us, when=ahead_text(one.due_us, t_us))
        for one in goals
    ]
    aimed = {one.event for one in goals}
    # What was told and is a goal now lies ahead once.
    found += _told([one for one in mind.episodes if (one.event or one.id) not in aimed], t_us)
    if habits:
        found += _usual(person, t_us)
    pressing = {one.text: _presses(one) for one in goals}
    order = sorted(
        enumerate(found),
        key=lambda one: (
            one[1].t_us is None,
            one[1].t_us or 0,
            pressing.get(one[1].text, (0.0, 0)),
            one[0],
        ),
    )
    return tuple(dict.fromkeys(one for _, one in order))


def _presses(goal: QueueItem) -> tuple[float, int]:
    """Return what orders goals that are due at the same time, or at none."""
    return (-goal.strength, goal.t_us if goal.due_us is not None else -goal.t_us)


def _usual(person: Person, t_us: int) -> list[ComingThing]:
    """Return what a person's habits have next, and its next work or studies, within a day."""
    found: list[ComingThing] = []
    span = coming_at(person, t_us)
    for _ in range(MOST_SPANS):
        if span.block is None or span.start_us - t_us > NEXT_US:
            break
        duty = span.block.what in ("work", "study")
        text = _words_of(span.block, person)
        if text and (duty or not found):
            when = ahead_text(span.start_us, t_us)
            found.append(ComingThing(text=text, t_us=span.start_us, when=when))
        if duty:
            break
        span = coming_at(person, span.start_us)
    return found


def going_on(person: Person, t_us: int) -> tuple[ComingThing, ...]:
    """Return the work or the studies that a person's habits have at an instant, if any."""
    block = block_at(person, t_us)
    if block is None or block.what not in ("work", "study"):
        return ()
    return (ComingThing(text=_words_of(block, person), t_us=t_us),)


MOST_SPANS = 8
"""How many parts of a week are looked at for the next one that lies ahead."""


def _words_of(block: RoutineBlock, person: Person) -> str:
    """Return how a part of a routine lies ahead, nothing where it is no plan."""
    place = block.place.removeprefix("at work, ")
    at = "" if place in ("", HOME, "at work", "in class") else f" {place}"
    if block.what == "study":
        age = own_age(person.identity.self_narrative)
        return "school" if age is not None and age < GROWN else f"classes{at}"
    *first, last = (*block.people, "")[: len(block.people)] or ("",)
    people = f"{', '.join(first)} and {last}" if first else last
    beside = f" with {people}" if people else ""
    said = {
        "work": f"work{at}",
        "meal": f"a meal{beside}",
        "call": f"a call{beside}",
        "errand": f"an errand{at}",
        "play": f"free time{beside}{at}",
        "household": f"the housework{beside}",
    }
    return said.get(block.what, "")


def _told(episodes: Iterable[Episode], t_us: int) -> list[ComingThing]:
    """Return what words of events told of a time that is still to come, each once."""
    found: dict[str, ComingThing] = {}
    for one in episodes:
        if one.type not in TOLD or one.t_us > t_us:
            continue
        for text, at_us, until_us, exact in announced(one.text, one.t_us):
            if until_us <= t_us:
                continue
            whose = f"{on_one_line(one.source)}: " if _OWN.search(text) and one.source else ""
            when = ahead_text(at_us, t_us) if exact else _day_text(at_us, t_us)
            found[text.casefold()] = ComingThing(text=f"{whose}{text}", t_us=at_us, when=when)
    return list(found.values())


def _day_text(at_us: int | None, now_us: int) -> str:
    """Return on which day something is to come of which the hour is not known."""
    if at_us is None:
        return ""
    days = at_us // DAY_US - now_us // DAY_US
    if days < 2:
        return ("today", "tomorrow")[max(days, 0)]
    return f"on {weekday_of(at_us)}" if days < len(WEEKDAYS) else "later"


@lru_cache(maxsize=4096)
def announced(text: str, t_us: int) -> tuple[tuple[str, int | None, int, bool], ...]:
    """Return what a text tells that is to come: the words without the time, and when.

    That is the instant, or None where only a month is told; until when it lies ahead; and whether
    the part of the day is known.
    """
    return tuple(_clauses(text, t_us))


def _clauses(text: str, t_us: int) -> Iterator[tuple[str, int | None, int, bool]]:
    """Yield what the clauses of a text tell that is to come."""
    for clause in _ENDS.split(text):
        found = _WHEN.search(clause)
        if (
            found is None
            or _ASKS.match(clause)
            or _NOT.search(clause)
            or not (found["sure"] or _TO_COME.search(clause))
        ):
            continue
        said = _EDGES.sub("", f"{clause[: found.start()]} {clause[found.end() :]}")
        said = " ".join(said.split())
        if len(said.split()) < LEAST_WORDS and not found["sure"]:
            continue
        if not said:
            continue
        said = said if _KEPT.match(said) else said[:1].lower() + said[1:]
        if found["month"]:
            yield f"{said} {found['month']}", None, t_us + MONTHS_US, False
            continue
        day = _day_of(found, t_us)
        minute, exact = _minute_of(found, clause)
        at_us = day * DAY_US + minute * MINUTE_US
        until_us = at_us if exact else (day + 1) * DAY_US
        if until_us > t_us:
            yield said, at_us, until_us, exact


def _day_of(found: re.Match[str], t_us: int) -> int:
    """Return the day that words of time name, seen from an instant."""
    day = t_us // DAY_US
    if found["weekday"]:
        ahead = (WEEKDAYS.index(found["weekday"].capitalize()) - day) % len(WEEKDAYS)
        return day + (ahead or len(WEEKDAYS))
    if found["days"]:
        return day + (number_of(found["days"]) or 1)
    sure = (found["sure"] or "").casefold()
    return day + (2 if sure.startswith("the day after") else 1 if "tomorrow" in sure else 0)


def _minute_of(found: re.Match[str], clause: str) -> tuple[int, bool]:
    """Return the minute of the day that words of time name, and whether they tell it."""
    words = found.group().casefold()
    part = next((one for one in _PARTS if one in words), "")
    hour = number_of(found["hour"]) if found["hour"] else None
    if hour is None or not 0 < hour <= 24:
        return (60 * _PARTS[part], True) if part else (60 * 12, False)
    late_ = part in ("afternoon", "evening", "night") or (
        part == "" and (hour < EARLIEST or _LATE_MEAL.search(clause) is not None)
    )
    return 60 * (hour % 12 + 12 if late_ and hour <= 12 else hour % 24), True


EARLIEST, LEAST_WORDS = 7, 2
"""Before which hour nobody means the morning; and the fewest words that tell something."""
_PARTS = {"morning": 9, "afternoon": 15, "evening": 19, "night": 21}
_HOUR = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2}(?!\d)(?!\s*(?:%|°))"
)
_MONTH = (
    r"in (?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December|spring|summer|autumn|winter)|next (?:month|year)"
)
_PART = r"(?: in the| )?\s?(?:morning|afternoon|evening|night)"
_WHEN = late(
    rf"(?<![\w-])(?:(?P<sure>the day after tomorrow|tomorrow|tonight|this (?:afternoon|evening))"
    rf"|(?:on |next |this coming )(?P<weekday>{'|'.join(WEEKDAYS)})"
    rf"|in (?P<days>two|three|four|five|six) days|(?P<month>{_MONTH}))(?![\w'’-])(?:{_PART})?"
    rf"(?:,? at (?P<hour>{_HOUR})(?! (?:percent|years))(?: o['’]clock)?)?(?:{_PART})?",
    re.I,
)
_ENDS = late(
    r"[.;:!?“”\"()]+|,? (?:and )?that (?=you|your|the|he|she|they|we|I|it|my|[A-Z])|, and "
)
_TO_COME = late(
    r"\b(?:will|shall|must|can|may|should|is|are|has to|have|has|am|going to|let us|begins?|starts?"
    r"|ends?|comes?|opens?|closes?|leaves?|arrives?|gets?|works?|need|needs|expects?)\b"
    r"|['’](?:ll|re|s|m|ve got)\b"
)
_NOT = late(
    r"\b(?:not|never|no longer|cancelled|called off|if|was|were|did|had|been|went|came|saw|took"
    r"|got|gave|made|said|told|wrote|left|met|yesterday|last|used to|would|could|might|perhaps"
    r"|maybe|dreams?|dreamt|hopes?|wish(?:es)?|doubts?|\w{2,}(?<!ne)(?<!nee)ed)\b|n['’]t\b",
    re.I,
)
_ASKS = late(
    r"\s*(?:what|when|where|who|whom|whose|why|how|which|will|shall|can|could|do|does|did|are|is"
    r"|have|has|would|may|must)\b",
    re.I,
)
_LATE_MEAL = late(r"\b(?:dinner|supper|party|concert|theatre|cinema|drinks?|dance|date)\b", re.I)
_OWN = late(r"\b(?:I|I['’]\w+|my|me|we|our|us)\b")
_EDGES = late(r"^[\s,–—-]+|(?:\s(?:is|are))?[\s,–—-]*$|^(?:and|but|so|then|well|oh),?\s+", re.I)
_KEPT = late(r"I\b|[A-Z][\w-]+['’]s\b|(?:Mr|Mrs|Ms|Dr)\b|[A-Z]\w+ (?:[A-Z]|is|has|will|comes|and)")
