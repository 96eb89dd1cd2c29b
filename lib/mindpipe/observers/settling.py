"""Wait until what moves has come to rest: debounce, with a bound for what never does."""

from collections.abc import Iterable

LONGEST = 10
"""So many times the debounce a change is held back at most."""


class Settling:
    """The paths that were heard of and not looked at yet; all times are in seconds of one clock.

    A look is due once nothing was heard for `debounce` seconds, or when the oldest news is as old
    as `LONGEST` of them. What was heard just before the look is left for the next one, unless it
    has never been quiet for that long.
    """

    def __init__(self, debounce: float) -> None:
        self._debounce = debounce
        self._first: dict[str, float] = {}
        self._last: dict[str, float] = {}

    def hear(self, paths: Iterable[str], now: float) -> None:
        """Note that something happened at these paths."""
        for path in paths:
            self._first.setdefault(path, now)
            self._last[path] = now

    def wait(self, now: float) -> float | None:
        """Return in how many seconds a look is due; None where nothing was heard."""
        if not self._last:
            return None
        quiet = max(self._last.values()) + self._debounce
        latest = min(self._first.values()) + LONGEST * self._debounce
        return max(0.0, min(quiet, latest) - now)

    def take(self, now: float) -> frozenset[str]:
        """Return the paths that still move, and forget all others: these are looked at now."""
        moving = frozenset(
            path
            for path, last in self._last.items()
            if now - last < self._debounce and now - self._first[path] < LONGEST * self._debounce
        )
        self._first = {path: self._first[path] for path in moving}
        self._last = {path: self._last[path] for path in moving}
        return moving
