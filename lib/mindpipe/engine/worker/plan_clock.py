"""Push the events of plans that come due while the loops of a process are at work."""

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Self

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Clock, Store
from mindpipe.plans import verbs as plans
from mindpipe.store.address import Where
from mindpipe.store.worker_sessions import reading

LOOK_SECONDS = 0.5
"""A plan is to fire within a second of its time, also one that is made meanwhile."""


class PlanClock:
    """Look for some agents whether a plan is due, from a thread, and `push` what is.

    A loop that is about to wait has looked itself, and wakes when the next plan comes; it says so
    with `resting`. A cycle, a command of a postcondition or a rest after crashes may take minutes.
    Both may look at once: a window is pushed in the transaction that claims it, by one of them.
    `push` is called with an agent's name, from the thread, and opens a store of its own. Whose
    plans it looks for may change meanwhile.
    """

    def __init__(
        self, store: Where, clock: Clock, push: Callable[[str], None], agents: Collection[str]
    ) -> None:
        self._store, self._clock, self._push, self._agents = store, clock, push, agents
        self._over = threading.Event()
        self._rests = False
        self._thread = threading.Thread(target=self._live, name="plans", daemon=True)

    def __enter__(self) -> Self:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Look no longer; a push that is under way ends first."""
        self._over.set()
        self._thread.join()

    @contextlib.contextmanager
    def resting(self) -> Iterator[None]:
        """Mark a wait of the loops, in which nobody else needs to look."""
        self._rests = True
        try:
            yield
        finally:
            self._rests = False

    def _live(self) -> None:
        """Look again and again; a store that cannot be read is opened anew."""
        while not self._over.wait(LOOK_SECONDS):
            with contextlib.suppress(MindError), reading(self._store) as store:
                while not self._over.is_set():
                    self._look(store)
                    self._over.wait(LOOK_SECONDS)

    def _look(self, store: Store) -> None:
        """Push what has come, unless the loops look themselves; what cannot be, they will say."""
        for agent in () if self._rests else tuple(self._agents):
            coming = plans.next_window(store, agent=agent)
            if coming is not None and coming <= self._clock.now():
                with contextlib.suppress(MindError):
                    self._push(agent)
