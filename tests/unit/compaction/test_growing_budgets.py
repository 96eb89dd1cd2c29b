"""A larger budget never keeps much less: what is left unused of it is small beside the text."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import lives, over_messages
from mindpipe.compaction.selection.extractive import choose, line_sizes
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation
from support.draws import tries
from support.long_histories import LENGTHS, PASTS, Spent, past, wish_for, words
from support.tables import each_row

TOLERANCE = 0.1
"""Of the room: text is filled in clauses, up to about this much of it each, and aims at 98 %."""
ONE_MORE = 0.35
"""Of the budget: one more cycle stays whole, or anchors are promised up to half of little room."""
FEW = 0.06
ONE_LINE = 12
SHARES = range(30, 108, 6)
TALKS = st.lists(st.builds(Spent, LENGTHS, st.just(()), LENGTHS), min_size=1, max_size=30).map(past)


def whole(talk: Conversation) -> int:
    return sum(one.tokens for one in lives(talk.messages, count=words))


@settings(deadline=None, max_examples=tries(40))
@given(talk=PASTS, first=st.floats(0.3, 1.2))
def test_a_little_more_room_is_not_left_empty(talk: Conversation, first: float) -> None:
    said = said_of(lives(talk.messages, count=words))
    step = max(1, whole(talk) // 100)
    rooms = [int(whole(talk) * first) + place * step for place in range(8)]
    sizes = [sum(line_sizes(choose(said, room=room, count=words), words)) for room in rooms]
    for (room, before), (_, after) in pairwise(zip(rooms, sizes, strict=True)):
        assert after >= before - TOLERANCE * room - ONE_LINE


def told(talk: Conversation, strategy: StrategyName, budget: int, keep: int) -> int:
    """Return the tokens of cycles and lines; anchors are not repeated once a line shows them."""
    wish = wish_for(budget, strategy=strategy, keep_cycles=keep)
    try:
        found = over_messages(talk, wish, count=words, tokenizer="words")
    except NothingToDoError:
        return whole(talk)
    after = found.planned.plan.after
    return after["kept"] + after["masked"] + after["summary"]


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(deadline=None, max_examples=tries(15))
@given(talk=TALKS, keep=st.integers(0, 12))
def test_a_larger_budget_is_not_left_empty(
    strategy: StrategyName, talk: Conversation, keep: int
) -> None:
    budgets = [max(60, whole(talk) * share // 100) for share in SHARES]
    kept = [min(budget, told(talk, strategy, budget, keep)) for budget in budgets]
    for (budget, before), (_, after) in pairwise(zip(budgets, kept, strict=True)):
        assert after >= before - ONE_MORE * budget


@pytest.mark.heavy
@each_row("strategy", STRATEGIES)
def test_many_short_cycles_fill_every_budget(strategy: StrategyName) -> None:
    talk = past([Spent(12 + number % 9, (), 6) for number in range(60)])
    budgets = [whole(talk) * share // 100 for share in range(60, 104, 4)]
    kept = [told(talk, strategy, budget, 2) for budget in budgets]
    for (budget, before), (_, after) in pairwise(zip(budgets, kept, strict=True)):
        assert after >= before - FEW * budget
