"""A plan as lines of JSON: what is written, read back, and named by its hash."""

import functools
import re
from itertools import pairwise

import msgspec

from mindpipe.compaction.records import (
    Anchors,
    CompactionPlan,
    Kept,
    Masked,
    Pointer,
    Reason,
    Summary,
    WindowPart,
    WindowPlan,
)
from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import to_json

_PARTS: dict[str, type[WindowPart]] = {
    "kept": Kept,
    "masked": Masked,
    "summary": Summary,
    "anchors": Anchors,
    "pointer": Pointer,
}
_KINDS = {"plan": CompactionPlan, **_PARTS, "reason": Reason}
_PART = re.compile(rb'"part"\s*:')
_LINE = msgspec.json.Decoder(CompactionPlan | WindowPart | Reason)


def plan_octets(planned: WindowPlan) -> bytes:
    """Return a plan as lines of JSON: its header, its parts, its reasons; each ends its line."""
    lines = (planned.plan, *planned.parts, *planned.reasons)
    return b"".join(to_json(line) + b"\n" for line in lines)


def read_plan(octets: bytes, *, source: str) -> WindowPlan:
    """Return the plan that some lines of JSON are; `source` is what they are called.

    Raises:
        BadInputError: a line is not what it should be; each fault with its line and field.
        NothingToDoError: there is no line.
    """
    *lines, rest = octets.split(b"\n")
    if not octets.strip():
        raise NothingToDoError(f"{source} is empty; there is no plan in it.")
    if _PART.search(lines[0] if lines else rest) is None:
        message = "is no plan; mind compact plan prints one"
        raise BadInputError([Problem(source=source, message=message)])
    if rest:
        message = "has no line end: part of it may be missing"
        raise BadInputError([Problem(source=source, line=len(lines) + 1, message=message)])
    problems = [
        problem for number, line in enumerate(lines, 1) for problem in _faults(line, number, source)
    ]
    problems = problems or [
        Problem(source=source, line=number, field="$.part", message="reasons come last")
        for number, (one, following) in enumerate(pairwise(map(_LINE.decode, lines)), 2)
        if isinstance(one, Reason) and not isinstance(following, Reason)
    ]
    if problems:
        raise BadInputError(problems)
    return stored_plan(octets)


def _faults(line: bytes, number: int, source: str) -> list[Problem]:
    """Return what is wrong with one line."""
    try:
        value = load_json(line, source=source, line=number)
    except BadInputError as error:
        return error.problems
    found = value.get("part") if isinstance(value, dict) else None
    kind = _KINDS.get(found) if isinstance(found, str) else None
    wanted = "plan" if number == 1 else f"one of {', '.join(list(_KINDS)[1:])}"
    if not isinstance(value, dict) or kind is None or (kind is CompactionPlan) != (number == 1):
        message = f"expected {wanted}, got {msgspec.json.encode(found).decode()[:40]}"
        return [Problem(source=source, line=number, field="$.part", message=message)]
    del value["part"]
    return problems_of(value, kind, source=source, line=number)


@functools.lru_cache(maxsize=4)
def stored_plan(octets: bytes) -> WindowPlan:
    """Return a plan that was checked before it was kept; raises msgspec.MsgspecError for others.

    A cycle asks for the same one several times.
    """
    first, *rest = map(_LINE.decode, octets.split(b"\n")[:-1])
    return WindowPlan(
        plan=msgspec.convert(first, CompactionPlan),
        parts=tuple(one for one in rest if not isinstance(one, CompactionPlan | Reason)),
        reasons=tuple(one for one in rest if isinstance(one, Reason)),
    )
