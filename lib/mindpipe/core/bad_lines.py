"""What becomes of lines that are refused: one of them refuses all, or each is kept apart."""

from collections.abc import Sequence
from typing import Protocol

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem

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
