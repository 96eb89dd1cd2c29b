"""Count what comes into an inbox a second, without reading what lies there."""

from collections import deque

from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.verbs import look
from mindpipe.loop.timing import RATE_WINDOW


class Arrivals:
    """How many events came in the last seconds; what lay there at first does not count."""

    def __init__(self, store: Store, clock: Clock, agent: str) -> None:
        self._store, self._clock, self._agent = store, clock, agent
        self._last = look.arrived(store, agent=agent, after=None)[1]
        self._began = clock.boot().seconds
        self._counted: deque[tuple[float, int]] = deque()
        self.rate: float | None = None

    def count(self) -> None:
        """Count what came since the last time; `rate` is how many a second.

        It is None until the first of them came or the first window has passed.
        """
        now = self._clock.boot().seconds
        came, self._last = look.arrived(self._store, agent=self._agent, after=self._last)
        if came:
            self._counted.append((now, came))
        while self._counted and self._counted[0][0] <= now - RATE_WINDOW:
            self._counted.popleft()
        if self._counted or now - self._began >= RATE_WINDOW:
            self.rate = sum(one for _, one in self._counted) / RATE_WINDOW
