"""The pieces of a plan one by one: tiles, stubs, recent cycles, sizes, rare words, pointers."""

import hashlib
from collections.abc import Sequence

import pytest

from mindpipe.compaction.anchors import LeavingWords, closing, pointer
from mindpipe.compaction.filter import lives
from mindpipe.compaction.records import (
    Anchor,
    Anchors,
    Kept,
    Masked,
    Pointer,
    Stub,
    Summary,
    SummaryLine,
)
from mindpipe.compaction.selection.extractive import fitted, line_sizes
from mindpipe.compaction.selection.rarity import grounded_share, search_terms, vocabulary
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.sent import sent_messages
from mindpipe.compaction.sizes import pays_after, tokens_by_kind
from mindpipe.compaction.task import CycleInView, SpokenWords
from mindpipe.compaction.tiles import (
    TOOLS_OCTETS,
    Tile,
    covering_parts,
    recent_tiles,
    sent_ranges,
    stubs_of,
    summary_of,
    tiles,
)
from mindpipe.core.messages import ResultPart, ResultStatus, Role
from support.histories import call, conversation, result, said, tool, user
from support.long_histories import LONG, Spent, past, plain, told, words
from support.tables import each_row


def facts_of(run: Sequence[Tile]) -> Summary:
    return summary_of(run, (), strategy="layered")


def lived(*cycles: int) -> list[CycleInView]:
    own = past([plain(number) for number in range(1, max(cycles) + 1)]).messages
    return [one for one in lives(own, count=words) if one.cycle in cycles]


def heavy(count: int) -> tuple[CycleInView, ...]:
    return lives(past([Spent(2, ((ResultStatus.OK, LONG),), 2)] * count).messages, count=words)


def folded(first: int, last: int, **more: object) -> Summary:
    fields: dict[str, object] = {
        "first_seq": 1,
        "last_seq": 8,
        "messages": 8,
        "began": "2026-01-01",
        "ended": "2026-01-02",
        "tools": ("look",),
        "strategy": "layered",
        "folded": 0,
        "lines": (),
        "tokens": 5,
        "sources": {"web": 2},
        **more,
    }
    return Summary(first=first, last=last, **fields)


def covering(tile: Tile) -> tuple[int, int]:
    return tile.first, tile.last


def test_tiles_cover_every_cycle_also_those_without_messages() -> None:
    base = (folded(1, 4), Kept(first=5, last=6, tokens=9), folded(7, 8))
    found = tiles(lived(5, 10), base, through=12)
    assert list(map(covering, found)) == [
        (1, 4),
        (5, 5),
        (6, 6),
        (7, 8),
        (9, 9),
        (10, 10),
        (11, 12),
    ]
    assert [tile.lived is not None for tile in found] == [False, True, *[False] * 3, True, False]
    assert sent_ranges(found) == ((5, 5), (10, 10))
    assert sent_ranges(found, since=6) == ((10, 10),)


def test_cycles_behind_the_end_are_no_tiles() -> None:
    assert list(map(covering, tiles(lived(1, 2, 3), (), through=2))) == [(1, 1), (2, 2)]


def test_a_gap_goes_where_the_cycle_before_it_goes() -> None:
    found = tiles(lived(2, 5), (), through=6)

    parts = covering_parts(found, {5: ()}, (), strategy="layered", count=words, facts=facts_of)
    assert [(part.first, part.last) for part in parts if not isinstance(part, Masked)] == [
        (1, 1),
        (2, 4),
        (5, 6),
    ]
    assert [type(part) for part in parts] == [Kept, Summary, Kept]


def test_folding_a_summary_again_adds_up_its_facts() -> None:
    more = lives(
        conversation(user("Go."), said(call(1, {}, tool="ask")), tool(result(1, "no"))).messages,
        count=words,
    )
    one = more[0]._replace(cycle=5, sources=("mail", "web", "mail"))
    base = (folded(1, 3), folded(4, 4, folded=2))
    parts = covering_parts(
        tiles([one], base, through=5), {}, (), strategy="masked", count=words, facts=facts_of
    )
    (part,) = parts
    assert isinstance(part, Summary)
    assert (part.first, part.last, part.messages, part.folded) == (1, 5, 19, 3)
    assert part.tools == ("look", "ask")
    assert part.sources == {"web": 5, "mail": 1}
    assert (part.began, part.ended) == ("2026-01-01", "2026-11-21T20:00:00Z")
    assert part.strategy == "masked"


def test_a_heading_names_only_so_many_tools() -> None:
    names = [f"tool_{number:03}" for number in range(100)]
    calls = [call(number, {}, tool=name) for number, name in enumerate(names, 1)]
    own = lives(conversation(user("Go."), said(*calls)).messages, count=words)
    (part,) = covering_parts(
        tiles(own, (), through=1), {}, (), strategy="masked", count=words, facts=facts_of
    )
    assert isinstance(part, Summary)
    assert list(part.tools) == names[: len(part.tools)]
    assert 5 < len(part.tools) <= TOOLS_OCTETS // 8


def test_lines_stand_in_the_part_that_has_their_cycle_and_end_with_it() -> None:
    found = tiles(lived(1, 2, 3, 4), (), through=4)
    lines = [
        SummaryLine(text="a", cycle=1, until=4),
        SummaryLine(text="b", cycle=3),
        SummaryLine(text="c", cycle=4),
    ]
    parts = covering_parts(found, {3: ()}, lines, strategy="layered", count=words, facts=facts_of)
    assert [part.lines for part in parts if isinstance(part, Summary)] == [
        (SummaryLine(text="a", cycle=1, until=2),),
        (SummaryLine(text="c", cycle=4),),
    ]


def test_a_stub_says_what_was_cleared_and_how_to_fetch_it() -> None:
    (one,) = heavy(1)
    (stub,) = stubs_of(one, words, stored=True)
    cleared = told(1, LONG)
    assert f"recall result cleared: {len(cleared)} characters" in stub.text
    assert hashlib.sha256(cleared.encode()).hexdigest()[:12] in stub.text
    assert stub.text.endswith("read_history(cycle=1) shows it]")
    assert stub.saved == words(cleared) - words(stub.text)
    (apart,) = stubs_of(one, words, stored=False)
    assert apart.text.endswith("it is in cycle 1 of the full history]")


def test_short_results_and_tickets_are_not_cleared_and_errors_keep_their_first_line() -> None:
    long = "bad dock\n" + told(2, LONG)
    talk = conversation(
        user("Go."),
        said(call(1, {}), call(2, {}), call(3, {})),
        tool(
            result(1, "short"),
            result(2, told(1, LONG), ResultStatus.TICKETED),
            result(3, long, ResultStatus.ERROR),
        ),
    )
    (stub,) = stubs_of(lives(talk.messages, count=words)[0], words, stored=True)
    assert stub.call.endswith("3")
    assert stub.text.startswith("bad dock ")


def test_a_cleared_result_loses_its_text_and_its_json_and_nothing_else() -> None:
    talk = conversation(
        user("Go."), said(call(1, {})), tool(result(1, "[1]", value=[1])), said("Done.")
    )
    stub = Stub(call=talk.messages[1].parts[0].id, text="gone", saved=1)  # type: ignore[union-attr]
    sent = sent_messages(talk.messages, (Masked(cycle=1, stubs=(stub,), tokens=3),))
    (part,) = sent[2].parts
    assert isinstance(part, ResultPart)
    assert (part.text, part.json, part.status) == ("gone", None, ResultStatus.OK)
    assert [message.seq for message in sent] == [1, 2, 3, 4]


def kept(count: int, *, room: int, keep: int = 10) -> list[Tile]:
    own = [Tile(one.cycle, one.cycle, lived=one) for one in heavy(count)]

    def mask(one: CycleInView) -> tuple[Stub, ...]:
        return stubs_of(one, words, stored=True)

    return recent_tiles(own, keep=keep, room=room, spare=20, mask=mask)


def test_recent_cycles_stay_whole_where_they_fit() -> None:
    whole = sum(one.tokens for one in heavy(10))
    found = kept(14, room=int(whole / 0.7) + 2)
    assert [tile.first for tile in found] == list(range(5, 15))
    assert not any(tile.stubs for tile in found)


def test_recent_cycles_are_cleared_oldest_first_and_then_left() -> None:
    (one,) = heavy(1)
    some = kept(14, room=8 * one.tokens)
    assert [tile.first for tile in some] == list(range(5, 15))
    stubbed = [bool(tile.stubs) for tile in some]
    assert stubbed == sorted(stubbed, reverse=True)
    assert not stubbed[-1]
    few = kept(14, room=2 * one.tokens)
    assert 1 <= len(few) < 10
    assert not few[-1].stubs
    assert len(kept(14, room=1)) == 1
    assert kept(14, room=1, keep=0) == []


def test_sizes_are_by_kind_and_in_tokens_of_the_provider() -> None:
    parts = (folded(1, 2), Kept(first=3, last=4, tokens=10))
    sizes = tokens_by_kind(parts, head=7, count=words, calibration=1.5)
    opening = words("[Earlier: summary of cycles 1-2]\n")
    assert sizes["head"] == 11
    assert sizes["kept"] == 15
    assert sizes["summary"] == -(-(opening + 5) * 3 // 2)
    assert sizes["masked"] == sizes["anchors"] == sizes["pointer"] == 0


@each_row(
    ("cached", "price", "requests"),
    [(1000, None, None), (0, 0.1, 0), (1000, 1.0, 0), (1000, 0.1, 4), (1000, 0.0, None)],
)
def test_lost_cache_is_paid_for_by_later_requests(
    cached: int, price: float | None, requests: int | None
) -> None:
    # Without: 1000 tokens, all cached: 100. With: 100 of the head cached, 300 fresh: 310; the
    # 210 that are lost come back at 60 a request.
    found = pays_after(before=1000, after=400, head=100, cached=cached, cached_price=price)
    assert found == requests


def spoken(*texts: str) -> list[SpokenWords]:
    return [SpokenWords(seq, 1, Role.USER, None, text) for seq, text in enumerate(texts, 1)]


def test_grounded_is_the_share_of_rare_words_in_the_mean_of_messages() -> None:
    words_of = vocabulary(spoken("The copper crane broke", "The harbour sleeps", "The end came"))

    def share(text: str, *seqs: int) -> float:
        return grounded_share(words_of, [SummaryLine(text=text, cycle=1, seqs=seqs)])

    assert share("copper crane", 1) == pytest.approx(2 / 9)
    assert share("the", 1, 2, 3) == 0
    assert share("copper harbour end", 1, 2, 3) == pytest.approx((1 / 3 + 1 / 2 + 1 / 2) / 3)
    assert share("copper crane broke harbour sleeps end came", 1, 2, 3) == pytest.approx(1)
    assert grounded_share(words_of, []) == 0
    assert grounded_share(vocabulary([]), []) == 1
    shared = vocabulary(spoken("copper crane", "copper crane", "end"))
    told = [SummaryLine(text="copper crane", cycle=1, seqs=(1, 2))]
    assert grounded_share(shared, told) == pytest.approx(1 / 3)


def test_search_terms_are_words_of_several_messages_that_are_not_shown() -> None:
    texts = [f"the crane lifts crate {number}" for number in range(3)]
    texts += [f"weather report {number} again" for number in range(9)]
    found = search_terms(vocabulary(spoken(*texts)), "a crate", most=6)
    assert set(found) == {"crane", "lifts"}
    assert len(search_terms(vocabulary(spoken(*texts)), "", most=1)) == 1


def test_a_pointer_has_as_many_terms_as_fit() -> None:
    full = pointer(("crane", "crate"), 100, words, stored=True)
    assert full is not None
    assert '"crane", "crate"' in full.text
    assert "search_history" in full.text
    less = pointer(("crane", "crate"), full.tokens - 1, words, stored=True)
    assert less is not None
    assert less.terms == ("crane",)
    assert pointer(("crane",), 5, words, stored=True) is None
    apart = pointer((), 100, words, stored=False)
    assert apart is not None
    assert "search_history" not in apart.text


def test_a_ticket_is_named_also_where_a_line_seems_to_show_it() -> None:
    parts = (folded(1, 2, lines=(SummaryLine(text="Waits for t_12. Omar said no.", cycle=1),)),)
    candidates = [
        Anchor(kind="ticket", text="t_1", cycle=1, seq=1),
        Anchor(kind="decision", text="Omar said no.", cycle=1, seq=1),
    ]
    leaving = LeavingWords(
        said=spoken("crane", "crane"), sent=(), candidates=candidates, terms=("dock",)
    )
    ending = closing(parts, leaving, room=400, count=words, stored=True)
    anchors, pointing = ending.parts
    assert isinstance(anchors, Anchors)
    assert [one.text for one in anchors.anchors] == ["t_1"]
    assert isinstance(pointing, Pointer)
    assert pointing.terms == ("crane", "dock")
    assert ending.measures.anchors == 1
    bare = closing(parts, leaving, room=0, count=words, stored=True)
    assert bare.parts == ()
    assert bare.measures.anchors == 0.5, "t_12 is another ticket"
    assert bare.measures.grounded == 0


def test_lines_that_do_not_fit_are_made_coarser_the_oldest_first() -> None:
    lines = [
        SummaryLine(
            text=f"{told(number, 15)}. {told(number + 1, 15)}.", cycle=number, seqs=(number,)
        )
        for number in range(1, 31)
    ]
    assert fitted(lines, 10_000, words) == tuple(lines)
    less = fitted(lines, 500, words)
    assert sum(line_sizes(less, words)) <= 500
    assert less[-1] == lines[-1]
    old = [line for line in less if line not in lines]
    assert old, "words of older lines stay"
    assert {seq for line in old for seq in line.seqs} <= set(range(1, 31))
    assert [line.cycle for line in less] == sorted(line.cycle for line in less)
    assert fitted(lines, 0, words) == ()


def test_a_line_longer_than_its_share_is_never_left_whole() -> None:
    lines = [
        SummaryLine(text=told(1, 10), cycle=1),
        SummaryLine(text=f"{told(2, 30)}. " * LONG, cycle=2),
    ]
    less = fitted(lines, 200, words)
    assert sum(line_sizes(less, words)) <= 200
    assert any(line.cycle == 2 for line in less)
    assert lines[1] not in less


def test_what_was_said_is_only_of_the_cycles_that_are_given() -> None:
    assert {one.cycle for one in said_of(lived(2, 3))} == {2, 3}
