"""Checks AI SDK ModelMessage lists, versions 5 to 7: rules V1 to V8."""

from mindpipe.validator.ai_sdk_calls import Calls
from mindpipe.validator.ai_sdk_parts import CUSTOM_SDK, PARTS_OF_ROLE, SCHEMA_SAYS, check_part
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

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
