"""Replies of the Anthropic Messages API, whole and streamed."""

from collections.abc import Mapping, Sequence

import msgspec

from mindpipe.core.messages import OpaquePart, ReplyPart, TextPart, ThinkingPart
from mindpipe.core.models import Finish, ModelReply
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.faults import fault_of_event
from mindpipe.providers.stream import (
    Fields,
    ReplyPiece,
    ServerSentEvent,
    count_of,
    fields_of,
    items_of,
    joined,
    no_reply,
    parsed,
    read_call,
    settle,
    torn_stream,
    words_of,
)
from mindpipe.providers.usage import usage_of

PROVIDER = "anthropic"

FINISHES = {
    "end_turn": Finish.END,
    "stop_sequence": Finish.END,
    "tool_use": Finish.CALLS,
    "pause_turn": Finish.PAUSE,
    "max_tokens": Finish.CUT,
    "model_context_window_exceeded": Finish.CUT,
    "refusal": Finish.REFUSAL,
}

# The fields of a block that grow, by the delta that makes them grow.
_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class _Input(msgspec.Struct):
    """The input of one block as bytes."""

    input: msgspec.Raw = msgspec.Raw(b"")


class _Inputs(msgspec.Struct):
    """The inputs of all blocks of a message as bytes."""

    content: list[_Input]


def read_reply(body: bytes, written: Mapping[int, str] | None = None) -> ModelReply:
    """Read a complete message.

    `written` gives, by the block's place, the argument text that was streamed for a call; without
    it the text is the block's input as it stands in the body.

    Raises:
        ModelFault: the body is an error, or no message.
    """
    message = parsed(body)
    if message is None:
        raise no_reply("no JSON object")
    if message.get("type") == "error":
        raise fault_of_event(message)
    blocks = message.get("content")
    if not isinstance(blocks, list):
        raise no_reply("a message without content")
    texts = {**_inputs_in(body, blocks), **(written or {})}
    parts = [
        part
        for place, block in enumerate(blocks)
        if (part := _part(fields_of(block), texts.get(place))) is not None
    ]
    word = words_of(message.get("stop_reason"))
    settled, finish = settle(parts, FINISHES.get(word, Finish.UNKNOWN))
    return ModelReply(
        parts=settled,
        finish=finish,
        provider_finish=word,
        raw=body,
        usage=usage_of(
            message.get("usage"),
            cache_read=("cache_read_input_tokens",),
            cache_write=("cache_creation_input_tokens",),
        ),
        model=words_of(message.get("model")),
    )


def _part(block: Fields, written: str | None) -> ReplyPart | None:
    """Return a block as a part; None for text that is blank."""
    kind = words_of(block.get("type"))
    if kind == "text":
        text = words_of(block.get("text"))
        return None if is_blank(text) else TextPart(text=text)
    if kind in {"thinking", "redacted_thinking"}:
        return ThinkingPart(text=words_of(block.get("thinking")) or None)
    if kind == "tool_use":
        text_or_value = block.get("input") if written is None else written
        return read_call(identifier=block.get("id"), tool=block.get("name"), written=text_or_value)
    return OpaquePart(provider=PROVIDER, kind=kind)


def _inputs_in(body: bytes, blocks: Sequence[object]) -> dict[int, str]:
    """Return the inputs of calls as they stand in the body, by the block's place."""
    calls = [
        place for place, block in enumerate(blocks) if fields_of(block).get("type") == "tool_use"
    ]
    if not calls:
        return {}
    try:
        inputs = msgspec.json.decode(body, type=_Inputs).content
    except (msgspec.DecodeError, RecursionError):
        return {}
    return {place: bytes(inputs[place].input).decode() for place in calls if inputs[place].input}


class _Block:
    """One content block while it is being written."""

    def __init__(self, start: Fields) -> None:
        self._start = start
        self._grown: dict[str, list[str]] = {}
        self._citations: list[object] = []
        self._input: list[str] = []

    def grow(self, delta: Fields) -> None:
        """Take one delta by the rules of the API."""
        kind = words_of(delta.get("type"))
        if kind == "input_json_delta":
            self._input.append(_string(delta.get("partial_json")))
        elif kind == "citations_delta":
            self._citations.append(delta.get("citation"))
        elif kind == "compaction_delta":
            self._start |= {key: value for key, value in delta.items() if key != "type"}
        elif kind in _GROWING:
            name = _GROWING[kind]
            self._grown.setdefault(name, []).append(_string(delta.get(name)))

    def written(self) -> str:
        """Return the argument text that was streamed."""
        return joined(self._input)

    def finished(self) -> Fields:
        """Return the block as the API would have sent it whole.

        The input stands there byte for byte as it was streamed, or as `{}` if it is no object.
        """
        block = dict(self._start)
        for name, pieces in self._grown.items():
            block[name] = joined([_string(block.get(name)), *pieces])
        if self._citations:
            block["citations"] = [*items_of(block.get("citations")), *self._citations]
        text = self.written()
        if text:
            block["input"] = msgspec.Raw(b"{}" if parsed(text) is None else text.encode())
        return block


class Assembler:
    """Put a message together from its stream; it counts once `message_stop` has come."""

    def __init__(self) -> None:
        self._message: Fields = {}
        self._blocks: dict[int, _Block] = {}
        self._ended = False

    @property
    def ended(self) -> bool:
        """Tell whether `message_stop` has come."""
        return self._ended

    def feed(self, event: ServerSentEvent) -> Sequence[ReplyPiece]:
        """Take one event and return what it adds to a preview."""
        if not event.text or self._ended:
            return ()
        told = parsed(event.text)
        if told is None:
            raise no_reply("an event that is no JSON object")
        kind = words_of(told.get("type")) or event.name
        if kind == "error":
            raise fault_of_event(told)
        if kind == "message_start":
            self._message = dict(fields_of(told.get("message")))
        elif kind == "content_block_start":
            return self._begin(told)
        elif kind == "content_block_delta":
            return self._grow(told)
        elif kind == "message_delta":
            self._close(told)
        elif kind == "message_stop":
            self._ended = True
        return ()

    def _begin(self, told: Fields) -> Sequence[ReplyPiece]:
        """Begin a block; a call is told to the preview by its tool's name."""
        block = fields_of(told.get("content_block"))
        self._blocks[_place(told)] = _Block(dict(block))
        if block.get("type") == "tool_use":
            return (ReplyPiece(kind="call", text=words_of(block.get("name"))),)
        return ()

    def _grow(self, told: Fields) -> Sequence[ReplyPiece]:
        """Grow a block by a delta."""
        delta = fields_of(told.get("delta"))
        block = self._blocks.get(_place(told))
        if block is None:
            raise no_reply("a delta for a block that never began")
        block.grow(delta)
        if delta.get("type") == "text_delta":
            return (ReplyPiece(kind="text", text=words_of(delta.get("text"))),)
        if delta.get("type") == "thinking_delta":
            return (ReplyPiece(kind="thinking", text=words_of(delta.get("thinking"))),)
        if delta.get("type") == "input_json_delta":
            return (ReplyPiece(kind="argument", text=words_of(delta.get("partial_json"))),)
        return ()

    def _close(self, told: Fields) -> None:
        """Take the stop reason and the final counts, which replace the first ones."""
        delta = fields_of(told.get("delta"))
        self._message |= {key: value for key, value in delta.items() if key != "container" or value}
        counts = fields_of(told.get("usage"))
        usage = dict(fields_of(self._message.get("usage")))
        usage |= {key: value for key, value in counts.items() if value is not None}
        self._message["usage"] = usage
        others = {key: told[key] for key in told.keys() - {"type", "delta", "usage"}}
        self._message |= others

    def result(self) -> bytes:
        """Return the whole message, encoded once; raises ModelFault before the end mark."""
        if not self._ended or not self._message:
            raise torn_stream()
        blocks = [self._blocks[place].finished() for place in sorted(self._blocks)]
        try:
            return to_json({**self._message, "content": blocks})
        except (UnicodeEncodeError, OverflowError) as error:
            raise no_reply("a value that cannot be kept") from error

    def reply(self) -> ModelReply:
        """Return the reply, with argument texts as they were streamed."""
        body = self.result()
        texts = [self._blocks[place].written() for place in sorted(self._blocks)]
        return read_reply(body, {place: text for place, text in enumerate(texts) if text})


def _place(told: Fields) -> int:
    """Return which block an event is about."""
    return count_of(told.get("index")) or 0


def _string(value: object) -> str:
    """Return a string as it came, half characters included, and "" for anything else."""
    return value if isinstance(value, str) else ""
