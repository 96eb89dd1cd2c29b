"""Tables about persons for people: instants as times of days, numbers in few digits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mindpipe.person.calendar import instant_text
from mindpipe_cli.session import Session

_DIGITS = 3
"""Behind the point: what is less does not matter to anybody who reads a table."""


def write(session: Session, records: Iterable[object], *, columns: Sequence[str]) -> None:
    """Write records; in a table `t_us` is the instant `at`, and cells are read at a glance."""
    if session.shape != "table":
        session.write(records, columns=columns)
        return
    shown = ["at" if column == "t_us" else column for column in columns]
    session.write(_rows(records, columns), columns=shown)


def _rows(records: Iterable[object], columns: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield what each record is in a table."""
    for record in records:
        plain: Mapping[str, object] = msgspec.to_builtins(record)
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
        return " ".join(map(_cell, value))
    if isinstance(value, float):
        return f"{round(value, _DIGITS):g}"
    return "" if value is None else str(value)
