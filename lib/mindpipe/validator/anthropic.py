"""Whether a request is legal for the Messages API."""

import re
from typing import NamedTuple

from mindpipe.validator.plain import Ledger, as_list, as_object, as_text, encoded_size, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


REQUEST_FIELDS = _names(
    "anthropic_version billing_policy betas cache_control compaction container "
    "context_management diagnostics fallback_credit_token fallbacks inference_geo max_tokens "
    "mcp_servers messages metadata model output_config output_format service_tier speed "
    "stop_sequences stream system temperature thinking thread "
    "tool_choice tools top_k top_p user_profile_id workspace_id"
)

MESSAGE_FIELDS = frozenset({"role", "content"})
SYSTEM_MESSAGE_FIELDS = frozenset({"role", "content", "clear_at", "output_config"})

BLOCK_FIELDS: dict[str, frozenset[str]] = {
    "text": _names("type text cache_control citations"),
    "image": _names("type source cache_control transformations"),
    "document": _names("type source cache_control citations context title"),
    "search_result": _names("type content source title cache_control citations"),
    "thinking": _names("type thinking signature"),
    "redacted_thinking": _names("type data"),
    "tool_use": _names("type id name input cache_control caller toolset_name"),
    "tool_result": _names("type tool_use_id content is_error cache_control toolset_name"),
    "server_tool_use": _names("type id name input cache_control caller"),
    "mcp_tool_use": _names("type id name input server_name cache_control"),
    "container_upload": _names("type file_id cache_control"),
    "compaction": _names("type content cache_control encrypted_content signature tool_changes"),
    "tool_addition": _names("type tool cache_control"),
    "tool_removal": _names("type tool cache_control"),
    "mcp_tool_listing": _names("type mcp_server_name tools"),
    "fallback": _names("type to trigger"),
    "browser_state": _names("type tabs cache_control state_changes"),
}

SERVER_RESULT_FIELDS = _names("type tool_use_id content is_error cache_control caller")

SERVER_USES = frozenset({"server_tool_use", "mcp_tool_use"})
THINKING_BLOCKS = frozenset({"thinking", "redacted_thinking"})


def is_server_result(kind: str) -> bool:
    """Say whether a block type is the answer of a tool that the provider runs itself."""
    return kind.endswith("_tool_result")


ROLES = frozenset({"user", "assistant", "system"})
WHOLE_CONTENT = -1


class PlacedBlock(NamedTuple):
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
        self.blocks: list[PlacedBlock] = []


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
    index: int,
    message: dict[str, object],
    blocks: list[PlacedBlock],
    ledger: Ledger,
    *,
    excused: bool,
) -> None:
    content = message.get("content")
    if isinstance(content, str):
        placed = PlacedBlock(index, WHOLE_CONTENT, "text", {"type": "text", "text": content})
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
    index: int, position: int, block: object, blocks: list[PlacedBlock], ledger: Ledger
) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(kind, str):
        what = f"a block is an object with a type, not {type_name(block)}"
        if isinstance(block, dict):
            what = "a block needs a type"
        ledger.add("A1", block_path(index, position), what)
        return
    blocks.append(PlacedBlock(index, position, kind, block))
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


ID_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")


class Turns:
    """Walk runs in order, holding the calls of the run before and every id seen so far."""

    def __init__(self, ledger: Ledger, profile: Profile) -> None:
        self.ledger = ledger
        self.profile = profile
        self.calls: dict[str, PlacedBlock] = {}
        self.first_use: dict[str, PlacedBlock] = {}
        self.served: set[str] = set()

    def walk(self, runs: list[Run]) -> None:
        """Check every run and, at the end, the calls that nothing answered."""
        for run in runs:
            waiting, self.calls = self.calls, {}
            answered: set[str] = set()
            if run.role == "user":
                self._check_results(run, waiting, answered)
                self._check_order(run, waiting)
                if not any(placed.kind == "tool_result" for placed in run.blocks):
                    self.served.clear()
            self._report_missing(waiting, answered)
            for placed in run.blocks:
                self._check_block(run, placed)
        self._report_missing(self.calls, set())

    def _check_block(self, run: Run, placed: PlacedBlock) -> None:
        kind = placed.kind
        if kind == "text":
            return
        if kind == "tool_use":
            self._check_call(run, placed)
        elif kind == "tool_result":
            if run.role != "user":
                what = f"a tool_result stands in a {run.role} message; it belongs to the user"
                self.ledger.add("A1", placed.at, what)
        elif kind in SERVER_USES:
            name = as_text(placed.value.get("id"))
            if name is not None:
                self.served.add(name)
        elif is_server_result(kind):
            self._check_served(placed)

    def _check_call(self, run: Run, placed: PlacedBlock) -> None:
        if run.role != "assistant":
            what = f"a tool_use stands in a {run.role} message; it belongs to the assistant"
            self.ledger.add("A1", placed.at, what)
            return
        call = as_text(placed.value.get("id"))
        self._check_id(placed, "id", call)
        self._check_name(placed)
        given = placed.value.get("input")
        if not isinstance(given, dict):
            self.ledger.add(
                "A10",
                f"{placed.at}.input",
                f"input is an object, not {type_name(given)}",
                id=call,
                says=f"{placed.dotted}.tool_use.input: Input should be a valid dictionary",
            )
        if call is None:
            return
        earlier = self.first_use.setdefault(call, placed)
        if earlier is not placed:
            self.ledger.add(
                "A8",
                placed.at,
                f"the id is used before, at {earlier.at}",
                id=call,
                says=f"{placed.dotted}: `tool_use` ids must be unique",
            )
        self.calls[call] = placed

    def _check_id(self, placed: PlacedBlock, field: str, value: str | None) -> None:
        if value is not None and ID_PATTERN.fullmatch(value):
            return
        self.ledger.add(
            "A9",
            f"{placed.at}.{field}",
            "the id uses only letters, digits, _ and -" if value else "the id is missing",
            id=value,
            says=f"{placed.dotted}.{placed.kind}.{field}: String should match pattern "
            "'^[a-zA-Z0-9_-]+$'",
        )

    def _check_name(self, placed: PlacedBlock) -> None:
        name = as_text(placed.value.get("name"))
        limit = self.profile.tool_name_length
        if name is not None and len(name) <= limit and NAME_PATTERN.fullmatch(name):
            return
        self.ledger.add(
            "A11",
            f"{placed.at}.name",
            f"a tool name is 1 to {limit} letters, digits, _ and -",
            id=as_text(placed.value.get("id")),
            says=f"{placed.dotted}.tool_use.name: String should match pattern "
            f"'^[a-zA-Z0-9_-]{{1,{limit}}}$'",
        )

    def _check_results(self, run: Run, waiting: dict[str, PlacedBlock], answered: set[str]) -> None:
        for placed in run.blocks:
            if placed.kind != "tool_result":
                continue
            self._check_result_text(placed)
            call = as_text(placed.value.get("tool_use_id"))
            self._check_id(placed, "tool_use_id", call)
            if call is None:
                continue
            if call not in waiting:
                self._report_orphan(placed, call)
            elif call in answered:
                says = (
                    "each tool_use must have a single result. Found multiple `tool_result` blocks "
                    f"with id: {call}"
                )
                self.ledger.add("A7", placed.at, "the call has two results", id=call, says=says)
            answered.add(call)

    def _check_result_text(self, placed: PlacedBlock) -> None:
        content = placed.value.get("content")
        if isinstance(content, list):
            for position, block in enumerate(content):
                if isinstance(block, dict) and block.get("type") == "text":
                    at = f"{placed.at}.content[{position}]"
                    check_text(block.get("text"), at, self.ledger)
        elif content is not None and not isinstance(content, str):
            what = f"the content of a result is text or a list, not {type_name(content)}"
            self.ledger.add("A1", f"{placed.at}.content", what)

    def _report_orphan(self, placed: PlacedBlock, call: str) -> None:
        says = (
            f"{placed.dotted}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. "
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous "
            "message."
        )
        what = "the result names no call of the previous message"
        self.ledger.add("A6", placed.at, what, id=call, says=says)

    def _check_order(self, run: Run, waiting: dict[str, PlacedBlock]) -> None:
        if not waiting:
            return
        before: PlacedBlock | None = None
        for placed in run.blocks:
            if placed.kind != "tool_result":
                before = before or placed
            elif before is not None and as_text(placed.value.get("tool_use_id")) in waiting:
                says = (
                    f"Did not find {len(waiting)} `tool_result` block(s) at the beginning of this "
                    "message. Messages following `tool_use` blocks must begin with a matching "
                    "number of `tool_result` blocks"
                )
                what = f"the result stands after other content, {before.at}; results come first"
                self.ledger.add(
                    "A5", placed.at, what, id=str(placed.value["tool_use_id"]), says=says
                )
                return

    def _report_missing(self, waiting: dict[str, PlacedBlock], answered: set[str]) -> None:
        for call, placed in waiting.items():
            if call in answered:
                continue
            says = (
                f"messages.{placed.message}: `tool_use` ids were found without `tool_result` "
                f"blocks immediately after: {call}. Each `tool_use` block must have a "
                "corresponding `tool_result` block in the next message."
            )
            what = "the next message has no result for this call"
            self.ledger.add("A4", placed.at, what, id=call, says=says)

    def _check_served(self, placed: PlacedBlock) -> None:
        call = as_text(placed.value.get("tool_use_id"))
        if call is not None and call in self.served:
            return
        use = "mcp_tool_use" if placed.kind.startswith("mcp_") else "server_tool_use"
        says = (
            f"{placed.dotted}: unexpected `tool_use_id` found in `{placed.kind}` blocks: {call}. "
            f"Each `{placed.kind}` block must have a corresponding `{use}` block before it."
        )
        self.ledger.add("A22", placed.at, f"no {use} stands before it", id=call, says=says)


LARGEST_BODY = 32_000_000
"""Bytes; the documentation says 32 MB, read here in the stricter way."""


def check_anthropic(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a request body, a history object or a bare list of messages."""
    ledger = Ledger()
    request = as_object(body)
    ledger.unknown("", request.keys() - REQUEST_FIELDS)
    messages = body if isinstance(body, list) else request.get("messages")
    _check_tools(request.get("tools"), ledger, profile)
    _check_head_text(request.get("system"), ledger)
    if not isinstance(messages, list) or not messages:
        what = f"messages is a list of at least one message, not {type_name(messages)}"
        ledger.add("A1", "messages", what if messages != [] else "messages is empty")
        return ledger.findings
    runs = read_runs(messages, ledger, end_may_be_empty=kind == "request")
    _check_start(runs, ledger)
    _check_system_messages(runs, ledger, profile)
    Turns(ledger, profile).walk(runs)
    _check_thinking(request.get("thinking"), runs, ledger, profile)
    if kind == "request":
        _check_end(runs, ledger, profile)
        _check_size(body, ledger)
    return ledger.findings


def _check_tools(tools: object, ledger: Ledger, profile: Profile) -> None:
    limit = profile.tool_name_length
    names: set[str] = set()
    for position, each in enumerate(as_list(tools)):
        tool = as_object(each)
        name = as_text(tool.get("name"))
        at = f"tools[{position}].name"
        if tool.get("type", "custom") == "custom" and not (
            name is not None and len(name) <= limit and NAME_PATTERN.fullmatch(name)
        ):
            says = (
                f"tools.{position}.custom.name: String should match pattern "
                f"'^[a-zA-Z0-9_-]{{1,{limit}}}$'"
            )
            what = f"a tool name is 1 to {limit} letters, digits, _ and -"
            ledger.add("A11", at, what, id=name, says=says)
        if name is not None and name in names:
            says = "tools: Tool names must be unique."
            ledger.add("A11", at, "another tool has this name", id=name, says=says)
        names.add(name or "")


def _check_head_text(system: object, ledger: Ledger) -> None:
    for position, block in enumerate(as_list(system)):
        if isinstance(block, dict) and block.get("type") == "text":
            check_text(block.get("text"), f"system[{position}]", ledger)


def _check_start(runs: list[Run], ledger: Ledger) -> None:
    speaker = next((run for run in runs if run.role != "system"), None)
    if speaker is not None and speaker.role == "assistant":
        ledger.add(
            "A3",
            f"messages[{speaker.messages[0]}].role",
            "the first message is from the assistant",
            says='messages: first message must use the "user" role',
        )


def _check_system_messages(runs: list[Run], ledger: Ledger, profile: Profile) -> None:
    for position, run in enumerate(runs):
        if run.role != "system":
            continue
        at = f"messages[{run.messages[0]}]"
        if not profile.system_in_messages:
            says = "role 'system' is not supported on this model"
            ledger.add("A16", at, "this model takes no system messages in the list", says=says)
            continue
        if len(run.messages) > 1:
            second = f"messages[{run.messages[1]}]"
            ledger.add("A16", second, "two system messages stand in a row")
        _check_system_place(runs, position, at, ledger)


def _check_system_place(runs: list[Run], position: int, at: str, ledger: Ledger) -> None:
    if position == 0:
        says = "messages.0: use the top-level 'system' parameter for the initial system prompt; …"
        ledger.add("A16", at, "a system message stands first", says=says)
    elif runs[position - 1].role == "assistant" and not _ends_in_server_use(runs[position - 1]):
        ledger.add("A16", at, "a system message follows an assistant message, not a user message")
    if position + 1 < len(runs) and runs[position + 1].role != "assistant":
        says = "role 'system' must precede an 'assistant' message or end the array"
        ledger.add("A16", at, "a user message follows the system message", says=says)


def _ends_in_server_use(run: Run) -> bool:
    return bool(run.blocks) and run.blocks[-1].kind in SERVER_USES


def _check_thinking(thinking: object, runs: list[Run], ledger: Ledger, profile: Profile) -> None:
    """Report an open tool loop that does not begin with thinking (A17).

    Only thinking with a budget demands this; with adaptive thinking a model may call without.
    Without interleaved thinking only the first message of the loop carries a thinking block.
    """
    if as_object(thinking).get("type") != "enabled" or profile.thinking == "adaptive":
        return
    loop = _open_loop(runs)
    if not loop or any(_begins_with_thinking(run) for run in loop):
        return
    opening: PlacedBlock | None = loop[-1].blocks[0] if loop[-1].blocks else None
    found = opening.kind if opening else "nothing"
    index = loop[-1].messages[0]
    says = (
        f"messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
        f"`{found}`. When `thinking` is enabled, a final `assistant` message must start with a "
        "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). …"
    )
    what = f"thinking is on and the open tool loop begins with {found}"
    ledger.add("A17", f"messages[{index}].content[0]", what, says=says)


def _open_loop(runs: list[Run]) -> list[Run]:
    """Return the assistant runs after the last user run without results, latest last."""
    loop: list[Run] = []
    spoken = [run for run in runs if run.role != "system"]
    if not spoken or spoken[-1].role != "user":
        return loop
    for run in reversed(spoken):
        if run.role == "assistant":
            loop.append(run)
        elif not any(placed.kind == "tool_result" for placed in run.blocks):
            break
    loop.reverse()
    return loop


def _begins_with_thinking(run: Run) -> bool:
    return bool(run.blocks) and run.blocks[0].kind in THINKING_BLOCKS


def _check_end(runs: list[Run], ledger: Ledger, profile: Profile) -> None:
    if not runs or runs[-1].role != "assistant":
        return
    run = runs[-1]
    last = run.blocks[-1] if run.blocks else None
    if last is not None and (last.kind in SERVER_USES or is_server_result(last.kind)):
        return  # a paused reply, sent back as it came
    if not profile.prefill:
        says = (
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message."
        )
        ledger.add(
            "A15", f"messages[{run.messages[-1]}]", "the last message is the assistant's", says=says
        )
        return
    text = as_text(last.value.get("text")) if last is not None and last.kind == "text" else None
    if last is not None and text and text != text.rstrip():
        says = "messages: final assistant content cannot end with trailing whitespace"
        ledger.add("A14", last.at, "the final text ends in white space", says=says)


def _check_size(body: object, ledger: Ledger) -> None:
    size = encoded_size(body)
    if size > LARGEST_BODY:
        what = f"the body is {size} bytes of JSON; at most {LARGEST_BODY} are taken"
        ledger.add("A24", "$", what)
