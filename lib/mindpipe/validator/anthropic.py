"""Checks Anthropic Messages bodies: rules A1 to A17, A22 and A24."""

from mindpipe.validator.anthropic_fields import (
    REQUEST_FIELDS,
    SERVER_USES,
    THINKING_BLOCKS,
    is_server_result,
)
from mindpipe.validator.anthropic_runs import Placed, Run, check_text, read_runs
from mindpipe.validator.anthropic_turns import NAME_PATTERN, Turns
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, encoded_size, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

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
    opening: Placed | None = loop[-1].blocks[0] if loop[-1].blocks else None
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
