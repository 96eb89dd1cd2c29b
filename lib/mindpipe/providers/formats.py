"""Every message format, in one literal table: whoever names formats takes them from here."""

from mindpipe.core.models import Api
from mindpipe.core.records import Record

CANONICAL = "mindpipe"
"""The format of our own rows, which no API takes."""


class MessageFormat(Record):
    """A format, and what it is the format of.

    `module` reads it, by the function `read_` with the format's name, and writes it, by `FORM`.
    `api` is the API whose requests are in it. `spoken` is the provider and the API that a
    conversation in this format was held with, where that can be known. A program's log is one line
    per entry, can be read alone, and is no request of any API.
    """

    module: str
    api: Api | None = None
    spoken: tuple[str, Api] | None = None
    is_log: bool = False


FORMATS = {
    "ai-sdk": MessageFormat(module="mindpipe.providers.ai_sdk"),
    "anthropic": MessageFormat(
        module="mindpipe.providers.anthropic.format",
        api="messages",
        spoken=("anthropic", "messages"),
    ),
    "claude-code": MessageFormat(
        module="mindpipe.providers.claude_code", spoken=("anthropic", "messages"), is_log=True
    ),
    CANONICAL: MessageFormat(module="mindpipe.providers.canonical"),
    "openai-chat": MessageFormat(
        module="mindpipe.providers.openai_chat.format", api="chat", spoken=("openai", "chat")
    ),
    "openai-responses": MessageFormat(
        module="mindpipe.providers.openai_responses.format",
        api="responses",
        spoken=("openai", "responses"),
    ),
}


def format_of(api: Api) -> str | None:
    """Return the format of an API's requests, None where they are in one of its own."""
    return next((name for name, one in FORMATS.items() if one.api == api), None)
