"""What is not folded, and why: windows that fit, single cycles, lines without room."""

import pytest

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import is_closed, lives, over_messages
from mindpipe.compaction.plans.planner import UnfoldedError, plan_window
from mindpipe.compaction.records import Kept, Masked, Summary
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.compaction.tiles import CUT, LEFT_OUT, NEWEST_RESULTS
from mindpipe.core.messages import Conversation, Head, ResultPart
from support.histories import call, conversation, result, said, tool, user
from support.long_histories import Growing, Spent, past, plain, told, wish_for, words
from support.tables import each_row

TALK = past([plain(number) for number in range(20)])
WHOLE = sum(one.tokens for one in lives(TALK.messages, count=words)) + words("You are Ada.")


@each_row("strategy", STRATEGIES)
def test_messages_that_fit_stay_as_they_are(strategy: StrategyName) -> None:
    wish = wish_for(WHOLE, strategy=strategy, keep_cycles=2)
    with pytest.raises(UnfoldedError, match=f"nothing to fold: {WHOLE} of {WHOLE} tokens") as fits:
        over_messages(TALK, wish, count=words, tokenizer="words")
    assert fits.value.tokens == WHOLE
    over_messages(TALK, wish._replace(budget=WHOLE - 1), count=words, tokenizer="words")


def test_a_window_that_fits_is_folded_at_once_unless_it_has_to_be_over() -> None:
    log = Growing()
    for number in range(14):
        log.live(plain(number))
    wish = wish_for(100_000, keep_cycles=2)
    assert any(isinstance(part, Summary) for part in plan_window(log.material(), wish).parts)
    with pytest.raises(UnfoldedError, match="nothing to fold: "):
        plan_window(log.material(), wish._replace(if_over=True))


def long_cycle(*, closed: bool) -> Conversation:
    """Return one cycle of ninety calls."""
    spoken = [user("Repair src/ship/hull.py.")]
    for number in range(1, 91):
        spoken.append(said(call(number, {"query": told(number, 3)})))
        spoken.append(tool(result(number, told(number, 120))))
    return conversation(*spoken, *([said("Repaired.")] if closed else []), head=Head(system="s"))


@each_row("strategy", STRATEGIES)
@each_row("closed", [True, False])
def test_old_results_of_a_single_cycle_are_cleared(*, closed: bool, strategy: StrategyName) -> None:
    talk = long_cycle(closed=closed)
    assert is_closed(talk.messages[-1]) is closed
    wish = wish_for(9000, strategy=strategy)
    found = over_messages(talk, wish, count=words, tokenizer="words")
    (part,) = found.planned.parts
    assert isinstance(part, Masked)
    assert found.conversation.head.summary is None
    assert len(part.stubs) == 90 - NEWEST_RESULTS
    assert sum(found.planned.plan.after.values()) <= 9000
    texts = [
        one.text
        for message in found.conversation.messages
        for one in message.parts
        if isinstance(one, ResultPart)
    ]
    assert texts[-NEWEST_RESULTS:] == [told(number, 120) for number in (88, 89, 90)]
    assert all("result cleared" in text for text in texts[:-NEWEST_RESULTS])


def test_a_single_cycle_of_the_log_is_cleared_once() -> None:
    log = Growing()
    (log.lived[1],) = lives(long_cycle(closed=True).messages, count=words)
    planned = log.compact(wish_for(9000))
    assert planned is not None
    assert [type(part) for part in log.parts] == [Masked]
    with pytest.raises(UnfoldedError):
        plan_window(log.material(), wish_for(9000))
    with pytest.raises(UnfoldedError, match="nothing to fold: "):
        plan_window(log.material(), wish_for(9000, if_over=True))


def test_of_large_results_the_newest_alone_stays() -> None:
    spoken = [user("Go.")]
    for number in range(1, 5):
        spoken += [said(call(number, {})), tool(result(number, told(number, 400)))]
    talk = conversation(*spoken, head=Head(system="s"))
    found = over_messages(talk, wish_for(900), count=words, tokenizer="words")
    (part,) = found.planned.parts
    assert isinstance(part, Masked)
    assert len(part.stubs) == 3


def test_the_newest_cycle_stays_whole_where_it_fits() -> None:
    talk = past([Spent(4, (), 40), *[Spent(4, (), 100)] * 8, plain(2)])
    found = over_messages(talk, wish_for(400), count=words, tokenizer="words")
    assert isinstance([p for p in found.planned.parts if isinstance(p, Kept | Masked)][-1], Kept)


def test_what_could_not_be_cut_says_how_large_it_is() -> None:
    with pytest.raises(UnfoldedError, match="raise max_tokens, or --budget") as large:
        over_messages(past([Spent(2000, (), 2)]), wish_for(500), count=words, tokenizer="words")
    assert large.value.tokens > 2000


def test_reasons_are_true_where_there_is_no_room_for_lines() -> None:
    talk = past([Spent(3, (), 30) for _ in range(60)])
    wish = wish_for(700, keep_cycles=2, explain=True)
    found = over_messages(talk, wish, count=words, tokenizer="words")
    (summary,) = (part for part in found.planned.parts if isinstance(part, Summary))
    told_of = {seq for line in summary.lines for seq in line.seqs}
    spoken = {message.cycle: message.seq for message in talk.messages}
    whys = {one.cycle: one.why for one in found.planned.reasons if one.to == "summary"}
    assert {LEFT_OUT, "its own closing summary stands for it"} <= set(whys.values())
    for cycle, why in whys.items():
        assert (why == LEFT_OUT) == (spoken[cycle] not in told_of)
    assert set(whys.values()) <= {LEFT_OUT, CUT, "its own closing summary stands for it"}


def test_who_asks_again_is_told_what_would_help() -> None:
    log = Growing()
    for number in range(14):
        log.live(plain(number))
    with pytest.raises(
        UnfoldedError, match="14 cycles so far, and the newest stay whole; give a smaller"
    ):
        plan_window(log.material(), wish_for(100_000, keep_cycles=14))
    log.compact(wish_for(900, keep_cycles=3))
    undo = "has left it; mind compact undo first, or give a smaller --keep-cycles"
    with pytest.raises(UnfoldedError, match=undo):
        plan_window(log.material(), wish_for(900, keep_cycles=3, strategy="anchored"))


def test_a_filter_never_waits() -> None:
    wish = wish_for(WHOLE // 2, keep_cycles=2, min_saving=10_000)
    found = over_messages(TALK, wish, count=words, tokenizer="words")
    assert found.planned.plan.min_saving == 0
