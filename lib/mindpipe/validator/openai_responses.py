"""Checks OpenAI Responses bodies: rules R1 to R9, R12 and R13."""

from mindpipe.validator.openai_chat import INPUT_ITEMS, ITEM_FIELDS, OTHER_ITEMS, RESPONSES_FIELDS
from mindpipe.validator.plain import Ledger, as_list, as_object, as_text, is_json, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind

ROLES = frozenset({"user", "assistant", "system", "developer"})
ID_PREFIXES = {"function_call": "fc", "message": "msg", "reasoning": "rs"}
OUTPUT_OF = {
    "function_call_output": "function_call",
    "custom_tool_call_output": "custom_tool_call",
}
CALLS = frozenset(OUTPUT_OF.values())
LONGEST_CALL_ID = 64
"""Characters, for every server that speaks this format."""


def check_openai_responses(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a request body, a history object or a bare list of items."""
    del profile, kind  # nothing in this format depends on the model or on how a request ends
    ledger = Ledger()
    request = as_object(body)
    ledger.unknown("", request.keys() - RESPONSES_FIELDS)
    chained = _check_chain(request, ledger)
    given = body if isinstance(body, list) else request.get("input")
    if isinstance(given, str):
        return ledger.findings
    if not isinstance(given, list):
        if given is not None or not chained:
            what = f"input is text or a list of items, not {type_name(given)}"
            ledger.add("R1", "input", what)
        return ledger.findings
    items = _Items(ledger, given)
    items.read_all(stored=request.get("store") is not False)
    items.check_pairs(chained=chained)
    items.check_reasoning()
    return ledger.findings


def _check_chain(request: dict[str, object], ledger: Ledger) -> bool:
    """Report server-side chaining (R13); say whether the input may lean on earlier state."""
    earlier = request.get("previous_response_id")
    if earlier is not None:
        what = "the whole history is sent; the server forgets its own after days"
        ledger.add("R13", "previous_response_id", what, id=as_text(earlier))
    return any(
        request.get(name) is not None for name in ("previous_response_id", "conversation", "prompt")
    )


def item_type(item: dict[str, object]) -> str:
    """Return the type of an item; a message and a reference may leave it out."""
    kind = as_text(item.get("type"))
    if kind is not None:
        return kind
    return "item_reference" if "role" not in item and "id" in item else "message"


class _Items:
    """The items of one input, read in order."""

    def __init__(self, ledger: Ledger, given: list[object]) -> None:
        self.ledger = ledger
        self.given = given
        self.ids: dict[str, int] = {}
        self.calls: dict[tuple[str, str], int] = {}
        self.outputs: dict[tuple[str, str], int] = {}
        self.orphans: list[tuple[int, str]] = []
        self.references = False

    def read_all(self, *, stored: bool) -> None:
        """Check each item by itself and collect calls and outputs."""
        for index, item in enumerate(self.given):
            if not isinstance(item, dict):
                what = f"an item is an object, not {type_name(item)}"
                self.ledger.add("R1", f"input[{index}]", what)
                continue
            kind = item_type(item)
            self._check_fields(index, kind, item)
            self._check_id(index, kind, item)
            if kind == "message":
                self._check_message(index, item)
            elif kind in CALLS:
                self._check_call(index, kind, item)
            elif kind in OUTPUT_OF:
                self._check_output(index, kind, item)
            elif not stored and kind in {"reasoning", "item_reference"}:
                self._check_whole(index, kind, item)
            self.references = self.references or kind == "item_reference"

    def _check_fields(self, index: int, kind: str, item: dict[str, object]) -> None:
        known = ITEM_FIELDS.get(kind)
        if known is None:
            if kind not in OTHER_ITEMS:
                self.ledger.note(f"input[{index}]", f"the item type {kind!r} is not known here")
        elif not item.keys() <= known:
            self.ledger.unknown(f"input[{index}]", item.keys() - known)

    def _check_id(self, index: int, kind: str, item: dict[str, object]) -> None:
        given = item.get("id")
        if given is None or kind == "item_reference":
            return
        prefix = ID_PREFIXES.get(kind, "")
        name = as_text(given)
        at = f"input[{index}].id"
        if name is None or not name.startswith(prefix):
            says = f"Invalid '{at}': '{given}'. Expected an ID that begins with '{prefix}'."
            what = f"the id of a {kind} item begins with {prefix!r} or is left out"
            self.ledger.add("R5", at, what, id=name, says=says)
            return
        if name in self.ids:
            self._report_double(index, name, f"the item stands at input[{self.ids[name]}] too")
        self.ids.setdefault(name, index)

    def _report_double(self, index: int, name: str, what: str) -> None:
        says = (
            f"Duplicate item found with id {name}. Remove duplicate items from your input and "
            "try again."
        )
        self.ledger.add("R8", f"input[{index}]", what, id=name, says=says)

    def _check_message(self, index: int, item: dict[str, object]) -> None:
        role = as_text(item.get("role"))
        if role not in ROLES:
            what = f"the role is {item.get('role')!r}; use {', '.join(sorted(ROLES))}"
            self.ledger.add("R1", f"input[{index}].role", what)
        content = item.get("content")
        if not isinstance(content, str | list):
            what = f"content is text or a list of parts, not {type_name(content)}"
            self.ledger.add("R1", f"input[{index}].content", what)
        for position, part in enumerate(as_list(content)):
            if not isinstance(as_object(part).get("type"), str):
                at = f"input[{index}].content[{position}]"
                self.ledger.add("R1", at, "a content part is an object with a type")

    def _check_call_id(self, index: int, item: dict[str, object]) -> str | None:
        name = as_text(item.get("call_id"))
        at = f"input[{index}].call_id"
        if not name:
            self.ledger.add("R4", at, "the item has no call_id")
            return None
        if len(name) > LONGEST_CALL_ID:
            says = (
                f"Invalid '{at}': string too long. Expected a string with maximum length "
                f"{LONGEST_CALL_ID}, but got a string with length {len(name)} instead."
            )
            what = f"the call_id has {len(name)} characters; at most {LONGEST_CALL_ID} are taken"
            self.ledger.add("R6", at, what, id=name, says=says)
        return name

    def _check_call(self, index: int, kind: str, item: dict[str, object]) -> None:
        name = self._check_call_id(index, item)
        if not isinstance(item.get("name"), str):
            self.ledger.add("R1", f"input[{index}].name", "a call names its tool", id=name)
        if kind == "function_call":
            self._check_arguments(index, name, item.get("arguments"))
        if name is None:
            return
        if (kind, name) in self.calls:
            self._report_twin(index, name, "two calls have this call_id")
        self.calls.setdefault((kind, name), index)

    def _check_arguments(self, index: int, name: str | None, arguments: object) -> None:
        what = says = None
        if not isinstance(arguments, str):
            what = f"arguments is a string of JSON, not {type_name(arguments)}"
        elif not is_json(arguments):
            what = "arguments is not valid JSON"
            says = "Responses function_call arguments are invalid JSON: …"
        if what is not None:
            self.ledger.add("R12", f"input[{index}].arguments", what, id=name, says=says)

    def _check_output(self, index: int, kind: str, item: dict[str, object]) -> None:
        name = self._check_call_id(index, item)
        output = item.get("output")
        if not isinstance(output, str | list):
            what = f"output is text or a list of parts, not {type_name(output)}"
            self.ledger.add("R4", f"input[{index}].output", what, id=name)
        if name is None:
            return
        call = (OUTPUT_OF[kind], name)
        if call in self.outputs:
            self._report_twin(index, name, "two outputs have this call_id")
        self.outputs.setdefault(call, index)
        if call not in self.calls:
            self.orphans.append((index, name))

    def _report_twin(self, index: int, name: str, what: str) -> None:
        self.ledger.add(
            "R8", f"input[{index}].call_id", what, id=name, says=f"Duplicate 'call_id': {name}"
        )

    def _check_whole(self, index: int, kind: str, item: dict[str, object]) -> None:
        if kind == "reasoning" and as_text(item.get("encrypted_content")):
            return
        name = as_text(item.get("id"))
        says = (
            f"Item with id '{name}' not found. Items are not persisted when `store` is set to "
            "false. Try again with `store` set to true, or remove this item from your input."
        )
        what = "nothing is stored, so the item must carry its own encrypted content"
        self.ledger.add("R9", f"input[{index}]", what, id=name, says=says)

    def check_pairs(self, *, chained: bool) -> None:
        """Report calls without outputs (R2) and outputs without a call before them (R3)."""
        if not chained:
            for (kind, name), index in self.calls.items():
                if (kind, name) not in self.outputs:
                    says = f"No tool output found for function call {name}."
                    what = "no output has this call_id"
                    self.ledger.add("R2", f"input[{index}]", what, id=name, says=says)
        if chained or self.references:
            return
        for index, name in self.orphans:
            says = f"No tool call found for function call output with call_id {name}."
            what = "no call with this call_id stands before it"
            self.ledger.add("R3", f"input[{index}]", what, id=name, says=says)

    def check_reasoning(self) -> None:
        """Report reasoning that what it led to does not follow (R7).

        The reverse, a call that lost its reasoning, cannot be seen in one body: models also call
        without reasoning. It is found by comparing with the recorded reply.
        """
        followed_by: dict[str, object] | None = None
        for index in range(len(self.given) - 1, -1, -1):
            item = as_object(self.given[index])
            if item_type(item) != "reasoning":
                followed_by = item
            elif not _follows(followed_by, named=item.get("id") is not None):
                name = as_text(item.get("id"))
                says = (
                    f"Item '{name}' of type 'reasoning' was provided without its required "
                    "following item."
                )
                what = "the call or message that the reasoning led to does not follow"
                self.ledger.add("R7", f"input[{index}]", what, id=name, says=says)


def _follows(item: dict[str, object] | None, *, named: bool) -> bool:
    """Say whether the item can be what a reasoning item led to.

    An assistant message without an id is not recognised as what a named item led to; this was
    seen in a recorded exchange.
    """
    if not item:
        return False
    kind = item_type(item)
    if kind != "message":
        return kind not in INPUT_ITEMS
    return item.get("role") == "assistant" and (not named or item.get("id") is not None)


def check_responses_continuation(
    earlier_request: object, earlier_reply: object, later_request: object
) -> list[Finding]:
    """Return the items of the later request whose recorded reasoning is left out.

    Only items that keep their provider id need their reasoning.
    """
    ledger = Ledger()
    recorded = [
        *as_list(as_object(earlier_request).get("input")),
        *as_list(as_object(earlier_reply).get("output")),
    ]
    reasons = _reasons(recorded)
    later = [as_object(item) for item in as_list(as_object(later_request).get("input"))]
    sent = {name for item in later if (name := as_text(item.get("id"))) is not None}
    for index, item in enumerate(later):
        name = as_text(item.get("id"))
        reason = reasons.get(name) if name is not None else None
        if reason is None or reason in sent:
            continue
        says = (
            f"Item '{name}' of type '{item_type(item)}' was provided without its required "
            f"'reasoning' item: '{reason}'."
        )
        ledger.add("R7", f"input[{index}]", "its reasoning is left out", id=name, says=says)
    return ledger.findings


def _reasons(recorded: list[object]) -> dict[str, str]:
    """Map the id of each item to the id of the reasoning item just before it."""
    reasons: dict[str, str] = {}
    reason: str | None = None
    for each in recorded:
        item = as_object(each)
        kind, name = item_type(item), as_text(item.get("id"))
        if kind == "reasoning":
            reason = name
        elif kind in INPUT_ITEMS or (kind == "message" and item.get("role") != "assistant"):
            reason = None
        elif name is not None and reason is not None:
            reasons[name] = reason
    return reasons
