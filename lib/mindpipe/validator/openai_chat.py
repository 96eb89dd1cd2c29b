"""Checks OpenAI Chat Completions bodies: rules O1 to O12 and O17."""

import re

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.openai_fields import CHAT_FIELDS, CHAT_MESSAGE_FIELDS
from mindpipe.validator.openai_strict import check_strict_roles
from mindpipe.validator.plain import as_list, as_object, as_text, is_json, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
_NO_CALL = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
_PATTERN_TEXT = (
    "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
)


def check_openai_chat(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a request body, a history object or a bare list of messages."""
    ledger = Ledger()
    request = as_object(body)
    ledger.unknown("", request.keys() - CHAT_FIELDS)
    messages = body if isinstance(body, list) else request.get("messages")
    _check_tools(request.get("tools"), ledger, profile)
    if not isinstance(messages, list) or not messages:
        _report_nothing(messages, ledger)
        return ledger.findings
    reader = _Messages(ledger, profile, kind)
    for index, message in enumerate(messages):
        reader.read(index, message)
    reader.close_turn()
    if profile.strict_roles:
        check_strict_roles(messages, ledger)
    return ledger.findings


def _report_nothing(messages: object, ledger: Ledger) -> None:
    says = (
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead."
    )
    if messages == []:
        ledger.add("O1", "messages", "messages is empty", says=says)
        return
    what = f"messages is a list of at least one message, not {type_name(messages)}"
    ledger.add("O1", "messages", what)


def _check_tools(tools: object, ledger: Ledger, profile: Profile) -> None:
    for position, each in enumerate(as_list(tools)):
        tool = as_object(each)
        kind = as_text(tool.get("type"))
        if kind in {"function", "custom"}:
            name = as_object(tool.get(kind)).get("name")
            check_name(name, f"tools[{position}].{kind}.name", ledger, profile)


def check_name(name: object, at: str, ledger: Ledger, profile: Profile) -> None:
    """Report a function or author name that breaks the pattern or the length (O11)."""
    if not isinstance(name, str):
        ledger.add("O11", at, f"a name is a string, not {type_name(name)}")
    elif not NAME_PATTERN.fullmatch(name):
        what = "a name uses only letters, digits, _ and -"
        ledger.add("O11", at, what, id=name, says=f"Invalid '{at}': {_PATTERN_TEXT}")
    elif len(name) > profile.tool_name_length:
        what = f"a name has at most {profile.tool_name_length} characters"
        ledger.add("O11", at, what, id=name)


class _Messages:
    """Read messages in order, holding the calls of the assistant message before."""

    def __init__(self, ledger: Ledger, profile: Profile, kind: Kind) -> None:
        self.ledger = ledger
        self.profile = profile
        self.kind = kind
        self.calls: dict[str, str] = {}
        self.answers: dict[str, int] = {}
        self.in_turn = False
        self.nameless = 0

    def read(self, index: int, message: object) -> None:
        """Check one message and its place."""
        at = f"messages[{index}]"
        if not isinstance(message, dict):
            self.ledger.add("O1", at, f"a message is an object, not {type_name(message)}")
            return
        role = as_text(message.get("role"))
        if role == "tool":
            self._read_answer(index, message)
        else:
            self.close_turn()
        if role not in ROLES:
            given = message.get("role")
            what = f"the role {given!r} is not known; use {', '.join(sorted(ROLES))}"
            self.ledger.add("O2", f"{at}.role", what)
        known = CHAT_MESSAGE_FIELDS.get(role or "")
        if known is not None and not message.keys() <= known:
            self.ledger.unknown(at, message.keys() - known)
        if message.get("name") is not None:
            check_name(message["name"], f"{at}.name", self.ledger, self.profile)
        if role == "assistant":
            self._read_assistant(index, message)
        self._check_content(
            at, message, may_lack=role == "assistant" and _speaks_otherwise(message)
        )

    def _read_assistant(self, index: int, message: dict[str, object]) -> None:
        at = f"messages[{index}]"
        if message.get("reasoning_content") is not None:
            what = "reasoning_content belongs to one vendor's replies and is not sent back"
            self.ledger.add("O17", f"{at}.reasoning_content", what)
        if "tool_calls" not in message:
            return
        calls = message["tool_calls"]
        if isinstance(calls, list) and calls:
            self._open_turn(index, calls)
        elif calls == []:
            says = (
                f"Invalid 'messages[{index}].tool_calls': empty array. Expected an array with "
                "minimum length 1, but got an empty array instead."
            )
            self.ledger.add("O8", f"{at}.tool_calls", "tool_calls is empty", says=says)
        elif calls is not None or self.kind == "request":
            what = f"tool_calls is a list or left out, not {type_name(calls)}"
            self.ledger.add("O8", f"{at}.tool_calls", what)

    def _open_turn(self, index: int, calls: list[object]) -> None:
        self.in_turn = True
        for position, call in enumerate(calls):
            at = f"messages[{index}].tool_calls[{position}]"
            self._check_function(at, as_object(call))
            name = as_text(as_object(call).get("id"))
            if not name:
                self.ledger.add("O3", at, "the call has no id, so nothing can answer it")
                continue
            self._check_length(name, f"{at}.id")
            if name in self.calls:
                self._report_double(name, at, index, index)
            self.calls[name] = at

    def _check_function(self, at: str, call: dict[str, object]) -> None:
        if call.get("type") == "custom":
            name = as_object(call.get("custom")).get("name")
            check_name(name, f"{at}.custom.name", self.ledger, self.profile)
            return
        function = as_object(call.get("function"))
        check_name(function.get("name"), f"{at}.function.name", self.ledger, self.profile)
        arguments = function.get("arguments")
        if not isinstance(arguments, str):
            what = f"arguments is a string of JSON, not {type_name(arguments)}"
        elif not is_json(arguments):
            what = "arguments is not valid JSON; many servers refuse it on replay"
        else:
            return
        self.ledger.add("O12", f"{at}.function.arguments", what, id=as_text(call.get("id")))

    def _check_length(self, name: str, at: str) -> None:
        limit = self.profile.call_id_length
        if len(name) > limit:
            what = f"the id has {len(name)} characters; at most {limit} are taken"
            self.ledger.add("O7", at, what, id=name, says="string_above_max_length")

    def _read_answer(self, index: int, message: dict[str, object]) -> None:
        at = f"messages[{index}]"
        name = as_text(message.get("tool_call_id"))
        says = _NO_CALL
        if not name:
            self.ledger.add("O5", at, "the tool message has no tool_call_id")
            if self.in_turn:
                self.nameless += 1
            else:
                self.ledger.add("O4", at, "no message with calls stands before it", says=says)
            return
        self._check_length(name, f"{at}.tool_call_id")
        if name not in self.calls:
            what = "it answers no call of the assistant message before it"
            self.ledger.add("O4", at, what, id=name, says=says)
            return
        if name in self.answers:
            self._report_double(name, at, self.answers[name], index)
        self.answers.setdefault(name, index)

    def _report_double(self, name: str, at: str, first: int, second: int) -> None:
        says = (
            f"Invalid parameter: Duplicate value for 'tool_call_id' of '{name}', in "
            f"messages[{first}] and messages[{second}]."
        )
        self.ledger.add("O6", at, "the id stands twice in one turn", id=name, says=says)

    def close_turn(self) -> None:
        """Report the calls of the turn that nothing answered and forget the turn."""
        if not self.in_turn:
            return
        missing = [name for name in self.calls if name not in self.answers]
        says = (
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(missing)
        )
        for name in missing[self.nameless :]:
            self.ledger.add("O3", self.calls[name], "no answer follows", id=name, says=says)
        self.in_turn = False
        self.nameless = 0
        self.calls, self.answers = {}, {}

    def _check_content(self, at: str, message: dict[str, object], *, may_lack: bool) -> None:
        content = message.get("content")
        if isinstance(content, str) or (content is None and may_lack):
            return
        at = f"{at}.content"
        if not isinstance(content, list):
            says = f"Invalid value for 'content': expected a string, got {_plain_type(content)}."
            what = f"content is text or a list of parts, not {type_name(content)}"
            self.ledger.add("O9", at, what, says=says)
        elif not content:
            says = f"Invalid '{at}': empty array. …"
            self.ledger.add("O10", at, "the content list is empty", says=says)
        for position, part in enumerate(as_list(content)):
            _check_part(f"{at}[{position}]", part, self.ledger)


def _speaks_otherwise(message: dict[str, object]) -> bool:
    return any(message.get(name) for name in ("tool_calls", "function_call", "refusal", "audio"))


def _plain_type(value: object) -> str:
    return type_name(value).removeprefix("a ").removeprefix("an ")


def _check_part(at: str, part: object, ledger: Ledger) -> None:
    kind = as_text(as_object(part).get("type"))
    if kind is None:
        ledger.add("O9", at, "a content part is an object with a type")
    elif kind == "text" and not isinstance(as_object(part).get("text"), str):
        ledger.add("O9", f"{at}.text", "the text of a part is a string")
