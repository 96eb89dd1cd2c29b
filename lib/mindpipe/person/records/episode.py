"""What happened to a person, and where it is: records that thoughts refer to."""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.records.event import EventType, LifeTopic
from mindpipe.person.records.scales import Count, Instant, Share, Signed

Posture = Literal["", "lying", "sitting", "standing", "moving"]


OVER_WELL = "well"


class Episode(Record, omit_defaults=True):
    """Something that happened: when, where, with whom, how it was taken, and how it ended.

    `text` is on one line and in the second person, as the event said it; of speech it is what
    was said, and `source` who said it. `people` had a part in it, the source first.
    `noticed_us` is when it first reached a thought, None while it has not, and `felt` the
    valence of that moment; `thoughts` counts those of it and `last_us` is the latest of them,
    and `told_us` the latest that had words. One that stands for `count` near-duplicates is as
    new as the last of these, whose event is `event`: its own id stays that of the first, so
    that thoughts go on to refer to it. `ended` says how it ended, in one word such as `done`,
    or nothing yet; what was bad and was taken back, or turned out well, ended `well`.
    """

    id: str
    t_us: Instant
    until_us: Instant
    type: EventType
    text: str
    source: str = msgspec.field(name="from", default="")
    people: tuple[str, ...] = ()
    place: str = ""
    valence: Signed = 0.0
    importance: Share = 0.0
    emotion: str = ""
    topic: LifeTopic = ""
    weather: str = ""
    count: Count = 1
    noticed_us: Instant | None = None
    felt: float | None = None
    thoughts: Count = 0
    last_us: Instant | None = None
    told_us: Instant | None = None
    ended: str = ""
    event: str = ""

    def is_of(self, event: str) -> bool:
        """Tell whether this is what an event was, the first or the latest of several."""
        return event in (self.id, self.event)

    @property
    def is_over_well(self) -> bool:
        """Tell whether it was bad and weighs no more: it was taken back, or turned out well."""
        return self.ended == OVER_WELL


class HeardWords(Record, omit_defaults=True):
    """What was just said, by whom and when."""

    t_us: Instant
    text: str
    source: str = msgspec.field(name="from", default="")


class ComingThing(Record, omit_defaults=True):
    """Something that lies ahead, in the second person, at `t_us` where that is known.

    `when` says when that is, as people say it, and is empty where that is not known.
    """

    text: str
    t_us: Instant | None = None
    when: str = ""


class LifeSituation(Record, omit_defaults=True):
    """Where a person is at an instant, with whom, and what it does; what is not known is empty.

    `company` are people, to whom one may speak; `animals` are beside them.
    `place` and `activity` follow "You are": `at home`, `at work`; `weather`, `weekday` are words.
    `ahead` is what is planned next, at `ahead_us` where that is known: the soonest of its goals, of
    what was told of a time to come, and of its habits.
    """

    place: str = ""
    company: tuple[str, ...] = ()
    animals: tuple[str, ...] = ()
    activity: str = ""
    posture: Posture = ""
    weather: str = ""
    weekday: str = ""
    heard: HeardWords | None = None
    ahead: str = ""
    ahead_us: Instant | None = None


RoutineKind = Literal[
    "work", "study", "household", "meal", "call", "errand", "play", "company", "rest"
]
Weekday = Annotated[int, msgspec.Meta(ge=0, le=6)]


class RoutineBlock(Record, omit_defaults=True):
    """A part of a person's ordinary week, at the same time on each of some days.

    Weekdays count from Monday, which day 0 is; `start_min` is in minutes since midnight, and it may
    last past the next one. `quality` is that of its company, `load` that of its work.
    """

    what: RoutineKind
    start_min: Annotated[int, msgspec.Meta(ge=0, lt=1440)]
    minutes: Annotated[int, msgspec.Meta(ge=1, le=1440)]
    days: tuple[Weekday, ...] = (0, 1, 2, 3, 4, 5, 6)
    place: str = ""
    people: tuple[str, ...] = ()
    quality: Share = 0.0
    load: Share = 0.0
