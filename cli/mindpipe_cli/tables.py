"""Records as a table for people, or as CSV and TSV for spreadsheets."""

import csv
import sys
from collections.abc import Iterable, Sequence

import msgspec

from mindpipe.core.text import terminal_text

_PIPE_WIDTH = 140


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


def write(records: Iterable[object], *, shape: str, columns: Sequence[str], colour: bool) -> int:
    """Write the records in one shape; return how many there were."""
    rows = (_row(record, columns) for record in records)
    if shape == "table":
        return _write_table(rows, columns, colour=colour)
    writer = csv.writer(sys.stdout, delimiter="\t" if shape == "tsv" else ",", lineterminator="\n")
    shown = terminal_text if sys.stdout.isatty() else str
    writer.writerow(map(shown, columns))
    count = 0
    for row in rows:
        writer.writerow(map(shown, row))
        count += 1
    return count


def _row(record: object, columns: Sequence[str]) -> list[str]:
    """Return the cells of one record."""
    plain = msgspec.to_builtins(record)
    return [cell(plain.get(column)) for column in columns]


def _write_table(rows: Iterable[list[str]], columns: Sequence[str], *, colour: bool) -> int:
    """Draw a table on the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(Text(terminal_text(column)), overflow="fold")
    count = 0
    for row in rows:
        table.add_row(*(Text(terminal_text(text)) for text in row))
        count += 1
    # A pipe has no width of its own; a table in it should not be folded to that of a terminal.
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    Console(no_color=not colour, highlight=False, width=width).print(table)
    return count
