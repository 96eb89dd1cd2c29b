"""What a plan would change, as records: which cycles leave and stay, tokens, anchors, the worth."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from mindpipe.compaction.records import (
    Anchor,
    Anchors,
    Kept,
    Masked,
    Measures,
    PartKind,
    Pointer,
    Reason,
    Stub,
    Summary,
    SummaryLine,
    WindowPart,
    WindowPlan,
)
from mindpipe.core.records import Natural, Positive, Record

Range = tuple[int, int]


class CyclesDiff(Record, tag="cycles", tag_field="diff"):
    """What becomes of the cycles `first` to `last`, and the tokens they take from then on.

    Kept cycles are sent whole, masked ones with `stubs` in place of results, and of those in a
    summary only `lines` are. `leaving` are the ranges among them that were sent until now and will
    not be, `returning` those that were not sent and will be.
    """

    first: Positive
    last: Positive
    to: Literal["kept", "masked", "summary"]
    tokens: Natural
    leaving: tuple[Range, ...] = ()
    returning: tuple[Range, ...] = ()
    stubs: tuple[Stub, ...] = ()
    lines: tuple[SummaryLine, ...] = ()


class AnchorDiff(Record, tag="anchor", tag_field="diff"):
    """Words that stay as they were said."""

    anchor: Anchor


class PointerDiff(Record, tag="pointer", tag_field="diff"):
    """How what left is found again."""

    text: str
    terms: tuple[str, ...]


class TokensDiff(Record, tag="tokens", tag_field="diff"):
    """The tokens of one kind of part before and after; `total` is all of them."""

    kind: PartKind | Literal["total"]
    before: Natural
    after: Natural


class WorthDiff(Record, tag="worth", tag_field="diff"):
    """What a plan is worth: tokens saved, what stays of what leaves, and what the cache loses.

    As in the plan: `pays_after` is the number of requests after which the saving has paid for the
    tokens that leave the provider's cache (null: prices are not known).
    """

    agent: str
    strategy: str
    budget: int
    saving: int
    min_saving: Natural
    cached: Natural
    pays_after: int | None
    measures: Measures
    fallback: str | None = None
    chosen: str | None = None


Difference = CyclesDiff | AnchorDiff | PointerDiff | TokensDiff | WorthDiff


class PlanDiff(NamedTuple):
    """What a plan would change, and why each cycle becomes what it does, where that was asked."""

    differences: tuple[Difference, ...]
    reasons: tuple[Reason, ...] = ()


def differences(planned: WindowPlan) -> Iterator[Difference]:
    """Yield what a plan would change: cycles in their order, anchors, pointer, tokens, worth."""
    plan = planned.plan
    for part in planned.parts:
        yield from _of_part(part, plan.sent_before)
    for kind in dict.fromkeys((*plan.before, *plan.after)):
        sizes = (plan.before.get(kind, 0), plan.after.get(kind, 0))
        yield TokensDiff(kind=kind, before=sizes[0], after=sizes[1])
    before, after = sum(plan.before.values()), sum(plan.after.values())
    yield TokensDiff(kind="total", before=before, after=after)
    yield WorthDiff(
        agent=plan.agent,
        strategy=plan.strategy,
        budget=plan.budget,
        saving=plan.saving,
        min_saving=plan.min_saving,
        cached=plan.cached,
        pays_after=plan.pays_after,
        measures=plan.measures,
        fallback=plan.fallback,
        chosen=plan.chosen,
    )


def _of_part(part: WindowPart, sent: Sequence[Range]) -> Iterator[Difference]:
    """Yield what one part changes, where the cycles in the ranges `sent` were sent until now."""
    match part:
        case Kept():
            unsent = _without(sent, part.first, part.last)
            yield CyclesDiff(
                first=part.first, last=part.last, to="kept", tokens=part.tokens, returning=unsent
            )
        case Masked():
            unsent = _without(sent, part.cycle, part.cycle)
            yield CyclesDiff(
                first=part.cycle,
                last=part.cycle,
                to="masked",
                tokens=part.tokens,
                returning=unsent,
                stubs=part.stubs,
            )
        case Summary():
            yield CyclesDiff(
                first=part.first,
                last=part.last,
                to="summary",
                tokens=part.tokens,
                leaving=_within(sent, part.first, part.last),
                lines=part.lines,
            )
        case Anchors():
            yield from (AnchorDiff(anchor=anchor) for anchor in part.anchors)
        case Pointer():
            yield PointerDiff(text=part.text, terms=part.terms)


def _within(ranges: Sequence[Range], first: int, last: int) -> tuple[Range, ...]:
    """Return what the ranges, which are in order, have of `first` to `last`."""
    return tuple(
        (max(first, begin), min(last, end))
        for begin, end in ranges
        if begin <= last and first <= end
    )


def _without(ranges: Sequence[Range], first: int, last: int) -> tuple[Range, ...]:
    """Return what of `first` to `last` is in none of the ranges, which are in order."""
    missing: list[Range] = []
    following = first
    for begin, end in _within(ranges, first, last):
        if begin > following:
            missing.append((following, begin - 1))
        following = end + 1
    return (*missing, (following, last)) if following <= last else tuple(missing)
