"""Checks what stands beside the rows of a canonical history: rules H11 and H12."""

from bisect import bisect_right

from mindpipe.validator.canonical_parts import HASH_PATTERN
from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, is_whole, type_name


def check_segments(rows: list[object], segments: object, ledger: Ledger) -> None:
    """Report segments of rows whose head has no stored hash (H11); None checks nothing."""
    if segments is None:
        return
    known: set[int] = set()
    for position, each in enumerate(as_list(segments)):
        segment = as_object(each)
        number, head = segment.get("segment"), as_text(segment.get("head"))
        if isinstance(number, int) and is_whole(number):
            known.add(number)
        if head is None or not HASH_PATTERN.fullmatch(head):
            what = "the hash of a head is 64 hexadecimal digits"
            ledger.add("H11", f"segments[{position}].head", what, id=head)
    for index, row in enumerate(rows):
        number = as_object(row).get("segment")
        if isinstance(number, int) and number not in known:
            known.add(number)
            what = f"segment {number} has no head of its own"
            ledger.add("H11", f"messages[{index}].segment", what)


def check_coverage(rows: list[object], history: dict[str, object], ledger: Ledger) -> None:
    """Report cycles that are neither covered nor sent, or both (H12)."""
    if history.get("covers") is None and history.get("sent") is None:
        return
    covered = _ranges("covers", history.get("covers"), ledger)
    sent = _ranges("sent", history.get("sent"), ledger)
    seen: set[int] = set()
    for index, row in enumerate(rows):
        cycle = as_object(row).get("cycle")
        if not isinstance(cycle, int) or cycle in seen:
            continue
        seen.add(cycle)
        times = _holds(covered, cycle) + _holds(sent, cycle)
        if times != 1:
            what = f"cycle {cycle} is both covered and sent"
            if times == 0:
                what = f"cycle {cycle} is neither covered by the summary nor sent"
            ledger.add("H12", f"messages[{index}].cycle", what)


def _ranges(name: str, given: object, ledger: Ledger) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    if given is not None and not isinstance(given, list):
        ledger.add("H12", name, f"it is a list of ranges, not {type_name(given)}")
    for position, each in enumerate(as_list(given)):
        ends = [end for end in as_list(each) if isinstance(end, int) and is_whole(end)]
        if len(ends) == 2 and len(as_list(each)) == 2 and ends[0] <= ends[1]:
            ranges.append((ends[0], ends[1]))
        else:
            ledger.add("H12", f"{name}[{position}]", "a range is its first and its last cycle")
    return _joined(sorted(ranges))


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in ranges:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _holds(ranges: list[tuple[int, int]], cycle: int) -> int:
    """Return 1 if one of the sorted, separate ranges holds the cycle, else 0."""
    position = bisect_right(ranges, (cycle, cycle)) - 1
    nearby = ranges[max(position, 0) : position + 2]
    return int(any(first <= cycle <= last for first, last in nearby))
