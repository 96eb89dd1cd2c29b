"""Whether a request is legal for Chat Completions."""

import re

from mindpipe.validator.plain import Ledger, as_list, as_object, as_text, is_json, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

_HEAD_ROLES = frozenset({"system", "developer"})
_ALTERNATE = (
    "After the optional system message, conversation roles must alternate "
    "user/assistant/user/assistant/..."
)


def check_strict_roles(messages: list[object], ledger: Ledger) -> None:
    """Report orders of roles that strict servers refuse."""
    before: str | None = None
    calls: int | None = None
    answers = 0
    for index, message in enumerate(messages):
        role = as_text(as_object(message).get("role"))
        if role is None:
            continue
        if role == "tool":
            answers += 1
        else:
            _check_counts(index, calls, answers, ledger)
            calls, answers = None, 0
        if role == "assistant":
            calls = len(as_list(as_object(message).get("tool_calls")))
        if role in _HEAD_ROLES:
            _check_head(index, before, ledger)
        else:
            _check_step(index, before, role, ledger)
        before = "head" if role in _HEAD_ROLES and before in {None, "head"} else role
    _check_counts(len(messages), calls, answers, ledger)


def _check_counts(index: int, calls: int | None, answers: int, ledger: Ledger) -> None:
    if calls is not None and calls != answers:
        says = "Not the same number of function calls and responses"
        what = f"{calls} calls and {answers} results"
        ledger.add("O15", f"messages[{index - 1 - answers}]", what, says=says)


def _check_head(index: int, before: str | None, ledger: Ledger) -> None:
    at = f"messages[{index}].role"
    if before == "head":
        ledger.add("O14", at, "two system messages stand at the start", says=_ALTERNATE)
    elif before is not None:
        says = "system message must be at the beginning"
        ledger.add("O16", at, "a system message stands after the start", says=says)


def _check_step(index: int, before: str | None, role: str, ledger: Ledger) -> None:
    at = f"messages[{index}].role"
    if role == "user" and before == "tool":
        says = "Unexpected role 'user' after role 'tool'"
        ledger.add("O15", at, "a user message follows a tool message", says=says)
    elif role == "tool" and before == "user":
        says = "Unexpected role 'tool' after role 'user'"
        ledger.add("O15", at, "a tool message follows a user message", says=says)
    elif role in {"user", "assistant"} and role == before:
        ledger.add("O14", at, f"two {role} messages stand in a row", says=_ALTERNATE)
    elif role == "assistant" and before in {None, "head"}:
        ledger.add("O14", at, "the conversation begins with the assistant", says=_ALTERNATE)


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


CHAT_FIELDS = _names(
    "audio extra_body frequency_penalty function_call functions logit_bias logprobs "
    "max_completion_tokens max_tokens messages metadata modalities model moderation n "
    "parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options "
    "prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier "
    "stop store stream stream_options temperature tool_choice tools top_logprobs top_p user "
    "verbosity web_search_options"
)

CHAT_MESSAGE_FIELDS: dict[str, frozenset[str]] = {
    "system": frozenset({"role", "content", "name"}),
    "developer": frozenset({"role", "content", "name"}),
    "user": frozenset({"role", "content", "name"}),
    "assistant": _names(
        "role content name audio function_call refusal tool_calls annotations reasoning_content"
    ),
    "tool": frozenset({"role", "content", "name", "tool_call_id"}),
    "function": frozenset({"role", "content", "name"}),
}

RESPONSES_FIELDS = _names(
    "access_programs background background_options context_management conversation image include "
    "input instructions max_output_tokens max_tool_calls metadata model moderation "
    "parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options "
    "prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options "
    "temperature text tool_choice tools top_logprobs top_p truncation user"
)

ITEM_FIELDS: dict[str, frozenset[str]] = {
    "message": _names("type role content id status phase"),
    "function_call": _names("type id call_id name arguments status caller namespace"),
    "function_call_output": _names("type id call_id output status caller name namespace"),
    "custom_tool_call": _names("type id call_id name input caller namespace status"),
    "custom_tool_call_output": _names("type id call_id output caller status"),
    "reasoning": _names("type id summary content encrypted_content status"),
}

OTHER_ITEMS = _names(
    "additional_tools apply_patch_call apply_patch_call_output code_interpreter_call compaction "
    "compaction_summary compaction_trigger computer_call computer_call_output file_search_call "
    "image_generation_call item_reference local_shell_call local_shell_call_output "
    "mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program program_output "
    "shell_call shell_call_output tool_search_call tool_search_output web_search_call"
)
"""Items that the rules do not look into."""

INPUT_ITEMS = _names(
    "apply_patch_call_output compaction_trigger computer_call_output custom_tool_call_output "
    "function_call_output local_shell_call_output mcp_approval_response shell_call_output"
)
"""Items that the caller writes, never the model: none of them follows from a reasoning item."""

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
