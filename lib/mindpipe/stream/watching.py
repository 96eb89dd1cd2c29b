"""Wait until a store's files change, without asking again and again."""

from collections.abc import Iterator
from pathlib import Path

ASK_ANYWAY_SECONDS = 1.0
_DEBOUNCE_MILLISECONDS = 50
_STEP_MILLISECONDS = 10


class StoreWatch:
    """Return from a call when the store or its log changed, or after a second at the latest."""

    def __init__(self, path: Path, *, seconds: float = ASK_ANYWAY_SECONDS) -> None:
        self._changes = _changes(path.absolute(), min(seconds, ASK_ANYWAY_SECONDS))

    def __call__(self, _seconds: float) -> None:
        """Wait."""
        next(self._changes)


def _changes(path: Path, seconds: float) -> Iterator[None]:
    """Yield at every change and at every end of waiting."""
    from watchfiles import watch

    names = {str(path), f"{path}-wal"}
    for _ in watch(
        path.parent,
        watch_filter=lambda _change, name: name in names,
        debounce=_DEBOUNCE_MILLISECONDS,
        step=_STEP_MILLISECONDS,
        rust_timeout=max(1, round(seconds * 1000)),
        yield_on_timeout=True,
        raise_interrupt=True,
        recursive=False,
    ):
        yield None
