"""One reply of a scripted model, before it is written in anybody's wire format."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Call:
    """A tool call; `arguments` is text, so that it may be broken."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True)
class Turn:
    """What the model says: thinking, text in pieces, calls, and why it ends.

    `cached_tokens` of the input tokens are said to come from the cache.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    finish: Literal["end", "calls", "cut", "refusal", "pause"] = "end"
    input_tokens: int = 11
    cached_tokens: int = 0
    output_tokens: int = 7
    server_tools: tuple[str, ...] = field(default=())


def halves(text: str) -> list[str]:
    """Return a text in the pieces in which it is streamed."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
