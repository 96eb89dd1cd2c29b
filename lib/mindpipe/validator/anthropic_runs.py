"""Reads Anthropic messages as the API does: consecutive messages of one role become one run."""

from typing import NamedTuple

from mindpipe.validator.anthropic_fields import (
    BLOCK_FIELDS,
    MESSAGE_FIELDS,
    SERVER_RESULT_FIELDS,
    SYSTEM_MESSAGE_FIELDS,
    is_server_result,
)
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import type_name

ROLES = frozenset({"user", "assistant", "system"})
WHOLE_CONTENT = -1


class Placed(NamedTuple):
    """A block and where it stood; block -1 means that the content was one string."""

    message: int
    block: int
    kind: str
    value: dict[str, object]

    @property
    def at(self) -> str:
        """Return the JSON path of the block."""
        return block_path(self.message, self.block)

    @property
    def dotted(self) -> str:
        """Return the place as the API writes it: messages.N.content.M."""
        return f"messages.{self.message}.content.{max(self.block, 0)}"


class Run:
    """One message as the API sees it: a role, its blocks, and the messages merged into it."""

    __slots__ = ("blocks", "messages", "role")

    def __init__(self, role: str) -> None:
        self.role = role
        self.messages: list[int] = []
        self.blocks: list[Placed] = []


def block_path(message: int, block: int) -> str:
    """Return the JSON path of a block, or of the whole content."""
    place = f"messages[{message}].content"
    return place if block == WHOLE_CONTENT else f"{place}[{block}]"


def read_runs(messages: list[object], ledger: Ledger, *, end_may_be_empty: bool) -> list[Run]:
    """Merge messages into runs; report shapes (A1), empty content (A12) and blank text (A13).

    With `end_may_be_empty` the last message may be an assistant message without content.
    """
    runs: list[Run] = []
    last = len(messages) - 1 if end_may_be_empty else -1
    for index, message in enumerate(messages):
        role = _role_of(index, message, ledger)
        if role is None or not isinstance(message, dict):
            continue
        if not runs or runs[-1].role != role:
            runs.append(Run(role))
        runs[-1].messages.append(index)
        excused = index == last and role == "assistant"
        _read_content(index, message, runs[-1].blocks, ledger, excused=excused)
    return runs


def _role_of(index: int, message: object, ledger: Ledger) -> str | None:
    if not isinstance(message, dict):
        ledger.add("A1", f"messages[{index}]", f"a message is an object, not {type_name(message)}")
        return None
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        what = f"role is {role!r}; it must be user or assistant" if role else "role is missing"
        ledger.add("A1", f"messages[{index}].role", what)
        return None
    known = SYSTEM_MESSAGE_FIELDS if role == "system" else MESSAGE_FIELDS
    if not message.keys() <= known:
        ledger.unknown(f"messages[{index}]", message.keys() - known)
    return role


def _read_content(
    index: int, message: dict[str, object], blocks: list[Placed], ledger: Ledger, *, excused: bool
) -> None:
    content = message.get("content")
    if isinstance(content, str):
        placed = Placed(index, WHOLE_CONTENT, "text", {"type": "text", "text": content})
        if content or not excused:
            check_text(content, placed.at, ledger)
        blocks.append(placed)
        return
    if not isinstance(content, list):
        what = f"content is text or a list of blocks, not {type_name(content)}"
        ledger.add("A1", f"messages[{index}].content", what)
        return
    if not content and not excused:
        says = (
            f"messages.{index}: all messages must have non-empty content except for the optional "
            "final assistant message"
        )
        ledger.add("A12", f"messages[{index}].content", "the content is empty", says=says)
    for position, block in enumerate(content):
        _read_block(index, position, block, blocks, ledger)


def _read_block(
    index: int, position: int, block: object, blocks: list[Placed], ledger: Ledger
) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(kind, str):
        what = f"a block is an object with a type, not {type_name(block)}"
        if isinstance(block, dict):
            what = "a block needs a type"
        ledger.add("A1", block_path(index, position), what)
        return
    blocks.append(Placed(index, position, kind, block))
    check_block_fields(kind, block, ledger, message=index, position=position)
    if kind == "text":
        check_text(block.get("text"), block_path(index, position), ledger)


def check_block_fields(
    kind: str, block: dict[str, object], ledger: Ledger, *, message: int, position: int
) -> None:
    """Note a block type or block fields that the table does not know."""
    known = BLOCK_FIELDS.get(kind)
    if known is None:
        if not is_server_result(kind):
            ledger.note(block_path(message, position), f"the block type {kind!r} is not known here")
            return
        known = SERVER_RESULT_FIELDS
    if not block.keys() <= known:
        ledger.unknown(block_path(message, position), block.keys() - known)


def check_text(text: object, at: str, ledger: Ledger) -> None:
    """Report a text that is empty or blank (A13) or is no string (A1)."""
    if not isinstance(text, str):
        ledger.add("A1", at, f"text is a string, not {type_name(text)}")
    elif not text:
        says = "messages: text content blocks must be non-empty"
        ledger.add("A13", at, "the text is empty", says=says)
    elif text.isspace():
        says = "messages: text content blocks must contain non-whitespace text"
        ledger.add("A13", at, "the text is only white space", says=says)
