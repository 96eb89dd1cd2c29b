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
    per entry, can be read alone, and is no request of any API. `item_id` is the member that names
    an item of the format wherever it stands, where there is such a one.
    """

    module: str
    api: Api | None = None
    spoken: tuple[str, Api] | None = None
    is_log: bool = False
    item_id: str = ""


FORMATS = {
    "ai-sdk": MessageFormat(module="mindpipe.providers.ai_sdk"),
    "anthropic": MessageFormat(
        module="mindpipe.providers.anthropic.format",
        api="messages",
        spoken=("anthropic", "messages"),
    ),
    "claude-code": MessageFormat(
        module="mindpipe.providers.claude_code",
        spoken=("anthropic", "messages"),
        is_log=True,
        item_id="uuid",
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


class ArchiveFormat(Record):
    """A format in which another application keeps or exports its conversations.

    `module` reads it: `documents` gives the conversations of a file, one after the other, and
    the function `read_` with the format's name the messages of one. The function `write_` with that
    name writes a file of one conversation. `item_id` is as in `MessageFormat`.
    """

    module: str
    item_id: str = ""


ARCHIVES = {
    "chatgpt": ArchiveFormat(module="mindpipe.providers.chatgpt", item_id="id"),
    "claude-export": ArchiveFormat(module="mindpipe.providers.claude_export", item_id="uuid"),
    "letta": ArchiveFormat(module="mindpipe.providers.letta"),
    "llm": ArchiveFormat(module="mindpipe.providers.llm.format", item_id="id"),
}

ALL_FORMATS: tuple[str, ...] = tuple(sorted({**FORMATS, **ARCHIVES}))
"""The names of all formats that are imported, and exported."""

MEMORY_FORMATS = ("letta", "mem0")
"""The formats of what other programs remember, which is no history."""


def item_id_of(format: str) -> str:
    """Return the member that names an item of a format; an empty text where there is none."""
    found = FORMATS.get(format) or ARCHIVES.get(format)
    return found.item_id if found else ""


def format_of(api: Api) -> str | None:
    """Return the format of an API's requests, None where they are in one of its own."""
    return next((name for name, one in FORMATS.items() if one.api == api), None)
