"""What a strategy is given and what it returns."""

from collections.abc import Callable
from typing import NamedTuple

from mindpipe.compaction.records import Line, Stub, Summary
from mindpipe.core.messages import Message, Role

Count = Callable[[str], int]
"""How many tokens a text has for the model in use."""

Embed = Callable[[list[str]], list[list[float]]]
"""One vector for each text, all of one length."""

Write = Callable[[str], str | None]
"""What a language model makes of one prompt, or None where it cannot be asked."""


class Said(NamedTuple):
    """Something that was said: in which message and cycle, by whom, and the words.

    `speaker` is a name where one is known: of a member of a space, say.
    """

    seq: int
    cycle: int
    role: Role
    speaker: str | None
    text: str


class Lived(NamedTuple):
    """A cycle as strategies see it, its messages with the tokens of each."""

    cycle: int
    messages: tuple[Message, ...]
    counts: tuple[int, ...]
    trigger: str = ""
    sources: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of all its messages."""
        return sum(self.counts)


class Task(NamedTuple):
    """What a strategy decides on.

    `old` are the cycles that may leave the window, oldest first, `folded` the summaries that stand
    in it already, `room` the tokens there are for old cycles that stay and for lines (of earlier
    summaries too), `inbox` the words that wait for the agent.
    """

    old: tuple[Lived, ...]
    folded: tuple[Summary, ...]
    room: int
    inbox: str
    count: Count
    embed: Embed | None = None
    write: Write | None = None


class Draft(NamedTuple):
    """What a strategy wants: lines for the cycles that leave, and those that stay.

    Of the cycles in `kept` all is sent, of those in `stubs` all but the results that have one.
    Every other cycle of the task leaves, and its lines (or none) stand for it; lines of `folded`
    that are to stay are repeated. `reasons` say in a few words why each cycle went where it went.
    """

    lines: tuple[Line, ...]
    kept: frozenset[int]
    stubs: dict[int, tuple[Stub, ...]]
    reasons: dict[int, str]


Strategy = Callable[[Task], Draft]
