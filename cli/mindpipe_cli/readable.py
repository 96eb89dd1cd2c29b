"""Tables about persons for people: instants as times of days, numbers in few digits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mindpipe.person.calendar import instant_text
from mindpipe_cli.session import Session

_ENDS = (".", "?", "!")
"""What sentences end with, which need no comma between them."""
_DIGITS = 3
"""Behind the point: what is less does not matter to anybody who reads a table."""


def write(session: Session, records: Iterable[object], *, columns: Sequence[str]) -> None:
    """Write records; each of `dims` may be a column, and in a table `t_us` is the instant `at`."""
    if session.shape == "json":
        session.write(records, columns=columns)
        return
    plain = map(_plain, records)
    if session.shape != "table":
        session.write(plain, columns=columns)
        return
    shown = ["at" if column == "t_us" else column for column in columns]
    session.write(_rows(plain, columns), columns=shown)


def _plain(record: object) -> dict[str, object]:
    """Return the fields of a record, and each dimension as a field of its own."""
    plain: dict[str, object] = msgspec.to_builtins(record)
    dims = plain.get("dims")
    return {**plain, **dims} if isinstance(dims, Mapping) else plain


def _rows(
    records: Iterable[Mapping[str, object]], columns: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield what each record is in a table."""
    for plain in records:
        row = {column: _cell(plain.get(column)) for column in columns if column != "t_us"}
        t_us = plain.get("t_us", plain.get("at"))
        yield {**row, "at": instant_text(t_us) if isinstance(t_us, int) else _cell(t_us)}


def _cell(value: object) -> str:
    """Return a value as people read it; of what has words of its own only these."""
    if isinstance(value, Mapping):
        if "text" in value:
            return str(value["text"])
        return ", ".join(f"{name} {_cell(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        cells = list(map(_cell, value))
        return (" " if all(cell.endswith(_ENDS) for cell in cells) else ", ").join(cells)
    if isinstance(value, float):
        return f"{round(value, _DIGITS):g}"
    return "" if value is None else str(value)
