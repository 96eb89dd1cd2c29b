"""Compares JSON values of two bodies without recursion, so that depth cannot break it."""

import msgspec

_LITERAL_FIELDS = frozenset({"input", "input_schema"})


def same(one: object, other: object) -> bool:
    """Say whether two values are equal where `cache_control` and null fields do not count.

    Inside `input` and `input_schema` everything counts, also the order of the keys, because the
    provider reads them as text.
    """
    if _same_bytes(one, other):
        return True
    waiting: list[tuple[object, object, bool]] = [(one, other, False)]
    while waiting:
        left, right, literal = waiting.pop()
        if left is right:
            continue
        if isinstance(left, dict) and isinstance(right, dict):
            if not _pair_fields(left, right, waiting, literal=literal):
                return False
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting.extend((a, b, literal) for a, b in zip(left, right, strict=True))
        elif type(left) is not type(right) or left != right:
            return False
    return True


def _same_bytes(one: object, other: object) -> bool:
    try:
        return msgspec.json.encode(one) == msgspec.json.encode(other)
    except (UnicodeError, RecursionError, ValueError, OverflowError, TypeError):
        return False  # the walk compares what cannot be encoded


def _pair_fields(
    left: dict[str, object],
    right: dict[str, object],
    waiting: list[tuple[object, object, bool]],
    *,
    literal: bool,
) -> bool:
    if literal:
        names, others = list(left), list(right)
    else:
        names, others = sorted(_telling(left)), sorted(_telling(right))
    if names != others:
        return False
    waiting.extend((left[name], right[name], literal or name in _LITERAL_FIELDS) for name in names)
    return True


def _telling(fields: dict[str, object]) -> list[str]:
    return [name for name, value in fields.items() if name != "cache_control" and value is not None]
