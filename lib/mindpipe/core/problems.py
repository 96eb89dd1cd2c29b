"""What is wrong in data, as data: source, line, field, message."""

import enum
import functools
import types
import typing

import msgspec


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault in input: its source, line (from 1), JSON path of the field and the message."""

    source: str
    message: str
    line: int | None = None
    field: str | None = None

    def line_of_text(self) -> str:
        """Render as `FILE:LINE: $.FIELD: what is wrong`."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        field = f" {self.field}:" if self.field else ""
        return f"{place}:{field} {self.message}"


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

    `at` is the JSON path of `value`. An empty list means that msgspec.convert will succeed and that
    what comes of it can be written again.
    """
    if not isinstance(value, dict):
        found = [(at, f"expected an object, got {_shown(value)}")]
    else:
        found = list(_field_faults(value, into, at))
        known = {field for field, _ in found}
        found += [one for one in _half_pairs(value, at) if not _is_named(one[0], known)]
    return [
        Problem(source=source, line=line, field=field, message=message) for field, message in found
    ]


def problems_in(record: msgspec.Struct, *, source: str, line: int | None = None) -> list[Problem]:
    """Return what of a record that was made of single values no line could say."""
    plain = msgspec.to_builtins(record)
    try:
        msgspec.convert(plain, type(record))
    except msgspec.ValidationError:
        return problems_of(plain, type(record), source=source, line=line)
    return []


def _field_faults(
    value: dict[str, object], into: type[msgspec.Struct], at: str
) -> typing.Iterator[tuple[str, str]]:
    """Yield path and message of every field at fault."""
    fields = _fields(into)
    config = into.__struct_config__
    for name, content in value.items():
        if name == config.tag_field and content == config.tag:
            continue
        if name not in fields and not config.forbid_unknown_fields:
            continue
        if name not in fields:
            import difflib

            near = difflib.get_close_matches(name, fields, n=1)
            yield f"{at}.{name}", "unknown field" + (f"; did you mean {near[0]}?" if near else "")
        else:
            yield from _faults(content, fields[name].type, f"{at}.{name}")
    for name, field in fields.items():
        if field.required and name not in value:
            yield f"{at}.{name}", "missing"


@functools.cache
def _fields(into: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the fields by name; kept, since working out their types costs most of a look."""
    return {field.encode_name: field for field in msgspec.structs.fields(into)}


def _faults(value: object, into: object, at: str) -> typing.Iterator[tuple[str, str]]:
    """Yield path and message of every fault of a field's value: records inside are looked into."""
    into = _only_record(into) if isinstance(value, dict) else into
    if isinstance(into, type) and issubclass(into, msgspec.Struct) and isinstance(value, dict):
        yield from _field_faults(value, into, at)
        return
    inner = typing.get_args(into)[:1] if typing.get_origin(into) is tuple else ()
    if inner and isinstance(value, list) and msgspec.Struct in getattr(inner[0], "__mro__", ()):
        for place, item in enumerate(value):
            yield from _faults(item, inner[0], f"{at}[{place}]")
        return
    try:
        msgspec.convert(value, typing.cast("type", into))
    except UnicodeEncodeError:
        yield at, _half_pair(value)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        path = path.removesuffix("`")
        yield at + path, _worded(message, value, into, deep=bool(path))


def _only_record(into: object) -> object:
    """Return the record that a type which may also be absent or None has, else the type itself."""
    held = typing.get_args(into) if isinstance(into, types.UnionType) else ()
    records = [one for one in held if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    return records[0] if len(records) == 1 else into


def _half_pairs(value: dict[str, object], at: str) -> typing.Iterator[tuple[str, str]]:
    """Yield path and message of every field whose name or text no UTF-8 can hold."""
    for name, content in value.items():
        try:
            msgspec.json.encode({name: content})
        except UnicodeEncodeError:
            yield f"{at}.{name}", _half_pair({name: content} if _is_halved(name) else content)


def _is_halved(name: str) -> bool:
    """Tell whether a name has half of a surrogate pair in it."""
    return any("\ud800" <= character <= "\udfff" for character in name)


def _is_named(field: str, known: set[str]) -> bool:
    """Tell whether a field, or a part of it, is among those whose faults are known."""
    return any(one == field or one.startswith((f"{field}.", f"{field}[")) for one in known)


def _half_pair(value: object) -> str:
    """Return what is said of text that no UTF-8 can hold."""
    return f"holds half of a surrogate pair, got {_shown(value)}"


def _worded(message: str, value: object, into: object, *, deep: bool) -> str:
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
    import json

    text = json.dumps(value, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
