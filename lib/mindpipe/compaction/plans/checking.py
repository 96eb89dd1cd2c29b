"""Hold a plan against the log it was made from: what of it can be worked out again, has to fit."""

from collections.abc import Iterator

import msgspec

from mindpipe.compaction.parts.folding import counted, summary_of
from mindpipe.compaction.parts.sizing import tokens_by_kind
from mindpipe.compaction.parts.tiling import Tile, sent_ranges, tiles
from mindpipe.compaction.plans.material import Material
from mindpipe.compaction.records import (
    Anchors,
    Kept,
    Masked,
    Pointer,
    Summary,
    WindowPart,
    WindowPlan,
)
from mindpipe.compaction.wording import span, written_part
from mindpipe.core.messages import ResultPart
from mindpipe.core.problems import Problem

_FIRST_PART = 2
"""The line of a plan on which its first part stands."""


def faults_of(planned: WindowPlan, material: Material, *, source: str) -> list[Problem]:
    """Return what of a plan does not fit the log that it names, with line and field.

    Worked out again from the log are the cycles that the parts cover, what a summary says of them
    (numbers, times, tools, sources), all tokens, and what a stub stands for. The words of lines,
    anchors and pointer are taken as they are.
    """
    check = _Check(planned, material, source)
    return list(check.order()) or list(check.covering()) or [*check.facts(), *check.header()]


class _Check:
    """One plan, held against what it was made from."""

    def __init__(self, planned: WindowPlan, material: Material, source: str) -> None:
        self._plan = planned.plan
        self._parts = planned.parts
        self._material = material
        self._source = source
        self._tiles = tiles(material.lived, material.base, through=material.through)

    def _problem(self, line: int, field: str, message: str) -> Problem:
        """Return one fault."""
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
        """Tell whether a part is made of whole tiles that may be in it."""
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
                    yield self._problem(
                        line, field, f"expected {_shown(right)}, got {_shown(given)}"
                    )

    def _worked_out(self, part: WindowPart, *, alone: bool) -> WindowPart:
        """Return a part as it should be."""
        count = self._material.count
        if isinstance(part, Anchors | Pointer):
            tokens = count(f"{written_part(part)}\n")
            return msgspec.structs.replace(part, tokens=tokens)
        own = self._within(part)
        if isinstance(part, Summary):
            made = summary_of(own, part.lines, strategy=part.strategy)
            return counted(made, count, alone=alone)
        tokens = sum(tile.lived.tokens for tile in own if tile.lived)
        if isinstance(part, Masked):
            tokens -= sum(stub.saved for stub in part.stubs)
        return msgspec.structs.replace(part, tokens=tokens)

    def _stubs(self, line: int, part: Masked) -> Iterator[Problem]:
        """Yield stubs that stand for no result of their cycle, or for one twice."""
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
            calls.discard(stub.call)

    def header(self) -> Iterator[Problem]:
        """Yield sizes in the header that are not those of the parts."""
        plan, material = self._plan, self._material
        after = tokens_by_kind(
            self._parts, head=material.head, count=material.count, calibration=plan.calibration
        )
        sent = sent_ranges(self._tiles, since=material.first_sent)
        wanted = {
            "tokenizer": material.tokenizer,
            "after": after,
            "saving": sum(plan.before.values()) - sum(plan.after.values()),
            "sent_before": sent,
        }
        for field, right in wanted.items():
            if (given := getattr(plan, field)) != right:
                yield self._problem(1, field, _differ(right, given))


def _range(part: Kept | Masked | Summary) -> tuple[int, int]:
    """Return the first and last cycle of a part."""
    return (part.cycle, part.cycle) if isinstance(part, Masked) else (part.first, part.last)


def _differ(right: object, given: object) -> str:
    """Return in words that a value is another one than it should be."""
    return f"expected {_shown(right)}, got {_shown(given)}"


def _shown(value: object) -> str:
    """Return a value as JSON, cut short."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else f"{text[:80]}…"
