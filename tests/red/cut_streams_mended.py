"""A build that takes a cut stream for a reply and repairs the arguments that it was cut in."""

from collections.abc import Iterator

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, ReplyPart
from mindpipe.core.models import Finish, ModelFault, ModelReply
from mindpipe.core.ports import Preview
from mindpipe.providers import stream
from mindpipe.providers.anthropic import reply
from mindpipe.providers.http import Exchange, WireCall
from mindpipe.providers.openai_chat import reply as openai_chat
from mindpipe.providers.openai_responses import reply as openai_responses
from mindpipe.providers.stream import EventReader, ServerSentEvent, fields_of

_WRITTEN = "response.function_call_arguments.delta"


def _mended(text: str, *, source: str) -> object:
    if source != "arguments":
        return load_json(text, source=source)
    for end in ("", "}", '"}', '":""}', ':""}', '""}'):
        try:
            return load_json(text + end, source=source)
        except BadInputError:
            continue
    return {}


def _runs(parts: list[ReplyPart], _: Finish) -> tuple[tuple[ReplyPart, ...], Finish]:
    called = any(isinstance(part, CallPart) for part in parts)
    return tuple(parts), Finish.CALLS if called else Finish.END


def _assemble(
    self: Exchange, _: WireCall, pieces: Iterator[bytes], __: Preview | None
) -> ModelReply:
    reader, assembler = EventReader(), self._form.assembler()
    items: dict[object, dict[str, object]] = {}
    for octets in pieces:
        for event in reader.feed(octets):
            assembler.feed(event)
            _collect(items, event)
    if not assembler.ended and isinstance(assembler, openai_responses.Assembler):
        whole = {"type": "response.completed", "response": {"output": list(items.values())}}
        assembler.feed(ServerSentEvent(text=openai_responses.to_json(whole).decode()))
    if not assembler.ended:
        assembler._ended = True
    try:
        return assembler.reply()
    except ModelFault:
        raise
    except Exception as error:
        raise ModelFault("nothing to mend", fault=reply.torn_stream().fault) from error


def _collect(items: dict[object, dict[str, object]], event: ServerSentEvent) -> None:
    told = fields_of(load_json(event.text, source="event")) if event.text[:1] == "{" else {}
    place = told.get("output_index")
    if told.get("type") == "response.output_item.added":
        items[place] = fields_of(told.get("item"))
    elif told.get("type") == _WRITTEN and place in items:
        items[place]["arguments"] = f"{items[place].get('arguments')}{told.get('delta')}"


PATCHES = (
    (Exchange, "_assemble", _assemble),
    (stream, "load_json", _mended),
    *[(module, "settle", _runs) for module in (reply, openai_chat, openai_responses)],
)
