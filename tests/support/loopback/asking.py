"""Models that talk to the provider on loopback, and requests to ask them with."""

from dataclasses import dataclass, field

from mindpipe.core.messages import Head, Message
from mindpipe.core.models import ModelRequest, RequestOptions, Target
from mindpipe.core.ports import Model
from mindpipe.io.clock import make_clock
from mindpipe.io.open_calls import OpenCalls
from mindpipe.providers.anthropic.client import AnthropicMessages
from mindpipe.providers.http import CallLimits
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.openai_chat.client import OpenAIChat
from mindpipe.providers.openai_responses.client import OpenAIResponses
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from support.histories import TOOL, conversation, user
from support.loopback.provider import Provider

KEY = "sk-ant-test-0123456789abcdef"
APIS = ("anthropic/claude-haiku-4-5", "openai/gpt-4o", "openai-responses/gpt-4o")
NOW = "2026-11-21T20:00:00Z"


def short(seconds: float) -> CallLimits:
    """Return limits that end a call which says nothing before its time of so many seconds."""
    return CallLimits(first_byte=seconds * 0.7, between_events=seconds * 0.7)


def model_at(
    provider: Provider,
    name: str,
    *,
    limits: CallLimits | None = None,
    base_url: str | None = None,
    api_key: str | None = KEY,
    calls: OpenCalls | None = None,
) -> Model:
    """Return the adapter for a model name, pointed at the provider on loopback."""
    target = target_of(parse_model_name(name))
    given = {
        "api_key": api_key,
        "clock": make_clock(NOW),
        "limits": limits or CallLimits(),
        "calls": calls,
    }
    if target.api == "messages":
        return AnthropicMessages(target, base_url=base_url or provider.anthropic_url, **given)
    kind = OpenAIChat if target.api == "chat" else OpenAIResponses
    return kind(target, base_url=base_url or provider.openai_url, **given)


def asking(
    target: Target, text: str = "Hello!", *, stream: bool = True, seconds: float = 20.0
) -> ModelRequest:
    """Return a request with one user message."""
    return request_for(target, user(text), stream=stream, seconds=seconds)


def request_for(
    target: Target, *messages: Message, stream: bool = True, seconds: float = 20.0
) -> ModelRequest:
    """Return a request with these messages under a head with one tool."""
    asked = conversation(*messages, head=Head(system="Be brief.", tools=(TOOL,)))
    options = RequestOptions(max_tokens=256, stream=stream)
    return make_request(asked, target, options, RenderOptions(), seconds)


@dataclass
class Heard:
    """A preview that remembers what it heard."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)

    def text(self, piece: str) -> None:
        self.texts.append(piece)

    def thinking(self, piece: str) -> None:
        self.thoughts.append(piece)

    def call(self, tool: str) -> None:
        self.calls.append(tool)

    def argument(self, piece: str) -> None:
        self.arguments.append(piece)
