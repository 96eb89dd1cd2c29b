"""A JSON document that is read value by value, so that never more than one of them is decoded."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_KEYS,
    MOST_FAULTS,
    STRING,
    JsonFaultError,
    fault_of,
    faults_in,
    marking_decoder,
    strict_decoder,
    worded,
)
from mindpipe.core.ports import Octets
from mindpipe.core.problems import Problem


class JsonSlice(NamedTuple):
    """One value of a document, and its exact text."""

    value: object
    octets: bytes


MAX_VALUE_BYTES = 64 << 20
"""No value may be longer."""
MAX_VALUES = 100_000
"""More of them in one value take too much memory: a small one takes ten times its text."""
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
        octets: Octets,
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
        self._strict = strict_decoder()
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
            for place in self.places(at):
                self._step_over(place)
        else:
            for key in self.members():
                self._step_over(f"{at}.{key}")

    def _step_over(self, at: str) -> None:
        """Step over one value; what holds others and is long is never decoded at once."""
        if self.peek() not in {"[", "{"}:
            self.value(at)
            return
        try:
            self._value(at, most=LOOSE_BYTES)
        except _TooManyError:
            self.skip(at)

    def elements(self, at: str) -> Iterator[JsonSlice]:
        """Yield the values of the array that stands here, one after the other."""
        for place in self.places(at):
            yield self.value(place)

    def places(self, at: str) -> Iterator[str]:
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

    def _value(self, at: str, *, most: int = MAX_VALUE_BYTES) -> JsonSlice:
        """Read one value; raises _TooManyError where it holds too much, or is over `most` long."""
        self.peek()
        value: object = None
        while True:
            faults: list[tuple[str, str]] = []
            try:
                try:
                    value, end = self._strict.raw_decode(self._text, self._index)
                except JsonFaultError:
                    marked, end = marking_decoder().raw_decode(self._text, self._index)
                    faults = list(faults_in(marked, at))
            except RecursionError:
                raise self._refusal(f"nested deeper than {MAX_DEPTH} levels") from None
            except ValueError as fault:
                if self._is_settled(fault) or not self._widen(most):
                    raise self._refusal(self._told(fault)) from None
            else:
                if end < len(self._text) or not self._widen(most):
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
                else worded(fault)
            )
        return f"not JSON at character {self._before + place}: {getattr(fault, 'msg', fault)}"

    def _widen(self, most: int = MAX_VALUE_BYTES) -> bool:
        """Decode more of the text; return False where there is no more."""
        held = len(self._text) - self._index
        if self._decoded >= self._end:
            return False
        if held > LOOSE_BYTES:
            if most < MAX_VALUE_BYTES:
                raise _TooManyError
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
            more = self._octets[self._decoded : end].decode()
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
        if len(self._faults) < MOST_FAULTS:
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


_STRUCTURE = STRING + rb"|[\[{,]+"
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
