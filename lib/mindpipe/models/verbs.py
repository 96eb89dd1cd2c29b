"""`mind complete`, and what `mind models` lists and counts."""

from collections.abc import Callable, Iterator, Mapping

from mindpipe.core.models import ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Chance, Clock, Model, Tokens
from mindpipe.core.records import Record
from mindpipe.core.retrying import ATTEMPTS, Retry, next_step
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import make_request
from mindpipe.models.prices import AS_OF, PRICES, Price
from mindpipe.models.requests import Answer, GivenRequest, answer_of


class Listed(Record):
    """One model with a known price, in micro-dollars per million tokens.

    `as_of` is the date of a list price, None where the price is the user's own.
    """

    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    as_of: str | None


class Count(Record):
    """How many tokens a text has, and by which tokenizer."""

    tokenizer: str
    tokens: int


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

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
    """
    started = clock.boot().seconds
    attempt = 1
    while True:
        try:
            return model.reply(request)
        except ModelFault as fault:
            elapsed = clock.boot().seconds - started
            drawn = chance.uniform()
            step = next_step(fault, attempt=attempt, elapsed=elapsed, chance=drawn, tries=tries)
            if not isinstance(step, Retry):
                raise
            attempt += 1
            tell(f"{fault}. Attempt {attempt} in {step.seconds:.0f} s.")
            clock.pause(step.seconds)


def list_(own: Mapping[str, Price]) -> Iterator[Listed]:
    """Yield the models whose price is known; the user's `own` prices come before list prices."""
    for model, price in ({**PRICES, **own}).items():
        yield Listed(
            model=model,
            input=price.input,
            output=price.output,
            cache_read=price.cache_read,
            cache_write=price.cache_write,
            as_of=None if model in own else AS_OF,
        )


def count(tokens: Tokens, *, text: str) -> Count:
    """Return how many tokens a text has."""
    return Count(tokenizer=tokens.name, tokens=tokens.count(text))
