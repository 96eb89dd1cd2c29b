"""The words of a window: the text that stands where cycles were folded, part by part."""

import re
from collections.abc import Iterable
from itertools import zip_longest

from mindpipe.compaction.records import (
    Anchor,
    AnchorKind,
    Anchors,
    Overlay,
    Pointer,
    Summary,
    SummaryLine,
    WindowPart,
)

OPENING = "[Earlier: summary of cycles "
ANCHORS_HEADING = "[Kept word for word]"
NAMED_KINDS: dict[AnchorKind, str] = {"path": "paths", "url": "addresses", "id": "ids"}
"""Kinds of anchors that are names, of which those of one cycle stand together before its number."""
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_LABELLED = re.compile(r"\d+(?:-\d+)?: ")


def one_line(text: str) -> str:
    """Return text with runs of white space and control characters as one blank: no heading."""
    return _BLANK.sub(" ", text).strip()


def summary_text(parts: Overlay) -> str | None:
    """Return what stands before the cycles of a window, or None where nothing was folded.

    Its first line begins with `OPENING` and names the ranges of cycles that are covered. Every
    line that quotes begins with a dash and is one line of text, so that no quoted word can pass
    for a heading.
    """
    covered = covered_ranges(parts)
    if not covered:
        return None
    written = [written_part(part, alone=len(covered) == 1) for part in parts]
    return "\n".join([opening(covered), *[text for text in written if text]])


def covered_ranges(parts: Overlay) -> list[tuple[int, int]]:
    """Return the ranges of cycles that summaries cover, in their order."""
    return [(part.first, part.last) for part in parts if isinstance(part, Summary)]


def opening(covered: Iterable[tuple[int, int]]) -> str:
    """Return the first line: which cycles are covered."""
    return f"{OPENING}{', '.join(span(first, last) for first, last in covered)}]"


def written_part(part: WindowPart, *, alone: bool = False) -> str:
    """Return the text of one part, without a line end; cycles that are sent have none.

    A summary that stands `alone` does not repeat its range, which the opening names.
    """
    match part:
        case Summary():
            return "\n".join([heading(part, alone=alone), *written_lines(part.lines)])
        case Anchors():
            return "\n".join([ANCHORS_HEADING, *written_anchors(part.anchors)])
        case Pointer():
            return part.text
        case _:
            return ""


def heading(part: Summary, *, alone: bool = False) -> str:
    """Return the facts of a summary: its cycles, when they were, their messages and tools."""
    facts = [] if alone else [f"Cycles {span(part.first, part.last)}"]
    began, ended = part.began[:10], part.ended[:10]
    if began:
        facts.append(began if began == ended else f"{began} to {ended}")
    facts.append(f"{part.messages} messages")
    tools = f"; tools: {', '.join(map(one_line, part.tools))}" if part.tools else ""
    return ", ".join(facts) + tools


def written_lines(lines: tuple[SummaryLine, ...]) -> list[str]:
    """Return lines as they stand; the cycle is named where it is not that of the line before."""
    written: list[str] = []
    before = (0, 0)
    for line in lines:
        here = (line.cycle, line.until or line.cycle)
        named = here != before or _LABELLED.match(line.text)
        written.append(f"- {span(*here)}: {line.text}" if named else f"- {line.text}")
        before = here
    return written


def written_anchors(anchors: tuple[Anchor, ...]) -> list[str]:
    """Return anchors as they stand: a sentence on its own line, names of one kind on one line."""
    written = [
        f"- {one.kind}: {one.text} (cycle {one.cycle})"
        for one in anchors
        if one.kind not in NAMED_KINDS
    ]
    for kind, title in NAMED_KINDS.items():
        own = sorted((one for one in anchors if one.kind == kind), key=lambda one: one.cycle)
        following = [one.cycle for one in own[1:]]
        words = [
            one.text if one.cycle == after else f"{one.text} ({one.cycle})"
            for one, after in zip_longest(own, following)
        ]
        if words:
            written.append(f"- {title}: {', '.join(words)}")
    return written


def span(first: int, last: int) -> str:
    """Return a range of cycles, one alone as its number."""
    return str(first) if first == last else f"{first}-{last}"
