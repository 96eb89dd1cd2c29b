"""The only place that prints: records to stdout in any shape, words for people to stderr."""

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from mindpipe.core.failpoints import reach
from mindpipe.core.records import to_json
from mindpipe.core.text import counted, terminal_text, visible_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from mindpipe.history.records import LossCount
    from mindpipe.providers.records import Repair

Shape = Literal["json", "table", "csv", "tsv"]
Cut = Literal["width", "length", "nothing"]
"""What of a long text a table of several rows leaves out: what its column has no room for on a
terminal, what is beyond some lines, or nothing."""
Clean = Callable[[str], str]
"""Makes text fit for a terminal: by removing what could forge what is seen, or by showing it."""


def on_terminal(stream_name: Literal["stdin", "stdout", "stderr"]) -> bool:
    """Tell whether a standard stream is a terminal."""
    return bool(getattr(sys, stream_name).isatty())


def can_ask() -> bool:
    """Tell whether a person can be shown something and answer."""
    return on_terminal("stdin") and on_terminal("stderr")


def colours_wanted() -> bool:
    """Tell whether colours are welcome: NO_COLOR and TERM=dumb say no."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Say one thing to a person on stderr, without control characters."""
    sys.stderr.write(f"{terminal_text(text)}\n")
    sys.stderr.flush()


def say_changes(name: str, repairs: "Iterable[Repair]", left_out: Iterable[str]) -> None:
    """Say what an import changed and what it could not take, each kind of that once."""
    from mindpipe.providers.left_out import of_each_kind

    for repair in repairs:
        say(f"{name}: {repair.at}: repaired {repair.kind}: {repair.what}")
    for what in of_each_kind(left_out):
        say(f"{name}: left out: {what}")


def say_losses(counts: "Iterable[LossCount]") -> None:
    """Say what a document that was written does not hold."""
    for count in counts:
        times = "once" if count.times == 1 else f"{count.times} times"
        say(f"not in the document, {times}: {count.part} ({count.why})")


def preview(text: str) -> None:
    """Show a piece of a reply on stderr while it is being written."""
    sys.stderr.write(terminal_text(text))
    sys.stderr.flush()


def write_bytes(pieces: Iterable[bytes], *, clean: Clean = terminal_text) -> None:
    """Write bytes to stdout as they are, cleaned only where stdout is a terminal."""
    if on_terminal("stdout"):
        for piece in pieces:
            sys.stdout.write(clean(piece.decode("utf-8", "replace")))
        return
    for piece in pieces:
        sys.stdout.buffer.write(piece)


def write_text(text: str) -> None:
    """Write text that is the whole answer (help, a schema, a script) to stdout."""
    sys.stdout.write(terminal_text(text) if on_terminal("stdout") else text)


def show_page(text: str) -> None:
    """Show a page of our own: by a pager on a terminal, as it is anywhere else."""
    if not on_terminal("stdout"):
        sys.stdout.write(text)
        return
    import click

    # As git does: what fits is only printed, and what was shown stays.
    os.environ.setdefault("LESS", "FRX")
    click.echo_via_pager(text)


def flush() -> None:
    """Make sure stdout was taken, so that a success is only reported once it was read."""
    reach("print.before_flush")
    sys.stdout.flush()


def sync() -> None:
    """Make sure stdout was taken, and where it is a file, that the disk has it."""
    sys.stdout.flush()
    if stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode):
        os.fsync(sys.stdout.fileno())


def abandon() -> None:
    """Let what is left for stdout go, so that it does not raise again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_records(
    records: Iterable[object],
    *,
    shape: Shape,
    columns: Sequence[str],
    clean: Clean = terminal_text,
    cut: Cut = "length",
) -> int:
    """Write records in one shape and return how many there were.

    `columns` are the fields that a table, CSV or TSV shows; JSON Lines always has all. Only tables
    are `cut`.
    """
    if shape == "json":
        return _write_json(records, clean)
    look = OutputStyle(shape=shape, columns=columns, colour=colours_wanted(), clean=clean, cut=cut)
    return _write_rows(records, look)


def _write_json(records: Iterable[object], clean: Clean) -> int:
    """Write one record per line."""
    encode = msgspec.json.Encoder().encode
    count = 0
    for record in records:
        write_bytes((encode(record), b"\n"), clean=clean)
        count += 1
    return count


CLEARANCE = ("agent", "kind", "subject", "sources", "person", "at")
"""What the `trust` commands show of each thing that somebody vouches for."""
PIPE_WIDTH = 140
"""Columns of what is drawn for a pipe, which has no width of its own."""
_DECIMALS = 3
_LEAST_OF_ID = 9
_UNBROKEN = frozenset({"id", "at", "opened", "curve", "least", "most"})
"""Columns of what is copied, or read at a glance: no cell of them is folded."""


class OutputStyle(NamedTuple):
    """How records are shown: their shape and columns, whether in colour, how cleaned and cut.

    A table is cleaned wherever it goes, CSV and TSV only on a terminal.
    """

    shape: str
    columns: Sequence[str]
    colour: bool
    clean: Callable[[str], str]
    cut: Cut


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


def _write_rows(records: Iterable[object], look: OutputStyle) -> int:
    """Write the records in one shape; return how many there were."""
    rows = (_row(record, look) for record in records)
    if look.shape == "table":
        return _write_table(rows, look)
    import csv

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


def _row(record: object, look: OutputStyle) -> list[str]:
    """Return the cells of one record; in a table, which people read, an empty list is no word."""
    plain = msgspec.to_builtins(record)
    values = (plain.get(column) for column in look.columns)
    if look.shape == "table":
        values = (None if value in ([], ()) else _readable(value) for value in values)
    return [cell(value) for value in values]


def _readable(value: object) -> object:
    """Return files and figures as people read them, and any other value as it is."""
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if not isinstance(value, list | tuple) or not isinstance(value[0], dict):
        return value
    if "media_type" not in value[0]:
        return value
    from mindpipe.core.attachments import placeholder
    from mindpipe.core.messages import FilePart

    return " ".join(placeholder(one) for one in msgspec.convert(value, list[FilePart]))


def _write_table(rows: Iterable[list[str]], look: OutputStyle) -> int:
    """Draw a table, or where a terminal is too narrow for its words a field on each line.

    Of several rows long texts are cut, so that one does not hide the others; one alone is whole. A
    pipe has no width to which they could be cut. Of no row only a terminal shows the headings.
    """
    from rich.cells import cell_len

    shown = [[look.clean(text) for text in row] for row in rows]
    headings = [look.clean(column) for column in look.columns]
    whole = [column in _UNBROKEN for column in look.columns]
    several = len(shown) > 1
    one_line = several and look.cut == "width" and sys.stdout.isatty()
    if one_line:
        shown = [[" ".join(text.split()) for text in row] for row in shown]
    elif several and look.cut != "nothing":
        shown = [
            [one if uncut else shortened(one) for one, uncut in zip(row, whole, strict=True)]
            for row in shown
        ]
    columns = measured_columns(headings, shown, whole=whole, measure=cell_len)
    drawn = shown
    left_out: tuple[int, ...] = ()
    if one_line and _table_width([one.natural for one in columns]) > paper().width:
        drawn = in_minutes(with_short_ids(shown))
        columns = [
            column if column.least else column._replace(heading=0, natural=0)
            for column in measured_columns(headings, drawn, whole=whole, measure=cell_len)
        ]
        left_out = left_for_words(look.columns, columns, room=paper().width)
        columns = [
            column._replace(heading=0, least=0, natural=0) if at in left_out else column
            for at, column in enumerate(columns)
        ]
    # A pipe has no width of its own; a table in it should not be folded to that of a terminal.
    width = None if sys.stdout.isatty() else max(PIPE_WIDTH, needed_width(columns))
    console = paper(width, colour=look.colour)
    widths = fitted_widths(columns, room=console.width)
    if widths is not None:
        console.print(_drawn(headings, drawn, widths, one_line=one_line))
        if left_out:
            names = ", ".join(headings[at] for at in left_out)
            console.print(f"left out: {names}; --full shows all.", style="dim", markup=False)
    elif shown:
        console.print(_fields(headings, shown, one_line=one_line))
    elif sys.stdout.isatty():
        console.print("  ".join(headings), style="bold", markup=False)
    return len(shown)


def paper(width: int | None = None, *, colour: bool | None = None) -> "Console":
    """Return what draws on stdout, which has the width of its terminal where none is given.

    A closed pipe ends it as any other writing, not with the status that rich has for it.
    """
    from rich.console import Console

    class Paper(Console):
        """Stdout for tables and pictures."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    wanted = colours_wanted() if colour is None else colour
    return Paper(no_color=not wanted, highlight=False, width=width)


def _drawn(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    *,
    one_line: bool,
) -> "Table":
    """Return a table whose columns are so wide; one of width 0 is left out.

    Cells are folded, or `one_line` of them is shown, with an ellipsis where more is left.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    kept = [at for at, width in enumerate(widths) if width]
    for at in kept:
        table.add_column(Text(headings[at], overflow="fold"), width=widths[at])
    for row in rows:
        table.add_row(*(_cell(row[at], one_line=one_line) for at in kept))
    return table


def _cell(text: str, *, one_line: bool) -> "Text":
    """Return a cell that is folded, or shown in one line."""
    from rich.text import Text

    return Text(text, overflow="ellipsis" if one_line else "fold", no_wrap=one_line)


def _fields(headings: Sequence[str], rows: Sequence[Sequence[str]], *, one_line: bool) -> "Table":
    """Return each row as a field on each line that is not empty, and an empty line between two."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for number, row in enumerate(rows):
        if number:
            table.add_row("", "")
        for name, text in zip(headings, row, strict=True):
            if text:
                table.add_row(Text(name), _cell(text, one_line=one_line))
    return table


_ID = (
    r"\b(?:[a-z]{1,3}_[A-Za-z0-9]{16,}|[0-9a-f]{64}"
    r"|(?:[a-z0-9]+:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b"
)
_INSTANT = r"(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z"


def _is_id(word: str) -> bool:
    """Tell whether a word is an id or a hash, which is copied whole."""
    import re

    return re.fullmatch(_ID, word) is not None


def with_short_ids(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows in which each id is the shortest beginning that is no other's there.

    Commands take such a beginning for the whole; where it is one of several, they say so.
    """
    import re

    found = re.compile(_ID)
    ids = sorted({one for row in rows for text in row for one in found.findall(text)})
    short: dict[str, str] = {}
    for before, one, after in zip(["", *ids], ids, [*ids[1:], ""], strict=False):
        length = one.find(":") + 1 + _LEAST_OF_ID
        while one[:length] in (before[:length], after[:length]) and length < len(one):
            length += 1
        short[one] = one[:length]
    return [[found.sub(lambda one: short[one[0]], text) for text in row] for row in rows]


def in_minutes(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return rows in which instants have no seconds; commands take them so as well."""
    import re

    def cell(text: str) -> str:
        found = re.fullmatch(_INSTANT, text)
        return f"{found[1]}Z" if found else text

    return [[cell(text) for text in row] for row in rows]


_MOST_OF_CELL = 300
_MOST_LINES = 6
"""So much of a cell is shown beside others: both are looked at."""


def shortened(text: str) -> str:
    """Return as much of a text as a cell of a table has room for, and how much more there is."""
    kept = "\n".join(text[:_MOST_OF_CELL].split("\n")[:_MOST_LINES])
    left = len(text) - len(kept)
    return f"{kept}… ({counted(left, 'more character')})" if left > 0 else text


_SAID = frozenset({"text", "summary", "excerpt", "title", "what", "trigger", "reason"})
"""Columns of words that people look for in a table."""
_WORDS = 28
"""So much room they have at least, before what stands to their sides."""
_GAP = 2
_LONGEST = 26
"""A word up to this is kept whole: every id, every instant; a hash is one that is longer."""

Measure = Callable[[str], int]
"""How many columns of a terminal a text takes."""


def document_lines(record: object) -> list[str]:
    """Return a record as one line per field, then each document in it on as many as it needs.

    Nothing is cut and nothing hidden: odd characters are JSON escapes.
    """
    fields: dict[str, object] = msgspec.to_builtins(record)
    width = max(map(len, fields)) + 2
    long = [name for name in fields if _is_document(fields[name])]
    lines = [f"{name + ':':{width}}{_escaped(fields[name])}" for name in fields if name not in long]
    for name in long:
        lines += [f"{name}:", *(f"  {line}" for line in document_text(fields[name]).split("\n"))]
    return lines


def document_text(value: object) -> str:
    """Return a value as JSON that people read and edit; odd characters are escapes of JSON."""
    return visible_text(msgspec.json.format(to_json(value), indent=2).decode())


def _is_document(value: object) -> bool:
    """Tell whether a value is a document, or several."""
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value)
    )


def _escaped(value: object) -> str:
    """Return a field's value: plain words as they are, anything odd in them escaped."""
    if isinstance(value, str):
        return visible_text(to_json(value).decode())[1:-1].replace('\\"', '"')
    return "" if value is None else visible_text(to_json(value).decode())


class Column(NamedTuple):
    """What a column of a table asks for, in columns of the terminal.

    `heading` is what its name takes, `least` the longest word of its cells that is kept whole, 0
    where all are empty, and `natural` its longest line.
    """

    heading: int
    least: int
    natural: int


def measured_columns(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    whole: Sequence[bool],
    measure: Measure,
) -> list[Column]:
    """Return what each column asks for; `whole` tells whether its cells are never folded."""

    def unbroken(word: str, *, whole: bool) -> int:
        width = measure(word)
        return width if whole or width <= _LONGEST or _is_id(word) else _LONGEST

    def column(at: int) -> Column:
        lines = {line for row in rows for line in row[at].splitlines()}
        words = lines if whole[at] else {word for line in lines for word in line.split()}
        least = max((unbroken(word, whole=whole[at]) for word in words), default=0)
        heading = measure(headings[at])
        natural = max([heading, *map(measure, lines)])
        return Column(heading, least, natural)

    return [column(at) for at in range(len(headings))]


def needed_width(columns: Sequence[Column]) -> int:
    """Return how wide a table must be in which neither words nor headings are broken."""
    return _table_width([max(one.heading, one.least) for one in columns])


def fitted_widths(columns: Sequence[Column], *, room: int) -> list[int] | None:
    """Return widths that fit into `room`, 0 for a column that is left out; None where none do.

    Where whole words and headings do not fit, columns that are empty are left out; no word of a
    cell is broken, and no heading.
    """
    if needed_width(columns) <= room:
        return _shared_widths(columns, [max(one.heading, one.least) for one in columns], room)
    least = [max(one.least, one.heading) if one.least else 0 for one in columns]
    if not any(least) or _table_width(least) > room:
        return None
    return _shared_widths(columns, least, room)


def left_for_words(
    names: Sequence[str], columns: Sequence[Column], *, room: int
) -> tuple[int, ...]:
    """Return which columns are left out, the last first, so that there is room for the others.

    What is said gets more than its longest word. The first stays, and so do all that have room.
    """
    said = next((at for at, name in enumerate(names) if name in _SAID), None)
    left = [at for at, one in enumerate(columns) if one.least]
    wanted = [max(one.heading, one.least) for one in columns]
    if said is not None:
        wanted[said] = min(columns[said].natural, _WORDS)
    for at in reversed(left[1:]):
        if _table_width([wanted[one] for one in left]) <= room:
            break
        if at != said:
            left.remove(at)
    return tuple(at for at, one in enumerate(columns) if one.least and at not in left)


def _table_width(widths: Sequence[int]) -> int:
    """Return how wide a table of such columns is."""
    shown = [width for width in widths if width]
    return sum(shown) + _GAP * (len(shown) - 1)


def _shared_widths(columns: Sequence[Column], least: Sequence[int], room: int) -> list[int]:
    """Return widths of which the widest give way first, none below its least."""
    widths = [one.natural if small else 0 for one, small in zip(columns, least, strict=True)]
    while _table_width(widths) > room:
        above = [at for at, width in enumerate(widths) if width > least[at]]
        widths[max(above, key=lambda at: widths[at])] -= 1
    return widths


Advance = Callable[[int, int], None]


def _silent(_done: int, _all: int) -> None:
    """Hear and show nothing."""


@contextlib.contextmanager
def progress(words: str) -> Iterator[Advance]:
    """Give a function that is told how much is done and how much there is."""
    if not on_terminal("stderr"):
        yield _silent
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    console = Console(stderr=True, no_color=not colours_wanted())
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(escape(terminal_text(words)), total=None)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield advance
