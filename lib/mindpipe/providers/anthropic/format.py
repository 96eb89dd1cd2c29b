"""Conversations as the Messages API has them: read, written, with what of a raw reply is kept."""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.models import Target
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import is_blank
from mindpipe.providers import raw_replies
from mindpipe.providers.documents import Document, Element
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    Members,
    SeenCall,
    SeenPart,
    SeenResult,
    ShapeError,
    arguments_of,
    file_part,
    item_of,
    items_from,
    joined_text,
    list_at,
    object_at,
    output_text,
    read_tools,
    reply_of,
    stand_in,
    text_at,
    word,
)
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import Form, RawSource, Rendering, is_instruction, render_form
from mindpipe.providers.slices import elements_of, members_of
from mindpipe.providers.words import (
    FAILED,
    NO_TEXT,
    REFUSED_MARK,
    anthropic_file,
    call_name,
    named_file,
    result_text,
)

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class _Blocks(Record):
    """One or more content blocks, comma-joined, and where they go in a merged message."""

    role: Literal["user", "assistant"]
    place: Literal["result", "content", "instruction"]
    octets: bytes


def head_fields(head: Head, _: Rendering) -> dict[str, bytes]:
    """Return `system` (one text block) and `tools`, each left out where it would be empty."""
    fields: dict[str, bytes] = {}
    if not is_blank(head.system):
        fields["system"] = to_json([{"type": "text", "text": head.system}])
    if head.tools:
        fields["tools"] = to_json(list(head.tools))
    return fields


def _text(text: str) -> bytes:
    return to_json({"type": "text", "text": text})


def _result_block(part: ResultPart, rendering: Rendering) -> bytes:
    text = result_text(part)
    block: dict[str, object] = {"type": "tool_result", "tool_use_id": rendering.sent_id(part.call)}
    if part.status is ResultStatus.REFUSED:
        text = REFUSED_MARK + text
    block["content"] = text
    if part.status is ResultStatus.REFUSED or part.status in FAILED:
        block["is_error"] = True
    return to_json(block)


def _call_block(part: CallPart) -> bytes:
    return to_json(
        {"type": "tool_use", "id": part.id, "name": call_name(part), "input": part.args or {}}
    )


def _user_part(part: Part, message: Message, rendering: Rendering) -> bytes:
    if isinstance(part, FilePart):
        shown = anthropic_file(part, rendering, message=message.id)
        return _text(shown) if isinstance(shown, str) else to_json(shown)
    if isinstance(part, TextPart):
        return _text(part.text)
    rendering.lose(message.id, part=type(part).__name__, why="a user message cannot hold it")
    return _text(NO_TEXT)


def _user_like(message: Message, rendering: Rendering) -> Iterator[_Blocks]:
    instruction = is_instruction(message, rendering)
    for part in message.parts:
        if isinstance(part, ResultPart):
            yield _Blocks(role="user", place="result", octets=_result_block(part, rendering))
        else:
            yield _Blocks(
                role="user",
                place="instruction" if instruction and isinstance(part, TextPart) else "content",
                octets=_user_part(part, message, rendering),
            )


def user_content(message: Message, rendering: Rendering) -> bytes:
    """Return the content blocks of one user-like message, comma-joined, results first."""
    blocks = list(_user_like(message, rendering))
    first = [one.octets for one in blocks if one.place == "result"]
    return b",".join(first + [one.octets for one in blocks if one.place != "result"])


def reply_from_parts(message: Message, rendering: Rendering) -> bytes:
    """Return the content blocks of a reply, comma-joined, as its readable parts give them."""
    rendering.send_ids({})
    blocks: list[bytes] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            blocks.append(_text(part.text))
        elif isinstance(part, CallPart):
            blocks.append(_call_block(part))
        elif isinstance(part, FilePart):
            blocks.append(_text(named_file(part, rendering, message=message.id)))
        elif isinstance(part, ThinkingPart | OpaquePart):
            kind = "thinking" if isinstance(part, ThinkingPart) else part.kind
            rendering.lose(message.id, part=kind, why="only its own model's raw reply carries it")
    return b",".join(blocks or [_text(NO_TEXT)])


def reply_as_received(message: Message, rendering: Rendering) -> bytes | None:
    """Return the content blocks of a reply as the provider wrote them, comma-joined.

    Blank text blocks alone are cut out. None where the reply cannot be sent as it came: other
    model family, bytes gone, calls that are no valid calls, or call ids that were used before.
    """
    found = raw_replies.received(message, rendering, pattern=_ID, kind="Anthropic message")
    if found is None:
        return None
    ids = found.ids.values()
    if not found.inner or not raw_replies.agree(found.blocks, ids, kind="tool_use", name="id"):
        return None
    rendering.send_ids(found.ids)
    rendering.use(ids)
    return found.inner


def _blocks(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[_Blocks]:
    if head.summary is not None and not is_blank(head.summary):
        yield _Blocks(role="user", place="content", octets=_text(head.summary))
    for message in messages:
        if message.role is Role.ASSISTANT:
            octets = reply_as_received(message, rendering) or reply_from_parts(message, rendering)
            yield _Blocks(role="assistant", place="content", octets=octets)
        else:
            yield from _user_like(message, rendering)


def _message(role: str, blocks: Iterable[_Blocks]) -> bytes:
    content = b",".join(one.octets for one in blocks)
    return b'{"role":"%s","content":[%s]}' % (role.encode(), content)


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield messages whose roles alternate: all user-like ones in a row are one, results first."""
    blocks = _blocks(head, messages, rendering)
    for role, run in itertools.groupby(blocks, key=lambda one: one.role):
        held = list(run)
        own = [one for one in held if one.place == "result"]
        own += [one for one in held if one.place == "content"]
        instructions = [one for one in held if one.place == "instruction"]
        if not own:
            own, instructions = instructions, []
        yield _message(role, own)
        if instructions:
            yield _message("system", instructions)


FORM = Form(
    list_name="messages",
    native=RawSource(provider="anthropic", api="messages"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, target: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for the Messages API."""
    return render_form(FORM, conversation, options=options, target=target)


PROVIDER = "anthropic"

_BLOCK_FIELDS = frozenset(
    {"type", "text", "source", "title", "tool_use_id", "content", "is_error", "tool_name"}
)
_ENCODED = {"image", "document"}


def _source(block: Members, findings: Findings) -> SeenPart:
    """Return an image or document block as a file, its text, or words that name it."""
    kind, name = word(block, "type"), word(block, "title")
    held = block.get("source")
    source = held if isinstance(held, dict) else {}
    if source.get("type") == "base64":
        media_type = word(source, "media_type")
        part = file_part(findings, word(source, "data"), media_type=media_type, name=name)
        if part is not None:
            return part
    if source.get("type") == "text":
        findings.leave_out("document block, read as its text")
        return TextPart(text=word(source, "data"))
    return stand_in(findings, kind, word(source, "url") or word(source, "file_id") or name)


def _plain(value: object, findings: Findings, *, at: str) -> SeenPart:
    """Return a block that a user may say, or words that name it."""
    block = object_at(value, at)
    findings.unknown(block, _BLOCK_FIELDS, where="content blocks")
    kind = text_at(block, "type", at)
    if kind == "text":
        return TextPart(text=text_at(block, "text", at))
    if kind in _ENCODED:
        return _source(block, findings)
    return stand_in(findings, kind, word(block, "tool_name") or word(block, "title"))


def _result(block: Members, findings: Findings, *, at: str) -> SeenResult:
    """Return a tool result; the mark of a refusal is read back."""
    content = block.get("content")
    parts: list[SeenPart] = []
    if isinstance(content, str):
        parts = [TextPart(text=content)]
    elif content is not None:
        listed = list_at(content, f"{at}.content")
        parts = [
            _plain(one, findings, at=f"{at}.content[{index}]") for index, one in enumerate(listed)
        ]
    text = joined_text(parts, findings)
    status = ResultStatus.ERROR if block.get("is_error") is True else ResultStatus.OK
    if status is ResultStatus.ERROR and text.startswith(REFUSED_MARK):
        status, text = ResultStatus.REFUSED, text.removeprefix(REFUSED_MARK)
    return SeenResult(
        id=text_at(block, "tool_use_id", at), status=status, text=output_text(text), at=at
    )


def user_parts(content: object, findings: Findings, *, at: str) -> list[SeenPart]:
    """Return what a user message holds: words, files and results.

    Raises:
        ShapeError: content that is neither text nor a list of blocks.
    """
    if isinstance(content, str):
        return [TextPart(text=content)]
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(content, at)):
        place = f"{at}[{index}]"
        block = object_at(one, place)
        if block.get("type") == "tool_result":
            findings.unknown(block, _BLOCK_FIELDS, where="content blocks")
            parts.append(_result(block, findings, at=place))
        else:
            parts.append(_plain(block, findings, at=place))
    return parts


def _call(block: Members, exact: str, *, at: str) -> SeenCall:
    """Return a tool use; `exact` is the text of the block."""
    text = members_of(exact).get("input", "null")
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(block, "id", at),
        tool=text_at(block, "name", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _said(block: Members, exact: str, *, at: str) -> SeenPart:
    """Return one block of a reply."""
    kind = text_at(block, "type", at)
    if kind == "text":
        return TextPart(text=text_at(block, "text", at))
    if kind == "tool_use":
        return _call(block, exact, at=at)
    if kind in {"thinking", "redacted_thinking"}:
        thought = word(block, "thinking")
        return ThinkingPart(text=None if is_blank(thought) else thought)
    return OpaquePart(provider=PROVIDER, kind=kind)


def reply_parts(content: object, exact: str, *, at: str) -> list[SeenPart]:
    """Return what an assistant message holds; `exact` is the text of its content.

    Raises:
        ShapeError: content that is neither text nor a list of blocks.
    """
    if isinstance(content, str):
        return [TextPart(text=content)]
    return [
        _said(object_at(one, f"{at}[{index}]"), text, at=f"{at}[{index}]")
        for index, (one, text) in enumerate(
            zip(list_at(content, at), elements_of(exact), strict=True)
        )
    ]


def raw_blocks(content: object, exact: str) -> list[str]:
    """Return the exact text of every block of a reply; text alone becomes a block."""
    if isinstance(content, str):
        return ['{"type":"text","text":' + exact + "}"]
    return elements_of(exact)


def raw_message(blocks: list[str]) -> str:
    """Return a reply of these blocks in the form in which it can be sent back."""
    return '{"role":"assistant","content":[' + ",".join(blocks) + "]}"


_FIELDS = frozenset({"role", "content"})


def _item(element: Element, findings: Findings) -> ImportedItem:
    """Return one message as a neutral item."""
    message = object_at(element.value, element.at)
    role = text_at(message, "role", element.at)
    findings.unknown(message, _FIELDS, where=f"{role} messages")
    content, at = message.get("content"), f"{element.at}.content"
    if role == "assistant":
        exact = members_of(element.octets.decode()).get("content", "null")
        return reply_of(
            element,
            parts=reply_parts(content, exact, at=at),
            raw=raw_message(raw_blocks(content, exact)),
        )
    if role not in {"user", "system"}:
        raise ShapeError(f"{element.at}.role", f"{role!r} is no role of this form")
    parts = user_parts(content, findings, at=at)
    return item_of(element, role="system" if role == "system" else "user", parts=parts)


def _system(document: Document, findings: Findings) -> str:
    """Return the system text of a request body."""
    value = document.fields.get("system")
    if value is None:
        return ""
    parts = user_parts(value, findings, at="$.system")
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    return "\n\n".join(text for text in texts if not is_blank(text))


def read_anthropic(document: Document, findings: Findings) -> DocumentReading:
    """Read messages; a shape that the form does not have is a fault."""
    system = ""
    try:
        system = _system(document, findings)
    except ShapeError as fault:
        findings.fault("shape", at=fault.at, line=document.line, what=str(fault))
    return DocumentReading(
        head=Head(system=system, tools=read_tools(document.fields.get("tools"), findings)),
        items=items_from(findings, _item),
        provider=PROVIDER,
        api="messages",
        model=word(document.fields, "model"),
    )
