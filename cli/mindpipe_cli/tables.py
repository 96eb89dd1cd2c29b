"""Records as a table for people, or as CSV and TSV for spreadsheets."""

import csv
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from rich.table import Table

PIPE_WIDTH = 140
"""Columns of what is drawn for a pipe, which has no width of its own."""
_UNBROKEN = frozenset({"id", "at", "opened", "curve", "least", "most"})
"""Columns of what is copied, or read at a glance: no cell of them is folded."""


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
    """Draw a table, or where a terminal is too narrow for its words a field on each line."""
    from rich.cells import cell_len
    from rich.console import Console

    from mindpipe_cli import fitting

    shown = [[look.clean(text) for text in row] for row in rows]
    headings = [look.clean(column) for column in look.columns]
    whole = [column in _UNBROKEN for column in look.columns]
    columns = fitting.measured(headings, shown, whole=whole, measure=cell_len)
    # A pipe has no width of its own; a table in it should not be folded to that of a terminal.
    width = None if sys.stdout.isatty() else max(PIPE_WIDTH, fitting.needed(columns))
    console = Console(no_color=not look.colour, highlight=False, width=width)
    widths = fitting.fitted(columns, room=console.width)
    if widths is not None:
        console.print(_drawn(headings, shown, widths))
    elif shown:
        console.print(_fields(headings, shown))
    else:
        console.print("  ".join(headings), style="bold", markup=False)
    return len(shown)


def _drawn(
    headings: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]
) -> "Table":
    """Return a table whose columns are so wide; one of width 0 is left out."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    kept = [at for at, width in enumerate(widths) if width]
    for at in kept:
        table.add_column(Text(headings[at]), overflow="fold", width=widths[at])
    for row in rows:
        table.add_row(*(Text(row[at]) for at in kept))
    return table


def _fields(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    """Return each row as a field on each line that is not empty, and an empty line between two."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for number, row in enumerate(rows):
        if number:
            table.add_row("", "")
        for name, text in zip(headings, row, strict=True):
            if text:
                table.add_row(Text(name), Text(text))
    return table
