"""What is kept of a talk within a budget, once and again."""

from collections.abc import Iterator

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.filter import over_messages
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, text_of
from support.histories import conversation, user


def tokens(text: str) -> int:
    """Return how many tokens a text has: one for four characters."""
    return (len(text) + 3) // 4


def windows(
    told: Conversation, strategy: StrategyName, *budgets: int, keep: int = 0, inbox: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the summary of a talk and all that is sent; of what is sent the next, and so on.

    It ends with the first budget into which all fits.
    """
    for budget in budgets:
        options = PlanOptions(
            agent="ada", strategy=strategy, budget=budget, keep_cycles=keep, inbox=inbox
        )
        try:
            found = over_messages(told, options, count=tokens, tokenizer="fours")
        except NothingToDoError:
            return
        window = found.conversation.head.summary or ""
        yield window, window + "".join(map(text_of, found.conversation.messages))
        told = conversation(user(window), *found.conversation.messages)
