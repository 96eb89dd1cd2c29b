"""Checks the content parts of AI SDK messages against their version: rules V4 and V5."""

from typing import NamedTuple

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_object, as_text, type_name

SCHEMA_SAYS = "The messages do not match the ModelMessage[] schema."
FIRST_SDK = 5
APPROVAL_SDK = 6
CUSTOM_SDK = 7

PARTS_OF_ROLE: dict[str, dict[str, int]] = {
    "user": {"text": FIRST_SDK, "image": FIRST_SDK, "file": FIRST_SDK},
    "assistant": {
        "text": FIRST_SDK,
        "file": FIRST_SDK,
        "reasoning": FIRST_SDK,
        "tool-call": FIRST_SDK,
        "tool-result": FIRST_SDK,
        "tool-approval-request": APPROVAL_SDK,
        "custom": CUSTOM_SDK,
        "reasoning-file": CUSTOM_SDK,
    },
    "tool": {"tool-result": FIRST_SDK, "tool-approval-response": APPROVAL_SDK},
}
"""The parts that each role may hold, with the version that brought them."""

OUTPUTS: dict[str, int] = {
    "text": FIRST_SDK,
    "json": FIRST_SDK,
    "error-text": FIRST_SDK,
    "error-json": FIRST_SDK,
    "content": FIRST_SDK,
    "execution-denied": APPROVAL_SDK,
}
"""The kinds of tool output, with the version that brought them."""


class PartShape(NamedTuple):
    """The fields of one part: strings it needs, other fields it needs, and fields it may have."""

    texts: tuple[str, ...]
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


SHAPES: dict[str, PartShape] = {
    "text": PartShape(("text",)),
    "reasoning": PartShape(("text",)),
    "image": PartShape((), ("image",), ("mediaType",)),
    "file": PartShape(("mediaType",), ("data",), ("filename",)),
    "reasoning-file": PartShape(("mediaType",), ("data",)),
    "custom": PartShape(("kind",)),
    "tool-call": PartShape(("toolCallId", "toolName"), (), ("input", "providerExecuted")),
    "tool-result": PartShape(("toolCallId", "toolName"), (), ("output",)),
    "tool-approval-request": PartShape(
        ("approvalId", "toolCallId"), (), ("isAutomatic", "signature")
    ),
    "tool-approval-response": PartShape(
        ("approvalId",), ("approved",), ("reason", "providerExecuted")
    ),
}
_IN_EVERY_PART = ("type", "providerOptions")
_KNOWN = {
    kind: frozenset((*_IN_EVERY_PART, *shape.texts, *shape.needed, *shape.optional))
    for kind, shape in SHAPES.items()
}
_TOOL_PARTS = frozenset(
    {"tool-call", "tool-result", "tool-approval-request", "tool-approval-response"}
)


def check_part(role: str, at: str, part: object, ledger: Ledger, *, sdk: int) -> None:
    """Report a part that does not belong to the role or lacks fields of its version."""
    fields = as_object(part)
    kind = as_text(fields.get("type"))
    since = PARTS_OF_ROLE[role].get(kind or "")
    if kind is None or since is None or since > sdk:
        what = f"the part {kind!r} does not belong in a {role} message of version {sdk}"
        if kind is None:
            what = "a part is an object with a type"
        ledger.add("V4", at, what, says=SCHEMA_SAYS)
        return
    _check_fields(kind, at, fields, ledger)
    if kind == "tool-call":
        _check_call(at, fields, ledger)
    elif kind == "tool-result":
        _check_output(at, fields, ledger, sdk=sdk)


def _check_fields(kind: str, at: str, fields: dict[str, object], ledger: Ledger) -> None:
    shape = SHAPES[kind]
    rule = "V5" if kind in _TOOL_PARTS else "V4"
    call = as_text(fields.get("toolCallId"))
    for name in shape.texts:
        if not isinstance(fields.get(name), str):
            what = f"{name} is a string, not {type_name(fields.get(name))}"
            ledger.add(rule, f"{at}.{name}", what, id=call, says=SCHEMA_SAYS)
    for name in shape.needed:
        if fields.get(name) is None:
            ledger.add(rule, f"{at}.{name}", f"{name} is missing", id=call, says=SCHEMA_SAYS)
    options = fields.get("providerOptions", {})
    if not isinstance(options, dict):
        what = f"providerOptions is an object, not {type_name(options)}"
        ledger.add(rule, f"{at}.providerOptions", what, id=call, says=SCHEMA_SAYS)
    if not fields.keys() <= _KNOWN[kind]:
        ledger.unknown(at, fields.keys() - _KNOWN[kind])


def _check_call(at: str, fields: dict[str, object], ledger: Ledger) -> None:
    if "input" in fields:
        return
    what = "a call has its input"
    if "args" in fields:
        what = "args is the old name of version 4; it is input now"
    call = as_text(fields.get("toolCallId"))
    ledger.add("V5", f"{at}.input", what, id=call, says=SCHEMA_SAYS)


def _check_output(at: str, fields: dict[str, object], ledger: Ledger, *, sdk: int) -> None:
    call = as_text(fields.get("toolCallId"))
    output = as_object(fields.get("output"))
    kind = as_text(output.get("type"))
    since = OUTPUTS.get(kind or "")
    value = output.get("value")
    what: str | None = None
    if "output" not in fields and "result" in fields:
        what = "result is the old name of version 4; it is output now"
    elif kind is None or since is None or since > sdk:
        what = f"output is an object of type {', '.join(k for k, v in OUTPUTS.items() if v <= sdk)}"
    elif kind in {"text", "error-text"} and not isinstance(value, str):
        what = f"the value of {kind} is a string, not {type_name(value)}"
    elif kind in {"json", "error-json"} and "value" not in output:
        what = f"the value of {kind} is missing"
    elif kind == "content" and not _is_content(value):
        what = "the value of content is a list of objects with a type"
    if what is not None:
        ledger.add("V5", f"{at}.output", what, id=call, says=SCHEMA_SAYS)


def _is_content(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(as_object(item).get("type"), str) for item in value
    )
