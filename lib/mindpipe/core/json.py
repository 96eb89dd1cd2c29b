"""The one door for JSON whose shape is not known: bounded depth, no NaN, no duplicate keys."""

import collections
import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem

if TYPE_CHECKING:
    import json

MAX_DEPTH = 128
MAX_DIGITS = 1000
MAX_KEYS = 10_000
MAX_KEY_BYTES = 256
MAX_VALUE_BYTES = 64 << 20
"""No value of a document that is read value by value may be longer."""
MAX_VALUES = 100_000
"""More of them in one value take too much memory: a small one takes ten times its text."""
_MOST_WHOLE = 2**53 - 1

# More than a person reads, and more than a line of errors should grow to.
_MOST_FAULTS = 100
# It never goes back, and takes one without an end to the end: so it takes neither memory nor time.
_STRING = rb'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
_STRINGS = rb'(?s)(?:[^"]*+"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)){1,10000}+'
"""So many strings are looked over at once: what is left of many pieces takes more than they do."""
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_LONG_NUMBER = rb"[0-9.eE+-]{%d,}" % (MAX_DIGITS + 1)


class _FaultError(ValueError):
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
        raise _FaultError
    return found


def _constant(_name: str) -> object:
    """Refuse NaN and the infinities."""
    raise _FaultError


def _float(digits: str) -> float:
    """Read a number, refusing what would silently become infinite."""
    number = float(digits)
    if math.isinf(number):
        raise _FaultError
    return number


def _kept_float(digits: str) -> object:
    """Read a number, marking what is out of range."""
    return _Refused(f"{digits[:24]} is out of range") if math.isinf(float(digits)) else 0.0


def _faults(value: object, path: str) -> Iterator[tuple[str, str]]:
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
            yield from _faults(content, f"{path}.{key}")
    elif isinstance(value, list):
        for place, content in enumerate(value):
            yield from _faults(content, f"{path}[{place}]")


def _marking() -> "json.JSONDecoder":
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
    return list(_faults(_marking().decode(text), "$"))


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
        yield re.sub(_STRING, b'""', found[0])
    yield document[at:]


def fault_of(document: bytes) -> str | None:
    """Return why a document is refused before parsing (depth, numbers, encoding), or None."""
    brackets = document.count(b"[") + document.count(b"{")
    if brackets > MAX_DEPTH and depth_of(document) > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH} levels"
    if len(document) > MAX_DIGITS and any(
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
            except _FaultError:
                found.extend(_located(text)[:_MOST_FAULTS])
        except UnicodeDecodeError as fault:
            found.append((None, f"not UTF-8 at byte {fault.start}"))
        except (RecursionError, ValueError) as fault:
            found.append((None, _worded(fault)))
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


def _strict() -> "json.JSONDecoder":
    """Return a decoder that raises _FaultError for what the grammar allows and we do not."""
    import json

    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def _parse(text: str) -> object:
    """Parse text, raising _FaultError for what the grammar allows and we do not."""
    return _strict().decode(text)


def _worded(fault: Exception) -> str:
    """Return why a document is no JSON."""
    place = getattr(fault, "pos", None)
    if place is None:
        return f"not JSON: {fault}"
    return f"not JSON at character {place}: {getattr(fault, 'msg', fault)}"


class JsonSlice(NamedTuple):
    """One value of a document, and its exact text."""

    value: object
    octets: bytes


_BLANK = re.compile(r"[ \t\n\r]*")
_WINDOW = 1 << 18
_LONGEST_WORD = 20
"""No literal or escape of JSON is longer, so that a cut one lies this near to the cut."""
LOOSE_BYTES = 1 << 20
"""A value up to this size may hold whatever it wants; of a longer one the values are counted."""


class _TooManyError(Exception):
    """A value that holds too much to be decoded at once."""


class JsonCursor:
    """Reads a document value by value, so that never more than one of them is decoded.

    It stands at a place of `octets` and goes on until `end`. `at` is the JSON path of what is read,
    for the words of faults. What the grammar allows and we do not is gathered over many values;
    `settle` raises it.
    """

    def __init__(
        self,
        octets: bytes,
        *,
        source: str,
        line: int | None = None,
        start: int = 0,
        end: int | None = None,
    ) -> None:
        self.place = start
        self._octets = octets
        self._end = len(octets) if end is None else end
        self._source = source
        self._line = line
        self._strict = _strict()
        self._text = ""
        self._index = 0
        self._decoded = start
        self._before = 0
        self._start = start
        self._faults: list[tuple[str | None, str]] = []

    def peek(self) -> str:
        """Return the next character that is no white space, an empty text at the end."""
        while True:
            found = _BLANK.match(self._text, self._index)
            index = found.end() if found else self._index
            self.place += index - self._index
            self._index = index
            if index < len(self._text):
                return self._text[index]
            if not self._widen():
                return ""

    def take(self, wanted: str) -> str:
        """Step over one of some characters and return it.

        Raises:
            BadInputError: something else stands here.
        """
        found = self.peek()
        if not found or found not in wanted:
            raise self._refusal(f"not JSON at character {self._character}: {_WANTED[wanted]}")
        self._index += 1
        self.place += 1
        return found

    def value(self, at: str = "$") -> JsonSlice:
        """Read one value.

        Raises:
            BadInputError: there is none, or it is longer, deeper or fuller than any may be.
        """
        try:
            return self._value(at)
        except _TooManyError:
            raise self._refusal(f"{at}: a value holds more than {MAX_VALUES} others") from None

    def value_or_skip(self, at: str) -> JsonSlice | None:
        """Read one value, or step over one that holds too much and return None."""
        try:
            return self._value(at)
        except _TooManyError:
            self.skip(at)
            return None

    def skip(self, at: str) -> None:
        """Step over a value of any size, checking it piece by piece."""
        if self.peek() == "[":
            for place in self._places(at):
                self.value_or_skip(place)
        else:
            for key in self.members():
                self.value_or_skip(f"{at}.{key}")

    def elements(self, at: str) -> Iterator[JsonSlice]:
        """Yield the values of the array that stands here, one after the other."""
        for place in self._places(at):
            yield self.value(place)

    def _places(self, at: str) -> Iterator[str]:
        """Yield the path of each value of an array; who hears one reads its value."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        index = 0
        while True:
            yield f"{at}[{index}]"
            index += 1
            if self.take(",]") == "]":
                return

    def members(self) -> Iterator[str]:
        """Yield the keys of the object that stands here; who hears one reads its value."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        seen: set[str] = set()
        while True:
            if self.peek() != '"':
                raise self._refusal(f"not JSON at character {self._character}: {_WANTED['key']}")
            key = str(self.value().value)
            if key in seen:
                self._fault(f"$.{key}", "appears twice")
            seen.add(key)
            if len(seen) > MAX_KEYS:
                raise self._refusal(f"an object has more than {MAX_KEYS} keys")
            self.take(":")
            yield key
            if self.take(",}") == "}":
                return

    def settle(self) -> None:
        """End the reading: nothing may follow, and nothing may have been wrong.

        Raises:
            BadInputError: something did.
        """
        if self.peek():
            self._faults = []
            raise self._refusal(f"not JSON at character {self._character}: Extra data")
        self.raise_faults()

    def raise_faults(self) -> None:
        """Raise BadInputError if any value that was read had a fault."""
        if self._faults:
            raise BadInputError([self._problem(field, words) for field, words in self._faults])

    @property
    def has_faults(self) -> bool:
        """Tell whether any value that was read had a fault."""
        return bool(self._faults)

    @property
    def _character(self) -> int:
        """Return the place in characters."""
        return self._before + self._index

    def _value(self, at: str) -> JsonSlice:
        """Read one value; raises _TooManyError where it holds too much to be decoded."""
        self.peek()
        value: object = None
        while True:
            faults: list[tuple[str, str]] = []
            try:
                try:
                    value, end = self._strict.raw_decode(self._text, self._index)
                except _FaultError:
                    marked, end = _marking().raw_decode(self._text, self._index)
                    faults = list(_faults(marked, at))
            except RecursionError:
                raise self._refusal(f"nested deeper than {MAX_DEPTH} levels") from None
            except ValueError as fault:
                if self._is_settled(fault) or not self._widen():
                    raise self._refusal(self._told(fault)) from None
            else:
                if end < len(self._text) or not self._widen():
                    break
        octets = self._text[self._index : end].encode()
        self._index = end
        self.place += len(octets)
        if end > LOOSE_BYTES:
            self._let_go()
        if message := fault_of(octets):
            raise self._refusal(message)
        for field, words in faults:
            self._fault(field, words)
        return JsonSlice(value, octets)

    def _is_settled(self, fault: ValueError) -> bool:
        """Tell whether a fault stays one whatever text is still to be decoded."""
        place = getattr(fault, "pos", None)
        if place is None or str(fault).startswith("Unterminated"):
            return False
        return bool(place < len(self._text) - _LONGEST_WORD)

    def _told(self, fault: ValueError) -> str:
        """Return why there is no value here."""
        place = getattr(fault, "pos", None)
        if place is None:
            return (
                f"a number has more than {MAX_DIGITS} digits"
                if "integer string conversion" in str(fault)
                else _worded(fault)
            )
        return f"not JSON at character {self._before + place}: {getattr(fault, 'msg', fault)}"

    def _widen(self) -> bool:
        """Decode more of the text; return False where there is no more."""
        held = len(self._text) - self._index
        if self._decoded >= self._end:
            return False
        if held > LOOSE_BYTES:
            if self._decoded - self.place > MAX_VALUE_BYTES:
                raise self._refusal(f"a value is longer than {MAX_VALUE_BYTES} bytes; split it")
            if count_of_values(self._octets[self.place : self._decoded]) > MAX_VALUES:
                raise _TooManyError
        end = min(self._end, self._decoded + max(_WINDOW, held))
        for _ in range(3):
            # Never inside a character.
            if end < self._end and self._octets[end] & 0xC0 == 0x80:
                end -= 1
        try:
            more = str(memoryview(self._octets)[self._decoded : end], "utf-8")
        except UnicodeDecodeError as fault:
            where = self._decoded - self._start + fault.start
            raise self._refusal(f"not UTF-8 at byte {where}") from None
        self._let_go()
        self._text += more
        self._decoded = end
        return True

    def _let_go(self) -> None:
        """Forget the text that was read."""
        self._before += self._index
        self._text = self._text[self._index :]
        self._index = 0

    def _fault(self, field: str | None, words: str) -> None:
        """Write down what the grammar allows and we do not."""
        if len(self._faults) < _MOST_FAULTS:
            self._faults.append((field, words))

    def _problem(self, field: str | None, words: str) -> Problem:
        return Problem(source=self._source, line=self._line, field=field, message=words)

    def _refusal(self, words: str) -> BadInputError:
        """Return the error for a document that is no JSON from here on."""
        return BadInputError([self._problem(None, words)])


def count_of_values(document: bytes) -> int:
    """Return how many values a document holds, undecoded; no further than to what is too many."""
    pieces = 0
    for found in re.finditer(_STRUCTURE, document):
        pieces += found.end() - found.start() if found[0][:1] != b'"' else 0
        if pieces > MAX_VALUES:
            break
    return pieces


_STRUCTURE = _STRING + rb"|[\[{,]+"
_WANTED = {
    "[": "Expecting value",
    "]": "Expecting value",
    "{": "Expecting value",
    "}": "Expecting property name enclosed in double quotes",
    "key": "Expecting property name enclosed in double quotes",
    ":": "Expecting ':' delimiter",
    ",]": "Expecting ',' delimiter",
    ",}": "Expecting ',' delimiter",
}
