"""Which form a foreign document has, told by what stands only in one of them."""

from collections.abc import Iterator, Mapping
from typing import cast

from mindpipe.formats.documents import Document, documents_of

PLAIN = "openai-chat"
"""The form of messages that could be of any: a role and text."""

_BLOCKS = {
    "ai-sdk": ("tool-call", "tool-result", "reasoning", "tool-approval-request"),
    "anthropic": ("tool_use", "tool_result", "thinking", "redacted_thinking", "document"),
    "openai-chat": ("image_url", "input_audio", "refusal"),
    "openai-responses": ("input_text", "output_text", "input_image", "input_file"),
}
_FORM_OF_BLOCK = {block: form for form, blocks in _BLOCKS.items() for block in blocks}
_MEMBERS = {
    "seq": "mindpipe",
    "parts": "mindpipe",
    "parentUuid": "claude-code",
    "sessionId": "claude-code",
    "tool_calls": "openai-chat",
    "tool_call_id": "openai-chat",
    "tool_call_ids": "openai-chat",
    "function_call": "openai-chat",
    "call_id": "openai-responses",
    "encrypted_content": "openai-responses",
}
_FIELDS = {"system": "anthropic", "instructions": "ai-sdk", "functions": "openai-chat"}


def recognised(octets: bytes, *, source: str) -> str:
    """Return the form of the first message that stands in one form alone, else `PLAIN`.

    Raises:
        BadInputError: not JSON, or nothing in it that could be messages.
    """
    return next(
        (form for document in documents_of(octets, source=source) for form in _marks(document)),
        PLAIN,
    )


def _marks(document: Document) -> Iterator[str]:
    """Yield the form of every mark of one document: of its messages, then of what is around."""
    if document.name == "input":
        yield "openai-responses"
    for element in document.elements:
        if isinstance(element.value, dict):
            yield from _marks_of(cast("Mapping[str, object]", element.value))
    if isinstance(document.fields.get("tools"), dict):
        yield "ai-sdk"
    yield from (form for name, form in _FIELDS.items() if name in document.fields)


def _marks_of(message: Mapping[str, object]) -> Iterator[str]:
    """Yield the form of every mark of one message."""
    yield from (form for name, form in _MEMBERS.items() if name in message)
    if message.get("role") in ("developer", "function"):
        yield "openai-chat"
    content = message.get("content")
    for block in content if isinstance(content, list) else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in _FORM_OF_BLOCK:
            yield _FORM_OF_BLOCK[kind]
