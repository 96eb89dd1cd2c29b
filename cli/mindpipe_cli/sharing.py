"""Share the lives of many persons among processes; how many there are changes nothing."""

from collections.abc import Iterator

from mindpipe.wiring.living import Some, Span, Ticked, tick
from mindpipe.wiring.speaking import Speaking

# Who speaks in a process of the pool; it came with the fork, as models cannot be sent.
_speaking: list[Speaking | None] = []


def shared(
    chunks: Iterator[Some], span: Span, speaking: Speaking | None, *, jobs: int
) -> Iterator[Ticked]:
    """Yield what became of the persons of each chunk, in the order of chunks."""
    if jobs == 1:
        for some in chunks:
            yield tick(some, span, speaking)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    fork = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(jobs, fork, initializer=_begin, initargs=(speaking,)) as pool:
        waiting = []
        for some in chunks:
            waiting.append(pool.submit(_tick, some, span))
            if len(waiting) > jobs:
                yield waiting.pop(0).result()
        for one in waiting:
            yield one.result()


def _begin(speaking: Speaking | None) -> None:
    """Remember who speaks in this process."""
    _speaking.append(speaking)


def _tick(some: Some, span: Span) -> Ticked:
    """Let some persons live in a process of the pool."""
    return tick(some, span, _speaking[0])
