"""The only place that prints: records to stdout, words for people to stderr."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from mindpipe.core.failpoints import reach
from mindpipe.core.text import terminal_text

Shape = Literal["json", "table", "csv", "tsv"]
Clean = Callable[[str], str]
"""Makes text fit for a terminal: by removing what could forge what is seen, or by showing it."""


def on_terminal(stream_name: Literal["stdin", "stdout", "stderr"]) -> bool:
    """Tell whether a standard stream is a terminal."""
    return bool(getattr(sys, stream_name).isatty())


def colours_wanted() -> bool:
    """Tell whether colours are welcome: NO_COLOR and TERM=dumb say no."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Say one thing to a person on stderr, without control characters."""
    sys.stderr.write(f"{terminal_text(text)}\n")
    sys.stderr.flush()


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


def flush() -> None:
    """Make sure stdout was taken, so that a success is only reported once it was read."""
    reach("print.before_flush")
    sys.stdout.flush()


def abandon() -> None:
    """Let what is left for stdout go, so that it does not raise again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_records(
    records: Iterable[object],
    *,
    shape: Shape,
    columns: Sequence[str],
    clean: Clean = terminal_text,
) -> int:
    """Write records in one shape and return how many there were.

    `columns` are the fields that a table, CSV or TSV shows; JSON Lines always has all.
    """
    if shape == "json":
        return _write_json(records, clean)
    from mindpipe_cli import tables

    look = tables.Look(shape=shape, columns=columns, colour=colours_wanted(), clean=clean)
    return tables.write(records, look)


def _write_json(records: Iterable[object], clean: Clean) -> int:
    """Write one record per line."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    count = 0
    for record in records:
        write_bytes((encode(record), b"\n"), clean=clean)
        count += 1
    return count
