"""Wait until a store's files change, without asking again and again."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from mindpipe.stream.inotify import FolderNotices, is_there

ASK_ANYWAY_SECONDS = 1.0
_SOON = 0.02
_DEBOUNCE_MILLISECONDS = 50
_STEP_MILLISECONDS = 20
_END_MILLISECONDS = 200


class _Notices(Protocol):
    """What hears of changed files between `open` and `close`."""

    def open(self) -> None:
        """Begin to hear."""

    def close(self) -> None:
        """Hear no longer."""

    def wait(self, seconds: float) -> bool:
        """Return True at a change, False after so many seconds."""
        ...


class StoreWatch:
    """Return from a call when the store or its log changed, or after `longest` seconds.

    On Linux nothing runs meanwhile; elsewhere a thread looks at the files many times a second, and
    a call returns after a second at the latest. A change is heard before it is committed, and so
    the next calls return soon as well, ever less soon.
    """

    def __init__(self, path: Path, *, longest: float = ASK_ANYWAY_SECONDS) -> None:
        path = path.absolute()
        names = frozenset({path.name, f"{path.name}-wal"})
        quiet = is_there()
        self._notices: _Notices = (
            FolderNotices(path.parent, names) if quiet else _Looking(path.parent, names)
        )
        self._longest = longest if quiet else min(longest, ASK_ANYWAY_SECONDS)
        self._again: float | None = None

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._notices.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no longer."""
        self._notices.close()

    def __call__(self, seconds: float) -> None:
        """Wait for a change, for so many seconds at the most."""
        longest = self._longest if self._again is None else self._again
        if self._notices.wait(min(seconds, longest)):
            self._again = _SOON
        elif self._again is not None:
            self._again = self._again * 2 if self._again < ASK_ANYWAY_SECONDS else None


class _Looking:
    """Look at files in a thread of its own, so that signals reach the one that waits."""

    def __init__(self, folder: Path, names: frozenset[str]) -> None:
        self._folder = folder
        self._names = {str(folder / name) for name in names}
        self._changed = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def open(self) -> None:
        """Begin to hear."""
        self._thread.start()

    def close(self) -> None:
        """Hear no longer."""
        self._stop.set()
        self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Return True at a change, False after so many seconds."""
        heard = self._changed.wait(seconds)
        self._changed.clear()
        return heard

    def _watch(self) -> None:
        """Note every change of the files."""
        from watchfiles import watch

        for _ in watch(
            self._folder,
            watch_filter=lambda _change, name: name in self._names,
            debounce=_DEBOUNCE_MILLISECONDS,
            step=_STEP_MILLISECONDS,
            rust_timeout=_END_MILLISECONDS,
            stop_event=self._stop,
            recursive=False,
        ):
            self._changed.set()
