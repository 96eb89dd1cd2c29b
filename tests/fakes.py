"""One fake per port, for tests of what needs a clock or chance but no machine."""

from dataclasses import dataclass

from mindpipe.core.instants import later
from mindpipe.core.ports import BootTime


@dataclass
class FixedClock:
    """A clock that stands until it is moved; wall time and boot time move apart on demand."""

    instant: str = "2026-11-21T20:00:00Z"
    seconds: float = 1000.0
    boot_id: str = "boot-1"

    def now(self) -> str:
        """Return the wall-clock instant."""
        return self.instant

    def boot(self) -> BootTime:
        """Return the boot clock."""
        return BootTime(boot=self.boot_id, seconds=self.seconds)

    def pause(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.pass_time(seconds)

    def pass_time(self, seconds: float) -> None:
        """Move both clocks on."""
        self.instant = later(self.instant, seconds=seconds)
        self.seconds += seconds
