"""Events about what was observed, once it has settled."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.records import to_json
from mindpipe.core.text import visible_text
from mindpipe.observers.records import FileChange, Observed, Point, SeenFile
from mindpipe.observers.rules import names_at, priority_of

SOURCE = "observer:"
_KEY_DIGITS = 40
_MOST_SHOWN = 600


def file_events(
    change: FileChange, points: Sequence[Point], *, observer: str, agent: str | None
) -> list[NewEvent]:
    """Return the events of one change: one for each agent that has a point for it.

    All points of an agent share the event: their names are in it, the most urgent decides.
    """
    told: dict[str | None, list[tuple[Point, list[str]]]] = {}
    for point in points:
        names = names_at(point, change)
        if names:
            told.setdefault(point.agent or agent, []).append((point, names))
    key = key_of(observer, change.kind, _identity(change.before), _identity(change.after))
    return [
        _file_event(change, found, agent=whose, key=key)
        for whose, found in sorted(told.items(), key=lambda item: item[0] or "")
    ]


def _file_event(
    change: FileChange, found: Sequence[tuple[Point, list[str]]], *, agent: str | None, key: str
) -> NewEvent:
    """Return the event of one change for one agent."""
    first = max(found, key=lambda one: one[0].priority_boost)[0]
    side = change.after or change.before
    seen = Observed(
        kind=change.kind,
        path=change.path,
        was=change.before.path if change.kind == "moved" and change.before else None,
        observers=_once([point.observer for point, _ in found]),
        names=_once([name for _, names in found for name in names]),
        size=None if side is None else side.size,
        sha256=None if side is None else side.sha256,
    )
    boost = max(point.priority_boost for point, _ in found)
    return event_of(seen, agent=agent, observer=first.observer, key=key, boost=boost)


def event_of(seen: Observed, *, agent: str | None, observer: str, key: str, boost: int) -> NewEvent:
    """Return the event that says what was observed; nothing in it but what was seen."""
    return NewEvent(
        type="observation",
        agent=agent,
        source=f"{SOURCE}{observer}",
        key=key,
        priority=int(Priority(priority_of(boost))),
        text=words_of(seen),
        body={"observation": msgspec.to_builtins(seen)},
    )


def words_of(seen: Observed) -> str:
    """Return in one line what was observed."""
    shown = visible_text(seen.path).replace("\n", "\\n")[:_MOST_SHOWN]
    match seen.kind:
        case "moved":
            was = visible_text(seen.was or "").replace("\n", "\\n")[:_MOST_SHOWN]
            words = f"{was} moved to {shown}"
        case "commit":
            words = f"new commit {shown[:12]}: {visible_text(seen.details.get('subject', ''))}"
        case "started":
            words = f"{shown} started"
        case "exited" if seen.status is None:
            words = f"{shown} ended; with which status is not known"
        case "exited":
            words = f"{shown} ended with status {seen.status}"
        case kind if kind.startswith("ref_"):
            words = f"{shown} was {kind.removeprefix('ref_')}"
        case kind:
            words = f"{shown} was {kind}"
    names = f" ({', '.join(seen.names)})" if seen.names else ""
    return f"{words}{names}."


def key_of(*parts: object) -> str:
    """Return a key that only the same parts have."""
    return hashlib.sha256(to_json(parts)).hexdigest()[:_KEY_DIGITS]


def _identity(seen: SeenFile | None) -> Mapping[str, object] | None:
    """Return what tells this state of a file from any other it had."""
    if seen is None:
        return None
    return {name: getattr(seen, name) for name in seen.__struct_fields__ if name not in _PASSING}


_PASSING = frozenset({"settled", "fields"})


def _once(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without those that came before."""
    return tuple(dict.fromkeys(words))


LONGEST = 10
"""So many times the debounce a change is held back at most."""


class FileSettling:
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
