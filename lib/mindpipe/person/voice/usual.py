"""What a person says of its ordinary week where it is asked for a time: its work, its meals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mindpipe.person.calendar import DAY_US, HOUR_US, WEEKDAYS
from mindpipe.person.mind.routine import HOME
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.voice.asked import pattern_of
from mindpipe.person.voice.facets import clock_words
from mindpipe.person.voice.lexicon import Lexicon

DUTIES = ("work", "study")
EVENING, MORNING = 17 * HOUR_US, 29 * HOUR_US
"""From when to when a night is, since the midnight before it."""

BREAK_US = 90 * MINUTE_US
"""How long a break is at most that parts no work."""
Span = tuple[int, int]


_FORMS = (("works", "off"), ("where", "home"))
"""How it is told where one works in a time, and where not, to who asks for work, or for a place."""


class UsualTable:
    """Answers questions of what a person does by habit, with the table `usual` of a language."""

    def __init__(self, table: Mapping[str, str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._forms = table
        self._where, self._works = pattern_of(table, "asks_where"), pattern_of(table, "asks_work")
        self._does, self._begins = pattern_of(table, "asks_does"), pattern_of(table, "asks_begin")
        self._to_come = pattern_of(table, "to_come")
        self._night, self._tomorrow = pattern_of(table, "night"), pattern_of(table, "tomorrow")

    def answer(
        self, text: str, week: Sequence[RoutineBlock], span_us: Span | None, t_us: int
    ) -> str:
        """Return what is said of the week to a question, nothing where it asks for nothing of it.

        Args:
            text: What is asked.
            week: The person's week, each part with its place.
            span_us: The time in the past that is asked for, if it is.
            t_us: The instant at which it is asked.
        """
        if self._begins.search(text):
            return self._told("begins", self._next(week, t_us))
        ahead = self._ahead(text, t_us) if span_us is None else None
        span = span_us or ahead
        asked = (self._works, self._where, self._does)
        kind = next((n for n, one in enumerate(asked) if one.search(text)), None)
        if not week or span is None or kind is None:
            return ""
        then = "did" if ahead is None else "does"
        found = [one for one in _in_span(week, span) if ahead is not None or one.start_us < t_us]
        duty = next((one for one in found if _is_duty(one.block)), None)
        if kind < len(_FORMS):
            with_duty, without = _FORMS[kind]
            return self._told(f"{with_duty if duty else without}_{then}", duty)
        if duty is not None:
            now = duty.start_us <= t_us < duty.end_us
            return self._told("on" if now else f"duty_{then}", duty)
        meal = next((one for one in found if one.block.what in ("meal", "call")), None)
        return self._told(f"{meal.block.what}_{then}", meal) if meal is not None else ""

    def asks_of_work(self, text: str) -> bool:
        """Tell whether a question is of when one works, and of nothing else."""
        return bool(self._works.search(text) or self._begins.search(text))

    def _ahead(self, text: str, t_us: int) -> Span | None:
        """Return the time to come that a question is of, None where it is of none."""
        if not self._to_come.search(text):
            return None
        today = t_us // DAY_US * DAY_US
        low = text.casefold()
        day = next((n for n, name in enumerate(WEEKDAYS) if name.casefold() in low), None)
        if day is not None:
            then = today + ((day - t_us // DAY_US) % len(WEEKDAYS)) * DAY_US
            return (max(then, t_us), then + DAY_US)
        if self._tomorrow.search(text):
            return (today + DAY_US, today + 2 * DAY_US)
        if self._night.search(text):
            # In the small hours the night is the one that goes on.
            night = today - DAY_US if t_us - today < MORNING - DAY_US else today
            return (max(night + EVENING, t_us), night + MORNING)
        return (t_us, today + DAY_US)

    def _next(self, week: Sequence[RoutineBlock], t_us: int) -> "WeekPart | None":
        """Return the next part of a week that is a duty."""
        coming = _in_span(week, (t_us, t_us + len(WEEKDAYS) * DAY_US))
        return next((one for one in coming if _is_duty(one.block) and one.start_us >= t_us), None)

    def _told(self, form: str, found: "WeekPart | None") -> str:
        """Return a form with the place, the people and the hours of a part of a week."""
        words = self._forms.get(form, "")
        if found is None:
            return words if "{" not in words else ""
        *first, last = (*found.block.people, "")[: len(found.block.people)] or ("",)
        joined = self._forms.get("and", "")
        slots = {
            "place": found.block.place,
            "people": f"{', '.join(first)} {joined} {last}" if first else last,
            "from": clock_words(found.start_us, self._lexicon),
            "till": clock_words(found.end_us, self._lexicon),
        }
        for name, value in slots.items():
            if f"{{{name}}}" in words and not value:
                return ""
            words = words.replace(f"{{{name}}}", value)
        return words


class WeekPart(NamedTuple):
    """A part of a week on one day, from when to when; breaks of work are no end of it."""

    start_us: int
    end_us: int
    block: RoutineBlock


def _is_duty(block: RoutineBlock) -> bool:
    """Tell whether a part of a week is work, or school, to which one goes."""
    return block.what in DUTIES and block.place != HOME


def _in_span(week: Sequence[RoutineBlock], span_us: Span) -> Iterator[WeekPart]:
    """Yield the parts of a week that lie in a time, in its order."""
    found: list[WeekPart] = []
    for day in range(span_us[0] // DAY_US - 1, span_us[1] // DAY_US + 1):
        for block in week:
            start_us = day * DAY_US + block.start_min * MINUTE_US
            if day % len(WEEKDAYS) in block.days:
                found.append(WeekPart(start_us, start_us + block.minutes * MINUTE_US, block))
    for one in _joined(sorted(found, key=lambda one: one.start_us)):
        if one.start_us < span_us[1] and one.end_us > span_us[0]:
            yield one


def _joined(stretches: Sequence[WeekPart]) -> Iterator[WeekPart]:
    """Yield stretches, those of a duty that only a break parts as one."""
    duty: WeekPart | None = None
    for one in stretches:
        if not _is_duty(one.block):
            yield one
        elif duty is not None and one.start_us - duty.end_us <= BREAK_US:
            duty = duty._replace(end_us=max(duty.end_us, one.end_us))
        else:
            if duty is not None:
                yield duty
            duty = one
    if duty is not None:
        yield duty
