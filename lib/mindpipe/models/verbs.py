"""`mind complete`, and what `mind models` lists and counts."""

from collections.abc import Iterator

from mindpipe.core.models import ModelFault, ModelReply
from mindpipe.core.ports import Chance, Clock, Model, Tokens
from mindpipe.core.records import Record
from mindpipe.core.retrying import Retry, next_step
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import make_request
from mindpipe.models.prices import AS_OF, PRICES
from mindpipe.models.requests import Answer, GivenRequest, answer_of


class Listed(Record):
    """One model with a known list price, in micro-dollars per million tokens, as of a date."""

    model: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    as_of: str


class Count(Record):
    """How many tokens a text has, and by which tokenizer."""

    tokenizer: str
    tokens: int


def complete(model: Model, clock: Clock, chance: Chance, *, given: GivenRequest) -> Answer:
    """Ask one request and return its answer, trying again where the fault is passing.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
    """
    request = make_request(given.conversation(), model.target, given.options(), RenderOptions())
    started = clock.boot().seconds
    attempt = 1
    while True:
        try:
            reply: ModelReply = model.reply(request)
        except ModelFault as fault:
            elapsed = clock.boot().seconds - started
            step = next_step(fault, attempt=attempt, elapsed=elapsed, chance=chance.uniform())
            if not isinstance(step, Retry):
                raise
            clock.pause(step.seconds)
            attempt += 1
        else:
            return answer_of(reply)


def list_() -> Iterator[Listed]:
    """Yield the models whose price is known."""
    for model, price in PRICES.items():
        yield Listed(
            model=model,
            input=price.input,
            output=price.output,
            cache_read=price.cache_read,
            cache_write=price.cache_write,
            as_of=AS_OF,
        )


def count(tokens: Tokens, *, text: str) -> Count:
    """Return how many tokens a text has."""
    return Count(tokenizer=tokens.name, tokens=tokens.count(text))
