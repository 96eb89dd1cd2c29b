"""What an import left out, in words: once for each kind, with how often."""

import re
from collections import Counter
from collections.abc import Iterable

_TIMES = re.compile(r"(?s)(.*) \((\d+) times\)")
_FIELD = re.compile(r"(?s)field (['\"].*['\"]) of (.*)")
_MOST_NAMED = 8


def timed(what: str, times: int) -> str:
    """Return what was left out, with how often where that was more than once."""
    return what if times == 1 else f"{what} ({times} times)"


def of_each_kind(left_out: Iterable[str]) -> list[str]:
    """Return what many conversations left out: fields of one kind of thing together.

    Each of `left_out` is as `timed` writes it.
    """
    counts: Counter[str] = Counter()
    for one in left_out:
        found = _TIMES.fullmatch(one)
        counts[found[1] if found else one] += int(found[2]) if found else 1
    fields: dict[str, dict[str, int]] = {}
    kinds: dict[str, str | None] = {}
    for what, times in counts.items():
        if field := _FIELD.fullmatch(what):
            fields.setdefault(field[2], {})[field[1]] = times
            kinds.setdefault(field[2], None)
        else:
            kinds[what] = timed(what, times)
    return [_fields(fields[kind], kind) if said is None else said for kind, said in kinds.items()]


def _fields(times: dict[str, int], where: str) -> str:
    """Return some fields of one kind of thing in one line."""
    named = [*times][:_MOST_NAMED]
    if len(times) == 1:
        return timed(f"field {named[0]} of {where}", times[named[0]])
    more = f" and {len(times) - len(named)} more" if len(times) > len(named) else ""
    return timed(f"fields {', '.join(named)}{more} of {where}", sum(times.values()))
