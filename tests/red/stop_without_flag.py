"""A build in which a worker that stays does not note that it was asked to stop."""

from mindpipe.engine.worker.interrupts import StopSignal


def _deaf(_stop: StopSignal, _number: int, _frame: object) -> None:
    pass


PATCHES = ((StopSignal, "_hear", _deaf),)
