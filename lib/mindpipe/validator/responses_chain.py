"""Compares a Responses request with the recorded one before it: rule R7."""

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.openai_fields import INPUT_ITEMS
from mindpipe.validator.openai_responses import item_type
from mindpipe.validator.plain import as_list, as_object, as_text
from mindpipe.validator.records import Finding


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
