"""How sure an agent must be before what it proposes is done."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.decisions.bands import Bands, judged, thresholds_of
from mindpipe.decisions.records import Action, Proposal
from support.tables import each_row

STRICT = Bands(thresholds={"mail": 0.95, "note": 0.2})
HELD = "it sends outward"
# Kind, confidence, importance, held by policy; type.
CASES = [
    ("deed", 1.0, 0.5, None, "automatic"),
    ("deed", 0.901, 0.5, None, "automatic"),
    ("deed", 0.9, 0.5, None, "automatic"),
    ("deed", 0.7, 1.0, None, "automatic"),
    ("deed", 0.699, 0.5, None, "suggested"),
    ("deed", 0.5, 0.799, None, "suggested"),
    ("deed", 0.5, 0.8, None, "escalate"),
    ("deed", 0.499, 0.5, None, "gather"),
    ("deed", 0.0, 0.8, None, "escalate"),
    ("mail", 0.95, 0.5, None, "automatic"),
    ("mail", 0.949, 0.5, None, "suggested"),
    ("mail", 0.949, 0.9, None, "escalate"),
    ("mail", 0.499, 0.5, None, "gather"),
    ("note", 0.5, 0.5, None, "suggested"),
    ("note", 0.7, 0.5, None, "automatic"),
    ("deed", 1.0, 0.5, HELD, "suggested"),
    ("deed", 1.0, 0.8, HELD, "escalate"),
    ("deed", 0.6, 0.5, HELD, "suggested"),
    ("deed", 0.4, 0.5, HELD, "gather"),
]


@each_row("case", CASES)
def test_each_band(case: tuple[str, float, float, str | None, str]) -> None:
    kind, sure, weight, held, type_ = case
    proposal = Proposal(kind=kind, tool="pay", confidence=sure, importance=weight)
    found = judged(proposal, STRICT, held=held)
    assert (found.type, found.proposal) == (type_, proposal)
    assert found.threshold == (0.95 if kind == "mail" else 0.7)
    assert found.why


UNDO = Action(tool="refund")
LOGGED = "confidence 0.8 is not over 0.9: kept in view"


@each_row(
    "case",
    [
        (0.8, UNDO, f"{LOGGED} to be undone"),
        (0.8, None, f"{LOGGED}; nothing is named that would undo it"),
        (0.95, UNDO, "confidence 0.95 is over 0.9"),
        (0.95, None, "confidence 0.95 is over 0.9"),
        (0.6, UNDO, "confidence 0.6 is below 0.7"),
    ],
)
def test_only_what_names_its_undo_can_be_undone(case: tuple[float, Action | None, str]) -> None:
    sure, undo, why = case
    found = judged(Proposal(kind="deed", tool="pay", confidence=sure, undo=undo), Bands())
    assert (found.why, found.undoable) == (why, undo is not None)


def test_the_bar_of_a_tool_holds_whatever_its_agent_calls_the_kind() -> None:
    bands = Bands(thresholds={"pay": 0.99, "note": 0.2})
    for kind in ("deed", "note"):
        found = judged(Proposal(kind=kind, tool="pay", confidence=0.98), bands)
        assert (found.type, found.threshold) == ("suggested", 0.99)


def test_nothing_makes_a_held_call_automatic() -> None:
    free = Bands(act=0.0, log=0.0, suggest=0.0, thresholds={"deed": 0.0})
    proposal = Proposal(kind="deed", tool="pay", confidence=1.0)
    assert judged(proposal, free).type == "automatic"
    assert judged(proposal, free, held=HELD).type == "suggested"
    assert judged(proposal, free, held=HELD).why == HELD


def test_thresholds_are_read_and_bad_ones_named() -> None:
    assert thresholds_of("") == {}
    assert thresholds_of(" mail=0.95  note=1 ") == {"mail": 0.95, "note": 1.0}
    for bad in ("mail", "mail=", "mail=2", "=0.5", "MAIL=0.5", "mail=high", "mail=-0.1", "a=nan"):
        with pytest.raises(UsageError, match="KIND=NUMBER"):
            thresholds_of(f"note=0.5 {bad}")


def test_bands_out_of_order_are_refused() -> None:
    with pytest.raises((UsageError, ValueError), match="out of order"):
        Bands(act=0.6)
