"""What rests and travels of attention: concerns, their turns, and what an iteration attends to."""

from typing import Annotated

import msgspec

from mindpipe.core.records import Natural, Positive, Record
from mindpipe.workers.records import LoopMode

OTHERS = "others"
CONSOLIDATION = "consolidation"
RESERVED = (OTHERS, CONSOLIDATION)
"""Concerns that nobody adds: events that no concern claims, and time in which nothing waits."""

ConcernName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_][a-z0-9_.-]{0,63}$")]
ShareOfTurns = Annotated[float, msgspec.Meta(ge=0, le=1)]
Boost = Annotated[int, msgspec.Meta(ge=-10, le=10)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Relevance(Record, omit_defaults=True):
    """Which events a concern is about: those to which any of these applies.

    `sources` and `paths` are shell patterns (`*` also passes `/`), `keywords` and `entities` whole
    words of the text whatever their case, the others exact.
    """

    sources: tuple[Word, ...] = ()
    paths: tuple[Word, ...] = ()
    spaces: tuple[Word, ...] = ()
    senders: tuple[Word, ...] = ()
    types: tuple[Word, ...] = ()
    keywords: tuple[Word, ...] = ()
    entities: tuple[Word, ...] = ()


class ConcernTrigger(Record, omit_defaults=True):
    """When a concern is worked on although nothing came: every so many iterations, or when idle."""

    every: Positive | None = None
    idle_seconds: Positive | None = None


class Concern(Record, omit_defaults=True):
    """Something that an agent attends to over many iterations.

    `share` is its part of all iterations (0-1) in the background; the one that has the `focus` has
    the share and boost of the primary focus. `boost` (-10 to 10) is added to the score of events
    that it is about. `since` is when it last took the focus.
    """

    agent: str
    name: ConcernName
    text: str = ""
    share: ShareOfTurns = 0.1
    boost: Boost = 0
    about: Relevance = Relevance()
    trigger: ConcernTrigger = ConcernTrigger()
    focus: bool = False
    since: str | None = None
    created: str = ""


class ConcernStanding(Concern, omit_defaults=True):
    """A concern as it stands: `weight` is its share when all have work, `turns` how many it had."""

    weight: float = 0.0
    turns: Natural = 0


class ConcernChange(Record):
    """What to change of a concern; None leaves it."""

    text: str | None = None
    share: ShareOfTurns | None = None
    boost: Boost | None = None
    about: Relevance | None = None
    trigger: ConcernTrigger | None = None


class ConcernTurns(Record):
    """How a concern stands among the others.

    `credit` is what it is owed, in turns; `turns` is how many it had. `last` is the iteration of
    its last one, `fired` that of its last trigger. It yields to others before `yields_until`.
    """

    concern: str
    credit: float = 0.0
    turns: Natural = 0
    last: Natural = 0
    fired: Natural = 0
    yields_until: Natural = 0


class AttentionRules(Record):
    """What bounds attention in one iteration.

    At most `most` events of one concern. With `up_to`, those as urgent or more go first; the
    others wait, or where it `drains` are taken up, the oldest first, while nothing else is there.
    `focus_only` leaves what the focus is not about, unless it is urgent. `novel_first` lets
    novelty count threefold. `primary_share` (0-1) and `primary_boost` belong to the focus. What
    waited `longest_wait` seconds goes before all but emergencies.
    """

    most: Positive = 10
    up_to: Natural = 4
    drains: bool = True
    focus_only: bool = False
    novel_first: bool = False
    primary_share: ShareOfTurns = 0.6
    primary_boost: Boost = 3
    longest_wait: float = 3600.0


class Attended(Record, omit_defaults=True):
    """What one iteration attends to: events of one concern, in the order to take them up.

    `events` are ids; `marks` tells by which they are known next time. `working` are the concerns
    that had something to do, `preempted` is set where their turns did not count. `queue` counts
    the open events, `urgent` those seen with priority 0-2, `relevant` those seen that the focus is
    about; `oldest_seconds` is how long the oldest waits.
    """

    agent: str
    at: str
    mode: LoopMode
    concern: str
    focus: str | None = None
    events: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    working: tuple[str, ...] = ()
    preempted: bool = False
    queue: Natural = 0
    urgent: Natural = 0
    relevant: Natural = 0
    oldest_seconds: float = 0.0
