"""State machines as enums that know their legal successors."""

import enum
from typing import Self

from mindpipe.core.errors import IllegalStateError


class State(enum.StrEnum):
    """A state of one machine; subclasses define `successors`."""

    def successors(self) -> frozenset[Self]:
        """Return the states that may follow this one."""
        raise NotImplementedError

    def to(self, next_state: Self) -> Self:
        """Return `next_state` if it may follow this one, else raise IllegalStateError."""
        if next_state not in self.successors():
            raise IllegalStateError(
                f"{type(self).__name__} cannot go from {self.value} to {next_state.value}"
            )
        return next_state
