"""Transcripts of Claude Code: read and written."""

from collections.abc import Iterable, Iterator
from typing import cast

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.messages import Conversation, Head, Message, Role
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.anthropic.format import (
    PROVIDER,
    raw_blocks,
    raw_message,
    reply_as_received,
    reply_from_parts,
    reply_parts,
    user_content,
    user_parts,
)
from mindpipe.providers.archives import uuid_of
from mindpipe.providers.documents import Document, Element, TornLine
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    Members,
    SeenResult,
    ShapeError,
    item_of,
    object_at,
    reply_of,
    word,
)
from mindpipe.providers.program.format import SUMMARY_ID, with_summary
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import HEAD, Form, RawSource, Rendering, render_form
from mindpipe.providers.slices import elements_of, members_of

_STOPS = {"calls": "tool_use", "end": "end_turn"}


def head_fields(head: Head, rendering: Rendering) -> dict[str, bytes]:
    """Return nothing: a session log names neither system text nor tools, which is a loss."""
    if not is_blank(head.system):
        rendering.lose(HEAD, part="system", why="a session log has no system text")
    if head.tools:
        rendering.lose(HEAD, part="tools", why="a session log has no tool definitions")
    return {}


def _reply_line(message: Message, rendering: Rendering) -> bytes:
    content = reply_as_received(message, rendering) or reply_from_parts(message, rendering)
    raw = message.raw
    calls = b'"tool_use"' in content
    members = {
        "id": message.id,
        "type": "message",
        "role": "assistant",
        "model": "<synthetic>" if raw is None else raw.model,
        "stop_reason": _STOPS["calls" if calls else "end"] if raw is None else raw.finish,
        "stop_sequence": None,
    }
    return to_json(members)[:-1] + b',"content":[' + content + b"]}"


def _line(message: Message, rendering: Rendering, *, parent: str | None) -> bytes:
    is_reply = message.role is Role.ASSISTANT
    members: dict[str, object] = {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "",
        "sessionId": uuid_of(message.agent),
        "version": "mindpipe",
        "type": "assistant" if is_reply else "user",
        "uuid": uuid_of(message.id),
        "timestamp": message.at,
    }
    if message.id == SUMMARY_ID:
        members["isCompactSummary"] = True
    if is_reply:
        said = _reply_line(message, rendering)
    else:
        said = b'{"role":"user","content":[' + user_content(message, rendering) + b"]}"
    return to_json(members)[:-1] + b',"message":' + said + b"}"


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield one line per message, each naming the one before it as its parent."""
    parent: str | None = None
    for message in with_summary(head, messages):
        yield _line(message, rendering, parent=parent)
        parent = uuid_of(message.id)


FORM = Form(
    list_name="",
    native=RawSource(provider="anthropic", api="messages"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, _: Target, options: RenderOptions) -> Rendered:
    """Write a conversation as session log lines; `fields` is empty and the list has no name."""
    return render_form(FORM, conversation, options=options)


_LINE_FIELDS = frozenset({"type", "message", "timestamp", "isSidechain"})


def _when(line: Members) -> str:
    """Return the instant of a line, or nothing where it has none that can be read."""
    try:
        return normal_instant(word(line, "timestamp"))
    except UsageError:
        return ""


def _reply(element: Element, message: Members) -> ImportedItem:
    """Return one assistant line as a reply."""
    outer = members_of(element.octets.decode())
    exact = members_of(outer["message"]).get("content", "null")
    content = message.get("content")
    reply = reply_of(
        element,
        parts=reply_parts(content, exact, at="$.message.content"),
        raw=raw_message(raw_blocks(content, exact)),
    )
    return msgspec.structs.replace(
        reply, model=word(message, "model"), finish=word(message, "stop_reason")
    )


def _item(element: Element, findings: Findings) -> ImportedItem | None:
    """Return one line as a neutral item, or None where it is no message of this conversation."""
    if not isinstance(element.value, dict):
        raise ShapeError("$", "the line is no object")
    line = cast(Members, element.value)
    kind = word(line, "type")
    if line.get("isSidechain") is True:
        findings.leave_out("sidechain line")
        return None
    if kind not in {"user", "assistant"}:
        findings.leave_out(f"line of type {kind!r}" if kind else "line without a type")
        return None
    findings.unknown(line, _LINE_FIELDS, where="lines")
    message = object_at(line.get("message"), "$.message")
    if kind == "assistant":
        item = _reply(element, message)
    else:
        parts = user_parts(message.get("content"), findings, at="$.message.content")
        item = item_of(element, role="user", parts=parts)
    return msgspec.structs.replace(item, when=_when(line))


def _joined(first: ImportedItem, second: ImportedItem) -> ImportedItem:
    """Return two lines of one reply as one."""
    spans = [
        members_of(item.raw.decode())["content"] for item in (first, second) if item.raw is not None
    ]
    return msgspec.structs.replace(
        first,
        parts=first.parts + second.parts,
        sources=first.sources + second.sources,
        raw=raw_message([block for span in spans for block in elements_of(span)]).encode(),
        finish=second.finish or first.finish,
        when=second.when or first.when,
    )


def _is_results(item: ImportedItem) -> bool:
    """Tell whether an item holds results and nothing else."""
    return bool(item.parts) and all(isinstance(part, SeenResult) for part in item.parts)


def _read(one: Element | TornLine, findings: Findings) -> tuple[ImportedItem, str] | None:
    """Return the item of a line and the id of its message, None where it is none; then say so."""
    if isinstance(one, TornLine):
        findings.leave_out(f"line {one.line} (at {one.at}: {one.fault})")
        return None
    try:
        item = _item(one, findings)
    except ShapeError as fault:
        findings.leave_out(f"line {one.line} (at {fault.at}: {fault})")
        return None
    if item is None:
        return None
    line = cast(Members, one.value)
    return item, word(cast(Members, line["message"]), "id")


def _messages(findings: Findings) -> Iterator[tuple[ImportedItem, str]]:
    """Yield the lines that are messages; a log of which no line is JSON is none at all."""
    torn: TornLine | None = None
    is_log = False
    for one in findings.items():
        if isinstance(one, TornLine):
            torn = torn or one
        else:
            is_log = True
        found = _read(one, findings)
        if found is not None:
            yield found
    if torn is not None and not is_log and not findings.known:
        findings.fault("shape", at=torn.at, line=torn.line, what=torn.fault)


def _items(findings: Findings) -> Iterator[ImportedItem]:
    """Yield the messages of a log.

    A later line with the id of a reply goes on with it, if only results stand between; so a reply
    is held until something else does.
    """
    held: list[ImportedItem] = []
    latest = ""
    for item, id_ in _messages(findings):
        is_reply = item.role == "assistant"
        if is_reply and held and id_ and latest == id_:
            held[0] = _joined(held[0], item)
            continue
        if is_reply or not _is_results(item):
            yield from held
            held = []
        if is_reply:
            held, latest = [item], id_
        elif held:
            held.append(item)
            findings.hold(len(held))
        else:
            yield item
    yield from held


def read_claude_code(document: Document, findings: Findings) -> DocumentReading:
    """Read a session log; lines that are no messages are passed over and named."""
    return DocumentReading(
        head=Head(system=""),
        items=_items(findings),
        provider=PROVIDER,
        api="messages",
        ordered=False,
    )
