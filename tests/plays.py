"""Plays: what a scripted model says to an event, and a fake model that follows them in any API."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from loopback import wire_anthropic, wire_chat, wire_responses
from loopback.turns import Call, Turn
from mindpipe.core.messages import Message, Role, text_of
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.formats.replies import anthropic, openai_chat, openai_responses, program
from mindpipe.formats.replies.sse import EventReader

WIRES = {
    "messages": (wire_anthropic, anthropic.Assembler),
    "chat": (wire_chat, openai_chat.Assembler),
    "responses": (wire_responses, openai_responses.Assembler),
}
_STOPS = {"end": "end", "calls": "tool_use", "cut": "length"}

Said = Turn | ModelFault | bytes
Play = tuple[Said, ...]


def call(tool: str, **args: object) -> Call:
    """Return a call; its id is made when it is said."""
    return Call(id="", tool=tool, arguments=json.dumps(args))


def calls(*wanted: Call, text: str = "", thinking: str = "") -> Turn:
    """Return a turn that calls tools."""
    return Turn(text=text, thinking=thinking, calls=wanted, finish="calls")


def reply_of(said: Turn, target: Target) -> ModelReply:
    """Return a turn as the reply of an API, read from the bytes that its server would stream."""
    if target.api == "program":
        return program.read_reply(_program_body(said))
    wire, assembler_kind = WIRES[target.api]
    reader, assembler = EventReader(), assembler_kind()
    for octets in wire.events(said, target.model):
        for event in reader.feed(octets):
            assembler.feed(event)
    return assembler.reply()


def _program_body(said: Turn) -> bytes:
    told = {
        "text": said.text,
        "tool_calls": [
            {"name": one.tool, "arguments": json.loads(one.arguments)} for one in said.calls
        ],
        "stop_reason": _STOPS.get(said.finish, "end"),
        "usage": {"input_tokens": said.input_tokens, "output_tokens": said.output_tokens},
    }
    return json.dumps(told).encode()


@dataclass
class Scripted:
    """A model that knows from the newest inbox which play is on, and from the rest which turn.

    What it says depends on the request alone, so that asking twice gives the same reply. An event
    that begins with `play NAME` asks for that play; with `otherwise` any event gets that one.
    """

    target: Target
    plays: Mapping[str, Play]
    otherwise: Play | None = None
    asked: list[ModelRequest] = field(default_factory=list)
    listen: Callable[[ModelRequest], None] = lambda _: None

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return what the play says now."""
        self.asked.append(request)
        self.listen(request)
        opening, number, spans = _place(request)
        said = self._play(opening)[number - 1]
        if isinstance(said, ModelFault):
            raise said
        if isinstance(said, bytes):
            return anthropic.read_reply(said.replace(b"%SPAN%", b"%d" % spans))
        return reply_of(_with_ids(said, f"{opening.id[-6:]}_{number}"), self.target)

    def _play(self, opening: Message) -> Play:
        _, found, rest = text_of(opening).partition('"play ')
        if not found:
            assert self.otherwise is not None
            return self.otherwise
        return self.plays[rest.partition('"')[0].split(" ")[0]]


def _place(request: ModelRequest) -> tuple[Message, int, int]:
    """Return the message that opened the cycle, the turn that is asked for, and spans so far."""
    messages = request.conversation.messages
    opening = next(one for one in reversed(messages) if one.role is Role.USER)
    said = [one for one in messages if one.role is Role.ASSISTANT and one.cycle == opening.cycle]
    last = messages[-1]
    paused = last.role is Role.ASSISTANT and last.cycle == opening.cycle
    spans = len(last.raw.sha256) if paused and last.raw else 0
    return opening, len(said) + (0 if paused else 1), spans


def _with_ids(said: Turn, place: str) -> Turn:
    """Return a turn whose calls have the ids of their place, where they have none."""
    named = tuple(
        Call(id=one.id or f"call_{place}_{number}", tool=one.tool, arguments=one.arguments)
        for number, one in enumerate(said.calls)
    )
    return Turn(**{**vars(said), "calls": named})
