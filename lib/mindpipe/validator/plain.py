"""Typed views of plain JSON values, so that no shape of input can surprise the rules."""

import msgspec


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
