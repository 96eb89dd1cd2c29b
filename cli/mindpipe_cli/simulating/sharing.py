"""Share the lives of many persons among processes; how many there are changes nothing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindpipe.wiring.living import Some, Span, Ticked, tick
from mindpipe_cli.speaking_up import Speech

if TYPE_CHECKING:
    from mindpipe.wiring.speaking import Speaking

# Who speaks in a process of the pool: models cannot be sent, so that each makes its own.
_speaking: "list[Speaking | None]" = []


def shared(
    chunks: Iterator[Some], span: Span, speech: Speech | None, *, jobs: int
) -> Iterator[Ticked]:
    """Yield what became of the persons of each chunk, in the order of chunks."""
    if jobs == 1:
        speaking = speech.speaking() if speech else None
        for some in chunks:
            yield tick(some, span, speaking)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(speech,)) as pool:
        waiting = []
        for some in chunks:
            waiting.append(pool.submit(_tick, some, span))
            if len(waiting) > jobs:
                yield waiting.pop(0).result()
        for one in waiting:
            yield one.result()


def _begin(speech: Speech | None) -> None:
    """Remember who speaks in this process."""
    _speaking.append(speech.speaking() if speech else None)


def _tick(some: Some, span: Span) -> Ticked:
    """Let some persons live in a process of the pool."""
    return tick(some, span, _speaking[0])
