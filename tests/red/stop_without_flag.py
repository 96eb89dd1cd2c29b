"""A build in which a worker that stays does not note that it was asked to stop."""

from mindpipe.wiring.stopping import Stop


def _deaf(_stop: Stop, _number: int, _frame: object) -> None:
    pass


PATCHES = ((Stop, "_hear", _deaf),)
