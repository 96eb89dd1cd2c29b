"""Requests and answers of the program protocol, as `mind complete` reads and writes them."""

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    CallPart,
    Conversation,
    Head,
    Message,
    Part,
    RawReply,
    Role,
    TextPart,
    ToolSpec,
)
from mindpipe.core.models import ModelReply, RequestOptions
from mindpipe.core.problems import problems_of
from mindpipe.core.records import Record

_STOPS = {"calls": "tool_use", "cut": "length"}


class GivenMessage(Record):
    """A canonical message of which only role and parts must be there."""

    role: Role
    parts: tuple[Part, ...]
    id: str = ""
    agent: str = "filter"
    seq: int = 0
    segment: int = 1
    cycle: int = 1
    turn: int = 0
    raw: RawReply | None = None
    origin: str = "operator"
    taint: bool = False
    synthetic: bool = False
    at: str = ""


class GivenRequest(Record):
    """One model request on a line: the object of the program protocol.

    `about` is the caller's own: it is no part of the protocol, is sent to no model, and comes back
    with the answer.
    """

    messages: tuple[GivenMessage, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 4096
    temperature: float | None = None
    about: dict[str, object] | msgspec.UnsetType = msgspec.UNSET

    def conversation(self) -> Conversation:
        """Return the conversation, its messages numbered where they came without numbers."""
        messages = tuple(
            Message(
                id=given.id or f"m_{place}",
                agent=given.agent,
                seq=given.seq or place,
                segment=given.segment,
                cycle=given.cycle,
                turn=given.turn,
                role=given.role,
                parts=given.parts,
                raw=given.raw,
                origin=given.origin,
                taint=given.taint,
                synthetic=given.synthetic,
                at=given.at,
            )
            for place, given in enumerate(self.messages, 1)
        )
        return Conversation(head=Head(system=self.system, tools=self.tools), messages=messages)

    def options(self) -> RequestOptions:
        """Return what shapes the reply."""
        return RequestOptions(
            max_tokens=self.max_tokens, temperature=self.temperature, stream=False
        )


class ToolCall(Record):
    """One tool call of an answer."""

    name: str
    arguments: dict[str, object]


class TokensUsed(Record):
    """The tokens of an answer, None where the model did not say.

    `clamped` stands there where it said what cannot be.
    """

    input_tokens: int | None
    output_tokens: int | None
    clamped: bool | msgspec.UnsetType = msgspec.UNSET


class Answer(Record):
    """One model response on a line: the answer object of the program protocol.

    The answer to a request with `about` has that and the name of the model that answered.
    """

    text: str
    tool_calls: tuple[ToolCall, ...]
    stop_reason: str
    usage: TokensUsed
    model: str | msgspec.UnsetType = msgspec.UNSET
    about: dict[str, object] | msgspec.UnsetType = msgspec.UNSET


def read_request(line: bytes, *, source: str, number: int) -> GivenRequest:
    """Read one line; raises BadInputError with every fault in it."""
    value = load_json(line, source=source, line=number)
    if faults := problems_of(value, GivenRequest, source=source, line=number):
        raise BadInputError(faults)
    return msgspec.convert(value, GivenRequest)


def answer_of(reply: ModelReply, *, given: GivenRequest, model: str) -> Answer:
    """Return a reply as a line of the protocol; a call whose arguments do not parse has none.

    `model` is the name of who replied, which the answer to a request with `about` carries.
    """
    return Answer(
        text="\n".join(part.text for part in reply.parts if isinstance(part, TextPart)),
        tool_calls=tuple(
            ToolCall(name=part.tool, arguments=part.args or {})
            for part in reply.parts
            if isinstance(part, CallPart)
        ),
        stop_reason=_STOPS.get(reply.finish.value, "end"),
        usage=TokensUsed(
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            clamped=reply.usage.clamped or msgspec.UNSET,
        ),
        model=msgspec.UNSET if given.about is msgspec.UNSET else model,
        about=given.about,
    )
