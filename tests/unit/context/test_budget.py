"""What fits into a window: never too much, never in parts, the more important first."""

import functools
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.context.budget.assembly import NEWEST_LAST, RULES, assemble, budget_of, text_of
from mindpipe.context.budget.records import Allocations, Assembled, Budget, Level, Portion
from mindpipe.context.records import Block, SectionName
from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Tokens
from mindpipe.providers.tokens import RsBpeTokens
from support.tables import each_row

REAL = RsBpeTokens("o200k_base")
TITLES: dict[SectionName, tuple[str, ...]] = {
    "system": ("IDENTITY", "INSTRUCTIONS"),
    "observations": ("TRIGGER", "ACTIVE SPACE", "SPACE HISTORY", "YOUR SPACES"),
    "working_memory": ("ACTIVE RUNS", "WORKING MEMORY"),
    "task": ("PLANS", "TASK"),
    "self_model": ("GOALS", "SELF"),
    "episodic": ("EPISODES",),
    "semantic": ("MEMORIES", "KNOWLEDGE"),
    "procedural": ("LESSONS",),
    "graph": ("RELATIONS",),
    "statistics": ("STATISTICS",),
}


class Words:
    """A tokenizer that counts words, and line ends as one word each."""

    name = "words"

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        return len(text.replace("\n", " . ").split())


class Growing:
    """A tokenizer to which texts are longer together than apart."""

    name = "growing"

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        return len(text) + len(text) ** 2 // 400


def block(title: str, *lines: str) -> Block:
    section = next(name for name, titles in TITLES.items() if title.partition(" (")[0] in titles)
    return Block(section=section, title=title, lines=lines)


def words(count: int, said: str = "a") -> str:
    return " ".join([said] * count)


def of(found: Assembled, section: str) -> Portion:
    return next(one for one in found.portions if one.section == section)


def lines_of(found: Assembled, title: str) -> tuple[str, ...]:
    return next((one.lines for one in found.blocks if one.title == title), ())


_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)
_LINES = st.lists(_LINE | st.integers(1, 90).map(words), max_size=12).map(tuple)
_OTHERS = [title for name, titles in TITLES.items() if name != "system" for title in titles]
_BLOCKS = st.dictionaries(st.sampled_from(_OTHERS), _LINES, max_size=10).map(
    lambda found: [block("IDENTITY", "  name: ava"), *(block(k, *v) for k, v in found.items())]
)
_ALLOCATIONS = st.builds(
    Allocations,
    context_window=st.just(1000),
    **dict.fromkeys(Allocations().parts(), st.integers(0, 142)),
)
_TOKENS = st.sampled_from([REAL, Words(), Growing()])


@given(_BLOCKS, _ALLOCATIONS, st.integers(60, 2500), st.integers(0, 900), _TOKENS)
@settings(deadline=None)
def test_it_is_never_over_budget_and_never_cuts_a_record(
    blocks: list[Block], allocations: Allocations, window: int, reply: int, tokens: Tokens
) -> None:
    budget = budget_of(allocations, window=window, reply=reply)
    try:
        found = assemble(blocks, budget, tokens, beside=7)
    except RefusedError:
        always = [one for one in blocks if one.title in {"IDENTITY", "TRIGGER"}]
        assert tokens.count(text_of(always)) + 7 + budget.reserve > window - 30
        return
    whole = {one.title: one.lines for one in blocks}
    assert found.tokens == tokens.count(text_of(found.blocks)) + 7 <= window - budget.reserve
    for one in found.blocks:
        lines = iter(whole[one.title])
        assert all(line in lines for line in one.lines), "records are whole and in order"
    for (section, titles), portion in zip(TITLES.items(), found.portions, strict=True):
        kept = sum(len(lines_of(found, title)) for title in titles)
        there = sum(len(whole.get(title, ())) for title in titles)
        assert portion.section == section
        assert portion.records == kept + (section == "system")
        assert kept + len(portion.left_out) == there, "what is missing is named"
        assert portion.used <= portion.given
        if portion.ceiling is not None and "TRIGGER" not in titles:
            assert portion.given <= portion.ceiling
    left_out = [one for one in of(found, "observations").left_out if one.block == "TRIGGER"]
    longest = of(found, "observations").ceiling or 0
    assert all(one.tokens > longest for one in left_out)


@given(_BLOCKS, st.integers(100, 1500), st.integers(0, 1500), st.sampled_from([REAL, Words()]))
@settings(deadline=None)
def test_more_room_takes_nothing_away(
    blocks: list[Block], room: int, more: int, tokens: Tokens
) -> None:
    plan = budget_of(Allocations(), window=1200)
    try:
        small = assemble(blocks, msgspec.structs.replace(plan, window=room, reserve=0), tokens)
    except RefusedError:
        return
    large = assemble(blocks, msgspec.structs.replace(plan, window=room + more, reserve=0), tokens)
    for one in small.blocks:
        lines = iter(lines_of(large, one.title))
        assert all(line in lines for line in one.lines)


@given(_BLOCKS, st.integers(100, 1500), _TOKENS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_in_which_blocks_come_changes_only_their_order(
    blocks: list[Block], window: int, tokens: Tokens, chance: random.Random
) -> None:
    budget = budget_of(Allocations(), window=window)
    try:
        found = assemble(blocks, budget, tokens)
    except RefusedError:
        return
    assert assemble(blocks, budget, tokens) == found
    shuffled = list(blocks)
    chance.shuffle(shuffled)
    again = assemble(shuffled, budget, tokens)
    assert again.portions == found.portions
    by_title = functools.partial(sorted, key=lambda one: one.title)
    assert by_title(again.blocks) == by_title(found.blocks)
    assert [one.title for one in again.blocks] == [
        one.title for one in shuffled if lines_of(again, one.title)
    ]


def test_each_section_keeps_its_share_where_all_want_more() -> None:
    blocks = [block("IDENTITY", words(20))]
    blocks += [block(title, *[words(9)] * 400) for title in _OTHERS if title != "TRIGGER"]
    found = assemble(blocks, budget_of(Allocations(), window=10_000), Words())
    for portion in found.portions:
        if portion.section == "system":
            continue
        assert portion.share - 12 < portion.used
    # What the system section did not need went to the first.
    assert of(found, "observations").used > of(found, "observations").share
    assert of(found, "task").used <= of(found, "task").share
    assert found.tokens <= 9_500


def test_what_some_leave_goes_to_the_next_by_priority_up_to_their_ceilings() -> None:
    blocks = [
        block("IDENTITY", words(20)),
        block("SPACE HISTORY", *[words(9)] * 900),
        block("EPISODES", *[words(9)] * 900),
        block("STATISTICS", *[words(9)] * 900),
    ]
    found = assemble(blocks, budget_of(Allocations(), window=10_000), Words())
    for name, ceiling in (("observations", 1995), ("episodic", 2000), ("statistics", 500)):
        assert of(found, name).ceiling == ceiling
        assert ceiling - 12 < of(found, name).used <= ceiling


def test_floors_are_kept_where_the_system_section_leaves_little() -> None:
    blocks = [block("INSTRUCTIONS", *[words(99)] * 52)]
    blocks += [block(title, *[words(4)] * 900) for title in _OTHERS if title != "TRIGGER"]
    found = assemble(blocks, budget_of(Allocations(), window=12_000), Words())
    assert lines_of(found, "INSTRUCTIONS") == blocks[0].lines
    for portion in found.portions:
        assert portion.used > portion.floor - 8
    assert of(found, "statistics").used == 0


@each_row("title", [*sorted(NEWEST_LAST), 'SPACE HISTORY ("Lab")'])
def test_of_what_happened_the_newest_is_kept(title: str) -> None:
    lines = [f"line {number}" for number in range(900)]
    found = assemble(
        [block("IDENTITY", "a"), block(title, *lines)],
        budget_of(Allocations(), window=2_000),
        Words(),
    )
    kept = lines_of(found, title)
    assert kept == tuple(lines[-len(kept) :]) != tuple(lines)
    first = next(one.left_out[0] for one in found.portions if one.left_out)
    assert (first.block, first.place, first.of, first.words) == (title, 1, 900, "line 0")


def test_a_record_that_never_fits_keeps_no_other_one_out() -> None:
    lines = ("one", words(5000, "long"), "three")
    found = assemble(
        [block("IDENTITY", "a"), block("EPISODES", *lines)],
        budget_of(Allocations(), window=10_000),
        Words(),
    )
    assert lines_of(found, "EPISODES") == ("one", "three")
    assert [(one.place, one.tokens) for one in of(found, "episodic").left_out] == [(2, 5001)]


def test_a_window_too_small_for_the_system_section_says_what_to_do() -> None:
    blocks = [block("INSTRUCTIONS", words(1000))]
    budget = budget_of(Allocations(), window=900, reply=100)
    with pytest.raises(RefusedError) as caught:
        assemble(blocks, budget, Words(), beside=30)
    said = str(caught.value)
    assert "take 1004, tools 30, and 100 are kept for the reply" in said
    least = int(said.split("window_tokens be ")[1].split()[0])
    assemble(blocks, budget_of(Allocations(), window=least, reply=100), Words(), beside=30)


def test_news_take_room_from_what_is_told_but_never_the_system_section() -> None:
    blocks = [block("IDENTITY", "  name: ava"), block("MEMORIES", *["  - a b c"] * 40)]
    budget = budget_of(Allocations(), window=1000)
    kept = [
        lines_of(assemble(blocks, budget, Words(), beside=7, news=news), "MEMORIES")
        for news in (0, 850, 100_000)
    ]
    assert len(kept[0]) > len(kept[1]) > len(kept[2]) == 0
    full = assemble(blocks, budget, Words(), beside=7, news=850)
    assert full.tokens <= budget.window - budget.reserve
    over = assemble(blocks, budget, Words(), news=100_000)
    assert [one.title for one in over.blocks] == ["IDENTITY"]


def test_the_reply_keeps_its_room() -> None:
    assert budget_of(Allocations(), window=100_000, reply=4096).reserve == 5_000
    assert budget_of(Allocations(), window=100_000, reply=8000).reserve == 8_000
    assert budget_of(Allocations(), window=1_000, reply=8000).reserve == 500


def test_the_table_divides_all_of_each_allocation() -> None:
    shares: dict[str, int] = {}
    for rule in RULES.values():
        shares[rule.allocation] = shares.get(rule.allocation, 0) + rule.share
        assert rule.floor <= rule.share <= (rule.ceiling or rule.share)
    assert shares == {name: 100 for name in Allocations().parts() if name != "scratch_space"}
    assert Allocations().sum == Allocations().context_window
    levels: Budget = budget_of(Allocations(), window=100_000)
    assert levels.levels["observations"].share == 15_000
    assert levels.levels["episodic"] == Level(floor=5_000, share=10_000, ceiling=20_000)


def test_a_long_history_leaves_room_for_where_one_is() -> None:
    history = block("SPACE HISTORY", *[words(9)] * 900)
    found = assemble(
        [block("IDENTITY", "a"), history, block("YOUR SPACES", "here"), block("TRIGGER", "it")],
        budget_of(Allocations(), window=2_000),
        Words(),
    )
    assert lines_of(found, "YOUR SPACES") == ("here",)
    assert lines_of(found, "TRIGGER") == ("it",)


@each_row("window", range(100, 400, 7))
def test_the_trigger_is_whole_or_the_window_is_refused_with_one_that_holds_it(window: int) -> None:
    blocks = [
        block("IDENTITY", "  name: ava"),
        block("TRIGGER", *[words(9)] * 4),
        block("WORKING MEMORY", *[words(9)] * 40),
        block("EPISODES", *[words(9)] * 40),
    ]
    try:
        found = assemble(blocks, budget_of(Allocations(), window=window), Words(), beside=100)
    except RefusedError as refused:
        least = int(str(refused).split("window_tokens be ")[1].split()[0])
        assert window < least < 200
        found = assemble(blocks, budget_of(Allocations(), window=least), Words(), beside=100)
    assert lines_of(found, "TRIGGER") == blocks[1].lines


def test_tools_are_counted_in_the_system_section() -> None:
    blocks = [block("IDENTITY", "  name: ava"), block("TRIGGER", "it")]
    budget = budget_of(Allocations(), window=1000)
    bare, full = (of(assemble(blocks, budget, Words(), beside=n), "system") for n in (0, 300))
    assert (full.used - bare.used, full.given - bare.given) == (300, 300)
    assert (bare.records, full.records) == (1, 2)
