"""The recorded dialogues of two people: their turns in order, and as lines to post."""

import json
from pathlib import Path

DATA = Path(__file__).parents[1].parent / "shared" / "data" / "locomo_dev" / "locomo_dev.json"


def dialogues() -> list[list[dict[str, str]]]:
    """Return the turns of every dialogue: who speaks, and the words."""
    told = []
    for sample in json.loads(DATA.read_text()):
        dialogue = sample["conversation"]
        names = [
            name
            for name in dialogue
            if name.startswith("session_") and isinstance(dialogue[name], list)
        ]
        sessions = sorted(names, key=lambda name: int(name.removeprefix("session_")))
        told.append([turn for name in sessions for turn in dialogue[name]])
    return told


def line_of(turn: dict[str, str]) -> str:
    """Return a turn as `mind space post --lines` reads it."""
    return json.dumps({"as": turn["speaker"].lower(), "text": turn["text"]}) + "\n"
