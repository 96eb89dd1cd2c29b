"""The development data: recorded exchanges of APIs, and dialogues of two people."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from mindpipe.providers.anthropic import reply
from mindpipe.providers.openai_chat import reply as openai_chat
from mindpipe.providers.openai_responses import reply as openai_responses

CASSETTES = Path(__file__).parents[3] / "shared" / "data" / "api_cassettes"
READERS: dict[str, ModuleType] = {
    "/v1/messages": reply,
    "/chat/completions": openai_chat,
    "/v1/responses": openai_responses,
}


@dataclass(frozen=True)
class Exchange:
    """One recorded exchange with a model."""

    name: str
    reader: ModuleType
    status: int
    octets: bytes
    streamed: bool


def exchanges() -> Iterator[Exchange]:
    """Yield every recorded exchange that asks a model for a reply."""
    for path in sorted(CASSETTES.glob("*.json")):
        for number, told in enumerate(json.loads(path.read_bytes())):
            address = told["uri"].partition("?")[0]
            reader = next((READERS[end] for end in READERS if address.endswith(end)), None)
            if reader is None or told["method"] != "POST":
                continue
            response = told["response"]
            streamed = isinstance(response, str)
            octets = response.encode() if streamed else json.dumps(response).encode()
            yield Exchange(f"{path.stem}[{number}]", reader, told["status"], octets, streamed)


DATA = Path(__file__).parents[3] / "shared" / "data" / "locomo_dev" / "locomo_dev.json"


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
