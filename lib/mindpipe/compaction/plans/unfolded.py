"""Why a window stays as it is, in the words that are told."""

from collections.abc import Sequence

from mindpipe.core.errors import NothingToDoError


class UnfoldedError(NothingToDoError):
    """Say that a window stays as it is, and how many `tokens` it has."""

    def __init__(self, message: str, *, tokens: int) -> None:
        super().__init__(message)
        self.tokens = tokens


def it_fits(tokens: int, budget: int) -> UnfoldedError:
    """Return what is said of a window that is within its budget."""
    return UnfoldedError(f"nothing to fold: {tokens} of {budget} tokens", tokens=tokens)


def all_left(agent: str, *, tokens: int, ways: Sequence[str]) -> UnfoldedError:
    """Return what is said where no cycle may leave any more; `ways` are those out of it."""
    out = f"; {', or '.join(ways)}" if ways else ""
    return UnfoldedError(
        f"Every cycle of {agent} that may leave its window has left it{out}.", tokens=tokens
    )
