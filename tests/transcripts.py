"""Invented histories of agents with tools, as documents of OpenAI chat."""

import json
import random

SYSTEM = "You keep the books of a small harbour. Ask before you move a ship."
TOOLS = ("find_ship", "read_file", "move_ship", "list_docks")


def transcript(seed: int, *, cycles: int = 8, repeats: bool = True) -> dict[str, object]:
    """Return a history of some cycles, each a request, tool calls with answers, and a reply.

    With `repeats` ids of calls come again in later cycles, as they do in real histories. Some
    answers are errors, some empty, some long; one of three histories ends with an answer.
    """
    chance = random.Random(seed)
    messages: list[dict[str, object]] = [{"role": "system", "content": SYSTEM}]
    made = 0
    for cycle in range(cycles):
        ship = f"SH{chance.randrange(1000, 9999)}"
        messages.append({"role": "user", "content": f"Where is {ship}? It carries lot {cycle}7A."})
        for _ in range(chance.randrange(4)):
            ids = []
            for _ in range(chance.randrange(1, 3)):
                made += 1
                ids.append(f"call_{made % 5 if repeats else made}")
            messages += _calls(chance, ids, ship)
        messages.append({"role": "assistant", "content": f"{ship} lies at dock {cycle}."})
    if seed % 3 == 0:
        messages.append({"role": "user", "content": "And now?"})
        messages += _calls(chance, ["call_1"], "SH0001")
    return {"task_id": seed, "messages": messages}


def _calls(chance: random.Random, ids: list[str], ship: str) -> list[dict[str, object]]:
    """Return a message with calls and the answers to them."""
    calls = [
        {
            "id": name,
            "type": "function",
            "function": {
                "name": chance.choice(TOOLS),
                "arguments": json.dumps({"ship": ship, "log": f"logs/{ship}/{place}.txt"}),
            },
        }
        for place, name in enumerate(ids)
    ]
    answers = [
        {"role": "tool", "tool_call_id": name, "content": _answer(chance, ship)} for name in ids
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *answers]


def _answer(chance: random.Random, ship: str) -> str:
    """Return an answer: empty, an error, or some or many facts."""
    kind = chance.randrange(8)
    if kind == 0:
        return ""
    if kind == 1:
        return f"Error: {ship} not found in register R{chance.randrange(100, 999)}"
    stops = [
        {"dock": chance.randrange(97), "file": f"logs/{ship}/{step}.txt"}
        for step in range(chance.choice((1, 3, 40)))
    ]
    return json.dumps({"ship": ship, "stops": stops})
