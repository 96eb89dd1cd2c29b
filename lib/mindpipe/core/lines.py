"""Read lines of records: what is found in them, and what becomes of bad ones."""

import re
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import MAX_DEPTH, load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import NO_RECORD
from mindpipe.core.text import counted

_SHOWN_PROBLEMS = 100


class BadLines(Protocol):
    """Decide what becomes of lines that are refused."""

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Take one refused line and all that is wrong with it."""
        ...

    def settle(self) -> None:
        """Raise, or make sure that every refused line is kept; called before the commit."""
        ...


class AllOrNothing:
    """Let one refused line refuse all."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._more = 0

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Remember what is wrong, up to a number that a person can read."""
        room = max(0, _SHOWN_PROBLEMS - len(self._problems))
        self._problems.extend(problems[:room])
        self._more += len(problems[room:])

    def settle(self) -> None:
        """Raise BadInputError if any line was refused."""
        if self._more:
            source = self._problems[0].source
            words = f"{counted(self._more, 'more problem')} not shown"
            raise BadInputError([*self._problems, Problem(source=source, message=words)])
        if self._problems:
            raise BadInputError(self._problems)


R = TypeVar("R", bound=msgspec.Struct)
Fault = tuple[str, str]
"""The path of a field, and what is wrong with it."""
Faults = Callable[[R], Sequence[Fault]]

# White space before a colon hides a key from the count, and so does a backslash that ends a key.
_SPACED = re.compile(rb'"[ \t\r]+:').search
_SLASHED = b'\\\\":'


class FoundRecord(NamedTuple, Generic[R]):
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

    def read(self, first: int, octets: bytes, bad_lines: BadLines) -> FoundRecord[R]:
        """Return the sound records of whole lines, the first of which has a number; refuse others.

        Blank lines are passed over.
        """
        records = self._sure(octets)
        if records is not None and not any(map(self._faults, records)):
            return FoundRecord(list(range(first, first + len(records))), records)
        middle = len(octets) // 2
        cut = octets.find(b"\n", middle, -1) + 1 or octets.rfind(b"\n", 0, middle) + 1
        if not cut:
            return self._alone(first, octets.removesuffix(b"\n"), bad_lines)
        left = self.read(first, octets[:cut], bad_lines)
        right = self.read(first + octets.count(b"\n", 0, cut), octets[cut:], bad_lines)
        return FoundRecord(left.numbers + right.numbers, left.records + right.records)

    def _alone(self, number: int, line: bytes, bad_lines: BadLines) -> FoundRecord[R]:
        """Return the record of one line, if it holds a sound one."""
        if not line.strip():
            return FoundRecord([], [])
        try:
            return FoundRecord([number], [self._closely(number, line)])
        except BadInputError as error:
            bad_lines.refuse(error.problems, line)
            return FoundRecord([], [])

    def _sure(self, octets: bytes) -> list[R] | None:
        """Return the records of lines that are surely sound JSON, one to a line; else None."""
        ends = octets.count(b"\n") - octets.endswith(b"\n")
        if octets.count(b"}\n{") != ends or _SLASHED in octets or _SPACED(octets):
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
            lines = zip(octets.split(b"\n"), plain, strict=False)
            keys += sum(_keys_inside(one) for line, one in lines if line.count(b"{") > 1)
        return records if keys == octets.count(b'":') - octets.count(b'\\":') else None

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
