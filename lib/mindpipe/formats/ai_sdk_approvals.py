"""Approval requests and answers of the AI SDK, as the results of the calls that wait for them."""

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.messages import ResultStatus
from mindpipe.core.records import Record
from mindpipe.formats.items import Findings, Item, SeenCall, SeenResult

WAITING = "Waiting for approval."
APPROVED = "Approved, but not run yet."
DENIED = "Not approved."


class Asked(Record):
    """A request for approval of one call."""

    approval: str
    call: str
    at: str


class Decided(Record):
    """The answer to a request for approval."""

    approval: str
    approved: bool
    reason: str = ""


class Step(Record):
    """One message with the approval parts that it held, and results that stood in a reply."""

    item: Item
    stray: tuple[SeenResult, ...] = ()
    asked: tuple[Asked, ...] = ()
    decided: tuple[Decided, ...] = ()


def _result(asked: Asked, decided: Decided | None) -> SeenResult:
    """Return what stands in place of the result of a call that was not run."""
    denied = decided is not None and not decided.approved
    words = WAITING if decided is None else decided.reason or (DENIED if denied else APPROVED)
    return SeenResult(
        id=asked.call,
        status=ResultStatus.REFUSED if denied else ResultStatus.TICKETED,
        text=words,
        at=asked.at,
        ticket=asked.approval,
    )


def _answered(steps: Sequence[Step]) -> set[str]:
    """Return the ids that have results of their own."""
    parts = (part for step in steps for part in step.item.parts + step.stray)
    return {part.id for part in parts if isinstance(part, SeenResult)}


def _turn(reply: Step, after: Sequence[Step], findings: Findings) -> Iterator[Item]:
    """Yield a reply and what follows it, with a result for every call that waits."""
    calls = {part.id for part in reply.item.parts if isinstance(part, SeenCall)}
    waiting: dict[str, Asked] = {}
    answered = _answered([reply, *after])
    for asked in reply.asked:
        if asked.call in calls and asked.call not in answered:
            waiting[asked.approval] = asked
        else:
            findings.leave_out("approval of a call that has its result")
    if reply.item.parts or not (reply.asked or reply.stray):
        yield reply.item
    decided = {one.approval: one for step in after for one in step.decided}
    open_ones = [one for key, one in waiting.items() if key not in decided]
    if reply.stray or open_ones:
        results = reply.stray + tuple(_result(one, None) for one in open_ones)
        yield msgspec.structs.replace(reply.item, role="user", parts=results, raw=None)
    for step in after:
        results = tuple(
            _result(waiting[one.approval], one) for one in step.decided if one.approval in waiting
        )
        item = msgspec.structs.replace(step.item, parts=step.item.parts + results)
        if item.parts or not step.decided:
            yield item


def with_approvals(steps: Sequence[Step], findings: Findings) -> tuple[Item, ...]:
    """Return the items of all steps; a call that only has an approval part is `ticketed`.

    A call whose approval was denied is `refused`.
    """
    items: list[Item] = []
    starts = [index for index, step in enumerate(steps) if step.item.role == "assistant"]
    bounds = [*starts, len(steps)]
    items += [step.item for step in steps[: bounds[0]]]
    for start, end in itertools.pairwise(bounds):
        items += _turn(steps[start], steps[start + 1 : end], findings)
    return tuple(items)
