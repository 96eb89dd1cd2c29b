"""Plain values: what kind they are, whether two are the same, what was found in them."""

from collections.abc import Iterable

import msgspec

from mindpipe.validator.records import Finding
from mindpipe.validator.rules import RULES, UNKNOWN_FIELD


def as_object(value: object) -> dict[str, object]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """Return the value if it is a string, else None."""
    return value if isinstance(value, str) else None


def is_whole(value: object) -> bool:
    """Say whether the value is a whole number (true and false are not numbers)."""
    return isinstance(value, int) and not isinstance(value, bool)


def type_name(value: object) -> str:
    """Name the JSON type of a value as a reader of JSON would."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


def is_json(text: str) -> bool:
    """Say whether the text is one valid JSON value (NaN and lone surrogates are not)."""
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError, OverflowError):
        return False
    return True


def encoded_size(value: object) -> int:
    """Return the bytes of the value as compact JSON; a lower bound where it cannot be encoded."""
    try:
        return len(msgspec.json.encode(value))
    except (UnicodeError, RecursionError, ValueError, OverflowError, TypeError):
        return _counted_size(value)


def _counted_size(value: object) -> int:
    size = 0
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            size += 2
            waiting.extend(each)
            waiting.extend(each.values())
        elif isinstance(each, list):
            size += 2
            waiting.extend(each)
        else:
            size += len(each) + 2 if isinstance(each, str) else 1
    return size


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


class Ledger:
    """Collect findings; the severity follows from the rule."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(
        self, rule: str, at: str, what: str, *, id: str | None = None, says: str | None = None
    ) -> None:
        """Write down a breach of `rule` at a JSON path, with the provider's words if known."""
        self.findings.append(
            Finding(
                rule=rule,
                severity="error" if RULES[rule].is_error else "warning",
                at=writable(at),
                id=None if id is None else writable(id),
                what=writable(what),
                provider_says=None if says is None else writable(says),
            )
        )

    def note(self, at: str, what: str, *, rule: str = UNKNOWN_FIELD) -> None:
        """Write down something worth knowing that breaks no rule."""
        self.findings.append(
            Finding(rule=rule, severity="note", at=writable(at), what=writable(what))
        )

    def unknown(self, at: str, names: Iterable[str]) -> None:
        """Note fields that this validator does not know, in alphabetical order."""
        for name in sorted(names):
            self.note(f"{at}.{name}" if at else name, f"the field {name!r} is not known here")


def writable(text: str) -> str:
    """Return text that UTF-8 can hold: lone surrogates of the input are written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
