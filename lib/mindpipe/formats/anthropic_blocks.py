"""Content blocks of Anthropic messages, and of Claude Code's logs, as neutral parts."""

from mindpipe.core.messages import OpaquePart, ResultStatus, TextPart, ThinkingPart
from mindpipe.core.text import is_blank
from mindpipe.formats.items import Findings, SeenCall, SeenPart, SeenResult
from mindpipe.formats.reading import (
    Members,
    arguments_of,
    file_part,
    joined_text,
    list_at,
    object_at,
    output_text,
    stand_in,
    text_at,
    word,
)
from mindpipe.formats.slices import elements_of, members_of
from mindpipe.formats.wording import REFUSED_MARK

PROVIDER = "anthropic"

_BLOCK_FIELDS = frozenset(
    {"type", "text", "source", "title", "tool_use_id", "content", "is_error", "tool_name"}
)
_ENCODED = {"image", "document"}


def _source(block: Members, findings: Findings) -> SeenPart:
    """Return an image or document block as a file, its text, or words that name it."""
    kind, name = word(block, "type"), word(block, "title")
    held = block.get("source")
    source = held if isinstance(held, dict) else {}
    if source.get("type") == "base64":
        media_type = word(source, "media_type")
        part = file_part(findings, word(source, "data"), media_type=media_type, name=name)
        if part is not None:
            return part
    if source.get("type") == "text":
        findings.leave_out("document block, read as its text")
        return TextPart(text=word(source, "data"))
    return stand_in(findings, kind, word(source, "url") or word(source, "file_id") or name)


def _plain(value: object, findings: Findings, *, at: str) -> SeenPart:
    """Return a block that a user may say, or words that name it."""
    block = object_at(value, at)
    findings.unknown(block, _BLOCK_FIELDS, where="content blocks")
    kind = text_at(block, "type", at)
    if kind == "text":
        return TextPart(text=text_at(block, "text", at))
    if kind in _ENCODED:
        return _source(block, findings)
    return stand_in(findings, kind, word(block, "tool_name") or word(block, "title"))


def _result(block: Members, findings: Findings, *, at: str) -> SeenResult:
    """Return a tool result; the mark of a refusal is read back."""
    content = block.get("content")
    parts: list[SeenPart] = []
    if isinstance(content, str):
        parts = [TextPart(text=content)]
    elif content is not None:
        listed = list_at(content, f"{at}.content")
        parts = [
            _plain(one, findings, at=f"{at}.content[{index}]") for index, one in enumerate(listed)
        ]
    text = joined_text(parts, findings)
    status = ResultStatus.ERROR if block.get("is_error") is True else ResultStatus.OK
    if status is ResultStatus.ERROR and text.startswith(REFUSED_MARK):
        status, text = ResultStatus.REFUSED, text.removeprefix(REFUSED_MARK)
    return SeenResult(
        id=text_at(block, "tool_use_id", at), status=status, text=output_text(text), at=at
    )


def user_parts(content: object, findings: Findings, *, at: str) -> list[SeenPart]:
    """Return what a user message holds: words, files and results.

    Raises:
        ShapeError: content that is neither text nor a list of blocks.
    """
    if isinstance(content, str):
        return [TextPart(text=content)]
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(content, at)):
        place = f"{at}[{index}]"
        block = object_at(one, place)
        if block.get("type") == "tool_result":
            findings.unknown(block, _BLOCK_FIELDS, where="content blocks")
            parts.append(_result(block, findings, at=place))
        else:
            parts.append(_plain(block, findings, at=place))
    return parts


def _call(block: Members, exact: str, *, at: str) -> SeenCall:
    """Return a tool use; `exact` is the text of the block."""
    text = members_of(exact).get("input", "null")
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(block, "id", at),
        tool=text_at(block, "name", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _said(block: Members, exact: str, *, at: str) -> SeenPart:
    """Return one block of a reply."""
    kind = text_at(block, "type", at)
    if kind == "text":
        return TextPart(text=text_at(block, "text", at))
    if kind == "tool_use":
        return _call(block, exact, at=at)
    if kind in {"thinking", "redacted_thinking"}:
        thought = word(block, "thinking")
        return ThinkingPart(text=None if is_blank(thought) else thought)
    return OpaquePart(provider=PROVIDER, kind=kind)


def reply_parts(content: object, exact: str, *, at: str) -> list[SeenPart]:
    """Return what an assistant message holds; `exact` is the text of its content.

    Raises:
        ShapeError: content that is neither text nor a list of blocks.
    """
    if isinstance(content, str):
        return [TextPart(text=content)]
    return [
        _said(object_at(one, f"{at}[{index}]"), text, at=f"{at}[{index}]")
        for index, (one, text) in enumerate(
            zip(list_at(content, at), elements_of(exact), strict=True)
        )
    ]


def raw_blocks(content: object, exact: str) -> list[str]:
    """Return the exact text of every block of a reply; text alone becomes a block."""
    if isinstance(content, str):
        return ['{"type":"text","text":' + exact + "}"]
    return elements_of(exact)


def raw_message(blocks: list[str]) -> str:
    """Return a reply of these blocks in the form in which it can be sent back."""
    return '{"role":"assistant","content":[' + ",".join(blocks) + "]}"
