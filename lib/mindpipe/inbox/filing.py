"""How events are filed: what they lack, what is admitted, what becomes of refused lines."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.inbox.records import Bounds, Given
from mindpipe.inbox.wire import Unknown, nobody

_SHOWN_PROBLEMS = 100


class BadLines(Protocol):
    """Decide what becomes of lines that are refused."""

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Take one refused line and all that is wrong with it."""
        ...

    def settle(self) -> None:
        """Raise, or make sure that every refused line is kept; called before the commit."""
        ...


class AllOrNothing:
    """Let one refused line refuse all."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._more = 0

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Remember what is wrong, up to a number that a person can read."""
        room = max(0, _SHOWN_PROBLEMS - len(self._problems))
        self._problems.extend(problems[:room])
        self._more += len(problems[room:])

    def settle(self) -> None:
        """Raise BadInputError if any line was refused."""
        if self._more:
            source = self._problems[0].source
            words = f"{self._more} more problems are not shown"
            raise BadInputError([*self._problems, Problem(source=source, message=words)])
        if self._problems:
            raise BadInputError(self._problems)


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
