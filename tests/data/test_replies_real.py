"""Every recorded reply is read, and goes back to its provider as it came."""

import hashlib
import json

import msgspec
import pytest

from mindpipe.core.messages import CallPart, RawReply, TextPart
from mindpipe.core.models import Finish, ModelFault, ModelReply, Target
from mindpipe.providers.anthropic import reply as anthropic
from mindpipe.providers.openai_chat import reply as openai_chat
from mindpipe.providers.openai_responses import reply as openai_responses
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import renderer_of
from mindpipe.providers.stream import EventReader
from support.development_data import CASSETTES, Exchange, exchanges
from support.histories import conversation, said, user

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not CASSETTES.is_dir(), reason=f"no development data at {CASSETTES}"),
]

EXCHANGES = list(exchanges())
TARGETS = {
    anthropic: Target(provider="anthropic", api="messages", model="m", family="f"),
    openai_chat: Target(provider="openai", api="chat", model="m", family="f"),
    openai_responses: Target(provider="openai", api="responses", model="m", family="f"),
}
# Responses made in the background: what comes at once is no reply yet.
QUEUED = "test_openai_responses__test_background_mode_with_tool_vcr"


def reply_of(exchange: Exchange) -> ModelReply:
    if not exchange.streamed:
        return exchange.reader.read_reply(exchange.octets)
    assembler = exchange.reader.Assembler()
    for event in EventReader().feed(exchange.octets):
        assembler.feed(event)
    return assembler.reply()


def is_reply(exchange: Exchange) -> bool:
    return exchange.status == 200 and not exchange.name.startswith(QUEUED)


REPLIES = [one for one in EXCHANGES if is_reply(one)]
every_reply = pytest.mark.parametrize("exchange", REPLIES, ids=[one.name for one in REPLIES])


def test_the_recorded_exchanges_are_there() -> None:
    assert len(EXCHANGES) > 140
    assert len(REPLIES) > 135


def test_what_is_no_reply_is_a_fault() -> None:
    others = [one for one in EXCHANGES if not is_reply(one)]
    assert len(others) == 4
    for exchange in others:
        with pytest.raises(ModelFault):
            reply_of(exchange)


@every_reply
def test_a_reply_has_parts_that_make_sense(exchange: Exchange) -> None:
    reply = reply_of(exchange)
    assert reply.parts
    assert reply.finish in {Finish.END, Finish.CALLS}
    assert reply.model
    assert reply.usage.output_tokens is not None
    calls = [part for part in reply.parts if isinstance(part, CallPart)]
    assert bool(calls) == (reply.finish is Finish.CALLS)
    for call in calls:
        assert call.invalid is None
        assert json.loads(call.args_text) == call.args
    for part in reply.parts:
        assert not isinstance(part, TextPart) or part.text.strip()


@every_reply
def test_the_raw_bytes_go_back_as_they_came(exchange: Exchange) -> None:
    reply = reply_of(exchange)
    pieces = pieces_of(exchange, reply)
    ids = {}
    parts = []
    for number, part in enumerate(reply.parts):
        if isinstance(part, CallPart):
            ids[f"c_{number:022}"] = part.id
            part = msgspec.structs.replace(part, id=f"c_{number:022}")
        parts.append(part)
    target = TARGETS[exchange.reader]
    raw = RawReply(
        provider=target.provider,
        api=target.api,
        model=target.model,
        family=target.family,
        finish=reply.provider_finish,
        sha256=(hashlib.sha256(reply.raw).hexdigest(),),
        ids=ids,
    )
    told = conversation(user("Hello."), said(*parts, raw=raw), blobs=[reply.raw])
    sent = b",".join(renderer_of(target)(told, target, RenderOptions()).messages)
    if goes_back(exchange, reply):
        for piece in pieces:
            assert piece in sent
    else:
        assert not all(piece in sent for piece in pieces)


def pieces_of(exchange: Exchange, reply: ModelReply) -> list[bytes]:
    """Return the bytes of the reply that its provider wants back: all but blank texts."""
    members = msgspec.json.decode(reply.raw, type=dict[str, msgspec.Raw])
    if exchange.reader is openai_chat:
        choice = msgspec.json.decode(members["choices"], type=list[dict[str, msgspec.Raw]])[0]
        message = msgspec.json.decode(choice["message"], type=dict[str, msgspec.Raw])
        kept = [message[key] for key in ("content", "tool_calls") if key in message]
        return [bytes(one) for one in kept if bytes(one) != b"null"]
    name = "content" if exchange.reader is anthropic else "output"
    items = msgspec.json.decode(members[name], type=list[msgspec.Raw])
    return [bytes(one) for one in items if json.loads(bytes(one)).get("text", "-").strip()]


def goes_back(exchange: Exchange, reply: ModelReply) -> bool:
    """Tell whether the reply may go back raw at all: not with an empty id, nor half a reasoning."""
    if any(isinstance(part, CallPart) and not part.id for part in reply.parts):
        return False
    if exchange.reader is not openai_responses:
        return True
    items = json.loads(reply.raw)["output"]
    thought = [one for one in items if one["type"] == "reasoning"]
    return all(one.get("encrypted_content") for one in thought) and items[-1] not in thought
