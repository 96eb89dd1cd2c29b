"""Add items, reflections, lessons or entities: from lines or text, to a store or to a file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.record_lines import Faults, Found, RecordLines
from mindpipe.core.records import Record
from mindpipe.core.sources import joined
from mindpipe.memory.records import Added
from mindpipe.stream.blocks import line_blocks
from mindpipe.stream.spool import Spool
from mindpipe_cli import documents, output
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import rejects_of
from mindpipe_cli.session import Session

COLUMNS = ("id", "key", "duplicate")
LINE_BYTES = 8 << 20
"""No line is longer: a text of the greatest length fits in, whatever its characters are."""
R = TypeVar("R", bound=Record)
R_contra = TypeVar("R_contra", contravariant=True)


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


class Wish(Record):
    """Where records come from, and what becomes of bad lines.

    `texts` are those that the options themselves give; `source` is under whose words all are.
    """

    file: str = "-"
    source: str | None = None
    on_error: str = "stop"
    rejects: str | None = None


def agent_of(session: Session, agent: str) -> str:
    """Return an agent's name; raises UsageError if there is none of it."""
    return agents.show(session.store, name=agent).name


def add_lines(session: Session, wish: Wish, kind: Kind[R]) -> None:
    """Add the records of all lines in one transaction and print the receipts after the commit.

    Raises:
        BadInputError: lines are at fault and none may be skipped; nothing is added.
        NothingToDoError: there is no line.
    """
    lines = RecordLines(kind.record, kind.faults, source=name_of(wish.file))
    with rejects_of(wish.on_error, wish.rejects) as rejects, Spool() as sound:
        bad_lines: BadLines = AllOrNothing() if rejects is None else rejects
        for found in found_in(wish, lines, bad_lines):
            sound.add(msgspec.msgpack.encode((found.numbers, found.records)))
        bad_lines.settle()
        _add(session, kind, sound, _Place(wish, bad_lines))
    if rejects is not None and rejects.count:
        output.say(f"rejected: {rejects.count}; see {wish.rejects}.")
    elif not len(sound):
        raise NothingToDoError(NO_INPUT)


def add_one(session: Session, record: R, kind: Kind[R], *, source: str | None) -> None:
    """Add one record that options gave, and print its receipt."""
    bad_lines = AllOrNothing()
    faults = kind.faults(record)
    if faults:
        bad_lines.refuse(
            [Problem(source="--text", field=field, message=words) for field, words in faults], b""
        )
        bad_lines.settle()
    with kind.adding(bad_lines) as adder:
        added = adder.add(_all_under([record], source), source="--text", numbers=[1])
    session.write(added, columns=COLUMNS)


class _Place(NamedTuple):
    """Where lines come from, and what becomes of those that are refused."""

    wish: Wish
    bad_lines: BadLines


def found_in(wish: Wish, lines: RecordLines[R], bad_lines: BadLines) -> Iterator[Found[R]]:
    """Yield the sound records of an input, block by block."""
    source = name_of(wish.file)
    with documents.opened(wish.file) as stream:
        for block in line_blocks(stream, limit=LINE_BYTES, source=source, setting=None):
            if isinstance(block, Problem):
                bad_lines.refuse([block], b"")
            elif (found := lines.read(*block, bad_lines)).records:
                yield found


def _add(session: Session, kind: Kind[R], sound: Spool, place: _Place) -> None:
    """Add what was read in one transaction, and print the receipts after the commit."""
    decode = msgspec.msgpack.Decoder(tuple[list[int], list[kind.record]]).decode  # type: ignore[name-defined]  # the type is chosen by the command
    encode = msgspec.json.Encoder().encode_lines
    with Spool() as receipts:
        with kind.adding(place.bad_lines) as adder:
            for piece in sound.pieces():
                numbers, records = decode(piece)
                given = _all_under(records, place.wish.source)
                added = adder.add(given, source=name_of(place.wish.file), numbers=numbers)
                receipts.add(encode(added))
        _print(session, receipts)


def _all_under(records: list[R], source: str | None) -> list[R]:
    """Return records under the words of one more source, or of none."""
    return records if source is None else [_under(record, source) for record in records]


def _under(record: R, source: str) -> R:
    """Return a record under the words of one more source."""
    sources = joined(getattr(record, "sources", ()), (source,))
    return msgspec.structs.replace(record, sources=sources)


def _print(session: Session, receipts: Spool) -> None:
    """Print receipts, as they are where records are wanted."""
    if session.shape == "json":
        output.write_bytes(receipts.pieces())
    else:
        read = msgspec.json.Decoder(Added).decode_lines
        made = (receipt for piece in receipts.pieces() for receipt in read(piece))
        session.write(made, columns=COLUMNS)
    output.flush()


def refuse_none(found: int, words: str) -> None:
    """Raise NothingToDoError where nothing was found."""
    if not found:
        raise NothingToDoError(f'nothing has "{words}" in it.')


def words_of(text: str) -> str:
    """Return the words of --text, or those on stdin for `-`.

    Raises:
        UsageError: what is on stdin is not UTF-8.
    """
    if text != "-":
        return text
    try:
        return documents.whole("-").octets.decode().removesuffix("\n")
    except UnicodeDecodeError as fault:
        raise UsageError(f"stdin is not UTF-8 at byte {fault.start}.") from None
