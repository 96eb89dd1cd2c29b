"""Every strategy by its name, and in one sentence what it does."""

from typing import NamedTuple

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.strategies import self_summary
from mindpipe.compaction.task import Strategy


class Listed(NamedTuple):
    """A strategy and what it does."""

    draft: Strategy
    does: str


STRATEGIES: dict[StrategyName, Listed] = {
    "self-summary": Listed(
        self_summary.draft, "each old cycle becomes the agent's own closing summary of it"
    ),
}
