"""The recorded exchanges of the development data: what was asked of which API, and what came."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from mindpipe.formats.replies import anthropic, openai_chat, openai_responses

CASSETTES = Path(__file__).parents[2] / "shared" / "data" / "api_cassettes"
READERS: dict[str, ModuleType] = {
    "/v1/messages": anthropic,
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
