"""Requests and answers of the program protocol, as `mind complete` reads and writes them."""

import base64
from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

from mindpipe.core.attachments import Attachment, attachment
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
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record, to_json
from mindpipe.providers.answer_schema import SchemaAnswer
from mindpipe.providers.records import ImportOptions

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
    with the answer. `schema` is a JSON Schema that the answer is to fit.
    """

    messages: tuple[GivenMessage, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 4096
    temperature: float | None = None
    schema: dict[str, object] | msgspec.UnsetType = msgspec.UNSET
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
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            stream=False,
            schema=self.schema,
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

    The answer to a request with `about` has that and the name of the model that answered. `json` is
    the value of an answer by a schema.
    """

    text: str
    tool_calls: tuple[ToolCall, ...]
    stop_reason: str
    usage: TokensUsed
    json: object = msgspec.UNSET
    model: str | msgspec.UnsetType = msgspec.UNSET
    about: dict[str, object] | msgspec.UnsetType = msgspec.UNSET


class RequestLine(NamedTuple):
    """A request as it was read, and the bytes of the files in it by their hashes."""

    given: GivenRequest
    blobs: dict[str, bytes]


def text_request(text: str) -> bytes:
    """Return plain text as a line that asks it; without text it is for the files behind it."""
    said = GivenMessage(role=Role.USER, parts=(TextPart(text=text),) if text else ())
    return to_json({"messages": [{"role": said.role, "parts": said.parts}]})


def read_request(line: bytes, *, source: str, number: int) -> RequestLine:
    """Read one line; raises BadInputError with every fault in it.

    It is a request, a message or a list of messages with `role` and `content`, or a request as the
    APIs of Anthropic and OpenAI take it, whose model is not asked.
    """
    value = load_json(line, source=source, line=number)
    if (foreign := _foreign(value)) is None:
        value = {"messages": value} if isinstance(value, list) else value
        value, blobs = _with_data(value, source=source, number=number)
        return RequestLine(_checked(value, source=source, number=number), blobs)
    from mindpipe.providers.importer import read_document, recognised

    octets = to_json(foreign)
    form = recognised(octets, source=source)
    options = ImportOptions(agent="filter", name=source, trust=True)
    found = read_document(octets, format=form, options=options)
    if found.problems:
        raise BadInputError(
            [msgspec.structs.replace(problem, line=number) for problem in found.problems]
        )
    rest = {} if isinstance(foreign, list) else _settings_of(foreign, source=source, number=number)
    given = _checked({**rest, "messages": []}, source=source, number=number)
    # What an import closes an open cycle with is no part of the conversation.
    messages = [one for one in found.messages if not one.synthetic]
    told = tuple(GivenMessage(role=one.role, parts=one.parts) for one in messages)
    if not told:
        raise BadInputError([Problem(source=source, line=number, message="no message to answer")])
    given = msgspec.structs.replace(
        given, messages=told, system=found.head.system, tools=found.head.tools
    )
    return RequestLine(given, dict(found.blobs))


def with_files(
    line: RequestLine, files: Sequence[Attachment], *, source: str, number: int
) -> RequestLine:
    """Return a request with files behind the words of its last message.

    Raises:
        BadInputError: its last message is nobody's who could send a file.
    """
    if not files:
        return line
    *before, last = line.given.messages or (None,)
    if last is None or last.role is not Role.USER:
        words = "its last message is no user's, so that no file can go along with it"
        raise BadInputError([Problem(source=source, line=number, message=words)])
    parts = (*last.parts, *(one.part for one in files))
    told = (*filter(None, before), msgspec.structs.replace(last, parts=parts))
    given = msgspec.structs.replace(line.given, messages=told)
    return RequestLine(given, {**line.blobs, **{one.part.sha256: one.octets for one in files}})


def _with_data(value: object, *, source: str, number: int) -> tuple[object, dict[str, bytes]]:
    """Return a request without the bytes that its file parts have under `data`, and these.

    What a part says of its hash and kind is what its bytes are, whatever stands there.
    """
    from hashlib import sha256

    blobs: dict[str, bytes] = {}
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        return value, blobs

    def plain(part: object) -> object:
        if not isinstance(part, dict) or part.get("type") != "file" or "data" not in part:
            return part
        try:
            octets = base64.b64decode(str(part["data"]), validate=True)
        except ValueError:
            message = "data is no base64"
            raise BadInputError([Problem(source=source, line=number, message=message)]) from None
        name = str(part.get("name") or "file")
        try:
            found = attachment(name, octets, sha256(octets).hexdigest())
        except BadInputError as error:
            message = "; ".join(f"{one.source}: {one.message}" for one in error.problems)
            problem = Problem(source=source, line=number, message=message)
            raise BadInputError([problem]) from None
        blobs[found.part.sha256] = octets
        return msgspec.to_builtins(found.part)

    told: list[object] = []
    for message in value["messages"]:
        parts = message.get("parts") if isinstance(message, dict) else None
        told.append(
            {**message, "parts": list(map(plain, parts))} if isinstance(parts, list) else message
        )
    return {**value, "messages": told}, blobs


def _checked(value: object, *, source: str, number: int) -> GivenRequest:
    """Return a value as a request; raises BadInputError with every fault in it."""
    if faults := problems_of(value, GivenRequest, source=source, line=number):
        raise BadInputError(faults)
    return msgspec.convert(value, GivenRequest)


_SAID = frozenset({"messages", "input", "system", "instructions", "tools"})
_OURS = frozenset({"max_tokens", "temperature", "schema", "about"})
_LENGTHS = ("max_completion_tokens", "max_output_tokens")
_PASSED = frozenset(
    {
        *("model", "stream", "stream_options", "store", "include", "metadata", "user"),
        *("cache_control", "thinking", "reasoning", "reasoning_effort", "service_tier"),
    }
)
"""What says to whom a request goes, how it travels and is billed, and how long a model thinks."""


def _foreign(value: object) -> dict[str, object] | list[object] | None:
    """Return a line as a document of an API, None where it is a request of the protocol.

    Its messages have `content` where ours have parts, or it has `input` in the place of messages.
    """
    if isinstance(value, dict) and "messages" not in value:
        if "content" in value:
            return [value]
        return value if "input" in value else None
    messages = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list):
        return None
    is_foreign = any(isinstance(one, dict) and "content" in one for one in messages)
    return cast("dict[str, object] | list[object]", value) if is_foreign else None


def _settings_of(document: dict[str, object], *, source: str, number: int) -> dict[str, object]:
    """Return what shapes the answer to an API's request, as ours has it.

    Raises:
        BadInputError: it asks for something that `mind complete` has not.
    """
    found: dict[str, object] = {}
    faults: list[Problem] = []
    for name, value in document.items():
        if name in _OURS:
            found[name] = value
        elif name in _LENGTHS:
            found["max_tokens"] = value
        elif name in ("response_format", "text") and (schema := _schema_in(value)) is not None:
            found |= schema
        elif name not in _SAID | _PASSED and not (name == "tool_choice" and _is_auto(value)):
            message = "this part of an API's request is not taken; leave it out"
            faults.append(Problem(source=source, line=number, field=f"$.{name}", message=message))
    if faults:
        raise BadInputError(faults)
    return found


def _schema_in(value: object) -> dict[str, object] | None:
    """Return the schema that OpenAI's APIs hold an answer to; None for what is no such wish."""
    value = value.get("format", value) if isinstance(value, dict) else value
    if not isinstance(value, dict):
        return None
    if value.get("type") == "json_schema":
        named = value.get("json_schema", value)
        return {"schema": named.get("schema")} if isinstance(named, dict) else None
    return {} if value.get("type") == "text" else None


def _is_auto(value: object) -> bool:
    """Tell whether the model may choose by itself whether it calls a tool."""
    return (value.get("type") if isinstance(value, dict) else value) == "auto"


def answer_of(
    reply: ModelReply, *, given: GivenRequest, model: str, by_schema: SchemaAnswer | None = None
) -> Answer:
    """Return a reply as a line of the protocol; a call whose arguments do not parse has none.

    `by_schema` is what it says by the request's schema. `model` is the name of who replied, which
    the answer to a request with `about` carries.
    """
    return Answer(
        text=by_schema.written
        if by_schema
        else "\n".join(part.text for part in reply.parts if isinstance(part, TextPart)),
        tool_calls=tuple(
            ToolCall(name=part.tool, arguments=part.args or {})
            for part in reply.parts
            if isinstance(part, CallPart) and not by_schema
        ),
        stop_reason="end" if by_schema else _STOPS.get(reply.finish.value, "end"),
        usage=TokensUsed(
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            clamped=reply.usage.clamped or msgspec.UNSET,
        ),
        json=by_schema.value if by_schema else msgspec.UNSET,
        model=msgspec.UNSET if given.about is msgspec.UNSET else model,
        about=given.about,
    )
