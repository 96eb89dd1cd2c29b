"""Records as a table for people, or as CSV and TSV for spreadsheets."""

import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

PIPE_WIDTH = 140
"""Columns of what is drawn for a pipe, which has no width of its own."""
_UNBROKEN = frozenset({"id", "at", "opened", "curve", "least", "most"})
"""Columns of what is copied, or read at a glance: no cell of them is folded."""
_DATES = frozenset({"created", "expires", "due_at", "began", "until"})
_WIDE = 100
"""Columns of a terminal from which there is room for dates that are not folded."""


class Look(NamedTuple):
    """How records are shown: their shape and columns, whether in colour, and how text is cleaned.

    A table is cleaned wherever it goes, CSV and TSV only on a terminal.
    """

    shape: str
    columns: Sequence[str]
    colour: bool
    clean: Callable[[str], str]


def cell(value: object) -> str:
    """Return a field's value as one line of text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return str(value)
    return msgspec.json.encode(value).decode()


def write(records: Iterable[object], look: Look) -> int:
    """Write the records in one shape; return how many there were."""
    rows = (_row(record, look.columns) for record in records)
    if look.shape == "table":
        return _write_table(rows, look)
    writer = csv.writer(
        sys.stdout, delimiter="\t" if look.shape == "tsv" else ",", lineterminator="\n"
    )
    shown = look.clean if sys.stdout.isatty() else str
    writer.writerow(map(shown, look.columns))
    count = 0
    for row in rows:
        writer.writerow(map(shown, row))
        count += 1
    return count


def _row(record: object, columns: Sequence[str]) -> list[str]:
    """Return the cells of one record."""
    plain = msgspec.to_builtins(record)
    return [cell(plain.get(column)) for column in columns]


def _write_table(rows: Iterable[list[str]], look: Look) -> int:
    """Draw a table on the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # A pipe has no width of its own; a table in it should not be folded to that of a terminal.
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    console = Console(no_color=not look.colour, highlight=False, width=width)
    unbroken = _UNBROKEN | _DATES if console.width >= _WIDE else _UNBROKEN
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in look.columns:
        table.add_column(Text(look.clean(column)), overflow="fold", no_wrap=column in unbroken)
    count = 0
    for row in rows:
        table.add_row(*(Text(look.clean(text)) for text in row))
        count += 1
    console.print(table)
    return count
