"""The conversations.json of a ChatGPT export: trees of messages, of which one path was shown last.

The form is nowhere specified; it is read as exports of 2023 to 2026 have it, and written for those
that import it: a conversation of one path, in which each call is followed by its answer.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from mindpipe.core.messages import (
    CallPart,
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
    seconds_of,
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
from mindpipe.providers.words import NO_TEXT, arguments_text, call_name, worded_result

_WANTED = "conversations.json of the export"
_BRANCHES = "branches"
_TO_ALL = {"", "all"}
_NODE_FIELDS = frozenset({"id", "message", "parent", "children"})


class _Tree(NamedTuple):
    """The messages of one conversation by their ids, and when each was made."""

    places: dict[str, Place]
    times: dict[str, float]


def _tree(entry: ArchiveEntry, start: int) -> _Tree:
    """Read where the messages of a conversation stand; none of them is held."""
    cursor = entry.span.cursor(start)
    found = _Tree({}, {})
    for id_ in cursor.members():
        at = f"{entry.at}.mapping.{id_}"
        cursor.peek()
        place = cursor.place
        node = cursor.value(at).value
        if not isinstance(node, dict):
            raise refusal(entry.span.source, f"{at}: an object is expected here")
        message = node.get("message")
        is_spoken = isinstance(message, dict)
        found.places[id_] = Place(place, at, word(node, "parent"), is_spoken)
        made = message.get("create_time") if isinstance(message, dict) else None
        found.times[id_] = made if isinstance(made, int | float) else 0
    return found


def _leaf(tree: _Tree, current: object) -> str:
    """Return the message that was shown last; where the file does not say, the latest one."""
    if isinstance(current, str) and current in tree.places:
        return current
    return max(tree.times, key=lambda id_: tree.times[id_], default="")


def documents(octets: Octets, *, source: str) -> Iterator[Document]:
    """Yield every conversation of an export, with the messages of the path that was shown last.

    Raises:
        BadInputError: it is no such export.
    """
    for entry in entries(octets, source=source, wanted=_WANTED):
        values, start = parts_of(entry, "mapping")
        if start is None:
            raise refusal(source, f"{entry.at}: a conversation without mapping; give {_WANTED}")
        tree = _tree(entry, start)
        path = path_to(tree.places, _leaf(tree, values.get("current_node")))
        spoken = [id_ for id_ in path if tree.places[id_].is_spoken]
        others = sum(one.is_spoken for one in tree.places.values()) - len(spoken)
        title = word(values, "conversation_id") or word(values, "id") or word(values, "title")
        found = document_at(entry, [tree.places[id_] for id_ in spoken], title=title)
        yield msgspec.structs.replace(found, fields={**values, _BRANCHES: others})


def _texts(content: Members, findings: Findings, at: str) -> list[SeenPart]:
    """Return the parts of a message: text, and words in place of images and sound."""
    parts: list[SeenPart] = []
    for place, part in enumerate(list_at(content.get("parts", []), f"{at}.parts")):
        if isinstance(part, str):
            parts.append(TextPart(text=part))
            continue
        found = object_at(part, f"{at}.parts[{place}]")
        kind = word(found, "content_type")
        if text := word(found, "text"):
            parts.append(TextPart(text=text))
        else:
            name = kind.removesuffix("_asset_pointer").replace("_", " ") or "part"
            parts.append(stand_in(findings, name, word(found, "asset_pointer")))
    return parts


def _thoughts(content: Members, at: str) -> list[SeenPart]:
    """Return what a model thought before it spoke."""
    found: list[SeenPart] = []
    for place, one in enumerate(list_at(content.get("thoughts", []), f"{at}.thoughts")):
        thought = object_at(one, f"{at}.thoughts[{place}]")
        words = [word(thought, "summary"), word(thought, "content")]
        if text := "\n".join(filter(None, words)):
            found.append(ThinkingPart(raw=False, text=text))
    return found


def _said(content: Members, findings: Findings, at: str) -> list[SeenPart]:
    """Return the content of a message as parts."""
    match word(content, "content_type"):
        case "text" | "multimodal_text":
            return _texts(content, findings, at)
        case "thoughts":
            return _thoughts(content, at)
        case "reasoning_recap":
            findings.leave_out("how long a model thought")
            return []
        case "user_editable_context":
            given = [word(content, name) for name in ("user_profile", "user_instructions")]
            return [TextPart(text=one) for one in given if not is_blank(one)]
        case "model_editable_context":
            text = word(content, "model_set_context")
            return [] if is_blank(text) else [TextPart(text=text)]
        case kind:
            names = ("text", "result", "content")
            text = next((one for one in (word(content, name) for name in names) if one), "")
            return [TextPart(text=text) if text else stand_in(findings, kind or "content")]


def _call(message: Members, content: Members, element: Element, parts: list[SeenPart]) -> SeenCall:
    """Return what an assistant wrote to a tool as a call of it."""
    tool = word(message, "recipient")
    text = "\n".join(part.text for part in parts if isinstance(part, TextPart))
    args, _ = arguments_of(text)
    if args is None:
        # Most tools take code or a query as it is.
        args = Members(text=text)
        if language := word(content, "language"):
            args["language"] = language
    return SeenCall(
        id=word(message, "id"),
        tool=tool,
        args=args,
        args_text=to_json(args).decode(),
        at=f"{element.at}.message",
    )


class _Reader:
    """Reads the messages of one path; `open` is the call that waits for its tool's answer."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.open: SeenCall | None = None

    def item(self, element: Element) -> ImportedItem | None:
        """Return one message as a neutral item, or None where nothing is said in it."""
        node = object_at(element.value, element.at)
        self.findings.unknown(node, _NODE_FIELDS, where="messages")
        at = f"{element.at}.message"
        message = object_at(node.get("message"), at)
        author = object_at(message.get("author"), f"{at}.author")
        content = object_at(message.get("content"), f"{at}.content")
        parts = _said(content, self.findings, f"{at}.content")
        metadata = message.get("metadata")
        known = metadata if isinstance(metadata, dict) else {}
        attached = known.get("attachments")
        for one in attached if isinstance(attached, list) else []:
            name = word(one, "name") if isinstance(one, dict) else ""
            parts.append(stand_in(self.findings, "attachment", name))
        item = self._spoken(element, message, content, word(author, "role"), parts)
        if item is not None and item.role == "assistant":
            finish = known.get("finish_details")
            item = msgspec.structs.replace(
                item,
                model=word(known, "model_slug"),
                finish=word(finish, "type") if isinstance(finish, dict) else "",
            )
        return None if item is None else at_instant(item, message.get("create_time"))

    def _spoken(
        self,
        element: Element,
        message: Members,
        content: Members,
        role: str,
        parts: list[SeenPart],
    ) -> ImportedItem | None:
        """Return who said a message, and to whom."""
        if not settled(parts)[0]:
            return None
        answered, self.open = self.open, None
        if role == "assistant":
            if word(message, "recipient") not in _TO_ALL:
                self.open = _call(message, content, element, parts)
                parts = [self.open]
            return reply_of(element, parts=parts, raw=to_json(content).decode())
        if role == "tool" and answered is not None:
            text = "\n".join(part.text for part in parts if isinstance(part, TextPart))
            failed = word(content, "content_type") == "system_error"
            status = ResultStatus.ERROR if failed else ResultStatus.OK
            result = SeenResult(id=answered.id, status=status, text=text, at=element.at)
            return item_of(element, role="user", parts=[result])
        is_context = word(content, "content_type").endswith("_editable_context")
        if role not in {"user", "system", "tool"}:
            raise ShapeError(
                f"{element.at}.message.author.role", f"no author that is known: {role!r}"
            )
        is_user = role == "user" and not is_context
        return item_of(element, role="user" if is_user else "system", parts=parts)


def _items(findings: Findings) -> Iterator[ImportedItem]:
    """Yield what was said on the path."""
    reader = _Reader(findings)
    for element in findings.elements():
        try:
            item = reader.item(element)
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=None, what=str(fault))
        else:
            if item is not None:
                yield item


def read_chatgpt(document: Document, findings: Findings) -> DocumentReading:
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


class _Node(NamedTuple):
    """One message of a conversation that is written; the root of its tree says nothing."""

    id: str
    role: str = ""
    content: Mapping[str, object] = {}
    at: str = ""
    recipient: str = "all"
    model: str = ""
    name: str | None = None

    def written(self, *, parent: str | None, child: str | None) -> bytes:
        """Return it as the tree of an export has it."""
        message = {
            "id": self.id,
            "author": {"role": self.role, "name": self.name, "metadata": {}},
            "create_time": seconds_of(self.at),
            "content": self.content,
            "status": "finished_successfully",
            "weight": 1.0,
            "metadata": {"model_slug": self.model} if self.model else {},
            "recipient": self.recipient,
        }
        children = [] if child is None else [child]
        said = message if self.role else None
        node = {"id": self.id, "message": said, "parent": parent, "children": children}
        return to_json(self.id) + b":" + to_json(node)


def write_chatgpt(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
    """Yield an export of one conversation, message by message."""
    lose_head(head, rendering, system=False)
    said = with_summary(head, messages)
    first = next(said, None)
    agent, at = ("", "") if first is None else (first.agent, first.at)
    id_ = uuid_of(agent)
    members = {"title": agent, "create_time": seconds_of(at), "conversation_id": id_, "id": id_}
    yield b"[" + to_json(members)[:-1] + b',"mapping":{\n'
    parent, held = None, _Node(id=uuid_of(f"{id_} root"))
    if first is not None:
        for node in _nodes(head, itertools.chain([first], said), rendering):
            yield held.written(parent=parent, child=node.id) + b",\n"
            parent, held = held.id, node
    yield held.written(parent=parent, child=None) + b'},"current_node":' + to_json(held.id)
    yield b"}]\n"


def _nodes(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[_Node]:
    """Yield the nodes of a path, the system text before all."""
    waiting: dict[str, _Node] = {}
    for place, message in enumerate(messages):
        if not place and not is_blank(head.system):
            content = _text([head.system])
            yield _Node(uuid_of(f"{message.agent} system"), "system", content, message.at)
        if message.role is Role.TOOL:
            yield from _answered(message, waiting)
            continue
        yield from waiting.values()
        waiting = {}
        if message.role is not Role.ASSISTANT:
            content = _text(spoken_texts(message, rendering) or [NO_TEXT])
            yield _Node(uuid_of(message.id), "user", content, message.at)
            continue
        model = "" if message.raw is None else message.raw.model
        calls = calls_of(message)
        waiting = {call.id: _called(call, message.at, model) for call in calls}
        thoughts = thoughts_of(message, rendering)
        if thoughts:
            found = [{"summary": "", "content": one} for one in thoughts]
            content = {"content_type": "thoughts", "thoughts": found}
            id_ = uuid_of(f"{message.id} thoughts")
            yield _Node(id_, "assistant", content, message.at, model=model)
        texts = spoken_texts(message, rendering)
        if texts or not (calls or thoughts):
            content = _text(texts or [NO_TEXT])
            yield _Node(uuid_of(message.id), "assistant", content, message.at, model=model)
    yield from waiting.values()


def _text(texts: list[str]) -> dict[str, object]:
    return {"content_type": "text", "parts": texts}


def _called(call: CallPart, at: str, model: str) -> _Node:
    """Return a call: what an assistant wrote to a tool."""
    content = {"content_type": "code", "language": "json", "text": arguments_text(call)}
    id_ = uuid_of(call.id)
    return _Node(id_, "assistant", content, at, recipient=call_name(call), model=model)


def _answered(message: Message, waiting: dict[str, _Node]) -> Iterator[_Node]:
    """Yield the results of a message, each behind its call, which then waits no more."""
    for part in message.parts:
        if not isinstance(part, ResultPart):
            continue
        call = waiting.pop(part.call, None)
        if call is not None:
            yield call
        text, failed = worded_result(part)
        content = {"content_type": "system_error" if failed else "execution_output", "text": text}
        name = None if call is None else call.recipient
        yield _Node(uuid_of(f"{part.call} result"), "tool", content, message.at, name=name)
