"""Replies of the program protocol: one JSON object on standard output."""

from typing import Literal

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import ReplyPart, TextPart
from mindpipe.core.models import FaultClass, Finish, ModelFault, ModelReply
from mindpipe.core.problems import problems_of
from mindpipe.core.records import Record
from mindpipe.core.text import is_blank
from mindpipe.providers.stream import read_call, settle, words_of
from mindpipe.providers.usage import usage_of

_FINISHES = {"end": Finish.END, "tool_use": Finish.CALLS, "length": Finish.CUT}


class ProgramToolCall(Record):
    """One call that a program wants: a tool's name and its arguments as an object."""

    name: str
    arguments: dict[str, object]


class ProgramReply(Record):
    """What a program answers; one of `text` and `tool_calls` must be there.

    `usage` is `input_tokens` and `output_tokens`; whatever else is there, nobody asks again for it.
    """

    text: str | msgspec.UnsetType = msgspec.UNSET
    tool_calls: tuple[ProgramToolCall, ...] | msgspec.UnsetType = msgspec.UNSET
    stop_reason: Literal["end", "tool_use", "length"] | None = None
    usage: object = None


def read_reply(body: bytes) -> ModelReply:
    """Read what a program wrote; it has no form of its own, so `raw` is empty.

    Raises:
        ModelFault: no JSON object, an unknown or wrong field, neither text nor tool calls.
    """
    told = _decode(body)
    if told.text is msgspec.UNSET and told.tool_calls is msgspec.UNSET:
        raise _refused("it has neither text nor tool_calls")
    text = words_of(told.text)
    parts: list[ReplyPart] = [] if is_blank(text) else [TextPart(text=text)]
    calls = () if isinstance(told.tool_calls, msgspec.UnsetType) else told.tool_calls
    parts += [read_call(identifier="", tool=call.name, written=call.arguments) for call in calls]
    settled, finish = settle(parts, _FINISHES[told.stop_reason or "end"])
    return ModelReply(
        parts=settled,
        finish=finish,
        provider_finish=told.stop_reason or "",
        usage=usage_of(told.usage),
    )


def _decode(body: bytes) -> ProgramReply:
    """Decode the object strictly."""
    try:
        value = load_json(body, source="reply")
    except BadInputError as error:
        raise _refused(error.problems[0].message) from None
    problems = problems_of(value, ProgramReply, source="reply")
    if problems:
        raise _refused("; ".join(f"{one.field}: {one.message}" for one in problems))
    return msgspec.convert(value, type=ProgramReply)


def _refused(why: str) -> ModelFault:
    """Return the fault of an answer that does not follow the protocol."""
    return ModelFault(
        f"the program's answer breaks the program protocol: {why}; write one object such as "
        '{"text": "…"}',
        fault=FaultClass.LOCAL,
    )
