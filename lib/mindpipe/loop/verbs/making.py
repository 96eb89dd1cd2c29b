"""One iteration while it goes on: what came of each phase, and how long it took."""

import contextlib
from collections.abc import Iterator

import msgspec

from mindpipe.loop.attention_records import CONSOLIDATION, Attended
from mindpipe.loop.records import Iteration, Session
from mindpipe.loop.worker import Worker


class Making:
    """An iteration while it goes on: what is known of it so far."""

    def __init__(
        self, worker: Worker, session: Session, attended: Attended | None, rate: float | None
    ) -> None:
        self._clock = worker.clock
        self.attended = attended or Attended(
            agent=worker.agent,
            at=worker.clock.now(),
            mode=session.mode,
            concern=CONSOLIDATION,
        )
        self.fields: dict[str, object] = {
            "agent": worker.agent,
            "number": session.iteration + 1,
            "life": worker.life.id,
            "at": worker.clock.now(),
            "mode": session.mode,
            "concern": self.attended.concern,
            "queue": self.attended.queue,
            "rate": rate or 0.0,
        }

    @contextlib.contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Measure a phase, also one that fails."""
        began = self._clock.boot().seconds
        try:
            yield
        finally:
            self.took(phase, (self._clock.boot().seconds - began) * 1000)

    def took(self, phase: str, milliseconds: float) -> None:
        """Note how long a phase took."""
        self.fields[phase] = round(milliseconds, 3)

    def iteration(self) -> Iteration:
        """Return the iteration as far as it is known."""
        return msgspec.convert(self.fields, Iteration)
