"""Open and make stores."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import apsw

from mindpipe.core.errors import MindError, ReadOnlyError, RefusedError, UnavailableError
from mindpipe.core.ports import Chance, Clock
from mindpipe.store import media, place, recovery_log, schema
from mindpipe.store.address import Where
from mindpipe.store.backup import copy_pages, left_its_log, new_file
from mindpipe.store.check import require_sound
from mindpipe.store.engine import EngineStore
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.move_mark import AWAY, STAYS, heed
from mindpipe.store.sqlite import SqliteStore, close_whole, connect, sqlite_errors


def open_where(where: Where, *, read_only: bool = False, moving: bool = False) -> EngineStore:
    """Open an existing store whose schema is ours, wherever it is; see `open_store`."""
    if isinstance(where, Path):
        return open_store(where, read_only=read_only, moving=moving)
    from mindpipe.store.postgres.schema import open_store as open_on_server

    return open_on_server(where, moving=moving)


def open_store(path: Path, *, read_only: bool = False, moving: bool = False) -> SqliteStore:
    """Open an existing store in a file, whose schema is ours.

    It can only be read in RECOVERY, where it has several names, on media that are read-only, and
    once it has moved. Only who is `moving` it opens one that is not whole yet.

    Raises:
        UnavailableError: no store, a newer schema, or an older one that wants `mind store migrate`.
        RefusedError: it lies where others could read or replace it.
        TemporaryError: it is not whole yet.
    """
    place.check_file(path)
    place.check_folder(path.absolute())
    refusal = None if read_only else _refusal(path)
    read_only = read_only or refusal is not None
    connection = connect(path, read_only=read_only)
    store = SqliteStore(connection, path, refusal=refusal)
    version = schema.require_store(connection, path)
    if version > len(SCHEMA):
        raise schema.newer_schema(path_version=version, ours=len(SCHEMA))
    if version < len(SCHEMA):
        raise UnavailableError(
            f"{path} has schema {version}, this program wants {len(SCHEMA)}. "
            "Run mind store migrate."
        )
    if refusal is None:
        # What is only read for its damage may not have even this.
        schema.require_ours(connection, path)
        heed(store, connection.execute(AWAY).fetchone(), moving=moving)
    if not read_only:
        require_sound(connection, path)
        moved = left_its_log(path, connection)
        if moved is not None:
            recovery_log.note(path, moved)
            store.refuse(recovery_log.refusal(path, moved))
        place.keep(path)
    return store


def _refusal(path: Path) -> MindError | None:
    """Return why a store can only be read, or None."""
    passage = recovery_log.read(path).entered
    if passage is not None:
        return recovery_log.refusal(path, passage)
    if media.is_read_only(path):
        return ReadOnlyError(
            f"{path.name} is on read-only media. Copy it with mind store backup, and work there."
        )
    return place.several_names(path)


def make_store(
    path: Path,
    clock: Clock,
    chance: Chance,
    *,
    page_checksums: bool = False,
    source: SqliteStore | None = None,
    begin: Callable[[SqliteStore], None] | None = None,
) -> SqliteStore:
    """Make a new store and open it; see `make_file`."""
    make_file(path, clock, chance, page_checksums=page_checksums, source=source, begin=begin)
    return open_store(path)


def make_file(
    path: Path,
    clock: Clock,
    chance: Chance,
    *,
    page_checksums: bool = False,
    source: SqliteStore | None = None,
    begin: Callable[[SqliteStore], None] | None = None,
) -> None:
    """Make a new store; what `begin` does in it is done before anybody sees it.

    It begins with all pages of `source`, where that is given, else empty.

    Raises:
        RefusedError: something is there already.
    """
    place.check_folder(path.absolute())
    if recovery_log.read(path).entered is not None:
        log = recovery_log.log_of(path)
        raise RefusedError(f"{log.name} is of another store that is in RECOVERY; move it away.")
    with new_file(path) as unfinished:
        if source is not None:
            _begin_as(source, unfinished)
        connection = connect(unfinished, create=source is None, page_checksums=page_checksums)
        # What is not finished is nobody's: it is written once, and not to a log before.
        connection.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF").fetchall()
        if source is None:
            schema.create(connection, unfinished)
        store = SqliteStore(connection, unfinished)
        with store.write() as rows:
            identity = chance.new_id("s", path.name)
            schema.give_identity(rows, identity=identity, created=clock.now())
        if begin is not None:
            begin(store)
        connection.execute("PRAGMA synchronous=FULL; PRAGMA journal_mode=WAL").fetchall()
        close_whole(connection, unfinished)


def _begin_as(source: SqliteStore, unfinished: Path) -> None:
    """Let an unfinished file have the pages of a store."""
    with sqlite_errors(unfinished), contextlib.closing(apsw.Connection(str(unfinished))) as copy:
        copy.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF").fetchall()
        copy_pages(source.connection, copy, "backup.mid")
        copy.execute(STAYS)
