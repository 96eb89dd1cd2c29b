"""Pieces: shared cells once, others line by line, priorities under their ceilings."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.inbox.batch import Batch, bounded, packed, piece_of, unpacked
from mindpipe.inbox.content import body_at, content_at, content_of, other_content, record_at
from mindpipe.inbox.push_rules import read_receipts, receipts_of
from mindpipe.inbox.records import Ceiling, Event, EventDefaults, EventState, FileEvent, Receipt
from mindpipe.inbox.wire import PushedLine, said_in
from support.tables import each_row

TOOLS = (Ceiling(source="tool:*", priority=2),)


def made(*wires: PushedLine, ceilings: tuple[Ceiling, ...] = ()) -> Batch:
    return piece_of(said_in(wires), first=5, given=EventDefaults(agent="ava"), ceilings=ceilings)


def pushed(*wires: PushedLine, by: EventDefaults) -> Batch:
    return piece_of(said_in(wires), first=5, given=by, ceilings=())


def test_shared_cells_stand_once_and_texts_line_by_line() -> None:
    piece = made(PushedLine(text="a", source="web"), PushedLine(text="a", source="web"))
    assert piece.same == {"agent": "ava", "type": "service", "source": "web", "priority": 3}
    assert piece.each == {"text": ["a", "a"]}
    assert (piece.count, piece.number(1), list(piece.whole("space"))) == (2, 6, [None, None])


def test_cells_are_kept_in_the_form_that_is_stored() -> None:
    piece = made(
        PushedLine(due="2026-11-21T21:00:00+01:00", body={"é": [1.5, None]}, lossy=True),
        PushedLine(body={}),
    )
    assert piece.each["due"] == ["2026-11-21T20:00:00Z", None]
    assert piece.each["body"] == ['{"é":[1.5,null]}', "{}"]
    assert piece.each["lossy"] == [1, None]


def test_too_much_urgency_is_lowered_and_noted() -> None:
    shared = made(PushedLine(source="tool:x", priority=0), ceilings=TOOLS)
    assert (shared.cell("priority", 0), shared.cell("asked", 0)) == (2, 0)
    mixed = made(
        PushedLine(source="tool:x", priority=1),
        PushedLine(source="web", priority=0),
        PushedLine(source="tool:x", priority=4),
        PushedLine(source="tool:x"),
        ceilings=TOOLS,
    )
    assert mixed.whole("priority") == [2, 0, 4, 3]
    assert mixed.whole("asked") == [1, None, None, None]
    assert not made(PushedLine(source="tool:x", priority=2), ceilings=TOOLS).has("asked")


def test_only_new_events_below_critical_are_bounded() -> None:
    piece = made(
        PushedLine(agent="a", priority=0),
        PushedLine(agent="b", priority=2),
        PushedLine(agent="c", source="web"),
    )
    assert bounded(piece, set()) == {("b", "operator"), ("c", "web")}
    assert bounded(piece, {1}) == {("c", "web")}
    assert bounded(made(PushedLine(), PushedLine()), set()) == {("ava", "operator")}
    assert bounded(made(PushedLine(agent="a"), PushedLine(agent="b")), set()) == {
        ("a", "operator"),
        ("b", "operator"),
    }


@given(
    st.lists(
        st.builds(
            PushedLine,
            text=st.none() | st.text(),
            key=st.none() | st.text(min_size=1, max_size=9),
            priority=st.none() | st.integers(0, 4),
            body=st.none() | st.dictionaries(st.text(), st.integers()),
            lossy=st.none() | st.booleans(),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_a_piece_comes_back_from_the_spool_as_it_went(wires: list[PushedLine]) -> None:
    piece = made(*wires, ceilings=TOOLS)
    assert unpacked(packed(piece)) == piece


def test_a_line_can_be_told_from_its_cells() -> None:
    piece = made(PushedLine(text="a", body={"x": 1}, lossy=True), PushedLine(text="b"))
    base = {"agent": "ava", "type": "service", "source": "operator", "priority": 3}
    assert record_at(piece, 0) == {**base, "text": "a", "body": {"x": 1}, "lossy": True}
    assert record_at(piece, 1) == {**base, "text": "b"}
    assert (body_at(piece, 0), body_at(piece, 1)) == ({"x": 1}, {})


EVENT = Event(
    id="e_1",
    seq=1,
    agent="ava",
    type="service",
    source="operator",
    priority=3,
    text="a",
    body={"x": 1},
    pushed="2026-11-21T20:00:00Z",
    state=EventState.READY,
    attempts=0,
    epoch=0,
)


@each_row(
    ("wire", "same"),
    [
        (PushedLine(text="a", body={"x": 1}), True),
        (PushedLine(text="a", body={"x": 1}, priority=0, due="2030-01-01", key="k"), True),
        (PushedLine(text="a", body={"x": 2}), False),
        (PushedLine(text="a"), False),
        (PushedLine(text="b", body={"x": 1}), False),
        (PushedLine(text="a", body={"x": 1}, type="plan"), False),
        (PushedLine(text="a", body={"x": 1}, sender="bob"), False),
    ],
)
def test_the_same_content_is_what_a_mind_would_see(wire: PushedLine, *, same: bool) -> None:
    assert (content_at(made(wire), 0) == content_of(EVENT)) is same


def test_an_event_of_a_file_has_the_same_content() -> None:
    told = FileEvent(id="e_1", seq=1, pushed="2026-11-21T20:00:00Z", text="a", body={"x": 1})
    assert content_of(told) == content_of(EVENT)
    assert other_content("k", "e_1").startswith('"k" is the key of another event (e_1)')


def test_receipts_of_events_without_keys_have_their_ids_as_keys() -> None:
    receipts = receipts_of(made(PushedLine(), PushedLine()), ["e_1", "e_2"], {})
    assert read_receipts(receipts) == [Receipt(id="e_1", key="e_1"), Receipt(id="e_2", key="e_2")]


def test_receipts_tell_duplicates_and_lowered_priorities_and_leave_out_what_was_refused() -> None:
    piece = made(
        PushedLine(key="a"),
        PushedLine(key="b", source="tool:x", priority=0),
        PushedLine(key="c", source="tool:x", priority=0),
        PushedLine(),
        ceilings=TOOLS,
    )
    receipts = receipts_of(piece, ["e_1", "e_2", "e_3", "e_4"], {0: None, 2: "e_0"})
    assert receipts.splitlines() == [
        b'{"id":"e_2","key":"b","lowered":2}',
        b'{"id":"e_0","key":"c","duplicate":true}',
        b'{"id":"e_4","key":"e_4"}',
    ]
    assert msgspec.json.decode(b"[" + b",".join(receipts.splitlines()) + b"]", type=list[Receipt])


def test_a_line_that_names_another_source_is_not_trusted_more_than_its_pusher() -> None:
    lines = (
        PushedLine(text="a", source="operator"),
        PushedLine(text="b", source="web", sources=("mail/eve",)),
        PushedLine(text="c"),
        PushedLine(text="d", source="plan", sources=("mail/eve",)),
        PushedLine(text="e", source="vip"),
    )
    given = EventDefaults(agent="ava", source="web")
    piece = piece_of(said_in(lines), first=1, given=given, ceilings=())
    assert list(piece.whole("source")) == ["web"] * 5
    assert list(piece.whole("sources")) == [
        None,
        '["claimed:mail/eve"]',
        None,
        '["claimed:mail/eve"]',
        '["claimed:vip"]',
    ]
    own = piece_of(said_in(lines[:1]), first=1, given=EventDefaults(agent="ava"), ceilings=())
    assert own.cell("sources", 0) is None


def test_a_line_that_names_another_sender_is_not_trusted_more_than_its_pusher() -> None:
    lines = [
        PushedLine(text="a", sender="bob"),
        PushedLine(text="b", sender="eve"),
        PushedLine(text="c"),
    ]
    piece = pushed(*lines, by=EventDefaults(agent="ava", source="mail", sender="eve"))
    assert list(piece.whole("sender")) == ["bob", "eve", "eve"]
    assert list(piece.whole("sources")) == ['["mail/eve"]', None, None]
    bridge = pushed(
        PushedLine(text="a", sender="bob"), by=EventDefaults(agent="ava", source="mail")
    )
    assert not bridge.has("sources")


@each_row("claimed", ["mail", "operator", "ticket", "plan"])
def test_a_line_that_claims_its_pushers_source_or_the_operators_inherits_nothing(
    claimed: str,
) -> None:
    piece = pushed(
        PushedLine(text="a", source=claimed), by=EventDefaults(agent="ava", source="mail")
    )
    assert list(piece.whole("source")) == ["mail"]
    assert list(piece.whole("sources")) == [None]


def test_a_line_that_names_another_source_asks_for_no_more_than_its_pusher_may() -> None:
    ceilings = (Ceiling(source="web", priority=3), Ceiling(source="slow", priority=4))
    lines = [PushedLine(source=name, priority=0) for name in ("vip", "operator", "slow", "web")]
    given = EventDefaults(agent="ava", source="web")
    piece = piece_of(said_in(lines), first=1, given=given, ceilings=ceilings)
    assert list(piece.whole("priority")) == [3, 3, 3, 3]
    own = piece_of(said_in(lines), first=1, given=EventDefaults(agent="ava"), ceilings=ceilings)
    assert list(own.whole("priority")) == [0, 0, 4, 3]
