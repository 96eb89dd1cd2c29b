"""What bears on the inbox stays whole; without an embedding model words are compared."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.compaction.filter import lives, over_messages
from mindpipe.compaction.records import Kept, Summary
from mindpipe.compaction.strategies import self_summary, semantic
from mindpipe.compaction.task import CompactionTask, Embed, SummaryDraft
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation
from support.fakes import WordEmbedder
from support.histories import call, conversation, result, said, tool, user
from support.long_histories import PASTS, past, plain, tiling, wish_for, words
from support.tables import each_row

TALK = conversation(
    *[user("Water the roses."), said("Watered the roses.")] * 3,
    user("Book a hotel in Tokyo."),
    said(call(1, {"query": "hotel Tokyo"})),
    tool(result(1, "Sunroute Plaza, Park Hotel " * 5)),
    said("Offered two hotels."),
    user("Which tea?"),
    said("Green tea."),
    user("The hotel in Ueno opens at 9 on Monday."),
    said("Noted."),
)
OLD = lives(TALK.messages, count=words)
ALL = 10_000


def drafted(inbox: str, *, room: int = ALL, embed: Embed | None = None) -> SummaryDraft:
    task = CompactionTask(
        old=tuple(OLD), folded=(), room=room, inbox=inbox, count=words, embed=embed
    )
    return semantic.draft(task)


def test_cycles_that_share_words_with_the_inbox_stay_and_the_others_are_lines() -> None:
    found = drafted("Which hotels did you find?")
    assert found.kept == {4, 6}
    assert [line.cycle for line in found.lines] == [1, 2, 3, 5]
    assert [line.text for line in found.lines][-1] == "Green tea."
    assert (found.strategy, found.fallback, found.stubs) == (None, None, {})
    assert found.reasons[4] == "rank 1 for what waits"
    assert found.reasons[6] == "rank 2 for what waits"
    assert found.reasons[5] == "its own closing summary stands for it"


def test_the_best_stay_as_far_as_there_is_room() -> None:
    sizes = {one.cycle: one.tokens + semantic.HEADING_TOKENS for one in OLD}
    lines = 40
    both = sizes[4] + sizes[6]
    assert drafted("hotel", room=both + lines).kept == {4, 6}
    assert drafted("hotel", room=sizes[4] + lines).kept == {4}
    assert drafted("hotel", room=sizes[6] + lines).kept == {6}
    assert drafted("hotel", room=sizes[6] - 1).kept == set()


@each_row("inbox", ["", " \n"])
def test_where_nothing_waits_every_cycle_becomes_its_summary(inbox: str) -> None:
    found = drafted(inbox)
    plain = self_summary.draft(
        CompactionTask(old=tuple(OLD), folded=(), room=ALL, inbox="", count=words)
    )
    assert found.lines == plain.lines
    assert (found.kept, found.strategy) == (frozenset(), "self-summary")
    assert "Nothing waits" in (found.fallback or "")


def test_vectors_decide_where_there_is_a_model() -> None:
    embedder = WordEmbedder()
    found = drafted("green tea.", room=120, embed=embedder.vectors)
    assert found.kept == {5}
    assert found.fallback is None
    assert embedder.asked[0] == "green tea."
    assert all(len(text) <= semantic.EMBEDDED_CHARACTERS for text in embedder.asked)


def test_a_model_that_is_not_there_is_named_and_words_are_compared() -> None:
    found = drafted("hotel", embed=WordEmbedder(there=False).vectors)
    assert found.kept == {4, 6}
    assert found.strategy == "semantic"
    assert found.fallback == (
        "the embedding model words is not there. Words were compared instead."
    )


def test_lines_of_earlier_summaries_stay() -> None:
    first = over_messages(
        TALK,
        wish_for(60, strategy="self-summary", keep_cycles=1),
        count=words,
        tokenizer="words",
    )
    folded = [part for part in first.planned.parts if isinstance(part, Summary)]
    task = CompactionTask(old=(), folded=tuple(folded), room=ALL, inbox="hotel", count=words)
    found = semantic.draft(task)
    assert found.lines == tuple(line for part in folded for line in part.lines)
    assert found.lines


@pytest.mark.heavy
@settings(deadline=None)
@given(talk=PASTS, share=st.sampled_from((0.1, 0.3, 0.6)), there=st.sampled_from(("there", "gone")))
def test_a_window_for_an_inbox_holds_every_cycle_once(
    talk: Conversation, share: float, there: str
) -> None:
    size = sum(one.tokens for one in lives(talk.messages, count=words))
    wish = wish_for(
        max(1, int(size * share)), strategy="semantic", keep_cycles=2, inbox="Anna, the invoice?"
    )
    embedder = WordEmbedder(there=there == "there")
    try:
        found = over_messages(talk, wish, count=words, tokenizer="words", embed=embedder.vectors)
    except NothingToDoError:
        return
    plan = found.planned.plan
    assert tiling(found.planned.parts) == list(range(1, plan.through + 1))
    assert (plan.fallback is None) == embedder.there or plan.strategy != "semantic"


def test_the_cycle_that_is_asked_about_stays_whole_in_a_window_of_many() -> None:
    talk = past([plain(number) for number in range(60)])
    asked = conversation(
        *talk.messages[:40],
        user("The anchor chain is rusty."),
        said("Ordered a chain."),
        *talk.messages[40:],
    )
    wish = wish_for(900, strategy="semantic", keep_cycles=3, inbox="Did the anchor chain come?")
    found = over_messages(asked, wish, count=words, tokenizer="words")
    kept = [part for part in found.planned.parts if isinstance(part, Kept)]
    (place,) = {one.cycle for one in asked.messages if "anchor chain" in str(one.parts)}
    assert any(part.first <= place <= part.last for part in kept)
    assert sum(found.planned.plan.after.values()) <= 900
