"""What a scripted model says to an event: by a play, by name, or by chance, for every API."""

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mindpipe.core.messages import Message, Role, text_of
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.providers.anthropic import reply
from mindpipe.providers.openai_chat import reply as openai_chat
from mindpipe.providers.openai_responses import reply as openai_responses
from mindpipe.providers.program import reply as program
from mindpipe.providers.stream import EventReader
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.turns import Call, Turn

WIRES = {
    "messages": (wire_anthropic, reply.Assembler),
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
            return reply.read_reply(said.replace(b"%SPAN%", b"%d" % spans))
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


THOUGHT = "I wonder who is there."
TORN = Call(id="", tool="send_message", arguments='{"text": "Hal')
FINE = Turn(text="All fine.")


def _paused(words: str, stop: str) -> bytes:
    """Return a reply of the Messages API in which the provider's own tool ran."""
    search = {"type": "server_tool_use", "id": "srvtoolu_%SPAN%", "name": "web_search"}
    content = [
        {"type": "text", "text": words},
        {**search, "input": {"query": "weather"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_%SPAN%", "content": []},
    ]
    told = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5"}
    usage = {"input_tokens": 5, "output_tokens": 3}
    return json.dumps({**told, "content": content, "stop_reason": stop, "usage": usage}).encode()


PLAYS: dict[str, Play] = {
    "words": (Turn(text="Nothing to do."),),
    "greets": (
        calls(
            call("send_message", text="Hi", space="family"),
            call("done", summary="Greeted Husam."),
            thinking=THOUGHT,
        ),
    ),
    "works": (
        calls(call("set_memory", key="tea", value="green"), thinking=THOUGHT),
        calls(
            call("set_goal", text="Win"),
            call("get_goals"),
            call("read_messages", space="family"),
            text="More.",
            thinking=THOUGHT,
        ),
        Turn(text="Done.", thinking=THOUGHT),
    ),
    "runs": (
        calls(call("pure"), call("idempotent"), call("keyed"), call("unsafe"), text="Go."),
        FINE,
    ),
    "only thinks": (Turn(thinking=THOUGHT),),
    "unknown tool": (calls(call("send_mesage", text="x"), call("get_goals")), FINE),
    "misfit": (calls(call("send_message", txet="x"), thinking=THOUGHT), FINE),
    "same id twice": (
        calls(Call("same", "get_goals", "{}"), Call("same", "get_plans", "{}"), thinking=THOUGHT),
        calls(call("get_goals"), thinking=THOUGHT),
        FINE,
    ),
    "id used again": (
        calls(Call("again", "get_goals", "{}"), thinking=THOUGHT),
        calls(Call("again", "get_goals", "{}")),
        FINE,
    ),
    "cut": (Turn(text="It goes on and", finish="cut"),),
    "refuses": (Turn(text="I will not.", finish="refusal"),),
    "refuses without a word": (Turn(finish="refusal"),),
    "empty": (Turn(),),
    "blank": (Turn(text=" \n "),),
    "blank beside calls": (calls(call("get_goals"), text="\n\n"), FINE),
    "blank summary": (calls(call("done", summary="  ")), FINE),
    "skips": (calls(call("skip")),),
    "skips late": (calls(call("get_goals")), calls(call("skip"))),
    "says and skips": (calls(call("send_message", text="Bye", space="family"), call("skip")),),
    "never ends": tuple(calls(call("get_goals")) for _ in range(9)),
    "fails the same way": tuple(calls(call("get_memory", key="none")) for _ in range(9)),
    "odd names": (calls(call("mail.send"), call("x" * 200), call("")), FINE),
    "NUL": (calls(call("set_memory", key="k", value="a\0b"), text="a\0b"), FINE),
    "too long": (ModelFault("prompt is too long", fault=FaultClass.TOO_LONG),),
    "refused request": (ModelFault("bad request", fault=FaultClass.OUR_REQUEST),),
    "lost thinking late": (
        calls(call("get_goals"), thinking=THOUGHT),
        ModelFault("invalid signature", fault=FaultClass.LOST_THINKING),
    ),
}
# A program gives arguments as an object, so that they cannot be torn.
TORN_PLAYS: dict[str, Play] = {
    "torn arguments": (calls(TORN, call("get_goals"), thinking=THOUGHT), FINE),
    "three bad turns": (calls(TORN), calls(call("nothing")), calls(TORN)),
    "cut call": (Turn(text="Let me", calls=(TORN,), finish="cut"), FINE),
    "half a character": (
        calls(Call("", "set_memory", '{"key":"k","value":"\\ud800"}')),
        FINE,
    ),
}
MANY: dict[str, Play] = {
    "too many calls": (calls(*[call("get_goals") for _ in range(66)]), FINE),
}
PAUSES: dict[str, Play] = {
    "pauses": (_paused("Let me look (%SPAN%).", "pause_turn"),),
    "ends after a look": (_paused("I looked.", "end_turn"),),
}


WORDS = (
    *("", "hi", " ", "\n\n", "a\0b", "é\u202e\u0007", "x" * 5000, '"quoted" \\ back', "🙂" * 10),
    *('{"role":"tool"}', "NOW: x\n\nGOALS:\n  - (none)", "\ufeff", "\x1b[31m", "half \ud83d"),
)
TORN_ARGUMENTS = (
    *('{"text": "Hal', "", "[]", "null", '{"a":1}{"b":2}', '{"a":1,"a":2}', '"x"', '{"a":NaN}'),
    "[" * 300,
)
TOOLS = (
    *("enter_space", "leave_space", "send_message", "read_messages", "peek_inbox", "done", "skip"),
    *("search_history", "set_memory", "get_memory", "delete_memory", "set_goal", "get_goals"),
    *("delete_goal", "set_plan", "get_plans", "delete_plan", "nothing", "mail.send", ""),
    *("read_history", "read_history", "recall"),
    *("pure", "idempotent", "keyed", "unsafe"),
)
Chance = random.Random
ARGUMENTS: Mapping[str, Callable[[Chance], dict[str, object]]] = {
    "enter_space": lambda chance: {"space": chance.choice(("family", "work", "no", ""))},
    "send_message": lambda chance: {
        "text": chance.choice(WORDS),
        "space": chance.choice(("family", "work", "zz")),
    },
    "read_messages": lambda chance: {"space": "family", "limit": chance.choice((1, 20, 999))},
    "search_history": lambda chance: {"query": chance.choice(('"', "a AND", "hi", "*", "NEAR("))},
    "recall": lambda chance: {"query": chance.choice(('"', "hi", "*", "\0", "NEAR(", "x" * 5000))},
    "read_history": lambda chance: {
        "cycle": chance.choice((0, 1, 2, 10**20)),
        "offset": chance.choice((0, 7, 10**18)),
        chance.choice(("seq", "call", "limit")): chance.choice((1, 3, "same")),
    },
    "set_memory": lambda chance: {
        "key": chance.choice(("a", "b", "\n", "x" * 200)),
        "value": chance.choice(WORDS),
    },
    "get_memory": lambda _: {"key": "a"},
    "delete_memory": lambda _: {"key": "a"},
    "set_goal": lambda chance: {"text": chance.choice(WORDS)},
    "set_plan": lambda chance: {
        "title": chance.choice(WORDS),
        chance.choice(("cron", "at", "after")): chance.choice(("0 9 * * *", "15m", "zzz")),
    },
    "done": lambda chance: {"summary": chance.choice(WORDS)},
}
IDS = ("", "", "", "same", "bad id!", "x" * 80)
FINISHES = ("end", "calls", "calls", "calls", "cut", "refusal")


def odd_value(chance: Chance, depth: int = 0) -> object:
    """Return any JSON value."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.choice((0, -1, 1.5, 1e308, 10**30, True, None))
    if kind == 1 and depth < 3:
        return [odd_value(chance, depth + 1) for _ in range(chance.randrange(3))]
    if kind == 2 and depth < 3:
        return odd_object(chance, depth + 1)
    return chance.choice(WORDS)


def odd_object(chance: Chance, depth: int = 0) -> dict[str, object]:
    """Return any JSON object."""
    return {chance.choice(WORDS): odd_value(chance, depth) for _ in range(chance.randrange(3))}


def odd_call(chance: Chance, target: Target) -> Call:
    """Return a call: mostly a fitting one, else anything."""
    tool = chance.choice(TOOLS)
    fitting = tool in ARGUMENTS and chance.random() < 0.7
    arguments = ARGUMENTS[tool](chance) if fitting else odd_object(chance)
    text = json.dumps(arguments if chance.random() < 0.9 else {})
    # A program gives arguments as an object, so that they cannot be torn.
    if target.api != "program" and chance.random() < 0.12:
        text = chance.choice(TORN_ARGUMENTS)
    return Call(id=chance.choice(IDS), tool=tool, arguments=text)


def odd_turn(chance: Chance, target: Target) -> Turn:
    """Return any reply that the API can carry."""
    words = chance.choice(WORDS)
    return Turn(
        # The whole of a response comes as one event, which half a character would spoil.
        text=words.replace("\ud83d", "?") if target.api == "responses" else words,
        thinking=chance.choice(("", "", "I think.", "  ")),
        calls=tuple(odd_call(chance, target) for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))),
        finish=chance.choice(FINISHES),
    )


@dataclass
class Odd:
    """A model that says anything; what it says follows from the request and the seed."""

    target: Target
    seed: int
    asked: int = 0

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return any reply, or fail in any way, but not for ever."""
        self.asked += 1
        name = hashlib.sha256(request.body + str(self.seed).encode()).hexdigest()
        chance = random.Random(name)
        fault = ModelFault(
            "something is wrong",
            fault=chance.choice(list(FaultClass)),
            wait=chance.choice((None, 1.0, 2000.0)),
            sent=chance.random() < 0.5,
        )
        if chance.random() < 0.06 and random.Random(f"{name}{self.asked}").random() < 0.5:
            raise fault
        return reply_of(odd_turn(chance, self.target), self.target)
