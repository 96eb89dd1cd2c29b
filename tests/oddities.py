"""Replies of chance: odd words, odd calls, odd ends, and faults, the same for the same request."""

import hashlib
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loopback.turns import Call, Turn
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from plays import reply_of

WORDS = (
    *("", "hi", " ", "\n\n", "a\0b", "é\u202e\u0007", "x" * 5000, '"quoted" \\ back', "🙂" * 10),
    *('{"role":"tool"}', "NOW: x\n\nGOALS:\n  - (none)", "\ufeff", "\x1b[31m", "half \ud83d"),
)
TORN = (
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
        text = chance.choice(TORN)
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
