"""Notice that the wall clock was set: the work goes on, but whoever reads its times should know."""

from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Clock

_MOST_SECONDS = 3600.0
_OLDEST = "2020-01-01T00:00:00Z"


class Jumps:
    """Compare the wall clock with the clock since boot, which nobody can set."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._boot = clock.now(), clock.boot().seconds
        self._odd = False

    def notes(self) -> list[str]:
        """Return what is to be said since the last look: a jump, and once a year before 2020."""
        wall, boot = self._clock.now(), self._clock.boot().seconds
        moved = seconds_between(self._wall, wall) - (boot - self._boot)
        self._wall, self._boot = wall, boot
        found = []
        if abs(moved) > _MOST_SECONDS:
            found.append(f"the clock moved by {moved:.0f} s.")
        was_odd, self._odd = self._odd, wall < _OLDEST
        if self._odd and not was_odd:
            found.append(f"the clock shows {wall}; set it, times in the store come from it.")
        return found
