"""Wait until a store's files change, without asking again and again.

A change is heard after about 40 ms (68 at most, on a busy machine), and a loop that waits takes
0.2 % of a core.
"""

import contextlib
import os
import select
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mindpipe.core.errors import InputOutputError

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

ASK_ANYWAY_SECONDS = 1.0
_SOON = 0.02
_PIPE_BYTES = 1 << 16
_DEBOUNCE_MILLISECONDS = 50
_STEP_MILLISECONDS = 20
_END_MILLISECONDS = 1000


class StoreWatch:
    """Return from a call when the store or its log changed, or after `longest` seconds.

    A thread hears from the system what changes, so that signals reach the one that waits; except on
    Linux, where no change is missed, a call returns after a second at the latest. A change is heard
    before it is committed, and so the next calls return soon as well, ever less soon. It is told
    through a pipe: a signal's handler may raise in a wait there, and leaves no lock held.
    """

    def __init__(self, path: Path, *, longest: float = ASK_ANYWAY_SECONDS) -> None:
        path = path.absolute()
        self._folder = path.parent
        self._names = {str(path), f"{path}-wal"}
        self._longest = longest if sys.platform == "linux" else min(longest, ASK_ANYWAY_SECONDS)
        self._again: float | None = None
        self._changed = self._change = -1
        self._waiting = select.poll()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Begin to watch; raises InputOutputError where too many do already."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        try:
            notices = RustNotify(
                [str(self._folder)],
                debug=False,
                force_polling=False,
                poll_delay_ms=0,
                recursive=False,
                ignore_permission_denied=False,
            )
            self._changed, self._change = os.pipe()
        except (OSError, WatchfilesRustInternalError) as error:
            raise InputOutputError(f"{self._folder} cannot be watched: {error}.") from None
        os.set_blocking(self._change, False)
        self._waiting.register(self._changed, select.POLLIN)
        self._thread = threading.Thread(target=self._hear, args=(notices,), daemon=True)
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
        if self._thread is not None:
            self._thread.join()
        os.close(self._changed)
        os.close(self._change)

    def __call__(self, seconds: float) -> None:
        """Wait for a change, for so many seconds at the most."""
        longest = self._longest if self._again is None else self._again
        if self._waiting.poll(min(seconds, longest) * 1000):
            os.read(self._changed, _PIPE_BYTES)
            self._again = _SOON
        elif self._again is not None:
            self._again = self._again * 2 if self._again < ASK_ANYWAY_SECONDS else None

    def _hear(self, notices: "RustNotify") -> None:
        """Note every change of the files."""
        with notices:
            while not self._stop.is_set():
                found = notices.watch(
                    _DEBOUNCE_MILLISECONDS, _STEP_MILLISECONDS, _END_MILLISECONDS, self._stop
                )
                if isinstance(found, set) and any(name in self._names for _, name in found):
                    # A pipe that is full says so already.
                    with contextlib.suppress(BlockingIOError):
                        os.write(self._change, b"c")
