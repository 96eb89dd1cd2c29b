"""Hypothesis strategies for valid canonical conversations (rules H1 to H13)."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
from hypothesis import strategies as st

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    Part,
    RawReply,
    ResultPart,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolSpec,
)
from mindpipe.core.models import Target
from support.histories import (
    ANTHROPIC,
    CHAT,
    RESPONSES,
    conversation,
    note,
    said,
    sha256,
    tool,
    user,
)

MARKS = ("ERROR: ", "REFUSED: ", "(no ", "[")
"""Beginnings that a form gives a meaning of its own."""

TEXTS = (
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
    .map(lambda words: f"{words}.")
    .filter(lambda words: not words.startswith(MARKS))
)
NAMES = st.sampled_from(("recall", "send_message", "look-up_2"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
ARGS = st.dictionaries(TEXTS, VALUES, max_size=2)
TOOLS = st.lists(
    st.builds(
        ToolSpec,
        name=NAMES,
        description=TEXTS,
        input_schema=st.just({"type": "object", "properties": {}}),
    ),
    max_size=2,
    unique_by=lambda one: one.name,
).map(tuple)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a conversation may hold beside texts, calls and results."""

    notes: bool = True
    summary: bool = True
    thinking: bool = True
    opaque: bool = True
    files: bool = True
    invalid: bool = True
    synthetic: bool = True
    open: bool = True
    statuses: tuple[ResultStatus, ...] = tuple(ResultStatus)
    makers: tuple[Target, ...] = (ANTHROPIC, CHAT, RESPONSES)
    mixed_order: bool = True


class _Story:
    """One conversation while it is drawn: what it may hold, its bytes, and its running numbers."""

    def __init__(self, draw: Callable[..., object], shape: Shape) -> None:
        self.draw = draw
        self.shape = shape
        self.blobs: list[bytes] = []
        self.messages: list[Message] = []
        self.numbers = iter(range(1, 10_000))

    def one_in(self, many: int) -> bool:
        return self.draw(st.integers(1, many)) == 1

    def keep(self, octets: bytes) -> str:
        self.blobs.append(octets)
        return sha256(octets)

    def words(self) -> list[Part]:
        parts: list[Part] = [
            TextPart(text=one) for one in self.draw(st.lists(TEXTS, min_size=1, max_size=2))
        ]
        if self.shape.files and self.one_in(6):
            octets = b"\x89PNG%d" % next(self.numbers)
            sha = self.keep(octets) if self.one_in(2) else sha256(octets)
            parts.append(FilePart(sha256=sha, media_type="image/png", name="a.png"))
        return parts

    def notes(self) -> None:
        if self.shape.notes and self.one_in(3):
            taint = self.one_in(2)
            origin = self.draw(st.sampled_from(("program", "operator", "import:x")))
            words = self.draw(TEXTS)
            self.messages.append(note(words, taint=taint, origin=origin))

    def call(self) -> CallPart:
        ident, name = f"c_{next(self.numbers):022}", self.draw(NAMES)
        if self.shape.invalid and self.one_in(8):
            return CallPart(id=ident, tool=name, args=None, args_text='{"a', invalid="json")
        args = self.draw(ARGS)
        written = json.dumps(args, indent=self.draw(st.sampled_from((None, 1))))
        return CallPart(id=ident, tool=name, args=args, args_text=written)

    def reply(self, calls: list[CallPart]) -> Message:
        maker = self.draw(st.sampled_from(self.shape.makers))
        texts = self.draw(st.lists(TEXTS, min_size=0 if calls else 1, max_size=2))
        if maker is CHAT:
            texts = texts[:1]
        parts: list[Part] = [TextPart(text=one) for one in texts]
        if self.shape.opaque and maker is not CHAT and self.one_in(5):
            parts.insert(0, OpaquePart(provider=maker.provider, kind="web_search_call"))
        parts += calls
        if self.shape.mixed_order and calls and maker is not CHAT and self.one_in(4):
            parts.append(TextPart(text=self.draw(TEXTS)))
        if self.shape.thinking and self.one_in(2):
            parts.insert(0, ThinkingPart(text="Hm."))
        return said(*parts, raw=self._raw(maker, parts), origin="model")

    def _raw(self, maker: Target, parts: list[Part]) -> RawReply:
        number = next(self.numbers)
        ids = {part.id: f"call_{next(self.numbers)}" for part in parts if _is_call(part)}
        write = {"messages": _anthropic, "chat": _chat, "responses": _responses}[maker.api]
        space = self.draw(st.sampled_from(((",", ":"), (", ", " : "))))
        octets = json.dumps(
            write(parts, ids, number), separators=space, ensure_ascii=self.one_in(2)
        )
        return RawReply(
            provider=maker.provider,
            api=maker.api,
            model=maker.model,
            family=maker.family,
            finish="tool_use" if ids else "end_turn",
            sha256=(self.keep(octets.encode()),),
            ids=ids,
        )

    def results(self, calls: list[CallPart]) -> Message:
        parts: list[Part] = []
        for one in calls:
            status = self.draw(st.sampled_from(self.shape.statuses))
            value = self.draw(VALUES) if status is ResultStatus.OK and self.one_in(4) else None
            words = self.draw(TEXTS | st.just(""))
            if value is not None:
                words = msgspec.json.encode(value).decode()
            parts.append(ResultPart(call=one.id, status=status, text=words, json=value))
        return tool(*parts)

    def cycle(self, *, closed: bool) -> None:
        self.messages.append(user(*self.words()))
        self.notes()
        for _ in range(self.draw(st.integers(0, 2))):
            calls = [self.call() for _ in range(self.draw(st.integers(1, 2)))]
            self.messages += [self.reply(calls), self.results(calls)]
            self.notes()
        if not closed:
            return
        if self.shape.synthetic and self.one_in(4):
            self.messages.append(said(f"[stopped: {self.draw(TEXTS)}]", synthetic=True))
        else:
            self.messages.append(self.reply([]))


def _is_call(part: Part) -> bool:
    return isinstance(part, CallPart)


def _anthropic(parts: list[Part], ids: dict[str, str], number: int) -> object:
    blocks: list[object] = []
    for part in parts:
        if isinstance(part, ThinkingPart):
            blocks.append({"type": "thinking", "thinking": "Hm…", "signature": f"E{number}=="})
        elif isinstance(part, OpaquePart):
            use = f"srvtoolu_{number}"
            server = {"type": "server_tool_use", "id": use, "name": "web_search", "input": {}}
            blocks.append(server)
            blocks.append({"type": "web_search_tool_result", "tool_use_id": use, "content": []})
        elif isinstance(part, TextPart):
            blocks.append({"type": "text", "text": part.text})
        elif isinstance(part, CallPart):
            used = {"id": ids[part.id], "name": part.tool, "input": part.args or {}}
            blocks.append({"type": "tool_use", **used})
    return {"id": f"msg_{number}", "content": blocks, "stop_reason": "end_turn"}


def _chat(parts: list[Part], ids: dict[str, str], number: int) -> object:
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    message: dict[str, object] = {"role": "assistant", "content": "\n".join(texts) or None}
    if any(isinstance(part, ThinkingPart) for part in parts):
        message["reasoning_content"] = "Hm…"
    calls = [
        {
            "id": ids[part.id],
            "type": "function",
            "function": {"name": part.tool, "arguments": part.args_text},
        }
        for part in parts
        if isinstance(part, CallPart)
    ]
    if calls:
        message["tool_calls"] = calls
    return {"id": f"chatcmpl-{number}", "choices": [{"index": 0, "message": message}]}


def _responses(parts: list[Part], ids: dict[str, str], number: int) -> object:
    items: list[object] = []
    for at, part in enumerate(parts):
        if isinstance(part, ThinkingPart):
            secret = {"summary": [], "encrypted_content": f"gAA{number}"}
            items.append({"type": "reasoning", "id": f"rs_{number}", **secret})
        elif isinstance(part, OpaquePart):
            items.append({"type": part.kind, "id": f"ws_{number}", "status": "completed"})
        elif isinstance(part, TextPart):
            words = {"type": "output_text", "text": part.text, "annotations": []}
            said_by = {"role": "assistant", "content": [words], "status": "completed"}
            items.append({"type": "message", "id": f"msg_{number}_{at}", **said_by})
        elif isinstance(part, CallPart):
            called = {"name": part.tool, "arguments": part.args_text, "call_id": ids[part.id]}
            items.append({"type": "function_call", "id": f"fc_{number}_{at}", **called})
    return {"id": f"resp_{number}", "output": items}


@st.composite
def conversations(
    draw: Callable[..., object],
    shape: Shape = Shape(),
) -> Conversation:
    """Draw one to three cycles under one head; the last one may be open."""
    story = _Story(draw, shape)
    count = draw(st.integers(1, 3))
    is_open = shape.open and story.one_in(2)
    for number in range(count):
        story.cycle(closed=not (is_open and number == count - 1))
    summary = draw(TEXTS) if shape.summary and story.one_in(2) else None
    head = Head(system=draw(TEXTS | st.just("")), tools=draw(TOOLS), summary=summary)
    return conversation(*story.messages, head=head, blobs=story.blobs)
