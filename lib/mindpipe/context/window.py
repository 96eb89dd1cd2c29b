"""Where the window of a segment begins, so that it stays within the agent's token budget."""

from collections.abc import Sequence

KEEP_SHARE = 0.7
"""A window that grew too large is cut to this share, so that it is not cut at every cycle."""


def first_cycle(sizes: Sequence[tuple[int, int]], *, begins: int, max_tokens: int) -> int:
    """Return the number of the first cycle that stays in the window.

    `sizes` are (cycle, tokens) from `begins` on, oldest first. While all of them fit, the window
    stays as it is. Else the newest that fit in 70 % of the budget are kept, and one at least.
    """
    if sum(tokens for _, tokens in sizes) <= max_tokens or not sizes:
        return begins
    fitting = 0
    room = max_tokens * KEEP_SHARE
    for _, tokens in reversed(sizes):
        room -= tokens
        if room < 0:
            break
        fitting += 1
    return sizes[-max(1, fitting)][0]


def earlier(first: int) -> str | None:
    """Return the words that stand for the cycles before the window, or None if there are none."""
    if first <= 1:
        return None
    return (
        f"[Earlier: cycles 1-{first - 1} are in your history but not shown here. "
        "Use search_history to find anything in them.]"
    )
