"""What is observed and ignored, how urgent it is, and when a fallen program starts again."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from mindpipe.core.events import Priority
from mindpipe.observers.records import (
    MOST_BOOST,
    FileChange,
    Kind,
    Meaning,
    Named,
    Point,
    SeenFile,
)


def fits(path: str, *patterns: str) -> bool:
    """Tell whether a path, with `/` between its names, is one that any of the patterns means."""
    return bool(patterns) and _matcher(patterns)(path)


@functools.lru_cache(maxsize=1024)
def _matcher(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Return what tells whether one of some patterns means a path.

    RE2 takes time in proportion to the path, whatever stars a pattern has and whoever named a file.
    """
    import re2  # type: ignore[import-untyped] # the wheel has no types

    options = re2.Options()
    options.dot_nl = True
    options.log_errors = False
    options.max_mem = _PATTERN_BYTES
    compiled = re2.compile("|".join(map(_expression, patterns)), options)
    return lambda path: compiled.fullmatch(path.encode("utf-8", "replace")) is not None


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
        signs = "".join(_signs(inside[1:] if refused else inside))
        if refused:
            return end + 1, f"[^/{signs}]"
        return end + 1, f"[{signs}]" if signs else _NOTHING
    return place + 1, re.escape(sign)


def _signs(inside: str) -> Iterator[str]:
    """Yield the signs and ranges of signs between brackets as an expression has them, without /."""
    for first, last in re.findall(r"(?s)(.)(?:-(.))?", inside):
        low, high = ord(first), ord(last or first)
        for start, end in ((low, min(high, _SLASH - 1)), (max(low, _SLASH + 1), high)):
            if start <= end:
                yield f"\\x{{{start:x}}}-\\x{{{end:x}}}"


_PATTERN_BYTES = 64 << 20
_SLASH = ord("/")
_NOTHING = r"[^\x{0}-\x{10ffff}]"

KINDS: tuple[Kind, ...] = ("created", "modified", "moved", "deleted")
# What editors, systems and version control keep beside the files that people write.
ALWAYS_IGNORED = (
    "**/.git/**",
    "**/.hg/**",
    "**/.svn/**",
    "**/node_modules/**",
    "**/__pycache__/**",
    "**/.venv/**",
    "**/.DS_Store",
    "**/*~",
    "**/.#*",
    "**/#*#",
    "**/.*.sw[a-z]",
    "**/4913",
    "**/*.crdownload",
    "**/*.part",
)
_MOST_FIELD = 200
# The last word of a name says the kind of change that it is of.
_LAST_WORDS: dict[str, Kind] = {
    **dict.fromkeys(("created", "added", "started", "seeded", "arrived", "required"), "created"),
    **dict.fromkeys(("stored", "modified", "updated", "evolved", "provided"), "modified"),
    **dict.fromkeys(("changed", "concluded", "detected"), "modified"),
    **dict.fromkeys(("moved", "renamed"), "moved"),
    **dict.fromkeys(("deleted", "removed", "archived"), "deleted"),
}


def priority_of(boost: int) -> Priority:
    """Return the priority of what has a boost: 5 minus the boost.

    So 2 is normal, 3 urgent, 4 and 5 critical, and what has none is background. Nothing that is
    observed is an emergency, which would break off a model call.
    """
    return Priority(min(int(Priority.BACKGROUND), max(int(Priority.CRITICAL), 5 - boost)))


def boost_words() -> str:
    """Return in words which boost is which priority."""
    found = ", ".join(
        f"{boost} is {priority_of(boost).name.lower()} ({int(priority_of(boost))})"
        for boost in range(MOST_BOOST + 1)
    )
    return f"{found}; nothing observed is an emergency (0)"


def ending_words() -> Iterator[str]:
    """Yield for each kind of change the last words of names that mean it."""
    for kind in KINDS:
        words = [word for word, meant in _LAST_WORDS.items() if meant == kind]
        yield f"{kind} for {', '.join(words)}"


def meaning_of(named: Named) -> Iterator[tuple[str, Meaning | None]]:
    """Yield the names of an entry of `events` with their meaning, None where there is none."""
    if isinstance(named, str):
        kind = _LAST_WORDS.get(named.rpartition("_")[2])
        yield named, None if kind is None else Meaning(on=(kind,))
        return
    for name, meaning in named.items():
        if isinstance(meaning, Meaning):
            yield name, meaning
        else:
            yield name, Meaning(on=(meaning,) if isinstance(meaning, str) else meaning)


def is_ignored(path: str, ignore: Iterable[str]) -> bool:
    """Tell whether a path is passed over: always, or by these patterns; folders end in `/`."""
    return fits(path, *ALWAYS_IGNORED, *ignore)


def points_at(points: Sequence[Point], path: str) -> list[Point]:
    """Return the observation points that a path belongs to, in their order."""
    return [point for point in points if fits(path, point.path)]


def fields_at(points: Sequence[Point], path: str) -> frozenset[str]:
    """Return the fields of a file that its observation points ask for."""
    return frozenset(
        meaning.field
        for point in points_at(points, path)
        for named in point.events
        for _, meaning in meaning_of(named)
        if meaning is not None and meaning.field is not None
    )


def fields_in(head: bytes, wanted: Iterable[str]) -> dict[str, str]:
    """Return the values of the first lines `FIELD: VALUE` at the beginning of a file."""
    found: dict[str, str] = {}
    names = frozenset(wanted)
    for line in head.decode("utf-8", "replace").splitlines() if names else ():
        name, colon, value = line.partition(":")
        if colon and name.strip() in names:
            found.setdefault(name.strip(), value.strip()[:_MOST_FIELD])
    return found


def names_at(point: Point, change: FileChange) -> list[str]:
    """Return what a change is called at one point; nothing means that it is not told there.

    What moves in from outside the point is created there, what moves out is deleted. A point
    without a name for moved files hears of them under its names for created and deleted ones.
    """
    kinds = _kinds_at(point, change)
    if not kinds:
        return []
    if not point.events:
        return [f"file_{kinds[0]}"]
    found = _names(point, kinds, change)
    return found or (_names(point, ("deleted", "created"), change) if kinds == ("moved",) else [])


def _kinds_at(point: Point, change: FileChange) -> tuple[Kind, ...]:
    """Return as what a point sees a change, nothing where it is of no file of the point."""
    was = change.before is not None and fits(change.before.path, point.path)
    is_ = change.after is not None and fits(change.after.path, point.path)
    if change.kind != "moved":
        return (change.kind,) if was or is_ else ()
    if was and is_:
        return ("moved",)
    return ("created",) if is_ else ("deleted",) if was else ()


def _names(point: Point, kinds: Sequence[Kind], change: FileChange) -> list[str]:
    """Return the names of a point that mean one of these kinds of change."""
    return [
        name
        for named in point.events
        for name, meaning in meaning_of(named)
        if meaning is not None
        and set(meaning.on) & set(kinds)
        and (meaning.field is None or _changed(meaning, change.before, change.after))
    ]


def _changed(meaning: Meaning, before: SeenFile | None, after: SeenFile | None) -> bool:
    """Tell whether the field of a meaning has another value than before, and the wanted one."""
    field = meaning.field or ""
    value = None if after is None else after.fields.get(field)
    was = None if before is None else before.fields.get(field)
    return value != was and meaning.is_ in (None, value)


FIRST_SECONDS, LONGEST_SECONDS = 1.0, 60.0
_MOST_DOUBLINGS = 16


def pause(failures: int) -> float:
    """Return the seconds after so many failures in a row (from 1): 1, 2, 4 … 60 at most."""
    doublings = min(max(failures - 1, 0), _MOST_DOUBLINGS)
    return min(LONGEST_SECONDS, FIRST_SECONDS * 2.0**doublings)


def failures_after(failures: int, *, lasted: float) -> int:
    """Return how many failures in a row there are now; one that lasted long begins anew."""
    return 1 if lasted >= LONGEST_SECONDS else failures + 1
