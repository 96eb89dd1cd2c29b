"""Whether messages are legal for the AI SDK."""

from typing import NamedTuple

from mindpipe.validator.plain import Ledger, as_list, as_object, as_text, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind


class Calls:
    """Walk messages in order, holding the calls that still wait for a result."""

    def __init__(self, field: str, messages: list[object], ledger: Ledger) -> None:
        self.field = field
        self.messages = messages
        self.ledger = ledger
        self.seen: set[str] = set()
        self.answered: set[str] = set()
        self.waiting: dict[str, str] = {}
        self.approved = _approved(messages)

    def walk(self) -> None:
        """Check each message; at user and system messages and at the end nothing may wait."""
        for index, message in enumerate(self.messages):
            fields = as_object(message)
            role = as_text(fields.get("role"))
            if role in {"user", "system"}:
                self._report_waiting()
            elif role in {"assistant", "tool"}:
                at = f"{self.field}[{index}].content"
                for position, part in enumerate(as_list(fields.get("content"))):
                    self._read_part(role, at, position, as_object(part))
        self._report_waiting()

    def _read_part(self, role: str | None, at: str, position: int, part: dict[str, object]) -> None:
        kind = part.get("type")
        if kind == "tool-call":
            self._read_call(f"{at}[{position}]", part)
        elif kind == "tool-result":
            self._read_result(role, f"{at}[{position}]", part)

    def _read_call(self, at: str, part: dict[str, object]) -> None:
        name = as_text(part.get("toolCallId"))
        given = part.get("input")
        if "input" in part and not isinstance(given, dict):
            what = f"the input of a call is an object, not {type_name(given)}"
            self.ledger.add("V8", f"{at}.input", what, id=name)
        if name is None:
            return
        if name in self.seen:
            self.ledger.add("V8", at, "another call has this toolCallId", id=name)
        self.seen.add(name)
        self.answered.discard(name)
        if part.get("providerExecuted") is not True:
            self.waiting[name] = at

    def _read_result(self, role: str | None, at: str, part: dict[str, object]) -> None:
        name = as_text(part.get("toolCallId"))
        if name is None:
            return
        if name not in self.seen:
            self.ledger.add("V8", at, "the result has no call before it", id=name)
        elif name in self.answered:
            self.ledger.add("V8", at, "the call has two results", id=name)
        self.answered.add(name)
        if role == "tool":
            self.waiting.pop(name, None)

    def _report_waiting(self) -> None:
        missing = [name for name in self.waiting if name not in self.approved]
        if len(missing) == 1:
            says = f"Tool result is missing for tool call {missing[0]}."
        else:
            says = f"Tool results are missing for tool calls {', '.join(missing)}."
        for name in missing:
            self.ledger.add("V6", self.waiting[name], "the call has no result", id=name, says=says)
        self.waiting.clear()


def _approved(messages: list[object]) -> set[str]:
    """Return the calls whose approval was asked for and answered, anywhere in the list."""
    asked: dict[str, str] = {}
    answered: set[str] = set()
    for message in messages:
        fields = as_object(message)
        for each in as_list(fields.get("content")):
            part = as_object(each)
            approval = as_text(part.get("approvalId"))
            call = as_text(part.get("toolCallId"))
            if approval is None:
                continue
            if part.get("type") == "tool-approval-request" and call is not None:
                asked[approval] = call
            elif part.get("type") == "tool-approval-response":
                answered.add(approval)
    return {asked[approval] for approval in answered if approval in asked}


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


ROLES = frozenset({"system", *PARTS_OF_ROLE})
_MESSAGE_FIELDS = frozenset({"role", "content", "providerOptions"})
_NO_SYSTEM = (
    "System messages are not allowed in the prompt or messages fields. Use the instructions option "
    "instead."
)


def check_ai_sdk(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a list of messages or of an object with messages or a prompt."""
    ledger = Ledger()
    field, messages = _find_messages(body, ledger)
    if messages is None:
        return ledger.findings
    if not messages:
        ledger.add("V2", field, "the list is empty", says="messages must not be empty")
    allowed = profile.sdk < CUSTOM_SDK or as_object(body).get("allowSystemInMessages") is True
    for index, message in enumerate(messages):
        at = f"{field}[{index}]"
        role = _check_shape(at, message, ledger, sdk=profile.sdk)
        if role == "system" and not allowed:
            what = "version 7 takes system text as instructions only"
            ledger.add("V3", at, what, says=_NO_SYSTEM)
        _check_blank(at, as_object(message).get("content"), ledger)
    Calls(field, messages, ledger).walk()
    if kind == "request" and messages and as_object(messages[-1]).get("role") == "assistant":
        at = f"{field}[{len(messages) - 1}]"
        ledger.add("V8", at, "the list ends with an assistant message")
    return ledger.findings


def _find_messages(body: object, ledger: Ledger) -> tuple[str, list[object] | None]:
    """Return the name of the field and its messages; None if there are none to look at."""
    if isinstance(body, list):
        return "messages", body
    fields = as_object(body)
    prompt, messages = fields.get("prompt"), fields.get("messages")
    if prompt is not None and messages is not None:
        says = "prompt and messages cannot be defined at the same time"
        ledger.add("V2", "prompt", "prompt and messages are alternatives", says=says)
    elif prompt is None and messages is None:
        says = "prompt or messages must be defined"
        ledger.add("V2", "messages", "neither messages nor prompt is there", says=says)
        return "messages", None
    field, found = ("messages", messages) if messages is not None else ("prompt", prompt)
    if field == "prompt" and isinstance(found, str):
        _check_blank("prompt", found, ledger)
        return field, None
    if not isinstance(found, list):
        what = f"{field} is a list of messages, not {type_name(found)}"
        ledger.add("V1", field, what, says=SCHEMA_SAYS)
        return field, None
    return field, found


def _check_shape(at: str, message: object, ledger: Ledger, *, sdk: int) -> str | None:
    if not isinstance(message, dict):
        what = f"a message is an object, not {type_name(message)}"
        ledger.add("V1", at, what, says=SCHEMA_SAYS)
        return None
    role = as_text(message.get("role"))
    if role is None or role not in ROLES:
        what = f"the role is {message.get('role')!r}; use {', '.join(sorted(ROLES))}"
        ledger.add("V1", f"{at}.role", what, says=SCHEMA_SAYS)
        return None
    if not isinstance(message.get("providerOptions", {}), dict):
        ledger.add("V1", f"{at}.providerOptions", "it is an object", says=SCHEMA_SAYS)
    if not message.keys() <= _MESSAGE_FIELDS:
        ledger.unknown(at, message.keys() - _MESSAGE_FIELDS)
    _check_content(f"{at}.content", role, message.get("content"), ledger, sdk=sdk)
    return role


def _check_content(at: str, role: str, content: object, ledger: Ledger, *, sdk: int) -> None:
    if isinstance(content, str) and role != "tool":
        return
    if not isinstance(content, list) or role == "system":
        wanted = {"system": "a string", "tool": "a list of parts"}
        what = f"the content of a {role} message is {wanted.get(role, 'a string or a list')}"
        ledger.add("V4", at, f"{what}, not {type_name(content)}", says=SCHEMA_SAYS)
        return
    for position, part in enumerate(content):
        check_part(role, f"{at}[{position}]", part, ledger, sdk=sdk)


def _check_blank(at: str, content: object, ledger: Ledger) -> None:
    """Report an empty string content (V7), which the SDK passes on, and every blank text (V8)."""
    if content == "":
        what = "an empty string is not dropped by the SDK and fails at the provider"
        ledger.add("V7", f"{at}.content", what)
    if isinstance(content, str):
        _check_text(f"{at}.content", content, ledger)
    for position, part in enumerate(as_list(content)):
        if as_object(part).get("type") == "text":
            _check_text(f"{at}.content[{position}]", as_object(part).get("text"), ledger)


def _check_text(at: str, text: object, ledger: Ledger) -> None:
    if isinstance(text, str) and not text.strip():
        ledger.add("V8", at, "the text is blank" if text else "the text is empty")
