"""What a change of a window is: the row of a plan that is put in force, and of an undo."""

from collections.abc import Sequence
from itertools import pairwise

from mindpipe.compaction.records import Compaction, Summary, WindowPlan


def applied(planned: WindowPlan, *, window: str, last: Compaction | None) -> Compaction:
    """Return the row of a window that is put in force behind `last`, but for segment and moment."""
    plan = planned.plan
    wrote = (part.strategy for part in planned.parts if isinstance(part, Summary))
    return Compaction(
        agent=plan.agent,
        number=last.number + 1 if last else 1,
        action="apply",
        window=window,
        before=last.number if last else 0,
        through=plan.through,
        strategy=next(wrote, "masked"),
        tokens_before=sum(plan.before.values()),
        tokens_after=sum(plan.after.values()),
        segment=0,
        at="",
    )


def taken_back(changes: Sequence[Compaction]) -> dict[int, int]:
    """Return for the number of each undo that of the change whose window it took back."""
    took: dict[int, int] = {}
    brought = {one.number: one.number for one in changes if one.action == "apply"}
    for last, change in pairwise(changes):
        if change.action == "undo":
            took[change.number] = brought.get(last.number, 0)
            brought[change.number] = brought.get(last.before, 0)
    return took


def undone(changes: Sequence[Compaction]) -> Compaction | None:
    """Return the row that undoes the newest of some changes, but for segment and moment.

    Its tokens have still to be measured. None where nothing is in force, or where rows before it
    are gone.
    """
    if not changes or changes[-1].window is None:
        return None
    present = changes[-1]
    by_number = {one.number: one for one in changes}
    back = by_number.get(present.before)
    if (back is None) != (present.before == 0):
        return None
    return Compaction(
        agent=present.agent,
        number=present.number + 1,
        action="undo",
        window=back.window if back else None,
        before=back.before if back else 0,
        through=back.through if back else 0,
        strategy=back.strategy if back else "",
        tokens_before=0,
        tokens_after=0,
        segment=0,
        at="",
    )
