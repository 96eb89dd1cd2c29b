"""Patterns of paths: `*` and `?` within a name, `**` over folders, `[...]` one of some signs."""

import functools
import re


def fits(path: str, *patterns: str) -> bool:
    """Tell whether a path, with `/` between its names, is one that any of the patterns means."""
    return _compiled(patterns).fullmatch(path) is not None


@functools.lru_cache(maxsize=1024)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Return patterns as one expression; none means nothing."""
    return re.compile("|".join(map(_expression, patterns)) if patterns else "(?!)", re.DOTALL)


def _expression(pattern: str) -> str:
    """Return a pattern as an expression; signs that mean nothing stand for themselves."""
    parts: list[str] = []
    place = 0
    while place < len(pattern):
        place, part = _next(pattern, place)
        parts.append(part)
    return f"(?:{''.join(parts)})"


def _next(pattern: str, place: int) -> tuple[int, str]:
    """Return where the pattern goes on, and the expression of what stands at a place."""
    if pattern.startswith("**/", place) and (place == 0 or pattern[place - 1] == "/"):
        return place + 3, "(?:[^/]+/)*"
    if pattern.startswith("**", place):
        return place + 2, ".*"
    sign = pattern[place]
    if sign in "*?":
        return place + 1, "[^/]*" if sign == "*" else "[^/]"
    end = pattern.find("]", place + 2)
    if sign == "[" and end > 0:
        inside = pattern[place + 1 : end]
        refused = inside[0] in "!^"
        signs = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if refused else inside)
        return end + 1, f"(?!/)[{'^' if refused else ''}{signs}]"
    return place + 1, re.escape(sign)
