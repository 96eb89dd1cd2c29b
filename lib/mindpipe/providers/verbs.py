"""`mind complete`: ask one request of a model, again where the fault is passing."""

from collections.abc import Callable, Mapping

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest
from mindpipe.core.ports import Chance, Clock, Model, Preview
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.retry import ATTEMPTS, Retry, next_step
from mindpipe.core.text import is_blank
from mindpipe.providers.answer_schema import (
    FaultOf,
    SchemaAnswer,
    calls_offered,
    read_schema_answer,
)
from mindpipe.providers.completions import (
    Answer,
    GivenMessage,
    GivenRequest,
    TokensUsed,
    answer_of,
)
from mindpipe.providers.prompts import asked_again
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.providers.usage import believed


class CompletionAids(Record):
    """What beside itself a request is asked with.

    `blobs` are the bytes of its files by their hashes; `fault_of` checks an answer by the
    request's schema; `preview` hears the reply while it is written.
    """

    blobs: Mapping[str, bytes] = {}
    fault_of: FaultOf | None = None
    preview: Preview | None = None


NO_AIDS = CompletionAids()


def complete(
    model: Model,
    clock: Clock,
    chance: Chance,
    *,
    given: GivenRequest,
    allow: Callable[[ModelRequest], None],
    tell: Callable[[str], None],
    aids: CompletionAids = NO_AIDS,
) -> Answer:
    """Ask one request and return its answer, trying again where the fault is passing.

    `allow` raises for a request that may not be sent; `tell` hears why there is a wait. An answer
    that does not fit the request's schema is asked for once more.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
        BadInputError: the answer does not fit the request's schema; its source is `answer`.
    """

    def asked(given: GivenRequest) -> ModelReply:
        conversation = msgspec.structs.replace(given.conversation(), blobs=aids.blobs)
        options = msgspec.structs.replace(given.options(), stream=aids.preview is not None)
        request = make_request(conversation, model.target, options, RenderOptions())
        allow(request)
        return reply_of(model, clock, chance, request=request, tell=tell, preview=aids.preview)

    name = model.target.label()
    reply = asked(given)
    found = _by_schema(reply, given, model, aids.fault_of)
    if found is None or found.fault is None:
        return answer_of(reply, given=given, model=name, by_schema=found)
    first = answer_of(reply, given=given, model=name).usage
    if not found.final:
        tell(f"the answer does not fit the schema: {found.fault}. Asking once more.")
        reply = asked(_corrected(given, found))
        found = _by_schema(reply, given, model, aids.fault_of)
    if found is not None and found.fault is not None:
        message = f"the answer does not fit the schema: {found.fault}"
        raise BadInputError([Problem(source="answer", message=message)])
    answer = answer_of(reply, given=given, model=name, by_schema=found)
    return msgspec.structs.replace(answer, usage=_both(first, answer.usage))


def _by_schema(
    reply: ModelReply, given: GivenRequest, model: Model, fault_of: FaultOf | None
) -> SchemaAnswer | None:
    """Return what a reply says by the request's schema; None without one, and for other calls."""
    offered = {tool.name for tool in given.tools}
    if given.schema is msgspec.UNSET or fault_of is None or calls_offered(reply, offered):
        return None
    return read_schema_answer(reply, given.schema, api=model.target.api, fault_of=fault_of)


def _corrected(given: GivenRequest, found: SchemaAnswer) -> GivenRequest:
    """Return a request that goes on after an answer and says what is wrong with it."""
    again = GivenMessage(role=Role.USER, parts=(TextPart(text=asked_again(found.fault or "")),))
    said = () if is_blank(found.written) else (TextPart(text=found.written),)
    before = tuple(GivenMessage(role=Role.ASSISTANT, parts=(part,)) for part in said)
    return msgspec.structs.replace(given, messages=(*given.messages, *before, again))


def _both(one: TokensUsed, other: TokensUsed) -> TokensUsed:
    """Return the tokens of two answers; those of one that nobody knows are not guessed."""

    def total(first: int | None, second: int | None) -> int | None:
        return None if first is None or second is None else first + second

    clamped = True if True in (one.clamped, other.clamped) else msgspec.UNSET
    return TokensUsed(
        input_tokens=total(one.input_tokens, other.input_tokens),
        output_tokens=total(one.output_tokens, other.output_tokens),
        clamped=clamped,
    )


def reply_of(
    model: Model,
    clock: Clock,
    chance: Chance,
    *,
    request: ModelRequest,
    tell: Callable[[str], None],
    tries: int = ATTEMPTS,
    preview: Preview | None = None,
) -> ModelReply:
    """Ask one request, at most `tries` times while the fault is passing.

    `tell` hears why there is a wait, and of reported tokens that cannot be; `preview` hears the
    reply while it is written, from its beginning in each try.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
    """
    started = clock.boot().seconds
    attempt = 1
    while True:
        try:
            return believed(model.reply(request, preview), request, tell=tell)
        except ModelFault as fault:
            elapsed = clock.boot().seconds - started
            drawn = chance.uniform()
            step = next_step(fault, attempt=attempt, elapsed=elapsed, chance=drawn, tries=tries)
            if not isinstance(step, Retry):
                raise
            attempt += 1
            tell(f"{fault}. Attempt {attempt} in {step.seconds:.0f} s.")
            clock.pause(step.seconds)
