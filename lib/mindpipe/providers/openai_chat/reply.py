"""Replies of Chat Completions, whole or as a stream that grows."""

from collections.abc import Iterable, Sequence

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

# Words that name something: a server that repeats them in every chunk does not mean to add.
_NAMING = frozenset({"role", "type", "id", "index", "name"})


def grow_message(message: Fields, delta: Fields) -> list[str]:
    """Add a delta to a message and return the names of the tools whose calls began with it."""
    calls = delta.get("tool_calls")
    _grow(message, {key: value for key, value in delta.items() if key != "tool_calls"})
    if not isinstance(calls, list):
        return []
    held = message.setdefault("tool_calls", [])
    assert isinstance(held, list)
    return list(_grow_calls(held, map(fields_of, calls)))


def finished_message(message: Fields) -> Fields:
    """Return the message with its pieces joined and without the places of its calls."""
    done = fields_of(_joined(message))
    calls = done.get("tool_calls")
    if isinstance(calls, list):
        done["tool_calls"] = [
            {key: value for key, value in fields_of(call).items() if key != "index"}
            for call in calls
        ]
    return done


def _grow_calls(held: list[object], deltas: Iterable[Fields]) -> Iterable[str]:
    """Add deltas to the calls they belong to, and yield the tool names of new calls."""
    for delta in deltas:
        call = _call_of(held, delta)
        if call is None:
            begun: Fields = {"index": count_of(delta.get("index"))}
            held.append(begun)
            yield words_of(fields_of(delta.get("function")).get("name"))
            call = begun
        _grow(call, delta)


def _call_of(held: list[object], delta: Fields) -> Fields | None:
    """Return the call that a delta goes on with: same place, and no other id."""
    place, identifier = count_of(delta.get("index")), words_of(delta.get("id"))
    for call in reversed([fields_of(one) for one in held]):
        same_place = place is None or call.get("index") == place
        if same_place and (not identifier or call.get("id") in {identifier, None, ""}):
            return call
        if identifier and call.get("id") == identifier:
            return call
    return None


def _grow(whole: Fields, delta: Fields) -> None:
    """Add a delta: text grows as a list of pieces, objects by key, lists by items."""
    for key, value in delta.items():
        held = whole.get(key)
        if value is None:
            whole.setdefault(key, None)
        elif key in _NAMING:
            whole[key] = held or value
        elif isinstance(value, str):
            whole[key] = _Pieces([*(held if isinstance(held, _Pieces) else ()), value])
        elif isinstance(value, dict):
            inner = dict(fields_of(held))
            _grow(inner, value)
            whole[key] = inner
        elif isinstance(value, list):
            whole[key] = [*items_of(held), *value]
        else:
            whole[key] = value


class _Pieces(list[str]):
    """Text that is still growing."""


def _joined(value: object) -> object:
    """Return a value with all growing text in it joined."""
    if isinstance(value, _Pieces):
        return joined(value)
    if isinstance(value, dict):
        return {key: _joined(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_joined(inner) for inner in value]
    return value


PROVIDER = "openai"
END_MARK = "[DONE]"

# A finish that is missing counts as cut: nobody knows whether the reply is whole.
FINISHES = {
    "stop": Finish.END,
    "tool_calls": Finish.CALLS,
    "function_call": Finish.CALLS,
    "length": Finish.CUT,
    "content_filter": Finish.REFUSAL,
    "": Finish.CUT,
}
_REASONING = ("reasoning_content", "reasoning")


def read_reply(body: bytes) -> ModelReply:
    """Read a complete chat completion; only its first choice is looked at.

    Raises:
        ModelFault: the body is an error, or no completion.
    """
    completion = parsed(body)
    if completion is None:
        raise no_reply("no JSON object")
    if completion.get("error"):
        raise fault_of_event(completion)
    choices = items_of(completion.get("choices"))
    if not choices:
        raise no_reply("a completion without choices")
    choice = fields_of(choices[0])
    message = fields_of(choice.get("message"))
    word = words_of(choice.get("finish_reason"))
    declined = not is_blank(words_of(message.get("refusal")))
    finish = Finish.REFUSAL if declined else FINISHES.get(word, Finish.UNKNOWN)
    parts, finish = settle(_parts(message), finish)
    return ModelReply(
        parts=parts,
        finish=finish,
        provider_finish=word,
        raw=body,
        usage=usage_of(
            completion.get("usage"),
            read="prompt_tokens",
            written="completion_tokens",
            cache_read=("prompt_tokens_details", "cached_tokens"),
            cache_write=("prompt_tokens_details", "cache_write_tokens"),
            read_is_whole=True,
        ),
        model=words_of(completion.get("model")),
    )


def _parts(message: Fields) -> list[ReplyPart]:
    """Return a message as parts: reasoning, text, refusal, calls, and what else it holds."""
    parts: list[ReplyPart] = []
    reasoning = next((text for key in _REASONING if (text := words_of(message.get(key)))), "")
    if reasoning:
        parts.append(ThinkingPart(text=reasoning))
    parts += _content(message.get("content"))
    refusal = words_of(message.get("refusal"))
    if not is_blank(refusal):
        parts.append(TextPart(text=refusal))
    if message.get("audio"):
        parts.append(OpaquePart(provider=PROVIDER, kind="audio"))
    parts += _calls(message)
    return parts


def _content(content: object) -> list[ReplyPart]:
    """Return content, which is text, a list of typed pieces, or nothing."""
    parts: list[ReplyPart] = []
    pieces = [{"type": "text", "text": content}] if isinstance(content, str) else items_of(content)
    for piece in map(fields_of, pieces):
        kind = words_of(piece.get("type"))
        text = words_of(piece.get("text")) or words_of(piece.get("refusal"))
        if kind in {"text", "output_text", "refusal"}:
            parts += [] if is_blank(text) else [TextPart(text=text)]
        elif kind in {"thinking", "reasoning"}:
            parts.append(ThinkingPart(text=words_of(piece.get("thinking")) or text or None))
        else:
            parts.append(OpaquePart(provider=PROVIDER, kind=kind or "content"))
    return parts


def _calls(message: Fields) -> list[ReplyPart]:
    """Return the calls of a message, in the present form or the old one."""
    calls: list[ReplyPart] = []
    for call in map(fields_of, items_of(message.get("tool_calls"))):
        kind = words_of(call.get("type")) or "function"
        if kind != "function":
            calls.append(OpaquePart(provider=PROVIDER, kind=kind))
            continue
        called = fields_of(call.get("function"))
        calls.append(
            read_call(
                identifier=call.get("id"),
                tool=called.get("name"),
                written=called.get("arguments"),
            )
        )
    old = message.get("function_call")
    if isinstance(old, dict):
        calls.append(read_call(identifier="", tool=old.get("name"), written=old.get("arguments")))
    return calls


class Assembler:
    """Put a completion together from its chunks; it counts with `[DONE]` and a finish reason."""

    def __init__(self) -> None:
        self._completion: Fields = {}
        self._message: Fields = {}
        self._finish = ""
        self._ended = False

    @property
    def ended(self) -> bool:
        """Tell whether `[DONE]` has come."""
        return self._ended

    def feed(self, event: ServerSentEvent) -> Sequence[ReplyPiece]:
        """Take one chunk and return what it adds to a preview."""
        text = event.text.strip()
        if not text or self._ended:
            return ()
        if text == END_MARK:
            self._ended = True
            return ()
        chunk = parsed(text)
        if chunk is None:
            raise no_reply("an event that is no JSON object")
        if chunk.get("error") or event.name == "error":
            raise fault_of_event(chunk)
        self._completion |= {
            key: value for key, value in chunk.items() if key != "choices" and value is not None
        }
        pieces: list[ReplyPiece] = []
        for choice in map(fields_of, items_of(chunk.get("choices"))):
            if not count_of(choice.get("index")):
                pieces += self._take(choice)
        return pieces

    def _take(self, choice: Fields) -> list[ReplyPiece]:
        """Take what a chunk says of the first choice."""
        delta = fields_of(choice.get("delta"))
        begun = grow_message(self._message, delta)
        self._finish = words_of(choice.get("finish_reason")) or self._finish
        said = [
            ReplyPiece(kind="text", text=text)
            for key in ("content", "refusal")
            if (text := words_of(delta.get(key)))
        ]
        thought = [
            ReplyPiece(kind="thinking", text=text)
            for key in _REASONING
            if (text := words_of(delta.get(key)))
        ]
        calls = [ReplyPiece(kind="call", text=tool) for tool in begun]
        functions = (
            fields_of(fields_of(call).get("function")) for call in items_of(delta.get("tool_calls"))
        )
        arguments = [
            ReplyPiece(kind="argument", text=text)
            for function in functions
            if (text := words_of(function.get("arguments")))
        ]
        return [*thought[:1], *said, *calls, *arguments]

    def result(self) -> bytes:
        """Return the whole completion, encoded once; raises ModelFault before the end mark."""
        if not self._ended or not self._finish:
            raise torn_stream()
        message = {"role": "assistant", "content": None, **finished_message(self._message)}
        choice = {"index": 0, "message": message, "finish_reason": self._finish}
        completion = {**self._completion, "object": "chat.completion", "choices": [choice]}
        try:
            return to_json(completion)
        except (UnicodeEncodeError, OverflowError) as error:
            raise no_reply("a value that cannot be kept") from error

    def reply(self) -> ModelReply:
        """Return the reply, read from the result."""
        return read_reply(self.result())
