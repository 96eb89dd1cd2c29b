"""Pairs calls with results in Anthropic messages: A4 to A10, A13 in results, A22."""

import re

from mindpipe.validator.anthropic_fields import SERVER_USES, is_server_result
from mindpipe.validator.anthropic_runs import Placed, Run, check_text
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_text, type_name
from mindpipe.validator.profiles import Profile

ID_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")
NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]+")


class Turns:
    """Walk runs in order, holding the calls of the run before and every id seen so far."""

    def __init__(self, ledger: Ledger, profile: Profile) -> None:
        self.ledger = ledger
        self.profile = profile
        self.calls: dict[str, Placed] = {}
        self.first_use: dict[str, Placed] = {}
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

    def _check_block(self, run: Run, placed: Placed) -> None:
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

    def _check_call(self, run: Run, placed: Placed) -> None:
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

    def _check_id(self, placed: Placed, field: str, value: str | None) -> None:
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

    def _check_name(self, placed: Placed) -> None:
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

    def _check_results(self, run: Run, waiting: dict[str, Placed], answered: set[str]) -> None:
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

    def _check_result_text(self, placed: Placed) -> None:
        content = placed.value.get("content")
        if isinstance(content, list):
            for position, block in enumerate(content):
                if isinstance(block, dict) and block.get("type") == "text":
                    at = f"{placed.at}.content[{position}]"
                    check_text(block.get("text"), at, self.ledger)
        elif content is not None and not isinstance(content, str):
            what = f"the content of a result is text or a list, not {type_name(content)}"
            self.ledger.add("A1", f"{placed.at}.content", what)

    def _report_orphan(self, placed: Placed, call: str) -> None:
        says = (
            f"{placed.dotted}: unexpected `tool_use_id` found in `tool_result` blocks: {call}. "
            "Each `tool_result` block must have a corresponding `tool_use` block in the previous "
            "message."
        )
        what = "the result names no call of the previous message"
        self.ledger.add("A6", placed.at, what, id=call, says=says)

    def _check_order(self, run: Run, waiting: dict[str, Placed]) -> None:
        if not waiting:
            return
        before: Placed | None = None
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

    def _report_missing(self, waiting: dict[str, Placed], answered: set[str]) -> None:
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

    def _check_served(self, placed: Placed) -> None:
        call = as_text(placed.value.get("tool_use_id"))
        if call is not None and call in self.served:
            return
        use = "mcp_tool_use" if placed.kind.startswith("mcp_") else "server_tool_use"
        says = (
            f"{placed.dotted}: unexpected `tool_use_id` found in `{placed.kind}` blocks: {call}. "
            f"Each `{placed.kind}` block must have a corresponding `{use}` block before it."
        )
        self.ledger.add("A22", placed.at, f"no {use} stands before it", id=call, says=says)
