"""What the tools of the MCP server take, and what they answer."""

from typing import Annotated

import msgspec

from mindpipe.core.records import Record
from mindpipe.core.sources import Sources
from mindpipe.core.text import safe_name

MOST_TOLD = 2_000
"""Of each text of an answer, so many characters at most are told."""
Query = Annotated[
    str, msgspec.Meta(min_length=1, max_length=10_000, description="A question, or words of it.")
]
Limit = Annotated[int, msgspec.Meta(ge=1, le=50, description="How many at most.")]
LongText = Annotated[str, msgspec.Meta(min_length=1, max_length=65_536)]
ShortName = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
IdOrName = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]


class ClientName(Record):
    """Who calls, by configuration or by its token: never by what it says of itself."""

    name: str

    def __post_init__(self) -> None:
        """Raise UnsafeNameError for no plain name."""
        safe_name(self.name)
        safe_name(self.speaker)

    @property
    def source(self) -> str:
        """Return whose words all are that it brings."""
        return f"mcp-client:{self.name}"

    @property
    def speaker(self) -> str:
        """Return as whom it speaks in the space in which it asks the agent."""
        return f"mcp-{self.name}"


class RecallArguments(Record):
    """Arguments of recall."""

    query: Query
    limit: Limit = 10


class BeliefsArguments(Record):
    """Arguments of beliefs."""

    subject: Annotated[
        IdOrName | None, msgspec.Meta(description="Of whom or what; without it of all.")
    ] = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="How many at most.")] = 50


class WhyArguments(Record):
    """Arguments of why."""

    id: Annotated[IdOrName, msgspec.Meta(description="The id of a belief.")]


class SearchArguments(Record):
    """Arguments of history_search."""

    query: Query
    limit: Limit = 10


class TicketsArguments(Record):
    """Arguments of tickets."""


class RememberArguments(Record):
    """Arguments of remember."""

    text: Annotated[LongText, msgspec.Meta(description="What is to be remembered.")]
    at: Annotated[
        str | None, msgspec.Meta(description="When it was said, e.g. 2026-03-01T09:00Z.")
    ] = None
    speaker: Annotated[IdOrName | None, msgspec.Meta(description="Who said it.")] = None
    key: Annotated[
        ShortName | None, msgspec.Meta(description="Under the same key it is kept once.")
    ] = None


class PushArguments(Record):
    """Arguments of push."""

    text: Annotated[LongText, msgspec.Meta(description="What the agent is to read.")]
    key: Annotated[
        ShortName | None, msgspec.Meta(description="Under the same key it is pushed once.")
    ] = None


class AskArguments(Record):
    """Arguments of ask."""

    text: Annotated[LongText, msgspec.Meta(description="What you say to the agent.")]


class HeldBelief(Record, omit_defaults=True):
    """One belief as the tool `beliefs` tells it; `words_of` names whose words it stands on."""

    id: str
    summary: str
    status: str
    confidence: float
    freshness: float
    learnt: str
    last_supported_at: str | None = None
    contested: bool = False
    words_of: Sources = ()


class AgentAnswer(Record, omit_defaults=True):
    """What an agent answered.

    `closing` is the text with which its cycle ended, which nobody was sent; `tickets` are calls of
    it that wait for a person.
    """

    answers: tuple[str, ...] = ()
    closing: str = ""
    outcome: str | None = None
    tickets: tuple[str, ...] = ()
