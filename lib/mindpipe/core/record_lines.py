"""Read lines as records of one kind: many at once where they are surely sound, else one by one.

A record that msgspec decodes may still come from an object in which a key stands twice. Every key
ends in quote and colon; where these are as many as the keys that were found, none stood twice. A
line end between } and { cannot stand inside a value, so as many values as lines are one each.
"""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

import msgspec

from mindpipe.core.bad_lines import BadLines
from mindpipe.core.errors import BadInputError
from mindpipe.core.faults import problems_of
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe.core.strict_json import MAX_DEPTH, load_json

R = TypeVar("R", bound=msgspec.Struct)
Fault = tuple[str, str]
"""The path of a field, and what is wrong with it."""
Faults = Callable[[R], Sequence[Fault]]

# White space before a colon would hide a key from the count.
_HIDING = (b" :", b"\t:", b"\r:")


class Found(NamedTuple, Generic[R]):
    """Sound records, and the number of the line of each."""

    numbers: list[int]
    records: list[R]


class RecordLines(Generic[R]):
    """Reads lines as records; `faults` finds what is wrong with one beyond its shape.

    `source` names the input in problems.
    """

    def __init__(self, into: type[R], faults: Faults[R], *, source: str) -> None:
        self._into = into
        self._faults = faults
        self._source = source
        self._decoder = msgspec.json.Decoder(into)
        self._plain = msgspec.json.Decoder(dict[str, object])

    def read(self, first: int, octets: bytes, bad_lines: BadLines) -> Found[R]:
        """Return the sound records of whole lines, the first of which has a number; refuse others.

        Blank lines are passed over.
        """
        records = self._sure(octets)
        if records is not None and not any(map(self._faults, records)):
            return Found(list(range(first, first + len(records))), records)
        found: Found[R] = Found([], [])
        for number, line in enumerate(octets.split(b"\n"), first):
            if not line.strip():
                continue
            try:
                found.records.append(self._closely(number, line))
                found.numbers.append(number)
            except BadInputError as error:
                bad_lines.refuse(error.problems, line)
        return found

    def _sure(self, octets: bytes) -> list[R] | None:
        """Return the records of lines that are surely sound JSON, one to a line; else None."""
        joined, ends = octets.count(b'":'), octets.count(b"\n") - octets.endswith(b"\n")
        if octets.count(b"}\n{") != ends:
            return None
        if octets.count(b":") != joined and any(mark in octets for mark in _HIDING):
            return None
        try:
            records = self._decoder.decode_lines(octets)
            plain = self._plain.decode_lines(octets)
        except NO_RECORD:
            return None
        if len(records) != ends + 1:
            return None
        keys = sum(map(len, plain))
        if octets.count(b"{") > len(plain):
            keys += sum(map(_keys_inside, plain))
        return records if keys == joined else None

    def _closely(self, number: int, line: bytes) -> R:
        """Return the record of one line; raises BadInputError with all that is wrong with it."""
        records = self._sure(line)
        if records is None:
            value = load_json(line, source=self._source, line=number)
            if problems := problems_of(value, self._into, source=self._source, line=number):
                raise BadInputError(problems)
            records = [msgspec.convert(value, self._into)]
        if faults := self._faults(records[0]):
            raise BadInputError(
                [
                    Problem(source=self._source, line=number, field=field, message=words)
                    for field, words in faults
                ]
            )
        return records[0]


def _keys_inside(value: dict[str, object]) -> int:
    """Return how many keys the objects inside an object have; records are not deep."""
    return sum(map(_keys_in, (one for one in value.values() if type(one) in (dict, list))))


def _keys_in(value: object, depth: int = 1) -> int:
    """Return how many keys a value has, its inner objects included."""
    if depth > MAX_DEPTH:
        return 0
    if isinstance(value, dict):
        inner = cast("dict[str, object]", value)
        return len(inner) + sum(_keys_in(one, depth + 1) for one in inner.values())
    return sum(_keys_in(one, depth + 1) for one in value) if isinstance(value, list) else 0
