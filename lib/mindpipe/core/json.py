"""The one door for JSON whose shape is not known: bounded depth, no NaN, no duplicate keys."""

import collections
import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem

if TYPE_CHECKING:
    import json

MAX_DEPTH = 128
MAX_DIGITS = 1000
MAX_KEYS = 10_000
MAX_KEY_BYTES = 256
_MOST_WHOLE = 2**53 - 1

# More than a person reads, and more than a line of errors should grow to.
MOST_FAULTS = 100
# It never goes back, and takes one without an end to the end: so it takes neither memory nor time.
STRING = rb'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
_STRINGS = rb'(?s)(?:[^"]*+"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)){1,10000}+'
"""So many strings are looked over at once: what is left of many pieces takes more than they do."""
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_IN_NUMBERS = b"0123456789.eE+-"
_LONG_NUMBER = rb"[0-9.eE+-]{%d,}" % (MAX_DIGITS + 1)


class JsonFaultError(ValueError):
    """A fault found while parsing."""


class _Pairs(list[tuple[str, object]]):
    """An object as it was written, with keys that come twice."""


class _Refused(str):
    """A number that JSON does not have, by its name."""

    __slots__ = ()


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build one object, refusing duplicate and too many keys."""
    found = dict(pairs)
    if len(found) != len(pairs) or len(found) > MAX_KEYS:
        raise JsonFaultError
    return found


def _constant(_name: str) -> object:
    """Refuse NaN and the infinities."""
    raise JsonFaultError


def _float(digits: str) -> float:
    """Read a number, refusing what would silently become infinite."""
    number = float(digits)
    if math.isinf(number):
        raise JsonFaultError
    return number


def _kept_float(digits: str) -> object:
    """Read a number, marking what is out of range."""
    return _Refused(f"{digits[:24]} is out of range") if math.isinf(float(digits)) else 0.0


def faults_in(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and words of every fault in what the marking decoder found."""
    if isinstance(value, _Refused):
        yield path, str(value)
    elif isinstance(value, _Pairs):
        for key, count in collections.Counter(key for key, _ in value).items():
            if count > 1:
                yield f"{path}.{key}", "appears twice" if count == 2 else f"appears {count} times"
        if len(value) > MAX_KEYS:
            yield path, f"an object has more than {MAX_KEYS} keys"
        for key, content in value:
            yield from faults_in(content, f"{path}.{key}")
    elif isinstance(value, list):
        for place, content in enumerate(value):
            yield from faults_in(content, f"{path}[{place}]")


def marking_decoder() -> "json.JSONDecoder":
    """Return a decoder that marks what the strict one refuses."""
    import json

    return json.JSONDecoder(
        object_pairs_hook=_Pairs,
        parse_constant=lambda name: _Refused(f"{name} is not JSON"),
        parse_float=_kept_float,
    )


def _located(text: str) -> list[tuple[str, str]]:
    """Return path and words of the faults of a document that the strict decoder refused.

    Raises:
        ValueError: it is no JSON either.
    """
    return list(faults_in(marking_decoder().decode(text), "$"))


def depth_of_value(value: object, *, limit: int) -> int:
    """Return how deep lists and objects are nested in a value, counted up to one above `limit`."""
    level, depth = [value], 0
    while depth <= limit and (holders := [one for one in level if isinstance(one, dict | list)]):
        level = [
            inner
            for holder in holders
            for inner in (holder.values() if isinstance(holder, dict) else holder)
        ]
        depth += 1
    return depth


def depth_of(document: bytes) -> int:
    """Return the deepest nesting of brackets outside strings, by a scan without recursion."""
    depth = deepest = 0
    for outside in _outside_strings(document):
        for byte in outside.translate(None, _NO_BRACKETS):
            if byte in b"[{":
                depth += 1
                deepest = max(deepest, depth)
            else:
                depth -= 1
    return deepest


def _outside_strings(document: bytes) -> Iterator[bytes]:
    """Yield a document without what its strings hold, in pieces that end with a string."""
    # Matched where the last piece ended: a search would try every place where no string follows.
    strings = re.compile(_STRINGS)
    at = 0
    while (found := strings.match(document, at)) is not None:
        at = found.end()
        yield re.sub(STRING, b'""', found[0])
    yield document[at:]


def _may_hold_long_number(document: bytes) -> bool:
    """Tell whether anywhere, in strings too, stands a run that could be too long a number.

    It would stand over a multiple of its least length, so that only these places are looked at.
    """
    for place in range(MAX_DIGITS, len(document), MAX_DIGITS):
        if document[place] in _IN_NUMBERS:
            before = document[place - MAX_DIGITS : place]
            begun = len(before) - len(before.rstrip(_IN_NUMBERS))
            behind = document[place : place + MAX_DIGITS + 1]
            if begun + len(behind) - len(behind.lstrip(_IN_NUMBERS)) > MAX_DIGITS:
                return True
    return False


def fault_of(document: bytes) -> str | None:
    """Return why a document is refused before parsing (depth, numbers, encoding), or None."""
    brackets = document.count(b"[") + document.count(b"{")
    if brackets > MAX_DEPTH and depth_of(document) > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH} levels"
    if _may_hold_long_number(document) and any(
        re.search(_LONG_NUMBER, outside) for outside in _outside_strings(document)
    ):
        return f"a number has more than {MAX_DIGITS} digits"
    return None


def load_json(document: bytes | str, *, source: str, line: int | None = None) -> object:
    """Parse one JSON document strictly.

    Raises:
        BadInputError: bad encoding, too deep, NaN or Infinity, duplicate keys, or no JSON.
    """
    octets = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    found: list[tuple[str | None, str]] = []
    if message := fault_of(octets):
        found.append((None, message))
    else:
        text = ""
        try:
            text = octets.decode("utf-8")
            try:
                return _parse(text)
            except JsonFaultError:
                found.extend(_located(text)[:MOST_FAULTS])
        except UnicodeDecodeError as fault:
            found.append((None, f"not UTF-8 at byte {fault.start}"))
        except (RecursionError, ValueError) as fault:
            found.append((None, worded(fault)))
    raise BadInputError(
        [Problem(source=source, line=line, field=field, message=words) for field, words in found]
    )


def spelled(document: bytes, *, at: Sequence[tuple[str, ...]]) -> bytes:
    """Return a document in which each number that others cannot read is text, at these places.

    A place is named by the members that lead to it, such as `("message", "usage")`. A document
    with a fault anywhere else, or without such a number, is returned as it is.
    """
    import json

    value: object
    try:
        value = load_json(document, source="")
        changed = False
    except BadInputError as error:
        if not all(_is_within(problem.field, at) for problem in error.problems):
            return document
        value = json.JSONDecoder(parse_constant=str).decode(document.decode())
        changed = True
    for *path, name in at:
        holder = value
        for member in path:
            holder = holder.get(member) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and name in holder:
            before, holder[name] = holder[name], _spelled(holder[name])
            changed = changed or holder[name] != before
    return json.dumps(value).encode() if changed else document


def _is_within(field: str | None, places: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a fault stands at one of some places or below it."""
    roots = (".".join(("$", *place)) for place in places)
    return field is not None and any(
        field == root or field.startswith((f"{root}.", f"{root}[")) for root in roots
    )


def _spelled(value: object) -> object:
    """Return a value with every number in it that others cannot read as text."""
    if isinstance(value, dict):
        return {name: _spelled(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_spelled(inner) for inner in value]
    odd = (isinstance(value, float) and math.isinf(value)) or (
        isinstance(value, int) and abs(value) > _MOST_WHOLE
    )
    return str(value) if odd else value


def strict_decoder() -> "json.JSONDecoder":
    """Return a decoder that raises JsonFaultError for what the grammar allows and we do not."""
    import json

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def _parse(text: str) -> object:
    """Parse text, raising JsonFaultError for what the grammar allows and we do not."""
    return strict_decoder().decode(text)


def worded(fault: Exception) -> str:
    """Return why a document is no JSON."""
    place = getattr(fault, "pos", None)
    if place is None:
        return f"not JSON: {fault}"
    return f"not JSON at character {place}: {getattr(fault, 'msg', fault)}"
