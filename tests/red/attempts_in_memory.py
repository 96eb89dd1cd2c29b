"""A build that counts the tries of a turn in its worker's memory, so that a crash forgets them."""

from typing import Any

from mindpipe.core.models import ModelFault
from mindpipe.core.retry import Step, next_step
from mindpipe.engine.cycle import claim, failure, model_call

_ask = model_call.ask
_tries = [0]


def _ask_anew(*given: Any) -> None:
    _tries[0] = 0
    _ask(*given)


def _next(fault: ModelFault, *, attempt: int, **rest: Any) -> Step:
    assert attempt > 0
    _tries[0] += 1
    return next_step(fault, attempt=_tries[0], **rest)


PATCHES = (
    (model_call, "ask", _ask_anew),
    (model_call, "next_step", _next),
    (claim, "ATTEMPTS", 1000),
    (failure, "used_up", lambda **_: False),
)
