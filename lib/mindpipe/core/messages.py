"""The canonical message: how every conversation is stored, whatever API it came from."""

import enum
from collections.abc import Mapping, Sequence

import msgspec

from mindpipe.core.records import Record


class Role(enum.StrEnum):
    """Who speaks in a message; system text is not a message, it lives in the head."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    NOTE = "note"


class ResultStatus(enum.StrEnum):
    """How a tool call was answered."""

    OK = "ok"
    ERROR = "error"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    TICKETED = "ticketed"
    INVALID = "invalid"
    SKIPPED = "skipped"


class TextPart(Record, tag="text"):
    """Words; not empty and not only white space."""

    text: str


class FilePart(Record, tag="file", omit_defaults=True):
    """A file whose bytes are a blob named by their hash.

    `size` is in bytes, `width` and `height` are the pixels of an image, `pages` those of a PDF; 0
    where nobody looked.
    """

    sha256: str
    media_type: str
    name: str
    size: int = 0
    width: int = 0
    height: int = 0
    pages: int = 0


class ThinkingPart(Record, tag="thinking", omit_defaults=True):
    """Reasoning of the model; its truth is the raw reply, `text` is for display."""

    raw: bool = True
    text: str | None = None


class CallPart(Record, tag="call"):
    """A tool call: `args` is the parsed object, or null when `invalid` says why it is none."""

    id: str
    tool: str
    args: dict[str, object] | None
    args_text: str
    invalid: str | None = None


class ResultPart(Record, tag="result", omit_defaults=True):
    """The answer to one call; `text` may be empty, `json` is the same answer as a JSON value."""

    call: str
    status: ResultStatus
    text: str
    json: object = None
    ticket: str | None = None


class OpaquePart(Record, tag="opaque"):
    """Content only its provider understands; its bytes are in the raw reply."""

    provider: str
    kind: str


Part = TextPart | FilePart | ThinkingPart | CallPart | ResultPart | OpaquePart
ReplyPart = TextPart | ThinkingPart | CallPart | OpaquePart


class RawReply(Record):
    """Where the bytes of a model's reply came from and under which hashes they are kept.

    `sha256` lists one hash per span: a reply that was paused and went on has several.
    `ids` maps canonical call ids to the provider's own.
    """

    provider: str
    api: str
    model: str
    family: str
    finish: str
    sha256: tuple[str, ...]
    ids: dict[str, str] = {}


class Message(Record):
    """One row of a history: a role and its parts, with its place in the agent's life."""

    id: str
    agent: str
    seq: int
    segment: int
    cycle: int
    turn: int
    role: Role
    parts: tuple[Part, ...]
    raw: RawReply | None = None
    origin: str = "program"
    taint: bool = False
    synthetic: bool = False
    at: str = ""


class ToolSpec(Record):
    """What a model is told of a tool: its name, what it does, the JSON Schema of its arguments."""

    name: str
    description: str
    input_schema: dict[str, object]


class Head(Record):
    """What stands before all cycles of a segment; `summary` is text for its first user message."""

    system: str
    tools: tuple[ToolSpec, ...] = ()
    summary: str | None = None


class Conversation(Record):
    """A head and the messages sent under it: what a renderer turns into a provider's request.

    `blobs` maps the sha256 of raw replies and files to their bytes; it never travels as JSON.
    """

    head: Head
    messages: Sequence[Message]
    blobs: Mapping[str, bytes] = {}


def decode_message(line: bytes | str) -> Message:
    """Decode one canonical message from JSON; raises msgspec.ValidationError with the path."""
    return msgspec.json.decode(line, type=Message)


def text_of(message: Message) -> str:
    """Return all text parts of a message joined by newlines."""
    return "\n".join(part.text for part in message.parts if isinstance(part, TextPart))


def calls_of(message: Message) -> tuple[CallPart, ...]:
    """Return the tool calls of a message, in order."""
    return tuple(part for part in message.parts if isinstance(part, CallPart))
