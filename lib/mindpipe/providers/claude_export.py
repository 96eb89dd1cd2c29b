"""The conversations.json of a claude.ai export: messages with content blocks, one after the other.

The form is nowhere specified; it is read as exports of 2024 to 2026 have it, and written for those
that import it.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.messages import (
    Head,
    Message,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.ports import Octets
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.archives import (
    API,
    PROVIDER,
    ArchiveEntry,
    Place,
    at_instant,
    document_at,
    entries,
    lose_head,
    parts_of,
    path_to,
    spoken_texts,
    thoughts_of,
    uuid_of,
)
from mindpipe.providers.documents import Document, Element, refusal
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
    item_of,
    list_at,
    object_at,
    reply_of,
    settled,
    stand_in,
    word,
)
from mindpipe.providers.program.format import with_summary
from mindpipe.providers.rendering import Rendering
from mindpipe.providers.words import NO_TEXT, call_name, worded_result

_WANTED = "conversations.json of the export"
_BRANCHES = "branches"
_LIST = "chat_messages"
_FIELDS = frozenset(
    [
        "uuid",
        "text",
        "content",
        "sender",
        "created_at",
        "updated_at",
        "attachments",
        "files",
        "files_v2",
        "parent_message_uuid",
        "index",
    ]
)


def _places(entry: ArchiveEntry, start: int) -> dict[str, Place]:
    """Read where the messages of a conversation stand; none of them is held."""
    cursor = entry.span.cursor(start)
    found: dict[str, Place] = {}
    for at in cursor.places(f"{entry.at}.{_LIST}"):
        cursor.peek()
        place = cursor.place
        message = cursor.value(at).value
        known = message if isinstance(message, dict) else {}
        found[word(known, "uuid") or at] = Place(place, at, word(known, "parent_message_uuid"))
    return found


def _path(places: dict[str, Place]) -> list[str]:
    """Return the messages that were shown last: all of them, unless they say what they answer."""
    ids = list(places)
    if all(places[id_].parent in places for id_ in ids[1:]):
        return path_to(places, ids[-1]) if ids else ids
    return ids


def documents(octets: Octets, *, source: str) -> Iterator[Document]:
    """Yield every conversation of an export.

    Raises:
        BadInputError: it is no such export.
    """
    for entry in entries(octets, source=source, wanted=_WANTED):
        values, start = parts_of(entry, _LIST)
        if start is None:
            raise refusal(source, f"{entry.at}: a conversation without {_LIST}; give {_WANTED}")
        places = _places(entry, start)
        path = _path(places)
        title = word(values, "uuid") or word(values, "name")
        found = document_at(entry, [places[id_] for id_ in path], title=title)
        yield msgspec.structs.replace(found, fields={**values, _BRANCHES: len(places) - len(path)})


def _words(content: object, findings: Findings) -> str:
    """Return what a tool gave back as text; images are named."""
    if isinstance(content, str):
        return content
    found: list[str] = []
    for block in content if isinstance(content, list) else []:
        known = block if isinstance(block, dict) else {}
        if text := word(known, "text"):
            found.append(text)
        else:
            kind = word(known, "type") or "content"
            found.append(stand_in(findings, kind, word(known, "title")).text)
    return "\n".join(found)


def _attached(message: Members, findings: Findings) -> list[SeenPart]:
    """Return what was attached: the text of it where the export has that, else its name."""
    parts: list[SeenPart] = []
    for name in ("attachments", "files", "files_v2"):
        found = message.get(name)
        for one in found if isinstance(found, list) else []:
            known = one if isinstance(one, dict) else {}
            called = word(known, "file_name")
            if text := word(known, "extracted_content"):
                parts.append(TextPart(text=f"[attachment {called}]\n{text}"))
            else:
                parts.append(stand_in(findings, name.partition("s")[0], called))
    return parts


class _Message:
    """One message taken apart: a reply goes on after each result that stands in it."""

    def __init__(self, element: Element, findings: Findings) -> None:
        self.element = element
        self.findings = findings
        self.message = object_at(element.value, element.at)
        self.said: list[SeenPart] = []
        self.blocks: list[object] = []
        self.open: list[SeenCall] = []

    def items(self) -> Iterator[ImportedItem]:
        """Yield what is said in it."""
        self.findings.unknown(self.message, _FIELDS, where="messages")
        match word(self.message, "sender"):
            case "human":
                parts = [part for one in self._content() for part in self._plain(*one)]
                parts += _attached(self.message, self.findings)
                yield item_of(self.element, role="user", parts=parts)
            case "assistant":
                yield from self._reply()
            case other:
                at = f"{self.element.at}.sender"
                raise ShapeError(at, f'"human" or "assistant" is expected here, not {other!r}')

    def _content(self) -> Iterator[tuple[str, Members]]:
        """Yield the blocks with their paths; older exports have text alone."""
        at = f"{self.element.at}.content"
        blocks = list_at(self.message.get("content") or [], at)
        if not blocks:
            yield f"{self.element.at}.text", {"type": "text", "text": word(self.message, "text")}
        for place, block in enumerate(blocks):
            yield f"{at}[{place}]", object_at(block, f"{at}[{place}]")

    def _plain(self, at: str, block: Members) -> list[SeenPart]:
        """Return a block that is neither call nor result."""
        match word(block, "type"):
            case "text" | "voice_note":
                return [TextPart(text=word(block, "text"))]
            case "thinking":
                text = word(block, "thinking")
                return [] if is_blank(text) else [ThinkingPart(raw=False, text=text)]
            case "":
                raise ShapeError(f"{at}.type", "text is expected here")
            case "token_budget" | "flag" as kind:
                self.findings.leave_out(f"block of type {kind!r}")
                return []
            case kind:
                return [stand_in(self.findings, kind)]

    def _call(self, at: str, block: Members) -> SeenCall:
        """Return a call; older exports give it no id, so that it is known by its place."""
        given = block.get("input")
        args, fault = arguments_of(to_json(given).decode())
        return SeenCall(
            id=word(block, "id") or at,
            tool=word(block, "name"),
            args=args,
            args_text=to_json(given).decode(),
            at=at,
            fault=fault,
        )

    def _result(self, at: str, block: Members) -> SeenResult:
        """Return a result; one without an id answers the first open call of its tool."""
        own, name = word(block, "tool_use_id"), word(block, "name")
        fits = [one for one in self.open if (one.id == own if own else one.tool == name)]
        id_ = fits[0].id if fits else own or at
        self.open = [one for one in self.open if one.id != id_]
        status = ResultStatus.ERROR if block.get("is_error") is True else ResultStatus.OK
        return SeenResult(
            id=id_, status=status, text=_words(block.get("content"), self.findings), at=at
        )

    def _reply(self) -> Iterator[ImportedItem]:
        """Yield the spans of a reply, and the results that stand between them."""
        results: list[SeenPart] = []
        for at, block in self._content():
            kind = word(block, "type")
            if kind == "tool_result":
                yield from self._span()
                results.append(self._result(at, block))
                continue
            if results:
                yield item_of(self.element, role="user", parts=results)
                results = []
            self.blocks.append(block)
            if kind == "tool_use":
                self.open.append(self._call(at, block))
                self.said.append(self.open[-1])
            else:
                self.said += self._plain(at, block)
        self.said += _attached(self.message, self.findings)
        yield from self._span()
        if results:
            yield item_of(self.element, role="user", parts=results)

    def _span(self) -> Iterator[ImportedItem]:
        """Yield what was said since the last result, if anything."""
        said, blocks, self.said, self.blocks = self.said, self.blocks, [], []
        if settled(said)[0]:
            yield reply_of(self.element, parts=said, raw=to_json(blocks).decode())


def _items(findings: Findings) -> Iterator[ImportedItem]:
    """Yield what was said, message by message."""
    for element in findings.elements():
        try:
            message = _Message(element, findings)
            for item in message.items():
                yield at_instant(item, message.message.get("created_at"))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=None, what=str(fault))


def read_claude_export(document: Document, findings: Findings) -> DocumentReading:
    """Read the messages of one conversation; what was said on other branches is named."""
    others = document.fields.get(_BRANCHES)
    if isinstance(others, int) and others:
        findings.leave_out("message of another branch", others)
    return DocumentReading(
        head=Head(system=""),
        items=_items(findings),
        provider=PROVIDER,
        api=API,
        ordered=False,
    )


def write_claude_export(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield an export of one conversation, turn by turn: a reply holds its calls and results."""
    lose_head(head, rendering)
    said = with_summary(head, messages)
    first = next(said, None)
    agent, at = ("", "") if first is None else (first.agent, first.at)
    members = {"uuid": uuid_of(agent), "name": agent, "created_at": at, "updated_at": at}
    yield b"[" + to_json({**members, "account": {"uuid": uuid_of("")}})[:-1]
    yield b',"chat_messages":[\n'
    if first is not None:
        comma = b""
        of_reply = (Role.ASSISTANT, Role.TOOL)
        turns = itertools.groupby(
            itertools.chain([first], said),
            key=lambda one: "" if one.role in of_reply else one.id,
        )
        for user, held in turns:
            yield comma + _written_turn(list(held), "human" if user else "assistant", rendering)
            comma = b",\n"
    yield b"]}]\n"


def _written_turn(messages: list[Message], sender: str, rendering: Rendering) -> bytes:
    """Return what a person said, or a reply with all calls and results in it."""
    blocks: list[Mapping[str, object]] = []
    tools: dict[str, str] = {}
    for message in messages:
        blocks += [{"type": "thinking", "thinking": one} for one in thoughts_of(message, rendering)]
        blocks += [{"type": "text", "text": one} for one in spoken_texts(message, rendering)]
        for call in calls_of(message):
            tools[call.id] = call_name(call)
            block = {"type": "tool_use", "id": call.id, "name": tools[call.id]}
            blocks.append({**block, "input": call.args or {}})
        for part in message.parts:
            if isinstance(part, ResultPart):
                text, failed = worded_result(part)
                block = {"type": "tool_result", "tool_use_id": part.call}
                content = [{"type": "text", "text": text}]
                name = tools.get(part.call, "")
                blocks.append({**block, "name": name, "content": content, "is_error": failed})
    texts = [str(block["text"]) for block in blocks if block["type"] == "text"]
    at = messages[0].at
    written = {
        "uuid": uuid_of(messages[0].id),
        "text": "\n\n".join(texts),
        "content": blocks or [{"type": "text", "text": NO_TEXT}],
        "sender": sender,
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
    }
    return to_json(written)
