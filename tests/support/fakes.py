"""One fake per port, for tests of what needs a clock or chance but no machine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from mindpipe.core.errors import UnavailableError
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


@dataclass
class WordEmbedder:
    """An embedder whose vectors count words; `asked` holds what it was given."""

    there: bool = True
    asked: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the embedding model's name."""
        return "words"

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, all of one length."""
        if not self.there:
            raise UnavailableError("the embedding model words is not there.")
        self.asked += texts
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    """Return a vector in which every word of a text counts at one of 64 places."""
    vector = [0.0] * 64
    for word in text.lower().split():
        vector[int.from_bytes(sha256(word.encode("utf-8", "replace")).digest()[:2]) % 64] += 1.0
    return vector
