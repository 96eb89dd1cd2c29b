"""Session logs of Claude Code: a line per message, several per reply, and others between."""

from typing import cast

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import normal_instant
from mindpipe.core.messages import Head
from mindpipe.formats.anthropic_blocks import (
    PROVIDER,
    raw_blocks,
    raw_message,
    reply_parts,
    user_parts,
)
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.items import (
    Findings,
    Item,
    Reading,
    SeenResult,
    ShapeError,
    item_of,
    reply_of,
)
from mindpipe.formats.reading import Members, object_at, word
from mindpipe.formats.slices import elements_of, members_of

_LINE_FIELDS = frozenset({"type", "message", "timestamp", "isSidechain"})


class _Reply(msgspec.Struct):
    """The latest reply, which a later line with the same message id may continue."""

    place: int
    id: str


def _when(line: Members) -> str:
    """Return the instant of a line, or nothing where it has none that can be read."""
    try:
        return normal_instant(word(line, "timestamp"))
    except UsageError:
        return ""


def _reply(element: Element, message: Members) -> Item:
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


def _item(element: Element, findings: Findings) -> Item | None:
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


def _joined(first: Item, second: Item) -> Item:
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


def _is_results(item: Item) -> bool:
    """Tell whether an item holds results and nothing else."""
    return bool(item.parts) and all(isinstance(part, SeenResult) for part in item.parts)


def _add(items: list[Item], item: Item, *, id_: str, latest: _Reply | None) -> _Reply | None:
    """Append a line, or join it to its reply; return the reply that may still be continued."""
    if item.role != "assistant":
        items.append(item)
        return latest if _is_results(item) else None
    if latest is not None and id_ and latest.id == id_:
        items[latest.place] = _joined(items[latest.place], item)
        return latest
    items.append(item)
    return _Reply(place=len(items) - 1, id=id_)


def read_claude_code(document: Document, findings: Findings) -> Reading:
    """Read a session log; lines that are no messages are passed over and named."""
    items: list[Item] = []
    latest: _Reply | None = None
    for torn in document.torn:
        findings.leave_out(f"line {torn.line} (at {torn.at}: {torn.fault})")
    for element in document.elements:
        try:
            item = _item(element, findings)
        except ShapeError as fault:
            findings.leave_out(f"line {element.line} (at {fault.at}: {fault})")
            continue
        if item is not None:
            line = cast(Members, element.value)
            id_ = word(cast(Members, line["message"]), "id")
            latest = _add(items, item, id_=id_, latest=latest)
    return Reading(
        head=Head(system=""),
        items=tuple(items),
        provider=PROVIDER,
        api="messages",
        ordered=False,
    )
