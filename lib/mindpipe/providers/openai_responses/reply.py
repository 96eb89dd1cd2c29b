"""Replies of the OpenAI Responses API, whole and streamed."""

from collections.abc import Sequence
from typing import TypeVar

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
    no_reply,
    parsed,
    read_call,
    settle,
    torn_stream,
    words_of,
)
from mindpipe.providers.usage import usage_of

PROVIDER = "openai"
Shape = TypeVar("Shape")

_WHY_INCOMPLETE = {"max_output_tokens": Finish.CUT, "content_filter": Finish.REFUSAL}
_END_MARKS = frozenset({"response.completed", "response.incomplete"})
_ERRORS = frozenset({"error", "response.failed", "response.cancelled"})
_PREVIEWED_TEXT = frozenset({"response.output_text.delta", "response.refusal.delta"})
_PREVIEWED_THINKING = frozenset(
    {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
)


def read_reply(body: bytes) -> ModelReply:
    """Read a complete response.

    Raises:
        ModelFault: the response failed, is not finished, or is none.
    """
    response = parsed(body)
    if response is None:
        raise no_reply("no JSON object")
    status = words_of(response.get("status"))
    if response.get("error") or status in {"failed", "cancelled"}:
        raise fault_of_event(response)
    items = response.get("output")
    if not isinstance(items, list):
        raise no_reply("a response without output")
    if status in {"queued", "in_progress"}:
        raise no_reply(f"a response that is still {status}")
    pairs = [_read_item(fields_of(item)) for item in items]
    word, finish = _finish(response, declined=any(declined for _, declined in pairs))
    parts, finish = settle([part for found, _ in pairs for part in found], finish)
    return ModelReply(
        parts=parts,
        finish=finish,
        provider_finish=word,
        raw=body,
        usage=usage_of(
            response.get("usage"),
            cache_read=("input_tokens_details", "cached_tokens"),
            cache_write=("input_tokens_details", "cache_write_tokens"),
            read_is_whole=True,
        ),
        model=words_of(response.get("model")),
    )


def _finish(response: Fields, *, declined: bool) -> tuple[str, Finish]:
    """Return the provider's word for the end, and what it means."""
    status = words_of(response.get("status"))
    if declined:
        return "refusal", Finish.REFUSAL
    if status == "completed":
        return status, Finish.END
    why = words_of(fields_of(response.get("incomplete_details")).get("reason"))
    word = f"{status}: {why}" if why else status
    return word, _WHY_INCOMPLETE.get(why, Finish.UNKNOWN)


def _read_item(item: Fields) -> tuple[list[ReplyPart], bool]:
    """Return an output item as parts, and whether the model declined in it."""
    kind = words_of(item.get("type"))
    if kind == "message":
        return _read_message(item)
    if kind == "reasoning":
        told = [*items_of(item.get("summary")), *items_of(item.get("content"))]
        texts = [words_of(fields_of(one).get("text")) for one in told]
        return [ThinkingPart(text="\n".join(filter(None, texts)) or None)], False
    if kind == "function_call":
        call = read_call(
            identifier=item.get("call_id"), tool=item.get("name"), written=item.get("arguments")
        )
        return [call], False
    return [OpaquePart(provider=PROVIDER, kind=kind)], False


def _read_message(item: Fields) -> tuple[list[ReplyPart], bool]:
    """Return the text of a message item, and whether it is a refusal."""
    parts: list[ReplyPart] = []
    declined = False
    for piece in map(fields_of, items_of(item.get("content"))):
        kind = words_of(piece.get("type"))
        text = words_of(piece.get("text")) or words_of(piece.get("refusal"))
        if kind not in {"output_text", "refusal"}:
            parts.append(OpaquePart(provider=PROVIDER, kind=kind or "content"))
        elif not is_blank(text):
            parts.append(TextPart(text=text))
        declined = declined or kind == "refusal"
    return parts, declined


class _Final(msgspec.Struct):
    """The last event of a stream, with the response in it as bytes."""

    response: msgspec.Raw


class _Done(msgspec.Struct):
    """The event that ends an item, with the item in it as bytes."""

    item: msgspec.Raw


class Assembler:
    """Take the response out of a stream; it counts with `response.completed` or `.incomplete`.

    The last event holds the whole response. Some servers leave its output empty; then the items
    that were told before stand in for it.
    """

    def __init__(self) -> None:
        self._final: bytes = b""
        self._items: dict[int, msgspec.Raw] = {}
        self._ended = False

    @property
    def ended(self) -> bool:
        """Tell whether the end mark has come."""
        return self._ended

    def feed(self, event: ServerSentEvent) -> Sequence[ReplyPiece]:
        """Take one event and return what it adds to a preview."""
        text = event.text.strip()
        if not text or text == "[DONE]" or self._ended:
            return ()
        told = parsed(text)
        if told is None:
            raise no_reply("an event that is no JSON object")
        kind = words_of(told.get("type")) or event.name
        if kind in _ERRORS:
            raise fault_of_event(told)
        if kind in _END_MARKS:
            self._final, self._ended = _octets_of(text, _Final).response, True
        elif kind == "response.output_item.done":
            self._items[count_of(told.get("output_index")) or 0] = _octets_of(text, _Done).item
        return _preview(kind, told)

    def result(self) -> bytes:
        """Return the whole response as it was received; raises ModelFault before the end mark."""
        if not self._ended:
            raise torn_stream()
        final = bytes(self._final)
        if not self._items or (parsed(final) or {}).get("output"):
            return final
        members = msgspec.json.decode(final, type=dict[str, msgspec.Raw])
        items = [self._items[place] for place in sorted(self._items)]
        return to_json({**members, "output": items})

    def reply(self) -> ModelReply:
        """Return the reply, read from the result."""
        return read_reply(self.result())


def _preview(kind: str, told: Fields) -> Sequence[ReplyPiece]:
    """Return what an event adds to a preview."""
    if kind in _PREVIEWED_TEXT:
        return (ReplyPiece(kind="text", text=words_of(told.get("delta"))),)
    if kind in _PREVIEWED_THINKING:
        return (ReplyPiece(kind="thinking", text=words_of(told.get("delta"))),)
    if kind == "response.function_call_arguments.delta":
        return (ReplyPiece(kind="argument", text=words_of(told.get("delta"))),)
    item = fields_of(told.get("item"))
    if kind == "response.output_item.added" and item.get("type") == "function_call":
        return (ReplyPiece(kind="call", text=words_of(item.get("name"))),)
    return ()


def _octets_of(text: str, shape: type[Shape]) -> Shape:
    """Return one member of an event as bytes; raises ModelFault where that cannot be."""
    try:
        return msgspec.json.decode(text, type=shape)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise no_reply("an event whose bytes cannot be kept") from error
