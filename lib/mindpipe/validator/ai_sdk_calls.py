"""Pairs calls with results in AI SDK messages: V6 as the SDK does it, V8 beyond the SDK."""

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, type_name


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
