"""A cycle is told again as it was said, and pages of it join."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.messages import FilePart, OpaquePart, ResultStatus, Role, ThinkingPart
from mindpipe.history.pages import HistoryPage, ShownPiece, page_of, told
from support.histories import call, conversation, note, result, said, tool, user

FILE = FilePart(sha256="0" * 64, media_type="image/png", name="map.png")
CYCLE = conversation(
    user("Find a hotel.", FILE),
    note("It is late."),
    said(ThinkingPart(text="Hm."), "I look.", call(1, {"query": "x"}), call(2, written="{")),
    tool(result(1, "", value={"a": 1}), result(2, "bad", ResultStatus.INVALID)),
    said("Done.", OpaquePart(provider="anthropic", kind="x")),
)
PIECES = [
    ShownPiece(seq=1, role=Role.USER, text="Find a hotel."),
    ShownPiece(seq=1, role=Role.USER, text="[file map.png (image/png, sha256 000000000000)]"),
    ShownPiece(seq=2, role=Role.NOTE, text="It is late."),
    ShownPiece(seq=3, role=Role.ASSISTANT, text="I look."),
    ShownPiece(seq=3, role=Role.ASSISTANT, text='{"query": "x"}', tool="recall", call=f"c_{1:022}"),
    ShownPiece(seq=3, role=Role.ASSISTANT, text="{", tool="recall", call=f"c_{2:022}"),
    ShownPiece(seq=4, role=Role.TOOL, text='{"a":1}', call=f"c_{1:022}", status=ResultStatus.OK),
    ShownPiece(seq=4, role=Role.TOOL, text="bad", call=f"c_{2:022}", status=ResultStatus.INVALID),
    ShownPiece(seq=5, role=Role.ASSISTANT, text="Done."),
]


def test_all_but_reasoning_is_told_in_order() -> None:
    assert list(told(CYCLE.messages)) == PIECES


def test_a_page_is_cut_where_it_is_full_and_says_where_the_next_one_begins() -> None:
    first = page_of(PIECES, offset=0, limit=15)
    assert [piece.text for piece in first.pieces] == ["Find a hotel.", "[f"]
    assert first.next == 15
    assert page_of(PIECES, offset=15, limit=5).pieces[0].text == "ile m"
    whole = sum(len(piece.text) for piece in PIECES)
    assert page_of(PIECES, offset=0, limit=whole) == HistoryPage(pieces=tuple(PIECES), next=None)
    assert page_of(PIECES, offset=0, limit=whole - 1).next == whole - 1
    assert page_of(PIECES, offset=whole, limit=9) == HistoryPage(pieces=(), next=None)
    assert page_of([], offset=0, limit=9) == HistoryPage(pieces=(), next=None)


@given(st.lists(st.text(max_size=9), max_size=9), st.integers(1, 12))
def test_pages_join_to_the_whole(texts: list[str], limit: int) -> None:
    pieces = [ShownPiece(seq=seq, role=Role.NOTE, text=text) for seq, text in enumerate(texts)]
    joined: dict[int, str] = {}
    blank: list[int] = []
    offset: int | None = 0
    while offset is not None:
        page = page_of(pieces, offset=offset, limit=limit)
        assert sum(len(piece.text) for piece in page.pieces) <= limit
        for piece in page.pieces:
            joined[piece.seq] = joined.get(piece.seq, "") + piece.text
            blank += [] if piece.text else [piece.seq]
            assert msgspec.structs.replace(piece, text=texts[piece.seq]) == pieces[piece.seq]
        offset = page.next
    assert joined == dict(enumerate(texts))
    assert blank == [seq for seq, text in enumerate(texts) if not text]
