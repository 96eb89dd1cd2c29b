"""The seal of a file of Arrow: a hash in its metadata, by which changed octets are found.

Arrow looks at the shape of what it reads and at no number: of single bits that flip in a shard
three in four would give other persons without a word. The hash is of all octets but its own.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD
from mindpipe.io.files import read_whole, write_whole

_SEAL, _PLACE = b"sha256", b"place"
"""Where the hash, and the name that a file was written under, stand among the metadata."""
_TIMES = 2
"""A file has its metadata before its rows and behind them."""
_TRIES = 100


def write_sealed(
    path: Path, batches: Iterable[pa.RecordBatch], schema: pa.Schema, known: Mapping[bytes, bytes]
) -> None:
    """Write a file, whole or not at all, that says where it belongs; the same rows, the same bytes.

    Args:
        path: The file.
        batches: Its rows.
        schema: Their columns.
        known: What else stands among its metadata.
    """
    options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=False)
    whole = list(batches)

    def made(mark: bytes) -> bytes:
        told = schema.with_metadata({**known, _PLACE: _place_of(path), _SEAL: mark})
        stream = pa.BufferOutputStream()
        with pa.ipc.new_file(stream, told, options=options) as writer:
            for batch in whole:
                writer.write_batch(batch)
        octets: bytes = stream.getvalue().to_pybytes()
        return octets

    write_whole(path, [_sealed(made)])


def open_sealed(
    path: Path, schema: pa.Schema, fields: list[int] | None = None
) -> pa.ipc.RecordBatchFileReader:
    """Return what reads a file, or some of its columns, whose octets are those that were written.

    One that was written before there were seals has none.

    Raises:
        ValueError: they are not, or it belongs elsewhere, or its columns are others.
        UnavailableError: it is not there.
    """
    require_file(path)
    octets = read_whole(path)
    file = pa.ipc.open_file(octets)
    _require_seal(octets, file.schema.metadata)
    require_own(path, file.schema, schema)
    options = pa.ipc.IpcReadOptions(use_threads=False, included_fields=fields)
    return pa.ipc.open_file(octets, options=options)


def require_file(path: Path) -> None:
    """Raise ValueError for what is there and no file: to read it would wait for whoever writes."""
    if path.exists() and not path.is_file():
        raise ValueError("it is no file")


def require_own(path: Path, found: pa.Schema, schema: pa.Schema) -> None:
    """Raise ValueError where a file was written under another name, or has other columns."""
    place = (found.metadata or {}).get(_PLACE, _place_of(path))
    if place != _place_of(path):
        raise ValueError(f"it is {place.decode(errors='replace')}, copied here")
    if not found.equals(schema):
        raise ValueError("its columns are others")


@contextmanager
def arrow_faults(path: Path, what: str) -> Iterator[None]:
    """Raise BadInputError, in one line, for a file that is not what it should be."""
    try:
        yield
    except (pa.ArrowException, KeyError, ValueError, OSError, *NO_RECORD) as fault:
        said = (str(fault).splitlines() or ["it is broken"])[0]
        raise BadInputError([Problem(source=str(path), message=f"no {what}: {said}")]) from None


def _place_of(path: Path) -> bytes:
    """Return the name under which a file, or a checkpoint of it, belongs."""
    return path.name.partition(".")[0].encode()


def _sealed(made: Callable[[bytes], bytes]) -> bytes:
    """Return the octets of a file with its seal; the same file gets the same.

    `made` gives the octets of the file with a mark in its metadata, instead of which the seal is.
    """
    for number in range(_TRIES):
        mark = b"%064d" % number
        octets = made(mark)
        # A name in it could look like the mark.
        if octets.count(mark) == _TIMES:
            return octets.replace(mark, _seal_of(octets, mark))
    raise AssertionError("a file that has its metadata elsewhere cannot be sealed")


def _require_seal(octets: bytes, metadata: Mapping[bytes, bytes] | None) -> None:
    """Raise ValueError where the octets of a file are not those that were sealed."""
    seal = (metadata or {}).get(_SEAL)
    if seal is None:
        return
    if octets.count(seal) != _TIMES or _seal_of(octets, seal) != seal:
        raise ValueError("its octets have changed since it was written")


def _seal_of(octets: bytes, mark: bytes) -> bytes:
    """Return the hash of all octets but those of the mark."""
    return hashlib.sha256(octets.replace(mark, b"")).hexdigest().encode()
