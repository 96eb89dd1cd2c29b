"""Divide a window among its sections, by levels, and put it together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.context.budget.records import Allocations, Assembled, Budget, Level, Portion
from mindpipe.context.recollection.blocks import cut
from mindpipe.context.records import Block, LeftOut, SectionName, Share
from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Tokens


class BudgetRule(NamedTuple):
    """What a section draws on, and its share, floor and ceiling in percent of that allocation.

    Where space is short the higher `priority` goes first. No ceiling: it is always whole.
    """

    priority: int
    allocation: str
    share: int
    floor: int
    ceiling: int | None


RULES: dict[SectionName, BudgetRule] = {
    "system": BudgetRule(100, "system_prompt", 100, 100, None),
    "observations": BudgetRule(95, "observations", 100, 66, 133),
    "working_memory": BudgetRule(90, "working_memory", 100, 66, 116),
    "task": BudgetRule(85, "task_context", 100, 0, 150),
    "self_model": BudgetRule(85, "self_model", 100, 100, 100),
    "episodic": BudgetRule(80, "retrieved_memories", 40, 20, 80),
    "semantic": BudgetRule(75, "retrieved_memories", 32, 16, 60),
    "procedural": BudgetRule(70, "retrieved_memories", 12, 0, 40),
    "graph": BudgetRule(65, "retrieved_memories", 8, 0, 40),
    "statistics": BudgetRule(60, "retrieved_memories", 8, 0, 20),
}

# Of blocks that share a section, the first here is the first that gets room.
TITLES: tuple[str, ...] = (
    "TRIGGER",
    "ACTIVE SPACE",
    "YOUR SPACES",
    "SPACE HISTORY",
    "ACTIVE RUNS",
    "WORKING MEMORY",
    "TASK",
    "PLANS",
    "GOALS",
    "SELF",
    "MEMORIES",
    "KNOWLEDGE",
    "FACTS",
)

WHOLE = frozenset({"TRIGGER"})
"""Blocks of which all is kept that is not longer than their section may ever be."""

NEWEST_LAST = frozenset({"SPACE HISTORY", "WORKING MEMORY"})
"""Blocks of which the end is kept where not all of it fits; of others the beginning is."""


def budget_of(allocations: Allocations, *, window: int, reply: int = 0) -> Budget:
    """Return how a window of so many tokens is divided, in the proportions of the allocations.

    What is kept for the reply is the scratch space, or the tokens of the longest `reply` where
    these are more, but no more than half of the window.
    """
    scratch = _scaled(allocations.scratch_space, allocations, window)
    parts = allocations.parts()
    return Budget(
        window=window,
        reserve=max(scratch, min(reply, window // 2)),
        levels={
            name: _level(rule, _scaled(parts[rule.allocation], allocations, window))
            for name, rule in RULES.items()
        },
    )


def budget_for(agent: Agent, allocations: Allocations) -> Budget:
    """Return how the window of an agent is divided."""
    window = min(allocations.context_window, agent.max_tokens)
    return budget_of(allocations, window=window, reply=agent.reply_tokens)


def _scaled(part: int, allocations: Allocations, window: int) -> int:
    """Return a part of the allocations as a part of a window, rounded down."""
    return part * window // allocations.context_window


def _level(rule: BudgetRule, tokens: int) -> Level:
    """Return the level of a section of so many tokens."""
    return Level(
        floor=tokens * rule.floor // 100,
        share=tokens * rule.share // 100,
        ceiling=None if rule.ceiling is None else tokens * rule.ceiling // 100,
    )


_MOST_WORDS = 60


class _Piece(NamedTuple):
    """One record: the title of its block, its place there, and its tokens with the line end.

    The first one of a block that may fit has those of the title as well.
    """

    title: str
    place: int
    tokens: int


class _Wanted(NamedTuple):
    """What a section would keep: the records that may fit, in the order in which they get room.

    The first `whole` ones are never left out. Those in `long` are longer than the section may ever
    be.
    """

    level: Level
    pieces: tuple[_Piece, ...]
    long: tuple[_Piece, ...]
    whole: int

    @property
    def least(self) -> int:
        """Return the tokens of what is never left out."""
        return sum(one.tokens for one in self.pieces[: self.whole])

    def within(self, tokens: int | None) -> int:
        """Return the tokens of as many first records as fit."""
        return sum(one.tokens for one in self.first(tokens))

    def first(self, tokens: int | None) -> tuple[_Piece, ...]:
        """Return as many first records as fit."""
        taken = 0
        for number, piece in enumerate(self.pieces):
            taken += piece.tokens
            if tokens is not None and taken > tokens:
                return self.pieces[:number]
        return self.pieces


_WantedBySection = dict[SectionName, _Wanted]
_Kept = dict[SectionName, tuple[_Piece, ...]]


def text_of(blocks: Sequence[Block]) -> str:
    """Return blocks as a prompt says them."""
    return "\n\n".join(block.text for block in blocks)


def assemble(
    blocks: Sequence[Block], budget: Budget, tokens: Tokens, *, beside: int = 0, news: int = 0
) -> Assembled:
    """Return what fits of blocks into a window beside the reply.

    `beside` are the tokens of the tools, `news` those of what the cycle begins with: both are sent
    whole. News that leave no room for anything else take from the reply. What is kept does not
    depend on the order of the blocks, which stays as it is, but for blocks of one name, of which
    the first goes first. No two have the same title. Blocks of which nothing is kept are not there.

    Raises:
        RefusedError: the system section and the trigger, which are always whole, do not fit.
    """
    most = budget.window - budget.reserve - beside
    wanted: _WantedBySection = {name: _wanted(name, blocks, budget, tokens) for name in RULES}
    least = sum(one.least for one in wanted.values())
    if least > most:
        raise _too_small(budget, least=least, beside=beside)
    room = max(least, most - news)
    given = _given(wanted, room)
    kept: _Kept = {name: wanted[name].first(given[name]) for name in RULES}
    while (total := tokens.count(text_of(_left(blocks, kept)))) > (
        room if _spare(kept, wanted) else most
    ):
        if not (spare := _spare(kept, wanted)):
            raise _too_small(budget, least=total, beside=beside)
        kept[spare[0]] = kept[spare[0]][:-1]
    portions = [_portion(name, wanted[name], given[name], kept[name], blocks) for name in RULES]
    return Assembled(_left(blocks, kept), total + beside + news, _with_tools(portions, beside))


def _wanted(name: SectionName, blocks: Sequence[Block], budget: Budget, tokens: Tokens) -> _Wanted:
    """Return what a section would keep if there were room for all that it may ever have."""
    level = budget.levels[name]
    pieces: list[_Piece] = []
    long: list[_Piece] = []
    whole = 0
    for block in sorted(_of(name, blocks), key=_rank):
        title = tokens.count(f"{block.title}:\n\n")
        for place in _places(block):
            cost = tokens.count(f"{block.lines[place]}\n") + title
            if level.ceiling is None or cost <= level.ceiling:
                pieces.append(_Piece(block.title, place, cost))
                title = 0
                whole += level.ceiling is None or block.name in WHOLE
            else:
                long.append(_Piece(block.title, place, cost))
    return _Wanted(level, tuple(pieces), tuple(long), whole)


def _of(name: SectionName, blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.section == name]


def _rank(block: Block) -> tuple[int, str]:
    """Return the place of a block among those of its section."""
    return (TITLES.index(block.name), "") if block.name in TITLES else (len(TITLES), block.name)


def _places(block: Block) -> Sequence[int]:
    """Return the places of the records of a block, the one that gets room first at the head."""
    places = range(len(block.lines))
    return places[::-1] if block.name in NEWEST_LAST else places


def _given(wanted: _WantedBySection, room: int) -> dict[SectionName, int]:
    """Return what each section is given: what is whole, floors, shares, then what others left."""
    given: dict[SectionName, int] = {name: one.least for name, one in wanted.items()}
    room -= sum(given.values())
    order = sorted(wanted, key=lambda name: -RULES[name].priority)
    for step in ("floor", "share", "ceiling"):
        for name in order:
            lacking = wanted[name].within(getattr(wanted[name].level, step)) - given[name]
            more = max(0, min(lacking, room))
            given[name] += more
            room -= more
    return given


def _left(blocks: Sequence[Block], kept: _Kept) -> tuple[Block, ...]:
    """Return the blocks with what is kept of them."""
    found: list[Block] = []
    for block in blocks:
        places = sorted(one.place for one in kept[block.section] if one.title == block.title)
        if places:
            lines = tuple(block.lines[place] for place in places)
            found.append(msgspec.structs.replace(block, lines=lines))
    return tuple(found)


def _spare(kept: _Kept, wanted: _WantedBySection) -> list[SectionName]:
    """Return the sections of which something may be left out, the least first."""
    order: list[SectionName] = sorted(kept, key=lambda name: RULES[name].priority)
    return [name for name in order if len(kept[name]) > wanted[name].whole]


def _with_tools(portions: Sequence[Portion], beside: int) -> tuple[Portion, ...]:
    """Return portions of which that of the system section has the tools as one more record."""
    if not beside:
        return tuple(portions)
    return tuple(
        msgspec.structs.replace(
            one, given=one.given + beside, used=one.used + beside, records=one.records + 1
        )
        if one.section == "system"
        else one
        for one in portions
    )


def _portion(
    name: SectionName,
    wanted: _Wanted,
    given: int,
    kept: tuple[_Piece, ...],
    blocks: Sequence[Block],
) -> Portion:
    """Return what became of one section."""
    lines = {block.title: block.lines for block in sorted(_of(name, blocks), key=_rank)}
    order = list(lines)
    out = sorted(
        (*wanted.pieces[len(kept) :], *wanted.long),
        key=lambda one: (order.index(one.title), one.place),
    )
    return Portion(
        section=name,
        priority=RULES[name].priority,
        share=wanted.level.share,
        floor=wanted.level.floor,
        ceiling=wanted.level.ceiling,
        given=given,
        used=sum(one.tokens for one in kept),
        records=len(kept),
        left_out=tuple(
            LeftOut(
                block=one.title,
                place=one.place + 1,
                of=len(lines[one.title]),
                tokens=one.tokens,
                words=cut(lines[one.title][one.place], _MOST_WORDS),
            )
            for one in out
        ),
    )


def _too_small(budget: Budget, *, least: int, beside: int) -> RefusedError:
    """Return the error for a window that cannot hold what is always whole."""
    needed = least + beside
    window = needed * budget.window // max(1, budget.window - budget.reserve) + 2
    return RefusedError(
        f"a window of {budget.window} tokens is too small: identity, instructions and trigger take "
        f"{least}, tools {beside}, and {budget.reserve} are kept for the reply. Let "
        f"max_tokens of the agent and memory.context_window_tokens be {window} or more, or shorten "
        "its instructions."
    )


# All else is what the cycle begins with.
_SECTIONS: dict[str, SectionName] = {
    "IDENTITY": "system",
    "INSTRUCTIONS": "system",
    "TOOLS": "system",
    "HISTORY": "working_memory",
    "SUMMARY": "working_memory",
    "ANCHORS": "working_memory",
    "POINTER": "working_memory",
    "PLANS": "task",
    "GOALS": "self_model",
    "MEMORIES": "semantic",
    "KNOWLEDGE": "semantic",
    "EARLIER CYCLES": "episodic",
    "EPISODES": "episodic",
    "FACTS": "semantic",
    "LESSONS": "procedural",
}


def portions_of(shares: Iterable[Share]) -> tuple[Portion, ...]:
    """Return what the shares of a receipt come to in each section."""
    tokens = dict.fromkeys(RULES, 0)
    records = dict.fromkeys(RULES, 0)
    for one in shares:
        name = _SECTIONS.get(one.section, "observations")
        tokens[name] += one.tokens
        records[name] += one.tokens > 0
    return tuple(
        Portion(
            section=name,
            priority=rule.priority,
            share=None,
            floor=None,
            ceiling=None,
            given=tokens[name],
            used=tokens[name],
            records=records[name],
        )
        for name, rule in RULES.items()
    )
