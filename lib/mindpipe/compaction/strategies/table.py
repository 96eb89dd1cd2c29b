"""Every strategy by its name, and in one sentence what it does."""

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
from mindpipe.compaction.task import Strategy


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
