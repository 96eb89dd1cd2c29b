"""Hold the words of a plan against what a window may say: one line each, of cycles it covers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindpipe.compaction.records import Anchors, Line, Pointer, Reason, Summary, WindowPart
from mindpipe.core.text import breaks_a_line

_FORGES = "expected one line of text, without control characters"


class Fault(NamedTuple):
    """A field of a part, and what is wrong with it."""

    field: str
    what: str


def part_faults(part: WindowPart, *, through: int, seq: int) -> Iterator[Fault]:
    """Yield words of a part that are more than a line, and places in the log that it cannot have.

    The log has messages up to `seq`, and cycles up to `through` that may be in a window.
    """
    match part:
        case Summary():
            for place, line in enumerate(part.lines):
                yield from _line_faults(line, part, f"lines[{place}]")
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


def reason_faults(reasons: Sequence[Reason], *, through: int) -> Iterator[tuple[int, Fault]]:
    """Yield what is wrong with each of some reasons, by its place."""
    for place, reason in enumerate(reasons):
        for fault in _within(reason.cycle, 1, through, "cycle"):
            yield place, fault
        for fault in _one_line(reason.why, "why"):
            yield place, fault


def _line_faults(line: Line, part: Summary, at: str) -> Iterator[Fault]:
    """Yield what is wrong with a line of a summary."""
    yield from _one_line(line.text, f"{at}.text")
    yield from _within(line.cycle, part.first, part.last, f"{at}.cycle")
    if line.until:
        yield from _within(line.until, line.cycle, part.last, f"{at}.until")


def _one_line(text: str, field: str) -> Iterator[Fault]:
    """Yield a text that could forge a heading, or what a terminal shows."""
    if breaks_a_line(text):
        yield Fault(field, _FORGES)


def _within(number: int, least: int, most: int, field: str) -> Iterator[Fault]:
    """Yield a number that is out of its range."""
    if not least <= number <= most:
        yield Fault(field, f"expected {least} to {most}, got {number}")
