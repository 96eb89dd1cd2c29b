"""Weeks that people write: as a JSON list, or as one object on each line."""

import re
from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.person.calendar import SPAN_FORM, span_us
from mindpipe.person.lines import plain
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import MINUTE_US

MOST_BLOCKS = 200


def read_week(octets: bytes, source: str) -> tuple[RoutineBlock, ...]:
    """Return the blocks of a week that is written as a JSON list, or as one object on each line.

    `at` may stand for `start_min`, as `21:00`, and `dur` for `minutes`, as `8h`.

    Raises:
        BadInputError: it is none; says where and why.
    """
    blocks: list[RoutineBlock] = []
    problems: list[Problem] = []
    for given, place in _pieces(octets, source):
        read = _block_of(given, place)
        if isinstance(read, RoutineBlock):
            blocks.append(read)
        else:
            problems += read
    if len(blocks) > MOST_BLOCKS:
        words = f"expected at most {MOST_BLOCKS} blocks, got {len(blocks)}"
        problems.append(Problem(source=source, line=None, field="$", message=words))
    if problems:
        raise BadInputError(problems)
    return tuple(blocks)


def _pieces(octets: bytes, source: str) -> Iterator[tuple[object, Problem]]:
    """Yield what stands for each block, with a problem without words that names its place."""
    if octets.lstrip().startswith(b"["):
        given = load_json(octets, source=source)
        assert isinstance(given, list)
        for number, one in enumerate(given):
            yield one, Problem(source=source, line=None, field=f"$[{number}]", message="")
        return
    for line, written in enumerate(octets.splitlines(), 1):
        if written.strip():
            place = Problem(source=source, line=line, field="$", message="")
            yield load_json(written, source=source, line=line), place


def _block_of(given: object, place: Problem) -> RoutineBlock | list[Problem]:
    """Return a block as it was written, or all that is wrong with it."""
    if isinstance(given, dict):
        given = dict(given)
        for short, name, read in (("at", "start_min", _minute_of), ("dur", "minutes", _minutes_of)):
            if short not in given:
                continue
            said = given.pop(short)
            try:
                if name in given:
                    raise ValueError(f"stands beside {name}; give one")
                given[name] = read(said)
            except ValueError as error:
                return [
                    msgspec.structs.replace(
                        place, field=f"{place.field}.{short}", message=str(error)
                    )
                ]
    problems = problems_of(
        given, RoutineBlock, source=place.source, line=place.line, at=place.field or "$"
    )
    if problems:
        return [msgspec.structs.replace(one, message=plain(one.message)) for one in problems]
    block = msgspec.convert(given, RoutineBlock)
    if not block.days:
        words = "expected a day at least; without days a block is on every day"
        return [msgspec.structs.replace(place, field=f"{place.field}.days", message=words)]
    return block


def _minute_of(said: object) -> int:
    """Return the minute of a day that `21:00` is."""
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", said) if isinstance(said, str) else None
    if found is None:
        raise ValueError("expected a time of day such as 21:00")
    return 60 * int(found.group(1)) + int(found.group(2))


def _minutes_of(said: object) -> int:
    """Return how many minutes a span is, such as `8h`."""
    if not isinstance(said, str):
        raise ValueError(f"expected {SPAN_FORM}")
    minutes, rest = divmod(span_us(said), MINUTE_US)
    if rest:
        raise ValueError("expected whole minutes")
    return minutes
