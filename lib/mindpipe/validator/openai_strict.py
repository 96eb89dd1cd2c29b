"""Checks the order of roles that strict chat templates demand: rules O14 to O16."""

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text

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
