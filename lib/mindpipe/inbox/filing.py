"""How events are filed: what they lack, what is admitted, what becomes of refused lines."""

from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.inbox.records import Bounds, Given
from mindpipe.inbox.wire import Unknown, nobody


class LineRules(msgspec.Struct, frozen=True, kw_only=True):
    """What lines are held to; `given` holds for what they do not say, `source` names them.

    `unknown` finds agents that are not there; without `agent_needed` a line may name none.
    `strict` refuses what would have to be cleaned: bytes that are not UTF-8, NUL, lone surrogates.
    """

    source: str
    given: Given = Given()
    bounds: Bounds = Bounds()
    agent_needed: bool = True
    strict: bool = False
    unknown: Unknown = nobody


def anybody(_agent: str) -> None:
    """Take every agent as known."""


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """How pieces are filed: under which bounds, for whom, and what becomes of refused lines.

    `known` raises UsageError for an agent that is not there; `source` names the input in problems.
    """

    bounds: Bounds = Bounds()
    known: Callable[[str], None] = anybody
    bad_lines: BadLines = msgspec.field(default_factory=AllOrNothing)
    source: str = "stdin"


class LinesFile(Protocol):
    """A file of lines that nobody else changes while it is held."""

    def lines(self) -> Iterator[bytes]:
        """Yield every whole line."""
        ...

    def append(self, lines: bytes) -> None:
        """Append lines durably."""
        ...
