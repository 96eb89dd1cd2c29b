"""When a reply is sent as the provider wrote it, and where its pieces stand in the raw bytes."""

import re
from collections.abc import Iterable

import msgspec

from mindpipe.core.messages import Message, calls_of
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.rendering import Rendering
from mindpipe.providers.words import call_name

Members = dict[str, msgspec.Raw]

THINKING = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning-file"})
"""The types of content blocks that hold reasoning, in all forms."""

_MEMBERS = msgspec.json.Decoder(Members)
_ELEMENTS = msgspec.json.Decoder(list[msgspec.Raw])


def wants_raw(message: Message, rendering: Rendering) -> bool:
    """Tell whether a reply came from the kind of model that is written for, and may go raw."""
    raw, reads, options = message.raw, rendering.reads, rendering.options
    return (
        raw is not None
        and options.keep_raw
        and message.cycle >= options.raw_from_cycle
        and (raw.provider, raw.api) == (reads.provider, reads.api)
        and reads.family in {"", raw.family}
    )


def provider_ids(message: Message, *, pattern: re.Pattern[str]) -> dict[str, str] | None:
    """Return the provider's ids of a reply's calls by canonical id.

    None where a call is no valid call, its name would be refused, or an id is missing, repeated or
    not of the pattern: such a reply is written from its parts.
    """
    known = {} if message.raw is None else message.raw.ids
    calls = calls_of(message)
    ids = {call.id: known.get(call.id, "") for call in calls}
    sound = (
        all(call.invalid is None and call.args is not None for call in calls)
        and all(call.tool == call_name(call) for call in calls)
        and all(pattern.fullmatch(one) for one in ids.values())
        and len(set(ids.values())) == len(calls)
    )
    return ids if sound else None


def raw_spans(message: Message, rendering: Rendering) -> list[bytes] | None:
    """Return the raw bytes of every span of a reply, or None and a loss where some are gone."""
    if message.raw is None:
        return None
    spans = [rendering.octets(one) for one in message.raw.sha256]
    if not spans or any(span is None for span in spans):
        rendering.lose(message.id, part="raw", why="the bytes of the reply are no longer kept")
        return None
    return [span for span in spans if span is not None]


def members_of(document: bytes | msgspec.Raw) -> Members:
    """Return the members of a JSON object as exact bytes; raises msgspec.DecodeError."""
    return _MEMBERS.decode(document)


def elements_of(document: bytes | msgspec.Raw) -> list[bytes]:
    """Return the elements of a JSON array as exact bytes; raises msgspec.DecodeError."""
    return [bytes(one) for one in _ELEMENTS.decode(document)]


class Content(Record):
    """The content of a reply: the inside of its array, and the members of each block."""

    inner: bytes
    blocks: tuple[Members, ...]


def without_blank_text(content: bytes, *, without: frozenset[str] = frozenset()) -> Content:
    """Read an array of content blocks (or a string, as one block) and cut blank text blocks out.

    Blocks whose type is in `without` are cut too. Content of which nothing is cut keeps even the
    space between its blocks. Raises msgspec.DecodeError.
    """
    if content[:1] == b'"':
        content = b'[{"type":"text","text":%s}]' % content
    elements = elements_of(content)
    blocks = tuple(members_of(one) for one in elements)
    kept = [
        element
        for element, block in zip(elements, blocks, strict=True)
        if (kind := text_member(block, "type")) not in without
        and (kind != "text" or not is_blank(text_member(block, "text")))
    ]
    whole = len(kept) == len(elements) and bool(elements)
    return Content(inner=content[1:-1] if whole else b",".join(kept), blocks=blocks)


def agree(blocks: Iterable[Members], ids: Iterable[str], *, kind: str, name: str) -> bool:
    """Tell whether raw calls (blocks of a kind, id under `name`) are those ids, with objects."""
    calls = [block for block in blocks if text_member(block, "type") == kind]
    return [text_member(call, name) for call in calls] == list(ids) and all(
        bytes(call.get("input", b""))[:1] == b"{" for call in calls
    )


def array_of(document: bytes, *, name: str) -> bytes:
    """Return the bytes of an array: the document itself, or its member of that name.

    Raises:
        msgspec.DecodeError: no JSON.
        KeyError: an object without that member.
    """
    if document.lstrip()[:1] == b"[":
        return document.strip()
    return bytes(members_of(document)[name])


def text_member(members: Members, name: str) -> str:
    """Return a member that is a string, and an empty string for any other."""
    value = members.get(name)
    if value is None or bytes(value)[:1] != b'"':
        return ""
    return msgspec.json.decode(value, type=str)


def without_member(document: bytes, *, name: str) -> bytes:
    """Return a JSON object without one member; the bytes of all other values stay as they are."""
    kept = [
        to_json(key) + b":" + bytes(value)
        for key, value in members_of(document).items()
        if key != name
    ]
    return b"{" + b",".join(kept) + b"}"


def first_choice(document: bytes) -> Members:
    """Return the members of the message in a chat completion, or of a bare chat message."""
    members = members_of(document)
    if "choices" not in members:
        return members
    return members_of(members_of(elements_of(members["choices"])[0])["message"])


class ReceivedReply(Record):
    """A reply as it was received: provider ids by ours, its content blocks, and their bytes."""

    ids: dict[str, str]
    blocks: list[Members]
    inner: bytes


def received(
    message: Message, rendering: Rendering, *, pattern: re.Pattern[str], kind: str
) -> ReceivedReply | None:
    """Return a reply whose raw bytes have a `content` list, without its blank text blocks.

    None where it cannot be sent as it came: another kind of model, bytes gone or no `kind`, calls
    that are no valid calls, or call ids that were used before.
    """
    if not wants_raw(message, rendering):
        return None
    ids = provider_ids(message, pattern=pattern)
    spans = raw_spans(message, rendering)
    if ids is None or spans is None or rendering.any_used(ids.values()):
        return None
    without = frozenset[str]() if rendering.options.keep_thinking else THINKING
    try:
        read = [
            without_blank_text(array_of(span, name="content"), without=without) for span in spans
        ]
    except (msgspec.DecodeError, KeyError):
        rendering.lose(message.id, part="raw", why=f"its bytes are no {kind}")
        return None
    return ReceivedReply(
        ids=ids,
        blocks=[block for one in read for block in one.blocks],
        inner=b",".join(one.inner for one in read if one.inner),
    )
