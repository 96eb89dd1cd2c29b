"""Read the text of a window back: its summaries, lines and anchors, so that none is ever lost."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.parts.folding import counted
from mindpipe.compaction.records import Anchor, AnchorKind, Anchors, Line, Overlay, Summary
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import ANCHORS_HEADING, NAMED_KINDS, OPENING, written_part

_SPAN = r"(\d{1,9})(?:-(\d{1,9}))?"
_OPENING = re.compile(rf"{re.escape(OPENING)}({_SPAN}(?:, {_SPAN})*)\]")
_HEADING = re.compile(
    rf"(?:Cycles {_SPAN}, )?(?:(\d{{4}}-\d\d-\d\d)(?: to (\d{{4}}-\d\d-\d\d))?, )?"
    r"(\d{1,9}) messages(?:; tools: (.*))?"
)
_LINE = re.compile(rf"- (?:{_SPAN}: )?(.+)")
_SENTENCE = re.compile(r"- (ticket|task|error|decision|promise): (.+) \(cycle (\d{1,9})\)")
_NAMES = re.compile(rf"- ({'|'.join(NAMED_KINDS.values())}): (.+)")
_NAME = re.compile(r"(.+) \((\d{1,9})\)")
_KINDS: dict[str, AnchorKind] = {title: kind for kind, title in NAMED_KINDS.items()}


class _Section(NamedTuple):
    """A range of cycles, the facts of its heading, and the lines below it."""

    first: int
    last: int
    facts: re.Match[str]
    lines: list[str]


def read_summary(text: str, *, strategy: StrategyName, count: Count) -> Overlay | None:
    """Return the parts that a window's text was written from; None where it is none.

    Numbers of messages and sources are not in the text, nor is the pointer read: it is made anew.
    """
    top, *rest = text.split("\n")
    opened = _OPENING.fullmatch(top)
    if opened is None or not rest:
        return None
    ranges = [_range(one) for one in opened[1].split(", ")]
    place = rest.index(ANCHORS_HEADING) if ANCHORS_HEADING in rest else len(rest)
    sections = _sections(rest[:place], ranges)
    if sections is None:
        return None
    alone = len(sections) == 1
    parts: list[Summary | Anchors] = [
        counted(_summary(one, strategy), count, alone=alone) for one in sections
    ]
    anchors = tuple(_anchors(rest[place + 1 :]))
    if anchors:
        part = Anchors(anchors=anchors, tokens=0)
        tokens = count(f"{written_part(part)}\n")
        parts.append(msgspec.structs.replace(part, tokens=tokens))
    return tuple(parts)


def _range(text: str) -> tuple[int, int]:
    """Return the first and the last cycle of a range."""
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def _sections(lines: Iterable[str], ranges: Sequence[tuple[int, int]]) -> list[_Section] | None:
    """Return the ranges with what stands below their headings; None where they do not agree."""
    sections: list[_Section] = []
    for line in lines:
        if line.startswith("- ") and sections:
            sections[-1].lines.append(line)
        elif (facts := _HEADING.fullmatch(line)) and len(sections) < len(ranges):
            sections.append(_Section(*ranges[len(sections)], facts, []))
    follow = all(one[1] < after[0] for one, after in pairwise(ranges))
    ordered = follow and all(0 < first <= last for first, last in ranges)
    return sections if ordered and len(sections) == len(ranges) else None


def _summary(section: _Section, strategy: StrategyName) -> Summary:
    """Return a section as a summary."""
    _, _, began, ended, messages, tools = section.facts.groups()
    return Summary(
        first=section.first,
        last=section.last,
        first_seq=0,
        last_seq=0,
        messages=int(messages),
        began=began or "",
        ended=ended or began or "",
        tools=tuple(tools.split(", ")) if tools else (),
        strategy=strategy,
        folded=1,
        lines=tuple(_lines(section)),
        tokens=0,
    )


def _lines(section: _Section) -> Iterator[Line]:
    """Yield the lines of a section; one without a cycle has that of the line before."""
    here = (section.first, section.last)
    for line in section.lines:
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        if found[1]:
            first, last = int(found[1]), int(found[2] or found[1])
            within = section.first <= first <= last <= section.last
            here = (first, last) if within else (section.first, section.last)
        until = here[1] if here[1] > here[0] else 0
        yield Line(text=found[3], cycle=here[0], until=until)


def _anchors(lines: Iterable[str]) -> Iterator[Anchor]:
    """Yield the anchors that lines name."""
    for line in lines:
        if found := _SENTENCE.fullmatch(line):
            kind = msgspec.convert(found[1], AnchorKind)
            yield Anchor(kind=kind, text=found[2], cycle=max(1, int(found[3])), seq=0)
        elif found := _NAMES.fullmatch(line):
            yield from _named(_KINDS[found[1]], found[2])


def _named(kind: AnchorKind, words: str) -> Iterator[Anchor]:
    """Yield the names on one line; names of one cycle stand before its number."""
    waiting: list[str] = []
    for word in words.split(", "):
        found = _NAME.fullmatch(word)
        waiting.append(found[1] if found else word)
        if found:
            cycle = max(1, int(found[2]))
            yield from (Anchor(kind=kind, text=text, cycle=cycle, seq=0) for text in waiting)
            waiting = []
