"""What a prompt of the continuous style took, by the sections of the table of shares."""

from collections.abc import Iterable

from mindpipe.context.budget.levels import RULES
from mindpipe.context.budget.records import Portion
from mindpipe.context.records import SectionName, Share

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
