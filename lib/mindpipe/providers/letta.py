"""Agent files of Letta (.af): the messages of each agent; its blocks are memory and no history.

Read are the files of a server with several agents, and the earlier ones of one agent each. Written
is a file as the AgentFileSchema of a server of 2026 has it, with one agent.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    FilePart,
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
    spoken_texts,
    thoughts_of,
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
    object_at,
    reply_of,
    settled,
    stand_in,
    word,
)
from mindpipe.providers.program.format import with_summary
from mindpipe.providers.rendering import Rendering
from mindpipe.providers.words import (
    NO_TEXT,
    anthropic_file,
    arguments_text,
    call_name,
    kind_of,
    worded_file,
    worded_result,
)

_WANTED = "an agent file (.af) of Letta"
_LIST = "messages"
_TOOLS, _BLOCKS = "tools", "blocks"
_SAY = "send_message"
"""The tool by which an agent says anything aloud; what it writes beside it nobody hears."""
_NO_ERROR = {"", "OK", "success"}
_ALOUD = "letta_v1_agent"
"""The kind of agent that says aloud what stands beside its calls."""
_NO_NAME = re.compile(r"[^\w\s'-]")


def documents(octets: Octets, *, source: str) -> Iterator[Document]:
    """Yield the conversation of every agent of a file.

    Raises:
        BadInputError: it is no such file.
    """
    for entry in entries(octets, source=source, wanted=_WANTED):
        file, agents = parts_of(entry, "agents")
        if agents is None:
            yield _agent(entry, beside=file)
            continue
        cursor = entry.span.cursor(agents)
        for at in cursor.places(f"{entry.at}.agents"):
            cursor.peek()
            start = cursor.place
            cursor.skip(at)
            span = entry.span._replace(start=start, end=cursor.place)
            yield _agent(ArchiveEntry(span, at), beside=file)


def _count(values: Members, *names: str) -> int:
    """Return how many things stand in the first list of some names that is there."""
    found = (values.get(name) for name in names)
    return next((len(one) for one in found if isinstance(one, list) and one), 0)


def _agent(entry: ArchiveEntry, *, beside: Members) -> Document:
    """Return the conversation of one agent; `beside` is what the file says of all."""
    values, start = parts_of(entry, _LIST)
    if start is None:
        raise refusal(entry.span.source, f"{entry.at}: an agent without {_LIST}; give {_WANTED}")
    cursor = entry.span.cursor(start)
    places: list[Place] = []
    for at in cursor.places(f"{entry.at}.{_LIST}"):
        cursor.peek()
        places.append(Place(cursor.place, at))
        cursor.value(at)
    title = word(values, "name") or word(values, "id")
    fields = {
        "system": word(values, "system"),
        "model": values.get("llm_config"),
        "agent_type": word(values, "agent_type"),
        _TOOLS: _count(values, "tool_ids", "tools"),
        _BLOCKS: _count(values, "block_ids", "core_memory", "memory_blocks"),
    }
    return msgspec.structs.replace(document_at(entry, places, title=title), fields=fields)


def _unpacked(text: str) -> str:
    """Return what a user said: servers keep it packed, with its time and type."""
    try:
        value = load_json(text, source="message")
    except BadInputError:
        return text
    inner = value.get("message") if isinstance(value, dict) else None
    return inner if isinstance(inner, str) else text


def _thought(part: SeenPart) -> SeenPart:
    """Return what stands beside a call as what an agent thought."""
    if isinstance(part, TextPart) and not is_blank(part.text):
        return ThinkingPart(raw=False, text=part.text)
    return part


class _Message:
    """One message of an agent file, taken apart; `spoken` are the calls that said something.

    `is_aloud` says that all text of the agent is heard.
    """

    def __init__(
        self,
        element: Element,
        findings: Findings,
        *,
        model: str,
        spoken: set[str],
        is_aloud: bool,
    ) -> None:
        self.element = element
        self.findings = findings
        self.model = model
        self.spoken = spoken
        self.is_aloud = is_aloud
        self.message = object_at(element.value, element.at)

    def items(self) -> Iterator[ImportedItem]:
        """Yield what is said in it."""
        role = word(self.message, "role")
        if role == "approval" and self.message.get("tool_calls"):
            # So a server keeps a reply whose calls wait for somebody.
            role = "assistant"
        match role:
            case "user":
                said = [
                    TextPart(text=_unpacked(one.text)) if isinstance(one, TextPart) else one
                    for one in self._content()
                ]
                yield item_of(self.element, role="user", parts=said)
            case "assistant":
                content = self._content()
                calls = list(self._calls())
                is_thought = calls and not self.is_aloud
                parts = [*(map(_thought, content) if is_thought else content), *calls]
                if settled(parts)[0]:
                    reply = reply_of(self.element, parts=parts, raw=self.element.octets.decode())
                    model = word(self.message, "model") or self.model
                    yield msgspec.structs.replace(reply, model=model)
            case "tool" | "function":
                if results := list(self._results()):
                    yield item_of(self.element, role="user", parts=results)
            case "system" | "approval":
                # System text stands in the agent; here it is compiled with its blocks.
                self.findings.leave_out(f"{role} message")
            case other:
                raise ShapeError(f"{self.element.at}.role", f"no role that is known: {other!r}")

    def _content(self) -> list[SeenPart]:
        """Return what is said; of older files it is text alone."""
        content = self.message.get("content", self.message.get("text"))
        if isinstance(content, str):
            return [TextPart(text=content)]
        parts: list[SeenPart] = []
        for block in content if isinstance(content, list) else []:
            known = block if isinstance(block, dict) else {}
            match word(known, "type"):
                case "text":
                    parts.append(TextPart(text=word(known, "text")))
                case "reasoning":
                    parts.append(ThinkingPart(raw=False, text=word(known, "reasoning")))
                case (
                    "tool_call" | "tool_return" | "redacted_reasoning" | "omitted_reasoning" as kind
                ):
                    self.findings.leave_out(f"block of type {kind!r}")
                case kind:
                    parts.append(stand_in(self.findings, kind or "content"))
        return parts

    def _calls(self) -> Iterator[SeenPart]:
        """Yield the calls of a reply."""
        calls = self.message.get("tool_calls")
        for place, one in enumerate(calls if isinstance(calls, list) else []):
            at = f"{self.element.at}.tool_calls[{place}]"
            call = object_at(one, at)
            function = object_at(call.get("function"), f"{at}.function")
            text = word(function, "arguments")
            args, fault = arguments_of(text)
            id_, tool = word(call, "id"), word(function, "name")
            if tool == _SAY and id_ and args is not None and isinstance(args.get("message"), str):
                self.spoken.add(id_)
                yield TextPart(text=str(args["message"]))
                continue
            yield SeenCall(
                id=id_,
                tool=tool,
                args=args,
                args_text=text,
                at=at,
                fault=fault,
            )

    def _results(self) -> Iterator[SeenPart]:
        """Yield what tools gave back: one result, or in newer files several."""
        returns = self.message.get("tool_returns")
        found = (
            [one for one in returns if isinstance(one, dict)] if isinstance(returns, list) else []
        )
        own = word(self.message, "tool_call_id")
        texts = [one.text for one in self._content() if isinstance(one, TextPart)]
        if not found and own not in self.spoken:
            yield self._result(own, "\n".join(texts), "")
        for one in found:
            if (word(one, "tool_call_id") or own) in self.spoken:
                continue
            response = one.get("func_response")
            text = response if isinstance(response, str) else to_json(response).decode()
            text = "\n".join(texts) if response is None else text
            yield self._result(word(one, "tool_call_id") or own, text, word(one, "status"))

    def _result(self, id_: str, text: str, status: str) -> SeenResult:
        """Return one result; what it says is packed like what users say."""
        try:
            packed = load_json(text, source="result")
        except BadInputError:
            packed = None
        if isinstance(packed, dict):
            status = status or word(packed, "status")
        good = status in _NO_ERROR
        return SeenResult(
            id=id_,
            status=ResultStatus.OK if good else ResultStatus.ERROR,
            text=_unpacked(text),
            at=self.element.at,
        )


def _items(findings: Findings, model: str, *, is_aloud: bool) -> Iterator[ImportedItem]:
    """Yield what was said, message by message."""
    spoken: set[str] = set()
    for element in findings.elements():
        try:
            message = _Message(element, findings, model=model, spoken=spoken, is_aloud=is_aloud)
            for item in message.items():
                yield at_instant(item, message.message.get("created_at"))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=None, what=str(fault))


def read_letta(document: Document, findings: Findings) -> DocumentReading:
    """Read what an agent heard and said; its tools and its blocks are named."""
    fields = document.fields
    for name, what in (
        (_TOOLS, "tool"),
        (_BLOCKS, "memory block, which mind memory add --format letta takes"),
    ):
        count = fields[name]
        if isinstance(count, int) and count:
            findings.leave_out(what, count)
    config = fields["model"]
    model = word(config, "model") if isinstance(config, dict) else ""
    is_aloud = fields["agent_type"] == _ALOUD
    return DocumentReading(
        head=Head(system=word(fields, "system")),
        items=_items(findings, model, is_aloud=is_aloud),
        provider=PROVIDER,
        api=API,
        ordered=False,
    )


def write_letta(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
    """Yield an agent file of one agent, message by message.

    Its tools stay out, as those of Letta are Python source. Which model it asks is left to whoever
    takes it in, beside the name of the one that answered last.
    """
    lose_head(head, rendering, system=False)
    name, model, count = "", "", 0
    yield b'{"agents":[{"messages":['
    for message in with_summary(head, messages):
        name = message.agent
        if message.raw is not None:
            model = f"{message.raw.provider}/{message.raw.model}"
        written = {
            "id": f"message-{count}",
            "agent_id": "agent-0",
            **_written(message, rendering),
            "model": message.raw.model if message.raw is not None else None,
            **({"created_at": message.at} if message.at else {}),
        }
        yield (b"," if count else b"") + b"\n" + to_json(written)
        count += 1
    agent = {
        "id": "agent-0",
        "name": _NO_NAME.sub("_", name) or "agent",
        "agent_type": _ALOUD,
        "system": head.system,
        "model": model or None,
        "in_context_message_ids": [f"message-{place}" for place in range(count)],
        "tool_ids": [],
        "block_ids": [],
        "include_base_tools": False,
        "initial_message_sequence": [],
    }
    lists = dict.fromkeys(("groups", "blocks", "files", "sources", "tools", "mcp_servers"), ())
    rest = to_json({**lists, "metadata": {"source": "mindpipe"}})
    yield b"\n]," + to_json(agent)[1:] + b"]," + rest[1:] + b"\n"


def _written(message: Message, rendering: Rendering) -> dict[str, object]:
    """Return one message as an agent file has it."""
    if message.role is Role.TOOL:
        return _written_results(message)
    if message.role is not Role.ASSISTANT:
        return {"role": "user", "content": _written_content(message, rendering)}
    thoughts: list[object] = [
        {"type": "reasoning", "is_native": True, "reasoning": one}
        for one in thoughts_of(message, rendering)
    ]
    said = [{"type": "text", "text": one} for one in spoken_texts(message, rendering)]
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call_name(call), "arguments": arguments_text(call)},
        }
        for call in calls_of(message)
    ]
    content = [*thoughts, *said] or ([] if calls else [{"type": "text", "text": NO_TEXT}])
    written: dict[str, object] = {"role": "assistant", "content": content}
    return {**written, "tool_calls": calls} if calls else written


def _written_content(message: Message, rendering: Rendering) -> list[object]:
    """Return what a user said, with its images."""
    found: list[object] = []
    for part in message.parts:
        if isinstance(part, FilePart) and kind_of(part.media_type) == "image":
            block = anthropic_file(part, rendering, message=message.id)
            found.append({"type": "text", "text": block} if isinstance(block, str) else block)
        elif isinstance(part, FilePart):
            words = worded_file(part, rendering, message=message.id)
            found.append({"type": "text", "text": words})
        elif isinstance(part, TextPart):
            found.append({"type": "text", "text": _packed(part.text, type="user_message")})
    return found or [{"type": "text", "text": NO_TEXT}]


def _packed(text: str, **members: str) -> str:
    """Return a text that only looks as if a server had packed it as one that is packed."""
    return text if _unpacked(text) == text else to_json({**members, "message": text}).decode()


def _written_results(message: Message) -> dict[str, object]:
    """Return the results of a message; a server packs what each says."""
    returns: list[object] = []
    first: ResultPart | None = None
    packed = b"{}"
    for part in message.parts:
        if isinstance(part, ResultPart):
            text, failed = worded_result(part)
            status = "error" if failed else "success"
            if first is None:
                first = part
                packed = to_json({"status": "failed" if failed else "OK", "message": text})
            words = _packed(text, status="failed" if failed else "OK")
            returns.append({"tool_call_id": part.call, "status": status, "func_response": words})
    return {
        "role": "tool",
        "content": [{"type": "text", "text": packed.decode()}],
        "tool_call_id": None if first is None else first.call,
        "tool_returns": returns,
    }
