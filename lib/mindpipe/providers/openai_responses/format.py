"""Conversations as the Responses API has them: read and written."""

import itertools
import re
from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers import raw_replies
from mindpipe.providers.documents import Document, Element
from mindpipe.providers.items import (
    MOST_ITEMS,
    DocumentReading,
    Findings,
    ImportedItem,
    Members,
    SeenCall,
    SeenPart,
    SeenResult,
    ShapeError,
    arguments_of,
    file_at,
    item_of,
    items_from,
    joined_text,
    list_at,
    marked_output,
    object_at,
    read_tools,
    reply_of,
    stand_in,
    text_at,
    word,
)
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import Form, RawSource, Rendering, render_form
from mindpipe.providers.words import (
    NO_TEXT,
    arguments_text,
    call_name,
    marked_result_text,
    responses_file,
    unfit_file,
)

_ID = re.compile(r".{1,64}")
_UNFIT_OF_ID = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_ID = 64
_ITEM_PREFIX = {"function_call": "fc", "message": "msg", "reasoning": "rs"}


def head_fields(head: Head, _: Rendering) -> dict[str, bytes]:
    """Return `instructions` and `tools`, each left out where it would be empty."""
    fields: dict[str, bytes] = {}
    if not is_blank(head.system):
        fields["instructions"] = to_json(head.system)
    if head.tools:
        fields["tools"] = to_json(
            [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                    # The API would otherwise rewrite the schema to its strict subset.
                    "strict": False,
                }
                for tool in head.tools
            ]
        )
    return fields


def _written_item(role: str, content: list[dict[str, object]]) -> bytes:
    return to_json({"type": "message", "role": role, "content": content})


def _input_part(part: Part, message: Message, rendering: Rendering) -> dict[str, object]:
    if isinstance(part, TextPart):
        return {"type": "input_text", "text": part.text}
    if isinstance(part, FilePart):
        shown = responses_file(part, rendering, message=message.id)
        return {"type": "input_text", "text": shown} if isinstance(shown, str) else shown
    rendering.lose(message.id, part=type(part).__name__, why="a user cannot say it")
    return {"type": "input_text", "text": NO_TEXT}


def _user_like(message: Message, rendering: Rendering) -> Iterator[bytes]:
    content: list[dict[str, object]] = []
    for part in message.parts:
        if isinstance(part, ResultPart):
            yield to_json(
                {
                    "type": "function_call_output",
                    "call_id": rendering.sent_id(part.call),
                    "output": marked_result_text(part),
                }
            )
        else:
            content.append(_input_part(part, message, rendering))
    if content:
        developer = message.role is Role.NOTE and not message.taint
        yield _written_item("developer" if developer else "user", content)


def _call_item(part: CallPart) -> bytes:
    return to_json(
        {
            "type": "function_call",
            "call_id": part.id,
            "name": call_name(part),
            "arguments": arguments_text(part),
        }
    )


def _words(part: Part, message: Message, rendering: Rendering) -> str | None:
    """Return what an assistant message item says for a part, or None and a loss."""
    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, FilePart):
        rendering.lose(message.id, part="file", why="an assistant item holds only text")
        return unfit_file(part)
    kind = part.kind if isinstance(part, OpaquePart) else "thinking"
    if isinstance(part, ThinkingPart | OpaquePart):
        rendering.lose(message.id, part=kind, why="only its own model's raw reply carries it")
    return None


def _output_message(message: Message, place: int, said: Iterable[str]) -> bytes:
    """Return a piece of a reply as the API would have written it, with an id of ours.

    The types of the API's own clients want id, status and annotations; the API itself wants of an
    id only how it begins.
    """
    name = _UNFIT_OF_ID.sub("_", f"msg_{message.id}_{place}")[:_LONGEST_ID]
    content = [{"type": "output_text", "text": words, "annotations": []} for words in said]
    return to_json(
        {
            "id": name,
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }
    )


def _from_parts(message: Message, rendering: Rendering) -> list[bytes]:
    rendering.send_ids({})
    items: list[bytes] = []
    # Text on either side of a call keeps its place, so neighbours alone share an item.
    for is_call, run in itertools.groupby(message.parts, key=lambda one: isinstance(one, CallPart)):
        if is_call:
            items += [_call_item(part) for part in run if isinstance(part, CallPart)]
            continue
        words = [_words(part, message, rendering) for part in run]
        said = [one for one in words if one is not None]
        if said:
            items.append(_output_message(message, len(items), said))
    return items or [_output_message(message, 0, [NO_TEXT])]


def _sendable(items: list[raw_replies.Members]) -> bool:
    """Tell whether reasoning among raw items is whole, and followed by what it led to.

    The API knows what reasoning led to by its id, so that one must not have lost it.
    """
    waiting: raw_replies.Members | None = None
    for item in items:
        if raw_replies.text_member(item, "type") == "reasoning":
            waiting = item
            if not raw_replies.text_member(item, "encrypted_content"):
                return False
        elif waiting is not None:
            if "id" in waiting and "id" not in item:
                return False
            waiting = None
    return bool(items) and waiting is None


def _item_ids(items: list[raw_replies.Members]) -> list[str]:
    return [one for one in (raw_replies.text_member(item, "id") for item in items) if one]


def _keeps_ids(items: list[raw_replies.Members], rendering: Rendering) -> bool:
    """Tell whether item ids go back: wanted, each used once, each with its kind's prefix."""
    ids = _item_ids(items)
    return (
        rendering.options.item_ids == "keep"
        and len(set(ids)) == len(ids)
        and not rendering.any_used(ids)
        and all(
            raw_replies.text_member(item, "id").startswith(
                _ITEM_PREFIX.get(raw_replies.text_member(item, "type"), "")
            )
            for item in items
            if "id" in item
        )
    )


def _as_received(message: Message, rendering: Rendering) -> list[bytes] | None:
    """Return the items of a reply as the provider wrote them, or None: then parts give them."""
    if not raw_replies.wants_raw(message, rendering):
        return None
    ids = raw_replies.provider_ids(message, pattern=_ID)
    spans = raw_replies.raw_spans(message, rendering)
    parts_are_better = any(
        isinstance(part, CallPart) and is_blank(part.args_text) for part in message.parts
    )
    if ids is None or spans is None or parts_are_better or rendering.any_used(ids.values()):
        return None
    try:
        arrays = [raw_replies.array_of(span, name="output") for span in spans]
        octets = [one for array in arrays for one in raw_replies.elements_of(array)]
        items = [raw_replies.members_of(one) for one in octets]
    except (msgspec.DecodeError, KeyError):
        rendering.lose(message.id, part="raw", why="its bytes are no Responses output")
        return None
    calls = [one for one in items if raw_replies.text_member(one, "type") == "function_call"]
    same = [raw_replies.text_member(one, "call_id") for one in calls] == list(ids.values())
    if not same or not _sendable(items):
        return None
    rendering.send_ids(ids)
    rendering.use(ids.values())
    if _keeps_ids(items, rendering):
        rendering.use(_item_ids(items))
        return octets
    return [raw_replies.without_member(one, name="id") for one in octets]


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield input items; one message gives one or more of them, none are merged."""
    if head.summary is not None and not is_blank(head.summary):
        yield _written_item("user", [{"type": "input_text", "text": head.summary}])
    for message in messages:
        if message.role is Role.ASSISTANT:
            yield from _as_received(message, rendering) or _from_parts(message, rendering)
        else:
            yield from _user_like(message, rendering)


FORM = Form(
    list_name="input",
    native=RawSource(provider="openai", api="responses"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, target: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for the Responses API."""
    return render_form(FORM, conversation, options=options, target=target)


PROVIDER = "openai"

_FIELDS = frozenset({"type", "role", "content", "call_id", "output", "id", "status"})
_TEXTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output"}
_CHAINS = ("previous_response_id", "conversation")


def _content(value: object, findings: Findings, *, at: str) -> list[SeenPart]:
    """Return the parts of content or output that is text or a list."""
    if isinstance(value, str):
        return [TextPart(text=value)]
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(value, at)):
        place = f"{at}[{index}]"
        block = object_at(one, place)
        kind = text_at(block, "type", place)
        address = word(block, "image_url") or word(block, "file_data") or word(block, "file_url")
        if kind in _TEXTS:
            parts.append(TextPart(text=text_at(block, _TEXTS[kind], place)))
        elif address:
            parts.append(file_at(findings, address, name=word(block, "filename")))
        else:
            parts.append(stand_in(findings, kind, word(block, "file_id")))
    return parts


def _call(item: Members, findings: Findings, *, at: str) -> SeenCall:
    """Return a function call; a custom tool's free text becomes its one argument `input`."""
    kind = word(item, "type")
    text = text_at(item, _CALLS[kind], at)
    if kind == "custom_tool_call":
        text = to_json({"input": text}).decode()
        findings.leave_out("custom tool call, read as a call with one argument `input`")
    findings.count_values(text, at=at)
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(item, "call_id", at),
        tool=text_at(item, "name", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _thought(item: Members) -> ThinkingPart:
    """Return a reasoning item with what can be read of it."""
    texts: list[str] = []
    for name in ("summary", "content"):
        listed = item.get(name)
        for one in listed if isinstance(listed, list) else []:
            texts.append(word(one, "text") if isinstance(one, dict) else "")
    said = "\n".join(text for text in texts if not is_blank(text))
    return ThinkingPart(text=said or None)


def _reply_parts(item: Members, findings: Findings, *, at: str) -> list[SeenPart] | None:
    """Return what an item of a reply holds, or None for what comes from the other side."""
    kind = word(item, "type") or "message"
    if kind == "message":
        role = text_at(item, "role", at)
        if role != "assistant":
            return None
        return _content(item.get("content"), findings, at=f"{at}.content")
    if kind in _OUTPUTS:
        return None
    if kind in _CALLS:
        return [_call(item, findings, at=at)]
    if kind == "reasoning":
        return [_thought(item)]
    return [OpaquePart(provider=PROVIDER, kind=kind)]


def _other(item: Members, element: Element, findings: Findings) -> ImportedItem:
    """Return an item that is no part of a reply: words, instructions or a result."""
    findings.unknown(item, _FIELDS, where="items")
    at = element.at
    if word(item, "type") in _OUTPUTS:
        parts = _content(item.get("output"), findings, at=f"{at}.output")
        status, text = marked_output(joined_text(parts, findings))
        id_ = text_at(item, "call_id", at)
        result = SeenResult(id=id_, status=status, text=text, at=at)
        return item_of(element, role="user", parts=[result])
    role = text_at(item, "role", at)
    if role not in {"user", "system", "developer"}:
        raise ShapeError(f"{at}.role", f"{role!r} is no role of this form")
    parts = _content(item.get("content"), findings, at=f"{at}.content")
    return item_of(element, role="user" if role == "user" else "system", parts=parts)


def _item(element: Element, findings: Findings) -> ImportedItem:
    """Return one item of the list as a neutral item."""
    if isinstance(element.value, str):
        return item_of(element, role="user", parts=[TextPart(text=element.value)])
    item = object_at(element.value, element.at)
    parts = _reply_parts(item, findings, at=element.at)
    if parts is None:
        return _other(item, element, findings)
    return reply_of(element, parts=parts, raw=element.octets.decode())


def _grouped(items: Iterable[ImportedItem], findings: Findings) -> Iterator[ImportedItem]:
    """Join the items of one response, which stand side by side, into one reply."""
    for is_reply, group in itertools.groupby(items, key=lambda item: item.role == "assistant"):
        if not is_reply:
            yield from group
            continue
        spans = list(itertools.islice(group, MOST_ITEMS + 1))
        findings.hold(len(spans))
        yield msgspec.structs.replace(
            spans[0],
            parts=tuple(part for span in spans for part in span.parts),
            sources=tuple(index for span in spans for index in span.sources),
            raw=b'{"output":[' + b",".join(span.raw or b"" for span in spans) + b"]}",
        )


def read_openai_responses(document: Document, findings: Findings) -> DocumentReading:
    """Read input items; a shape that the form does not have is a fault."""
    for name in _CHAINS:
        if document.fields.get(name):
            findings.leave_out(f"earlier messages that the provider keeps ({name})")
    return DocumentReading(
        head=Head(
            system=word(document.fields, "instructions"),
            tools=read_tools(document.fields.get("tools"), findings),
        ),
        items=_grouped(items_from(findings, _item), findings),
        provider=PROVIDER,
        api="responses",
        model=word(document.fields, "model"),
        ordered=False,
    )
