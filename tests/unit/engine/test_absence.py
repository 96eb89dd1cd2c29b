"""A store that is away is waited for, the longer the longer it lasts, and by each for itself."""

from mindpipe.core.errors import StoreBusyError
from mindpipe.engine.verbs.run import _Absence


class Waiting:
    """A crew that notes how long it rests."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.rests: list[float] = []
        self.said: list[str] = []

    def wait(self, seconds: float) -> None:
        self.rests.append(seconds)

    def tell(self, words: str) -> None:
        self.said.append(words)


def rests_of(pid: int) -> list[float]:
    """Return the rests of a process that finds the store away for six times."""
    crew = Waiting(pid)
    absence = _Absence(crew)  # type: ignore[arg-type]
    for _ in range(6):
        absence.bear(StoreBusyError("the server cannot be reached"))
    assert crew.said == ["the server cannot be reached"]
    return crew.rests


def test_rests_grow_up_to_a_bound_and_those_of_processes_differ() -> None:
    rests = [rests_of(pid) for pid in range(4000, 4016)]
    assert rests[0] == [1, 2, 4, 8, 15, 15]
    for at_once, longest in zip(zip(*rests, strict=True), rests[0], strict=True):
        assert len(set(at_once)) == len(rests)
        assert longest / 2 < min(at_once) < max(at_once) == longest
