"""What a plan changes, told from its parts and from what was sent before."""

from mindpipe.compaction.plans.diff import (
    AnchorDiff,
    CyclesDiff,
    PointerDiff,
    Range,
    TokensDiff,
    WorthDiff,
    differences,
)
from mindpipe.compaction.records import (
    Anchor,
    Anchors,
    CompactionPlan,
    Kept,
    Masked,
    Measures,
    Overlay,
    Pointer,
    Stub,
    Summary,
    SummaryLine,
    WindowPlan,
)

ANCHOR = Anchor(kind="path", text="a/b.py", cycle=2, seq=4)
STUB = Stub(call="c_1", text="[cleared]", saved=90)


def summary(first: int, last: int) -> Summary:
    return Summary(
        first=first,
        last=last,
        first_seq=1,
        last_seq=9,
        messages=9,
        began="",
        ended="",
        tools=(),
        strategy="self-summary",
        folded=0,
        lines=(SummaryLine(text="It rained.", cycle=first),),
        tokens=7,
    )


def planned(parts: Overlay, sent: tuple[Range, ...]) -> WindowPlan:
    plan = CompactionPlan(
        agent="ava",
        strategy="self-summary",
        budget=100,
        keep_cycles=1,
        through=12,
        head_seq=24,
        head_sha256="0" * 64,
        base=None,
        tokenizer="words",
        calibration=1.0,
        sent_before=sent,
        before={"head": 5, "kept": 200},
        after={"head": 5, "kept": 60, "summary": 7},
        saving=133,
        min_saving=10,
        cached=3,
        pays_after=2,
        measures=Measures(anchors=1.0, grounded=0.5),
    )
    return WindowPlan(plan=plan, parts=parts)


def cycles(parts: Overlay, *sent: Range) -> list[CyclesDiff]:
    return [one for one in differences(planned(parts, sent)) if isinstance(one, CyclesDiff)]


def test_cycles_that_were_sent_leave_and_those_of_a_summary_stay_out() -> None:
    (one,) = cycles((summary(1, 9),), (3, 4), (7, 20))
    assert one.leaving == ((3, 4), (7, 9))
    assert (one.to, one.tokens, one.returning) == ("summary", 7, ())
    assert [line.text for line in one.lines] == ["It rained."]


def test_a_summary_of_what_was_out_already_changes_nothing() -> None:
    (one,) = cycles((summary(1, 9),), (10, 12))
    assert one.leaving == ()


def test_what_is_sent_again_comes_back() -> None:
    whole, masked = cycles(
        (Kept(first=1, last=9, tokens=60), Masked(cycle=10, stubs=(STUB,), tokens=10)),
        (3, 4),
        (9, 9),
    )
    assert whole.returning == ((1, 2), (5, 8))
    assert masked.returning == ((10, 10),)
    assert (masked.to, masked.stubs) == ("masked", (STUB,))


def test_what_stays_as_it_was_neither_leaves_nor_comes_back() -> None:
    for one in cycles((Kept(first=1, last=9, tokens=60),), (1, 4), (5, 12)):
        assert (one.leaving, one.returning) == ((), ())


def test_anchors_pointer_tokens_and_worth_follow() -> None:
    parts = (
        Anchors(anchors=(ANCHOR,), tokens=4),
        Pointer(text="[Search.]", terms=("rain",), tokens=3),
    )
    *others, last = differences(planned(parts, ()))
    assert others == [
        AnchorDiff(anchor=ANCHOR),
        PointerDiff(text="[Search.]", terms=("rain",)),
        TokensDiff(kind="head", before=5, after=5),
        TokensDiff(kind="kept", before=200, after=60),
        TokensDiff(kind="summary", before=0, after=7),
        TokensDiff(kind="total", before=205, after=72),
    ]
    assert isinstance(last, WorthDiff)
    assert (last.saving, last.pays_after, last.measures.grounded) == (133, 2, 0.5)
