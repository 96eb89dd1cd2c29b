"""Records that are added to a memory: read from lines or options, kept all or none, receipted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.lines import AllOrNothing, BadLines, Faults, FoundRecord, RecordLines
from mindpipe.core.problems import Problem, problems_in
from mindpipe.core.records import Record
from mindpipe.core.sources import MAX_SOURCE, joined
from mindpipe.io.lines import line_blocks
from mindpipe.io.spool import Spool
from mindpipe.memory.records import Added
from mindpipe_cli import input, output
from mindpipe_cli.input import name_of, rejects_of
from mindpipe_cli.session import Session

COLUMNS = ("id", "key", "duplicate")
R = TypeVar("R", bound=Record)
R_contra = TypeVar("R_contra", contravariant=True)


Under = Callable[[R, str], R]
"""Puts a record under the words of a source that was named for all."""


class Adder(Protocol[R_contra]):
    """What adds records part by part inside one transaction."""

    def add(self, given: Sequence[R_contra], *, source: str, numbers: Sequence[int]) -> list[Added]:
        """Add some sound records; return what became of each that was not refused."""
        ...


class Kind(NamedTuple, Generic[R]):
    """What is added: the record of a line, what can be wrong with it, and what adds it."""

    record: type[R]
    faults: Faults[R]
    adding: Callable[[BadLines], AbstractContextManager[Adder[R]]]


class AddOptions(Record):
    """Where records come from, under whose words all are, and what becomes of bad lines."""

    file: str = "-"
    source: str | None = None
    on_error: str = "stop"
    rejects: str | None = None


def add_lines(
    session: Session,
    options: AddOptions,
    kind: Kind[R],
    *,
    under: Under[R] | None = None,
    ready: Iterator[bytes] | None = None,
) -> None:
    """Add the records of all lines in one transaction and print the receipts after the commit.

    The lines are those of the file, unless others stand `ready`.

    Raises:
        BadInputError: lines are at fault and none may be skipped; nothing is added.
    """
    source = name_of(options.file)
    lines = RecordLines(kind.record, kind.faults, source=source)
    decode = msgspec.msgpack.Decoder(tuple[list[int], list[kind.record]]).decode  # type: ignore[name-defined]  # the type is chosen by the command
    encode = msgspec.json.Encoder().encode_lines
    with rejects_of(options.on_error, options.rejects) as rejects, Spool() as sound:
        bad_lines: BadLines = AllOrNothing() if rejects is None else rejects
        # All lines are read before a transaction is open: whoever writes them may be slow.
        records_found = (
            found_in(options.file, lines, bad_lines)
            if ready is None
            else (lines.read(number, line, bad_lines) for number, line in enumerate(ready, 1))
        )
        for found in records_found:
            sound.add(msgspec.msgpack.encode((found.numbers, found.records)))
        bad_lines.settle()
        with Spool() as receipts:
            with kind.adding(bad_lines) as adder:
                for piece in sound.pieces():
                    numbers, records = decode(piece)
                    given = _all_under(records, options.source, under)
                    receipts.add(encode(adder.add(given, source=source, numbers=numbers)))
            session.write_receipts(receipts.pieces(), kind=Added, columns=COLUMNS)
    if rejects is not None and rejects.count:
        output.say(f"rejected: {rejects.count}; see {options.rejects}.")


def add_one(
    session: Session,
    record: R,
    kind: Kind[R],
    *,
    source: str | None,
    under: Under[R] | None = None,
) -> None:
    """Add one record that options gave, and print its receipt.

    Raises:
        BadInputError: it is none that a line could say.
    """
    if problems := problems_in(record, source="--text"):
        raise BadInputError(problems)
    bad_lines = AllOrNothing()
    faults = kind.faults(record)
    if faults:
        bad_lines.refuse(
            [Problem(source="--text", field=field, message=words) for field, words in faults], b""
        )
        bad_lines.settle()
    with kind.adding(bad_lines) as adder:
        added = adder.add(_all_under([record], source, under), source="--text", numbers=[1])
    session.write(added, columns=COLUMNS)


def found_in(file: str, lines: RecordLines[R], bad_lines: BadLines) -> Iterator[FoundRecord[R]]:
    """Yield the sound records of a file or of stdin, block by block."""
    source = name_of(file)
    with input.open_input(file) as stream:
        for block in line_blocks(stream, limit=input.MEMORY_BYTES, source=source, setting=None):
            if isinstance(block, Problem):
                bad_lines.refuse([block], b"")
            elif (found := lines.read(*block, bad_lines)).records:
                yield found


def _all_under(records: list[R], source: str | None, under: Under[R] | None) -> list[R]:
    """Return records under the words of one more source, or of none.

    Raises:
        UsageError: its name is too long.
    """
    if source is None:
        return records
    if len(source) > MAX_SOURCE:
        words = f"--source is {len(source)} characters long; at most {MAX_SOURCE} are kept."
        raise UsageError(words)
    if under is not None:
        return [under(one, source) for one in records]
    return [
        msgspec.structs.replace(one, sources=joined(getattr(one, "sources", ()), (source,)))
        for one in records
    ]
