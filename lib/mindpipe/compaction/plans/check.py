"""Whether a plan fits the window that it was made for."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.plans.planner import Material
from mindpipe.compaction.records import (
    Anchors,
    Kept,
    Masked,
    Pointer,
    Reason,
    Stub,
    Summary,
    WindowPart,
    WindowPlan,
)
from mindpipe.compaction.selection.rarity import grounded_share, vocabulary
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.sizes import tokens_by_kind
from mindpipe.compaction.tiles import (
    Tile,
    counted,
    present_parts,
    sent_ranges,
    stubs_of,
    summary_of,
    tiles,
)
from mindpipe.compaction.window_text import pointer_text, span, written_part
from mindpipe.core.messages import ResultPart
from mindpipe.core.problems import Problem
from mindpipe.core.text import breaks_a_line

_FORGES = "expected one line of text, without control characters"


class PlanFault(NamedTuple):
    """A field of a part, and what is wrong with it."""

    field: str
    what: str


def part_faults(part: WindowPart, *, through: int, seq: int) -> Iterator[PlanFault]:
    """Yield words of a part that are more than a line, and places in the log that it cannot have.

    The log has messages up to `seq`, and cycles up to `through` that may be in a window.
    """
    match part:
        case Summary():
            for place, line in enumerate(part.lines):
                at = f"lines[{place}]"
                yield from _one_line(line.text, f"{at}.text")
                yield from _within(line.cycle, part.first, part.last, f"{at}.cycle")
                if line.until:
                    yield from _within(line.until, line.cycle, part.last, f"{at}.until")
        case Anchors():
            for place, anchor in enumerate(part.anchors):
                yield from _one_line(anchor.text, f"anchors[{place}].text")
                yield from _within(anchor.cycle, 1, through, f"anchors[{place}].cycle")
                yield from _within(anchor.seq, 0, seq, f"anchors[{place}].seq")
        case Pointer():
            for place, term in enumerate(part.terms):
                yield from _one_line(term, f"terms[{place}]")
        case _:
            return


def reason_faults(reasons: Sequence[Reason], *, through: int) -> Iterator[tuple[int, PlanFault]]:
    """Yield what is wrong with each of some reasons, by its place."""
    for place, reason in enumerate(reasons):
        for fault in _within(reason.cycle, 1, through, "cycle"):
            yield place, fault
        for fault in _one_line(reason.why, "why"):
            yield place, fault


def _one_line(text: str, field: str) -> Iterator[PlanFault]:
    """Yield a text that could forge a heading, or what a terminal shows."""
    if breaks_a_line(text):
        yield PlanFault(field, _FORGES)


def _within(number: int, least: int, most: int, field: str) -> Iterator[PlanFault]:
    """Yield a number that is out of its range."""
    if not least <= number <= most:
        yield PlanFault(field, f"expected {least} to {most}, got {number}")


_FIRST_PART = 2
"""The line of a plan on which its first part stands."""


def faults_of(planned: WindowPlan, material: Material, *, source: str) -> list[Problem]:
    """Return what of a plan does not fit the log that it names, with line and field.

    Worked out again, and the same or refused, are: of the header `through`, `tokenizer`,
    `calibration`, `sent_before`, `before`, `after`, `saving` and the measure `grounded`; of every
    part the cycles that it covers and its tokens; of a summary also its numbers, times, tools and
    sources, and that its strategy is the plan's, one whose lines were there before, or another one
    that `fallback` explains; the whole text of the pointer from its terms; stubs, unless they are
    in force already.

    The words of lines, anchors, terms, reasons and `fallback` are taken as they are, if they are
    one line without control characters; their cycles and messages have to be there, those of a
    line in its own part. What was wished or measured with more than the log (`strategy`, `budget`,
    `keep_cycles`, `min_saving`, `cached`, `pays_after`, the measure `anchors`) has only to be of
    its type. The end of the log and the base are held against the store when a plan is put in
    force.
    """
    check = _Check(planned, material, source)
    # The other checks take it that every part is made of whole tiles.
    if faults := list(check.order()) or list(check.covering()):
        return faults
    return [*check.facts(), *check.words(), *check.header()]


class _Check:
    """One plan, held against what it was made from."""

    def __init__(self, planned: WindowPlan, material: Material, source: str) -> None:
        self._plan = planned.plan
        self._parts = planned.parts
        self._reasons = planned.reasons
        self._material = material
        # The agent may have had other tools when the plan was written: both ways are right.
        self._either = (material.findable, not material.findable)
        self._source = source
        self._tiles = tiles(material.lived, material.base, through=material.through)

    def _problem(self, line: int, field: str, message: str) -> Problem:
        return Problem(source=self._source, line=line, field=f"$.{field}", message=message)

    def order(self) -> Iterator[Problem]:
        """Yield parts that stand twice, or behind anchors and pointer, which come last."""
        behind: set[type[WindowPart]] = set()
        for line, part in enumerate(self._parts, _FIRST_PART):
            if type(part) in behind:
                yield self._problem(line, "part", "there may be one of these")
            elif isinstance(part, Anchors | Pointer):
                behind.add(type(part))
            elif behind:
                yield self._problem(line, "part", "stands behind anchors or pointer")

    def covering(self) -> Iterator[Problem]:
        """Yield the first part that does not begin or end where the cycles of the log do."""
        following = 1
        for line, part in enumerate(self._parts, _FIRST_PART):
            if isinstance(part, Anchors | Pointer):
                continue
            first, last = _range(part)
            if first != following:
                field = "cycle" if isinstance(part, Masked) else "first"
                yield self._problem(line, field, f"expected cycle {following}, got {first}")
                return
            if not self._is_whole(part):
                yield self._problem(line, "last", f"cycles {span(first, last)} are no such part")
                return
            following = last + 1
        wanted = (self._material.through, self._material.through)
        if (self._plan.through, following - 1) != wanted:
            what = f"expected {wanted[0]}, got {self._plan.through}, parts end at {following - 1}"
            yield self._problem(1, "through", what)

    def _is_whole(self, part: Kept | Masked | Summary) -> bool:
        first, last = _range(part)
        own = self._within(part)
        if not own or (own[0].first, own[-1].last) != (first, last):
            return False
        if isinstance(part, Masked):
            return own[0].lived is not None
        return isinstance(part, Summary) or not any(tile.folded for tile in own)

    def _within(self, part: Kept | Masked | Summary) -> list[Tile]:
        """Return the tiles that a part touches."""
        first, last = _range(part)
        return [tile for tile in self._tiles if tile.first <= last and tile.last >= first]

    def facts(self) -> Iterator[Problem]:
        """Yield every field of a part that is not what the log says."""
        alone = sum(isinstance(part, Summary) for part in self._parts) == 1
        for line, part in enumerate(self._parts, _FIRST_PART):
            if isinstance(part, Masked):
                yield from self._stubs(line, part)
            wanted = self._worked_out(part, alone=alone)
            for field in part.__struct_fields__:
                given, right = getattr(part, field), getattr(wanted, field)
                if given != right:
                    yield self._problem(line, field, _differ(right, given))

    def _worked_out(self, part: WindowPart, *, alone: bool) -> WindowPart:
        """Return a part as it should be."""
        count = self._material.count
        if isinstance(part, Pointer):
            known = [pointer_text(part.terms, stored=stored) for stored in self._either]
            text = part.text if part.text in known else known[0]
            return msgspec.structs.replace(part, text=text, tokens=count(f"{text}\n"))
        if isinstance(part, Anchors):
            tokens = count(f"{written_part(part)}\n")
            return msgspec.structs.replace(part, tokens=tokens)
        own = self._within(part)
        if isinstance(part, Summary):
            made = summary_of(own, part.lines, strategy=self._strategy(part))
            return counted(made, count, alone=alone)
        if isinstance(part, Masked):
            own = [tile._replace(stubs=part.stubs) for tile in own]
        return msgspec.structs.replace(part, tokens=sum(tile.tokens for tile in own))

    def _strategy(self, part: Summary) -> StrategyName:
        """Return the strategy of a summary, as it is where it may be another than the plan's."""
        earlier = {tile.folded.strategy for tile in self._tiles if tile.folded}
        known = self._plan.fallback is not None or part.strategy in earlier
        return part.strategy if known else self._plan.strategy

    def _stubs(self, line: int, part: Masked) -> Iterator[Problem]:
        """Yield stubs that stand for no result of their cycle, or for one twice, or otherwise."""
        (tile,) = self._within(part)
        lived = tile.lived
        calls = {
            one.call
            for message in (lived.messages if lived else ())
            for one in message.parts
            if isinstance(one, ResultPart)
        }
        for place, stub in enumerate(part.stubs):
            if stub.call not in calls:
                what = f"cycle {part.cycle} has no result of {stub.call} to stand for"
                yield self._problem(line, f"stubs[{place}].call", what)
            else:
                yield from self._stub(line, f"stubs[{place}]", stub, tile)
            calls.discard(stub.call)

    def _stub(self, line: int, at: str, stub: Stub, tile: Tile) -> Iterator[Problem]:
        """Yield what of a stub is not what would be written for its result, nor in force."""
        if tile.lived is None or stub in tile.stubs:
            return
        count = self._material.count
        made = [one for way in self._either for one in stubs_of(tile.lived, count, stored=way)]
        own = [one for one in made if one.call == stub.call]
        wanted = stub if stub in own else next(iter(own), None)
        if wanted is None:
            yield self._problem(line, f"{at}.call", "its result is not worth a stub")
            return
        for field in ("text", "saved"):
            given, right = getattr(stub, field), getattr(wanted, field)
            if given != right:
                yield self._problem(line, f"{at}.{field}", _differ(right, given))

    def words(self) -> Iterator[Problem]:
        """Yield words that are more than a line, and places in the log that are not there."""
        through, seq = self._material.through, self._material.seq
        for line, part in enumerate(self._parts, _FIRST_PART):
            for fault in part_faults(part, through=through, seq=seq):
                yield self._problem(line, *fault)
        first_reason = _FIRST_PART + len(self._parts)
        for place, fault in reason_faults(self._reasons, through=through):
            yield self._problem(first_reason + place, *fault)
        if breaks_a_line(self._plan.fallback or ""):
            yield self._problem(1, "fallback", "expected one line, without control characters")

    def header(self) -> Iterator[Problem]:
        """Yield what of the header is not what log and parts say."""
        plan, material = self._plan, self._material
        present = present_parts(self._tiles, material.base, material.first_sent)
        before, after = (
            tokens_by_kind(
                parts,
                head=material.head,
                count=material.count,
                calibration=material.calibration,
            )
            for parts in (present, self._parts)
        )
        wanted = {
            "tokenizer": material.tokenizer,
            "calibration": material.calibration,
            "before": before,
            "after": after,
            "saving": sum(before.values()) - sum(after.values()),
            "sent_before": sent_ranges(self._tiles, since=material.first_sent),
            "measures": msgspec.structs.replace(plan.measures, grounded=self._grounded()),
        }
        for field, right in wanted.items():
            if (given := getattr(plan, field)) != right:
                yield self._problem(1, field, _differ(right, given))

    def _grounded(self) -> float:
        folded = [part for part in self._parts if isinstance(part, Summary)]
        leaving = [
            tile.lived for part in folded for tile in self._within(part) if tile.lived is not None
        ]
        lines = [line for part in folded for line in part.lines]
        return grounded_share(vocabulary(said_of(leaving)), lines)


def _range(part: Kept | Masked | Summary) -> tuple[int, int]:
    return (part.cycle, part.cycle) if isinstance(part, Masked) else (part.first, part.last)


def _differ(right: object, given: object) -> str:
    return f"expected {_shown(right)}, got {_shown(given)}"


def _shown(value: object) -> str:
    """Return a value as JSON, cut short."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:80]}…"
