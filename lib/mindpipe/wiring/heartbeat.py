"""Keep leases alive from a second thread while a model or a tool is at work."""

import contextlib
import threading
from collections.abc import Callable, Iterator

INTERVAL_SECONDS = 20.0


@contextlib.contextmanager
def beating(renew: Callable[[], bool], *, interval: float, seconds: float) -> Iterator[None]:
    """Call `renew` every `interval` seconds until the block ends or `seconds` have passed.

    A worker that hangs beyond its deadline so loses its lease. `renew` returns False when the
    lease is gone; then the beating ends, and the next transaction of the worker is refused.
    """
    stop = threading.Event()

    def beat() -> None:
        for _ in range(int(seconds / interval)):
            if stop.wait(interval) or not renew():
                return

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
