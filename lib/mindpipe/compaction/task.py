"""What a strategy is given and what it returns."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.records import PROMPT_TOKENS, Stub, Summary, SummaryLine
from mindpipe.core.messages import Message, Role
from mindpipe.core.models import Write

Count = Callable[[str], int]
"""How many tokens a text has for the model in use."""

Embed = Callable[[list[str]], list[list[float]]]
"""One vector for each text, all of one length."""


class SpokenWords(NamedTuple):
    """Something that was said: in which message and cycle, by whom, and the words.

    `speaker` is a name where one is known: of a member of a space, say. `taint` tells that they may
    be words which nobody vouches for.
    """

    seq: int
    cycle: int
    role: Role
    speaker: str | None
    text: str
    taint: bool = False

    @property
    def of_others(self) -> bool:
        """Tell whether nobody vouches for them: they are then quoted, with who said them."""
        return self.taint and self.role in (Role.USER, Role.TOOL)


class CycleInView(NamedTuple):
    """A cycle as strategies see it, its messages with the tokens of each."""

    cycle: int
    messages: Sequence[Message]
    counts: Sequence[int]
    trigger: str = ""
    sources: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of all its messages."""
        return sum(self.counts)


class CompactionTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a strategy decides on.

    `old` are the cycles that may leave the window, oldest first, `folded` the summaries that stand
    in it already, `room` the tokens there are for old cycles that stay and for lines (of earlier
    summaries too), `inbox` the words that wait for the agent, `prompt_tokens` the most that `write`
    may be given at once. What leaves is `stored` where a tool of the agent can find it again.
    """

    old: tuple[CycleInView, ...]
    folded: tuple[Summary, ...]
    room: int
    inbox: str
    count: Count
    embed: Embed | None = None
    write: Write | None = None
    prompt_tokens: int = PROMPT_TOKENS
    stored: bool = True


class SummaryDraft(NamedTuple):
    """What a strategy wants: lines for the cycles that leave, and those that stay.

    Of the cycles in `kept` all is sent, of those in `stubs` all but the results that have one.
    Every other cycle of the task leaves, and its lines (or none) stand for it; lines of `folded`
    that are to stay are repeated. `reasons` say in a few words why each cycle went where it went.
    Where a strategy gave way to another one, `strategy` names that one and `fallback` says why.
    """

    lines: tuple[SummaryLine, ...]
    kept: frozenset[int]
    stubs: dict[int, tuple[Stub, ...]]
    reasons: dict[int, str]
    strategy: StrategyName | None = None
    fallback: str | None = None


Strategy = Callable[[CompactionTask], SummaryDraft]
