"""What happens to a mind: the event that is pushed into an inbox."""

import enum
from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Record
from mindpipe.core.sources import Sources

EventType = Literal[
    "space_message", "plan", "service", "tool_result", "decision", "observation", "interrupt"
]


class Priority(enum.IntEnum):
    """How urgent an event is; the lower number goes first."""

    EMERGENCY = 0
    CRITICAL = 1
    URGENT = 2
    NORMAL = 3
    BACKGROUND = 4


OPERATOR = "operator"
"""The source of what the operator says in their own name."""


class Command(enum.StrEnum):
    """What the `command` in the body of an operator's interrupt may say to a loop."""

    STOP = "stop"
    PAUSE = "pause"
    RESUME = "resume"


class NewEvent(Record, omit_defaults=True):
    """One event as it is pushed.

    `agent` may be left out when the command names one. `key` (1-256 bytes) makes a repeated push
    the same event. `due` is the earliest instant at which it may be claimed. `body` is free JSON;
    `text` is what a mind reads. `sources` names others whose words it holds too, as a post does
    that was written after reading them: whoever pushes may add sources, and never takes one away.
    """

    type: EventType = "service"
    agent: str | None = None
    source: str = OPERATOR
    key: str | None = None
    priority: Annotated[int, msgspec.Meta(ge=0, le=4)] = 3
    due: str | None = None
    space: str | None = None
    sender: str | None = None
    text: str | None = None
    body: dict[str, object] = {}
    lossy: bool = False
    sources: Sources = ()
