"""Observe a folder: watch first, then look, compare with what was seen, tell each change once."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Clock
from mindpipe.io import folders
from mindpipe.observers import changes as file_changes
from mindpipe.observers import rules
from mindpipe.observers.adapters.keepers import after_step
from mindpipe.observers.changes import Keeper
from mindpipe.observers.events import FileSettling, file_events
from mindpipe.observers.records import (
    FileChange,
    ObserverConfig,
    ObserverMemory,
    ObserverStep,
    SeenFile,
)
from mindpipe.observers.rules import fits

_CHUNK = 200
_TRIES = 5
_POINT = "point:"
_EVERYTHING = ""


class FolderObserver:
    """Tell the changes of the files that the observation points of a configuration mean.

    What was seen is compared with what is there, so that nothing is lost that happened while
    nobody looked; what is heard in between only says when to look.
    """

    def __init__(
        self, config: ObserverConfig, root: Path, keeper: Keeper, *, agent: str | None, clock: Clock
    ) -> None:
        self._config = config
        self._points = config.points()
        self._patterns = tuple(point.path for point in self._points)
        self._root = root.resolve()
        self._keeper = keeper
        self._agent = agent
        self._clock = clock
        self.name = f"files:{agent or ''}:{folders.plain_path(str(self._root))}"

    def run(self, stop: threading.Event) -> None:
        """Look whenever something happened, and now and then anyway, until `stop` is set.

        Raises:
            MindError: the folder is not there, or what was found cannot be handed on; begun again,
                nothing is lost.
        """
        settling = FileSettling(self._config.debounce_ms / 1000)
        settling.hear([_EVERYTHING], self._clock.boot().seconds)
        again = self._clock.boot().seconds + self._config.rescan_seconds
        for paths in folders.heard(self._root, stop, passed_over=self._passed_over):
            now = self._clock.boot().seconds
            settling.hear(paths, now)
            wait = settling.wait(now)
            if wait == 0.0 or now >= again:
                self.look(settling.take(now))
                again = self._clock.boot().seconds + self._config.rescan_seconds

    def look(self, moving: Iterable[str] = ()) -> int:
        """Look once at everything but what still moves; return how many events were told.

        Raises:
            RefusedError: there is no room for an event; what was not told is told by a later look.
            UnavailableError: the folder is not there.
        """
        told = 0
        for _ in range(_TRIES):
            known = self._keeper.load(self.name)
            after = self._seen_now(known, frozenset(moving))
            count, whole = self._tell(known, after)
            told += count
            if whole:
                break
        return told

    def _passed_over(self, path: str) -> bool:
        """Tell whether nothing at a path matters; folders end in `/`."""
        return rules.is_ignored(path, self._config.ignore)

    def _seen_now(self, known: ObserverMemory, moving: frozenset[str]) -> dict[str, SeenFile]:
        """Return what is there; what still moves or cannot be seen is as it was."""
        found = folders.survey(self._root, self._passed_over)
        after: dict[str, SeenFile] = {}
        for path, name in found.files.items():
            if path not in moving and fits(path, *self._patterns):
                seen = self._seen(path, name, known.files.get(path))
                if seen is not None:
                    after[path] = seen
        held = {
            path
            for path in known.files
            if path.startswith(found.blind) or not fits(path, *self._patterns)
        }
        return file_changes.holding(known.files, after, moving | held)

    def _seen(self, path: str, name: str, before: SeenFile | None) -> SeenFile | None:
        """Return a file as it is now; it is read only where it may have changed."""
        sight = folders.glance(name)
        if sight is None:
            return None
        now = _as_seen(path, sight)
        if before is not None and file_changes.is_same(before, now):
            return before
        closely = folders.read_closely(name, sight)
        if closely is None:
            return None
        wanted = rules.fields_at(self._points, path)
        return _as_seen(path, closely, rules.fields_in(closely.head, wanted))

    def _tell(self, known: ObserverMemory, after: dict[str, SeenFile]) -> tuple[int, bool]:
        """Take the steps to what is there; return how many events, and whether to the end."""
        changes = file_changes.compare(known.files, after)
        silent: list[FileChange] = []
        loud: list[FileChange] = []
        for change in changes:
            (silent if self._is_old_news(change, known) else loud).append(change)
        touched = file_changes.only_touched(known.files, after)
        first = self._step(silent, touched=touched, known=known)
        if (first.seen or first.marks) and not self._keeper.keep(first):
            return 0, False
        known = after_step(known, first)
        told, size = 0, _CHUNK
        while loud:
            step = self._step(loud[:size], told=True, known=known)
            try:
                if not self._keeper.keep(step):
                    return told, False
            except RefusedError:
                if size == 1:
                    raise
                size = max(1, size // 2)
                continue
            told += len(step.events)
            loud = loud[size:]
        return told, True

    def _is_old_news(self, change: FileChange, known: ObserverMemory) -> bool:
        """Tell whether a file was there before anybody looked at its observation points."""
        return (
            change.kind == "created"
            and self._config.initial == "remember"
            and not any(
                f"{_POINT}{point.path}" in known.marks
                for point in rules.points_at(self._points, change.path)
            )
        )

    def _step(
        self,
        changes: Sequence[FileChange],
        *,
        known: ObserverMemory,
        told: bool = False,
        touched: Sequence[SeenFile] = (),
    ) -> ObserverStep:
        """Return the step that takes some changes in; those of the first look are not told."""
        events = [
            event
            for change in changes
            if told
            for event in file_events(change, self._points, observer=self.name, agent=self._agent)
        ]
        seen = [change.after for change in changes if change.after is not None]
        gone = [
            change.before.path
            for change in changes
            if change.kind in ("deleted", "moved") and change.before is not None
        ]
        paths = {one.path for one in (*seen, *touched)} | set(gone)
        begun = {f"{_POINT}{pattern}": "begun" for pattern in self._patterns}
        return ObserverStep(
            observer=self.name,
            events=tuple(events),
            before={path: known.files.get(path) for path in paths},
            seen=(*seen, *touched),
            gone=tuple(gone),
            marks={}
            if told
            else {name: mark for name, mark in begun.items() if name not in known.marks},
        )


def _as_seen(path: str, sight: folders.FileSight, fields: dict[str, str] | None = None) -> SeenFile:
    """Return a file as it is kept."""
    return SeenFile(
        path=path,
        size=sight.size,
        mtime_ns=sight.mtime_ns,
        ctime_ns=sight.ctime_ns,
        inode=sight.inode,
        sha256=sight.sha256,
        settled=sight.settled,
        fields=fields or {},
    )
