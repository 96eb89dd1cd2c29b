"""The table of real parts in the README: what mindpipe was run with, and what was shown."""

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record

RECORDED_PARTS = "fixtures/real_parts.jsonl"


class RealPart(Record):
    """A part that others made: its version, what was shown with it, and on which day."""

    part: str
    version: str
    shown: str
    date: str


def real_parts_table(recorded: bytes) -> str:
    """Return what was recorded as a table in Markdown.

    Raises:
        BadInputError: a line of it is no part.
    """
    rows = (_row(line, number) for number, line in enumerate(recorded.splitlines(), 1))
    return "| part | version | shown | date |\n| --- | --- | --- | --- |\n" + "".join(rows)


def _row(line: bytes, number: int) -> str:
    """Return one line as a row."""
    try:
        one = msgspec.json.decode(line, type=RealPart)
    except msgspec.DecodeError as error:
        fault = Problem(source=RECORDED_PARTS, line=number, message=str(error))
        raise BadInputError([fault]) from None
    return f"| {one.part} | {one.version} | {one.shown} | {one.date} |\n"
