"""Wait until a store's files change, without asking again and again."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

ASK_ANYWAY_SECONDS = 1.0
_DEBOUNCE_MILLISECONDS = 50
_STEP_MILLISECONDS = 10
_END_MILLISECONDS = 200


class StoreWatch:
    """Return from a call when the store or its log changed, or after a second at the latest.

    The files are watched in a thread of its own, so that signals reach the one that waits.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._changed = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Watch no longer."""
        self._stop.set()
        self._thread.join()

    def __call__(self, seconds: float) -> None:
        """Wait for a change, for so many seconds or one at the most."""
        self._changed.wait(min(seconds, ASK_ANYWAY_SECONDS))
        self._changed.clear()

    def _watch(self) -> None:
        """Note every change of the store's file and its log."""
        from watchfiles import watch

        names = {str(self._path), f"{self._path}-wal"}
        for _ in watch(
            self._path.parent,
            watch_filter=lambda _change, name: name in names,
            debounce=_DEBOUNCE_MILLISECONDS,
            step=_STEP_MILLISECONDS,
            rust_timeout=_END_MILLISECONDS,
            stop_event=self._stop,
            recursive=False,
        ):
            self._changed.set()
