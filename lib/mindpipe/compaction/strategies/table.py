"""Every strategy by its name, and in one sentence what it does."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.strategies import (
    anchored,
    layered,
    masked,
    model,
    self_summary,
    semantic,
)
from mindpipe.compaction.task import CycleInView, Strategy
from mindpipe.core.messages import calls_of


class ListedStrategy(NamedTuple):
    """A strategy and what it does."""

    draft: Strategy
    does: str


STRATEGIES: dict[StrategyName, ListedStrategy] = {
    "self-summary": ListedStrategy(
        self_summary.draft, "each old cycle becomes the agent's own closing summary of it"
    ),
    "semantic": ListedStrategy(
        semantic.draft, "the old cycles that bear most on the inbox stay whole, the others as lines"
    ),
    "layered": ListedStrategy(
        layered.draft,
        "a line for each newer old cycle, and for spans of older ones their key decisions",
    ),
    "masked": ListedStrategy(
        masked.draft, "old tool results are cleared; only what then does not fit is summarised"
    ),
    "anchored": ListedStrategy(
        anchored.draft, "the words that are worth most for their length, users' words first"
    ),
    "model": ListedStrategy(
        model.draft, "a language model writes a structured summary, which is checked and completed"
    ),
}


class DefaultStrategy(NamedTuple):
    """The strategy that suits a history, and why."""

    name: StrategyName
    why: str


def default_strategy(cycles: Sequence[CycleInView]) -> DefaultStrategy:
    """Return the strategy for a history of these cycles, where nobody names one.

    An agent that closes its work with words of its own has written the summaries already. An
    answer in a talk is none, nor is "Done.": `anchored` keeps twice as much of what is asked of
    dialogues later.
    """
    summed_up = self_summary.summed_up_in(cycles)
    closed = sum(one.cycle in summed_up and _is_closed_work(one) for one in cycles)
    why = f"{closed} of {len(cycles)} cycles close their work with a summary"
    return DefaultStrategy("self-summary" if 2 * closed > len(cycles) else "anchored", why)


def _is_closed_work(lived: CycleInView) -> bool:
    """Tell whether the agent used tools in a cycle, and then said what came of it."""
    closing = self_summary.closing_of(lived)
    if closing is None or calls_of(closing):
        return False
    return any(map(calls_of, lived.messages))
