"""Name every fault of a JSON object that should become a record, not only the first one."""

import enum
import json
import typing

import msgspec

from mindpipe.core.problems import Problem

_SHOWN = 40


def problems_of(
    value: object,
    into: type[msgspec.Struct],
    *,
    source: str,
    line: int | None = None,
    at: str = "$",
) -> list[Problem]:
    """Return all faults of `value` as an `into`: unknown, missing and wrong fields, in order.

    `at` is the JSON path of `value`. An empty list means that msgspec.convert will succeed.
    """
    if not isinstance(value, dict):
        found = [(at, f"expected an object, got {_shown(value)}")]
    else:
        found = list(_field_faults(value, into, at))
    return [
        Problem(source=source, line=line, field=field, message=message) for field, message in found
    ]


def _field_faults(
    value: dict[str, object], into: type[msgspec.Struct], at: str
) -> typing.Iterator[tuple[str, str]]:
    """Yield path and message of every field at fault."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(into)}
    for name, content in value.items():
        if name not in fields:
            import difflib

            near = difflib.get_close_matches(name, fields, n=1)
            yield f"{at}.{name}", "unknown field" + (f"; did you mean {near[0]}?" if near else "")
        elif fault := _fault(content, fields[name].type):
            yield f"{at}.{name}{fault[0]}", fault[1]
    for name, field in fields.items():
        if field.required and name not in value:
            yield f"{at}.{name}", "missing"


def _fault(value: object, into: type) -> tuple[str, str] | None:
    """Return where below its field a value is wrong, and why; None if it is right."""
    try:
        msgspec.convert(value, into)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        path = path.removesuffix("`")
        return path, _worded(message, value, into, deep=bool(path))
    return None


def _worded(message: str, value: object, into: type, *, deep: bool) -> str:
    """Return msgspec's message in our words, with what was found."""
    if message.startswith("Invalid enum value"):
        found = message.removeprefix("Invalid enum value ")
        return f"expected one of {', '.join(_choices(into))}, got {found.replace(chr(39), chr(34))}"
    words = (message[0].lower() + message[1:]).replace("`", "")
    return words if deep or ", got" in words else f"{words}, got {_shown(value)}"


def _choices(into: object) -> list[str]:
    """Return the values that a type with a fixed set of them allows, wherever in it they stand."""
    if isinstance(into, type) and issubclass(into, enum.Enum):
        return [str(member.value) for member in into]
    if typing.get_origin(into) is typing.Literal:
        return [str(choice) for choice in typing.get_args(into)]
    return [choice for inner in typing.get_args(into) for choice in _choices(inner)]


def _shown(value: object) -> str:
    """Return a value as short JSON."""
    text = json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
