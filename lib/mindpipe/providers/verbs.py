"""`mind complete`: ask one request of a model, again where the fault is passing."""

from collections.abc import Callable

from mindpipe.core.models import ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Chance, Clock, Model
from mindpipe.core.retry import ATTEMPTS, Retry, next_step
from mindpipe.providers.completions import Answer, GivenRequest, answer_of
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.providers.usage import believed


def complete(
    model: Model,
    clock: Clock,
    chance: Chance,
    *,
    given: GivenRequest,
    allow: Callable[[ModelRequest], None],
    tell: Callable[[str], None],
) -> Answer:
    """Ask one request and return its answer, trying again where the fault is passing.

    `allow` raises for a request that may not be sent; `tell` hears why there is a wait.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
    """
    request = make_request(given.conversation(), model.target, given.options(), RenderOptions())
    allow(request)
    reply = reply_of(model, clock, chance, request=request, tell=tell)
    return answer_of(reply, given=given, model=model.target.label())


def reply_of(
    model: Model,
    clock: Clock,
    chance: Chance,
    *,
    request: ModelRequest,
    tell: Callable[[str], None],
    tries: int = ATTEMPTS,
) -> ModelReply:
    """Ask one request, at most `tries` times while the fault is passing.

    `tell` hears why there is a wait, and of reported tokens that cannot be.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
    """
    started = clock.boot().seconds
    attempt = 1
    while True:
        try:
            return believed(model.reply(request), request, tell=tell)
        except ModelFault as fault:
            elapsed = clock.boot().seconds - started
            drawn = chance.uniform()
            step = next_step(fault, attempt=attempt, elapsed=elapsed, chance=drawn, tries=tries)
            if not isinstance(step, Retry):
                raise
            attempt += 1
            tell(f"{fault}. Attempt {attempt} in {step.seconds:.0f} s.")
            clock.pause(step.seconds)
