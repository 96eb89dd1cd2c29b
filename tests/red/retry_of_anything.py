"""A build that tries again after any error of a provider."""

from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.retry import ATTEMPTS, Step, next_step
from mindpipe.engine.cycle import model_call


def _next(
    fault: ModelFault, *, attempt: int, elapsed: float, chance: float, tries: int = ATTEMPTS
) -> Step:
    told = ModelFault(str(fault), fault=FaultClass.TRANSIENT)
    return next_step(told, attempt=attempt, elapsed=elapsed, chance=chance, tries=tries)


PATCHES = ((model_call, "next_step", _next),)
