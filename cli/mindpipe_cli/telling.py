"""What is said on stderr of a document: what was mended in it, left out of it, or lost."""

from collections.abc import Iterable

from mindpipe.compaction.records import Summary, WindowPlan
from mindpipe.formats.records import Repair
from mindpipe.history.records import LossCount
from mindpipe_cli import output


def changes(name: str, repairs: Iterable[Repair], left_out: Iterable[str]) -> None:
    """Say what an import changed and what it could not take."""
    for repair in repairs:
        output.say(f"{name}: {repair.at}: repaired {repair.kind}: {repair.what}")
    for what in left_out:
        output.say(f"{name}: left out: {what}")


def losses(counts: Iterable[LossCount]) -> None:
    """Say what a document that was written does not hold."""
    for count in counts:
        times = "once" if count.times == 1 else f"{count.times} times"
        output.say(f"not in the document, {times}: {count.part} ({count.why})")


def fallback(planned: WindowPlan) -> None:
    """Say why a strategy, or what it asks, gave way to another one, if it did."""
    plan = planned.plan
    if plan.fallback is not None:
        wrote = {part.strategy for part in planned.parts if isinstance(part, Summary)}
        others = ", ".join(sorted(wrote - {plan.strategy}))
        gave_way = f"{plan.strategy} gave way to {others}: " if others else ""
        output.say(f"{plan.agent}: {gave_way}{plan.fallback.rstrip('.')}.")
