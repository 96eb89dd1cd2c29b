"""Messages of the AI SDK: read, written, with the approvals that stand in them."""

import re
from collections.abc import Iterable, Iterator, Sequence

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
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
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
    file_at,
    file_part,
    item_of,
    joined_text,
    list_at,
    object_at,
    output_text,
    read_tools,
    reply_of,
    stand_in,
    storable,
    text_at,
    word,
)
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import Form, RawSource, Rendering, render_form
from mindpipe.providers.slices import array_of, elements_of, members_of, object_of
from mindpipe.providers.words import FAILED, NO_TEXT, REFUSED_MARK, result_text, sdk_file

Block = dict[str, object]

_ID = re.compile(r".+")
# The parts that an assistant message may hold, by version.
_KINDS_OF_5 = frozenset({"text", "file", "reasoning", "tool-call", "tool-result"})
_KINDS_OF_6 = _KINDS_OF_5 | {"tool-approval-request"}
_KINDS = {5: _KINDS_OF_5, 6: _KINDS_OF_6, 7: _KINDS_OF_6 | {"custom", "reasoning-file"}}


def head_fields(head: Head, rendering: Rendering) -> dict[str, bytes]:
    """Return the system text (`instructions` in 7, `system` before) and the tools by name.

    The SDK takes tools as code; names and schemas are for the caller to make it from.
    """
    fields: dict[str, bytes] = {}
    if not is_blank(head.system):
        fields["instructions" if rendering.options.sdk == 7 else "system"] = to_json(head.system)
    if head.tools:
        fields["tools"] = to_json(
            {
                tool.name: {"description": tool.description, "inputSchema": tool.input_schema}
                for tool in head.tools
            }
        )
    return fields


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _output(part: ResultPart, rendering: Rendering) -> Block:
    text = result_text(part)
    if part.status is ResultStatus.REFUSED:
        if rendering.options.sdk == 5:
            return {"type": "error-text", "value": REFUSED_MARK + text}
        return {"type": "execution-denied", "reason": text}
    if part.status in FAILED:
        return {"type": "error-text", "value": text}
    if part.status is ResultStatus.OK and part.json is not None and _is_whole(part.json, text):
        return {"type": "json", "value": part.json}
    return {"type": "text", "value": text}


def _is_whole(value: object, text: str) -> bool:
    """Tell whether a JSON value says all that the text of a result does.

    Beside octets that are no text stands the text that is left of them.
    """
    beside = value.get("text") if isinstance(value, dict) else None
    return text in (to_json(value).decode(), beside)


def _result_part(part: ResultPart, rendering: Rendering, *, tool: str) -> Block:
    return {
        "type": "tool-result",
        "toolCallId": rendering.sent_id(part.call),
        "toolName": tool,
        "output": _output(part, rendering),
    }


def _call_part(part: CallPart) -> Block:
    return {
        "type": "tool-call",
        "toolCallId": part.id,
        "toolName": part.tool,
        "input": part.args or {},
    }


def _said(part: Part, message: Message, rendering: Rendering) -> Block | None:
    """Return a text, file or call part, or None and a loss."""
    if isinstance(part, TextPart):
        return _text(part.text)
    if isinstance(part, CallPart):
        return _call_part(part)
    if isinstance(part, FilePart):
        shown = sdk_file(part, rendering, message=message.id)
        return _text(shown) if isinstance(shown, str) else shown
    if isinstance(part, ThinkingPart | OpaquePart):
        kind = part.kind if isinstance(part, OpaquePart) else "thinking"
        rendering.lose(message.id, part=kind, why="only the SDK's own reply carries it")
    return None


def _from_parts(message: Message, rendering: Rendering) -> bytes:
    rendering.send_ids({})
    said = [_said(part, message, rendering) for part in message.parts]
    return to_json([part for part in said if part is not None] or [_text(NO_TEXT)])


def _own_calls(blocks: list[raw_replies.Members]) -> list[raw_replies.Members]:
    """Return the blocks without the calls that the provider ran itself."""
    ran = {
        raw_replies.text_member(block, "toolCallId")
        for block in blocks
        if raw_replies.text_member(block, "type") == "tool-result"
    }
    return [
        block
        for block in blocks
        if bytes(block.get("providerExecuted", b"")) != b"true"
        and raw_replies.text_member(block, "toolCallId") not in ran
    ]


def _as_received(message: Message, rendering: Rendering) -> bytes | None:
    """Return the content of a reply as the SDK gave it, or None: then its parts give it."""
    found = raw_replies.received(message, rendering, pattern=_ID, kind="message of the SDK")
    if found is None:
        return None
    kinds = {raw_replies.text_member(block, "type") for block in found.blocks}
    ids = found.ids.values()
    calls = _own_calls(found.blocks)
    agree = raw_replies.agree(calls, ids, kind="tool-call", name="toolCallId")
    if not agree or not kinds <= _KINDS[rendering.options.sdk]:
        return None
    rendering.send_ids(found.ids)
    rendering.use(ids)
    return b"[" + found.inner + b"]" if found.inner else None


def _user_like(message: Message, rendering: Rendering, *, tools: dict[str, str]) -> Iterator[bytes]:
    results: list[Block] = []
    content: list[Block] = []
    for part in message.parts:
        if isinstance(part, ResultPart):
            tool = tools.get(part.call, "unnamed")
            results.append(_result_part(part, rendering, tool=tool))
        else:
            said = _said(part, message, rendering)
            content.append(_text(NO_TEXT) if said is None else said)
    if results:
        yield to_json({"role": "tool", "content": results})
    if content:
        yield to_json({"role": "user", "content": content})


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield ModelMessages; none are merged, and system text is never among them."""
    if head.summary is not None and not is_blank(head.summary):
        yield to_json({"role": "user", "content": [_text(head.summary)]})
    tools: dict[str, str] = {}
    for message in messages:
        if message.role is Role.ASSISTANT:
            tools = {call.id: call.tool for call in calls_of(message)}
            content = _as_received(message, rendering) or _from_parts(message, rendering)
            yield b'{"role":"assistant","content":' + content + b"}"
        else:
            yield from _user_like(message, rendering, tools=tools)


FORM = Form(
    list_name="messages",
    native=RawSource(provider="ai-sdk", api="ai-sdk"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, _: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for `generateText` and `streamText` of the AI SDK."""
    return render_form(FORM, conversation, options=options)


WAITING = "Waiting for approval."
APPROVED = "Approved, but not run yet."
DENIED = "Not approved."


class AskedApproval(Record):
    """A request for approval of one call."""

    approval: str
    call: str
    at: str


class DecidedApproval(Record):
    """The answer to a request for approval."""

    approval: str
    approved: bool
    reason: str = ""


class ApprovalStep(Record):
    """One message with the approval parts that it held, and results that stood in a reply."""

    item: ImportedItem
    stray: tuple[SeenResult, ...] = ()
    asked: tuple[AskedApproval, ...] = ()
    decided: tuple[DecidedApproval, ...] = ()


def _result(asked: AskedApproval, decided: DecidedApproval | None) -> SeenResult:
    """Return what stands in place of the result of a call that was not run."""
    denied = decided is not None and not decided.approved
    words = WAITING if decided is None else decided.reason or (DENIED if denied else APPROVED)
    return SeenResult(
        id=asked.call,
        status=ResultStatus.REFUSED if denied else ResultStatus.TICKETED,
        text=words,
        at=asked.at,
        ticket=asked.approval,
    )


def _answered(steps: Sequence[ApprovalStep]) -> set[str]:
    """Return the ids that have results of their own."""
    parts = (part for step in steps for part in step.item.parts + step.stray)
    return {part.id for part in parts if isinstance(part, SeenResult)}


def _turn(
    reply: ApprovalStep, after: Sequence[ApprovalStep], findings: Findings
) -> Iterator[ImportedItem]:
    """Yield a reply and what follows it, with a result for every call that waits."""
    calls = {part.id for part in reply.item.parts if isinstance(part, SeenCall)}
    waiting: dict[str, AskedApproval] = {}
    answered = _answered([reply, *after])
    for asked in reply.asked:
        if asked.call in calls and asked.call not in answered:
            waiting[asked.approval] = asked
        else:
            findings.leave_out("approval of a call that has its result")
    if reply.item.parts or not (reply.asked or reply.stray):
        yield reply.item
    decided = {one.approval: one for step in after for one in step.decided}
    open_ones = [one for key, one in waiting.items() if key not in decided]
    if reply.stray or open_ones:
        results = reply.stray + tuple(_result(one, None) for one in open_ones)
        yield msgspec.structs.replace(reply.item, role="user", parts=results, raw=None)
    for step in after:
        results = tuple(
            _result(waiting[one.approval], one) for one in step.decided if one.approval in waiting
        )
        item = msgspec.structs.replace(step.item, parts=step.item.parts + results)
        if item.parts or not step.decided:
            yield item


def with_approvals(steps: Iterable[ApprovalStep], findings: Findings) -> Iterator[ImportedItem]:
    """Yield the items of all steps; a call that only has an approval part is `ticketed`.

    A call whose approval was denied is `refused`.
    """
    turn: list[ApprovalStep] = []
    for step in steps:
        if step.item.role == "assistant":
            if turn:
                yield from _turn(turn[0], turn[1:], findings)
            turn = [step]
        elif turn:
            turn.append(step)
            findings.hold(len(turn))
        else:
            yield step.item
    if turn:
        yield from _turn(turn[0], turn[1:], findings)


PROVIDER = "ai-sdk"

PART_FIELDS = frozenset(
    {
        "type",
        "text",
        "image",
        "data",
        "mediaType",
        "mimeType",
        "filename",
        "toolCallId",
        "toolName",
        "output",
        "result",
        "isError",
        "approvalId",
        "approved",
        "reason",
    }
)
_OUTPUT_STATUS = {
    "text": ResultStatus.OK,
    "json": ResultStatus.OK,
    "content": ResultStatus.OK,
    "error-text": ResultStatus.ERROR,
    "error-json": ResultStatus.ERROR,
    "execution-denied": ResultStatus.REFUSED,
}


class MessagePlace:
    """One message while it is read: where its parts stand and what is found in them.

    `ran` are the ids of all calls so far that the provider ran itself; `stray` are results that
    stand in the reply although the caller ran the tool.
    """

    def __init__(self, element: Element, findings: Findings, *, ran: set[str]) -> None:
        self.element = element
        self.findings = findings
        self.ran = ran
        self.asked: list[AskedApproval] = []
        self.decided: list[DecidedApproval] = []
        self.stray: list[SeenResult] = []

    def old_name(self, old: str, new: str, *, at: str) -> None:
        """Write down that a member has the name of version 4."""
        what = f"`{old}` is the name of version 4, today it is `{new}`"
        self.findings.fault("old_names", at=f"{at}.{old}", line=self.element.line, what=what)


def _file(part: Members, findings: Findings) -> SeenPart:
    """Return an image or file part: bytes in base64, a data URL, or an address that is named."""
    held = part.get("data") or part.get("image") or part.get("url")
    name = word(part, "filename")
    if isinstance(held, dict):
        held = held.get("data") or held.get("url")
    if not isinstance(held, str):
        return stand_in(findings, word(part, "type"), name)
    media_type = word(part, "mediaType") or word(part, "mimeType")
    if not media_type and word(part, "type").startswith("image"):
        media_type = "image/png"
    kept = file_part(findings, held, media_type=media_type, name=name)
    return file_at(findings, held, name=name) if kept is None else kept


def plain_part(value: object, findings: Findings, *, at: str) -> SeenPart:
    """Return a text, or a file of any kind."""
    part = object_at(value, at)
    findings.unknown(part, PART_FIELDS, where="content parts")
    if text_at(part, "type", at) == "text":
        return TextPart(text=text_at(part, "text", at))
    return _file(part, findings)


def _output_words(output: Members, findings: Findings, *, at: str) -> str:
    """Return the text of a tool's output."""
    kind, value = word(output, "type"), output.get("value")
    if kind == "execution-denied":
        return word(output, "reason")
    if kind in {"json", "error-json"}:
        return to_json(storable(value)).decode()
    if kind == "content":
        listed = list_at(value, f"{at}.value")
        parts = [
            plain_part(one, findings, at=f"{at}.value[{index}]") for index, one in enumerate(listed)
        ]
        return joined_text(parts, findings)
    return text_at(output, "value", at)


def result_part(part: Members, place: MessagePlace, *, at: str) -> SeenResult:
    """Return a tool result."""
    id_ = text_at(part, "toolCallId", at)
    if "output" not in part and "result" in part:
        place.old_name("result", "output", at=at)
        failed = part.get("isError") is True
        value = part["result"]
        text = value if isinstance(value, str) else to_json(storable(value)).decode()
        return SeenResult(
            id=id_,
            status=ResultStatus.ERROR if failed else ResultStatus.OK,
            text=output_text(text),
            json=None if isinstance(value, str) else storable(value),
            at=at,
        )
    output = object_at(part.get("output"), f"{at}.output")
    kind = text_at(output, "type", f"{at}.output")
    if kind not in _OUTPUT_STATUS:
        raise ShapeError(f"{at}.output.type", f"{kind!r} is no type of output")
    status = _OUTPUT_STATUS[kind]
    text = _output_words(output, place.findings, at=f"{at}.output")
    if kind == "error-text" and text.startswith(REFUSED_MARK):
        status, text = ResultStatus.REFUSED, text.removeprefix(REFUSED_MARK)
    value = storable(output.get("value")) if kind in {"json", "error-json"} else None
    return SeenResult(id=id_, status=status, text=output_text(text), json=value, at=at)


def _call(part: Members, exact: str, *, place: MessagePlace, at: str) -> SeenCall:
    """Return a tool call; `exact` is the text of the part."""
    members = members_of(exact)
    if "input" not in members and "args" in members:
        place.old_name("args", "input", at=at)
    text = members.get("input", members.get("args", "null"))
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(part, "toolCallId", at),
        tool=text_at(part, "toolName", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _spoken(part: Members, place: MessagePlace, *, at: str) -> SeenPart | None:
    """Return a text, a thought or a file of a reply, or None for anything else."""
    kind = text_at(part, "type", at)
    if kind == "text":
        return TextPart(text=text_at(part, "text", at))
    if kind == "reasoning":
        thought = word(part, "text")
        return ThinkingPart(text=None if is_blank(thought) else thought)
    return _file(part, place.findings) if kind == "file" else None


def _acted(part: Members, exact: str, *, place: MessagePlace, at: str) -> SeenPart | None:
    """Return a call or what is opaque, or None for what stands beside the reply."""
    kind = word(part, "type")
    if kind == "tool-call":
        call = _call(part, exact, place=place, at=at)
        if part.get("providerExecuted") is not True:
            return call
        place.ran.add(call.id)
    elif kind == "tool-result" and word(part, "toolCallId") not in place.ran:
        place.stray.append(result_part(part, place, at=at))
        return None
    elif kind == "tool-approval-request":
        call_id = text_at(part, "toolCallId", at)
        place.asked.append(
            AskedApproval(approval=text_at(part, "approvalId", at), call=call_id, at=at)
        )
        return None
    return OpaquePart(provider=PROVIDER, kind=kind)


def reply_part(part: Members, exact: str, *, place: MessagePlace, at: str) -> SeenPart | None:
    """Return one part of a reply; what the provider ran itself is opaque.

    None for approval requests and for results that belong behind the reply: `place` has them.
    """
    return _spoken(part, place, at=at) or _acted(part, exact, place=place, at=at)


def todays_part(exact: str) -> str:
    """Return a part of a reply under today's names."""
    members = members_of(exact)
    if "args" in members and "input" not in members:
        members["input"] = members.pop("args")
    if "result" in members and "output" not in members:
        members["output"] = '{"type":"json","value":' + members.pop("result") + "}"
    return object_of(members)


_MESSAGE_FIELDS = frozenset({"role", "content"})


def _words(value: object, place: MessagePlace) -> list[SeenPart]:
    """Return the content of a user or system message."""
    at = f"{place.element.at}.content"
    if isinstance(value, str):
        return [TextPart(text=value)]
    return [
        plain_part(one, place.findings, at=f"{at}[{index}]")
        for index, one in enumerate(list_at(value, at))
    ]


def _reply(message: Members, place: MessagePlace) -> ImportedItem:
    """Return an assistant message."""
    content, at = message.get("content"), f"{place.element.at}.content"
    exact = members_of(place.element.octets.decode()).get("content", "null")
    parts: list[SeenPart] = []
    raw: list[str] = []
    if isinstance(content, str):
        parts.append(TextPart(text=content))
        raw.append('{"type":"text","text":' + exact + "}")
    else:
        texts = elements_of(exact) if isinstance(content, list) else []
        for index, one in enumerate(list_at(content, at)):
            here, text = f"{at}[{index}]", texts[index]
            stray = len(place.stray)
            part = reply_part(object_at(one, here), text, place=place, at=here)
            parts += [] if part is None else [part]
            if len(place.stray) == stray:
                raw.append(todays_part(text))
    octets = '{"role":"assistant","content":' + array_of(raw) + "}"
    return reply_of(place.element, parts=parts, raw=octets)


def _tool(message: Members, place: MessagePlace) -> ImportedItem:
    """Return a tool message: results, and answers to approval requests."""
    at = f"{place.element.at}.content"
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(message.get("content"), at)):
        here = f"{at}[{index}]"
        part = object_at(one, here)
        place.findings.unknown(part, PART_FIELDS, where="content parts")
        kind = text_at(part, "type", here)
        if kind == "tool-result":
            parts.append(result_part(part, place, at=here))
        elif kind == "tool-approval-response":
            decided = DecidedApproval(
                approval=text_at(part, "approvalId", here),
                approved=part.get("approved") is True,
                reason=word(part, "reason"),
            )
            place.decided.append(decided)
        else:
            raise ShapeError(f"{here}.type", f"a tool message holds no {kind!r}")
    return item_of(place.element, role="user", parts=parts)


def _step(element: Element, findings: Findings, *, ran: set[str]) -> ApprovalStep:
    """Return one message as a neutral item with its approval parts."""
    if isinstance(element.value, str):
        words: list[SeenPart] = [TextPart(text=element.value)]
        return ApprovalStep(item=item_of(element, role="user", parts=words))
    message = object_at(element.value, element.at)
    role = text_at(message, "role", element.at)
    findings.unknown(message, _MESSAGE_FIELDS, where=f"{role} messages")
    place = MessagePlace(element, findings, ran=ran)
    if role == "assistant":
        item = _reply(message, place)
    elif role == "tool":
        item = _tool(message, place)
    elif role in {"user", "system"}:
        parts = _words(message.get("content"), place)
        item = item_of(element, role="system" if role == "system" else "user", parts=parts)
    else:
        raise ShapeError(f"{element.at}.role", f"{role!r} is no role of this form")
    return ApprovalStep(
        item=item,
        stray=tuple(place.stray),
        asked=tuple(place.asked),
        decided=tuple(place.decided),
    )


def _steps(findings: Findings) -> Iterator[ApprovalStep]:
    """Yield the messages of a document; one of another shape is a fault."""
    ran: set[str] = set()
    for element in findings.elements():
        try:
            yield _step(element, findings, ran=ran)
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))


def _system(document: Document) -> str:
    """Return the system text beside the list: text, a system message, or several."""
    value = document.fields.get("instructions") or document.fields.get("system")
    listed = value if isinstance(value, list) else [value]
    texts = [word(one, "content") if isinstance(one, dict) else one for one in listed]
    return "\n\n".join(text for text in texts if isinstance(text, str) and not is_blank(text))


def read_ai_sdk(document: Document, findings: Findings) -> DocumentReading:
    """Read ModelMessages; a shape that the form does not have is a fault."""
    return DocumentReading(
        head=Head(
            system=_system(document),
            tools=read_tools(document.fields.get("tools"), findings),
        ),
        items=with_approvals(_steps(findings), findings),
        provider=PROVIDER,
        api=PROVIDER,
        model=word(document.fields, "model"),
    )
