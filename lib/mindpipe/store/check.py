"""Whether a store's file is sound: its structure, pages and what is damaged."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import (
    DamagedError,
    InputOutputError,
    MindError,
    RefusedError,
    UnavailableError,
)
from mindpipe.core.ports import Cell, Clock, Pair, Rows
from mindpipe.core.records import Migration
from mindpipe.store import media, place, recovery_log
from mindpipe.store.address import Where
from mindpipe.store.backup import faults_of, structure_faults
from mindpipe.store.checksums import have_checksums
from mindpipe.store.records import SqlQuestion, StoreFinding, first_names
from mindpipe.store.schema import SCRIPT, checksum, require_store
from mindpipe.store.sqlite import SqliteRows, connect, raise_ours, sqlite_errors, version_is_sound

_WHOLE_CHECK_BYTES = 1 << 30
_SHOWN = 5
_ERRORS: dict[str, Callable[[str], MindError]] = {
    "integrity": InputOutputError,
    "history chain": InputOutputError,
    "sqlite": UnavailableError,
    "schema": UnavailableError,
    "place": RefusedError,
    "modes": RefusedError,
    "names": RefusedError,
    "encoding": UnavailableError,
    "one result per call": InputOutputError,
    "one open cycle": InputOutputError,
    "owner of leased events": InputOutputError,
    "sums of the ledger": InputOutputError,
}
_TABLES = Pair(
    sqlite="SELECT name FROM sqlite_schema",
    postgres="SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
)


def check(
    store: Path, clock: Clock, *, migrations: Sequence[Migration], questions: Sequence[SqlQuestion]
) -> list[StoreFinding]:
    """Look at the file, its place, its schema and its rows; write nothing.

    `questions` are asked of the tables that are there. Where this program's SQLite is not sound
    nothing inside the file is looked at.

    Raises:
        UnavailableError: there is no store.
    """
    findings = [*place.place_of(store), *place.modes_of(store), *place.names_of(store)]
    if sqlite().verdict == "ok":
        findings += _inside(store, clock, migrations, questions)
    return [*findings, *place.room_of(store)]


def fault_of(findings: Sequence[StoreFinding], store: Where) -> MindError | None:
    """Return the error that the worst finding makes a command end with, or None."""
    named = store.name if isinstance(store, Path) else store.schema
    for name, error in _ERRORS.items():
        for finding in findings:
            if finding.check == name and finding.verdict == "bad":
                found = finding.found.rstrip(".")
                if error is InputOutputError and not found.startswith(named):
                    found = f"{named} fails its check ({finding.damage.rstrip('.')})"
                return error(f"{found}. {finding.advice or ''}".rstrip())
    return None


def sqlite() -> StoreFinding:
    """Judge the SQLite that this program brings."""
    version = apsw.sqlite_lib_version()
    if version_is_sound(version):
        return StoreFinding(check="sqlite", verdict="ok", found=version)
    return StoreFinding(
        check="sqlite",
        verdict="bad",
        found=f"{version} can lose committed pages",
        advice="Install apsw 3.51.3 or newer.",
    )


def _inside(
    store: Path, clock: Clock, migrations: Sequence[Migration], questions: Sequence[SqlQuestion]
) -> list[StoreFinding]:
    """Look into the file; damage is confirmed by a second, fresh connection."""
    faults = faults_in(store)
    if faults and faults_in(store):
        found = "; ".join(faults[:_SHOWN])
        advice = "Run mind store recover."
        return [StoreFinding(check="integrity", verdict="bad", found=found, advice=advice)]
    sound = StoreFinding(check="integrity", verdict="ok", found="ok")
    summed = "on" if have_checksums(store) else "off"
    checksums = StoreFinding(check="page checksums", verdict="ok", found=summed)
    connection = connect(store, read_only=True)
    try:
        with sqlite_errors(store):
            schema = _schema(connection, store, migrations)
            asked = (
                [] if schema.verdict == "bad" else answers(SqliteRows(connection), clock, questions)
            )
            return [sound, checksums, *_others(connection, store), schema, *asked]
    finally:
        connection.close()


def _others(connection: apsw.Connection, store: Path) -> Iterator[StoreFinding]:
    """Yield what another program than this one left in a store, if it did.

    The header says which SQLite changed the file last (fileformat2.html, 1.3.18), where the counter
    of changes beside that says that it did.
    """
    with store.open("rb") as file:
        header = file.read(100)
    number = int.from_bytes(header[96:100], "big")
    version = f"{number // 1_000_000}.{number // 1_000 % 1_000}.{number % 1_000}"
    if number and header[24:28] == header[92:96] and not version_is_sound(version):
        yield StoreFinding(
            check="other writers",
            verdict="note",
            found=f"SQLite {version} wrote it last, which can lose committed pages",
            advice="Read it with any SQLite, and let mind alone write it.",
        )
    ours = set(re.findall(r"^CREATE (?:[A-Z]+ )+[\"\[`']?(\w+)", SCRIPT.read_text(), re.MULTILINE))
    made = connection.execute(
        "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND "
        "name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY name"
    )
    if strangers := [str(name) for (name,) in made if name not in ours]:
        yield StoreFinding(
            check="other tables",
            verdict="note",
            found=first_names(strangers),
            advice="mind did not make them; keep what is yours in a file of its own.",
        )


def faults_in(store: Path) -> list[str]:
    """Return what a fresh connection finds wrong with the file, whole if it is under 1 GiB."""
    try:
        connection = connect(store, read_only=True)
        try:
            quick = structure_faults(connection, "PRAGMA quick_check(10)")
            if quick or store.stat().st_size < _WHOLE_CHECK_BYTES:
                return faults_of(connection)
            return []
        finally:
            connection.close()
    except apsw.ReadOnlyError as error:
        raise_ours(store, error)  # that is no damage
        raise
    except (apsw.Error, InputOutputError) as error:
        return [str(error)]


def _schema(
    connection: apsw.Connection, store: Path, migrations: Sequence[Migration]
) -> StoreFinding:
    """Compare the store's schema with this program's."""
    try:
        version = require_store(connection, store)
    except UnavailableError as error:
        return StoreFinding(check="schema", verdict="bad", found=str(error))
    ours = len(migrations)
    found = f"{version} of {ours}"
    if version > ours:
        return StoreFinding(check="schema", verdict="bad", found=found, advice="Upgrade mindpipe.")
    if version < ours:
        return StoreFinding(
            check="schema", verdict="bad", found=found, advice="Run mind store migrate."
        )
    applied = dict(connection.execute("SELECT name, checksum FROM migration"))
    other = [step.name for step in migrations if applied.get(step.name) != checksum(step)]
    if other:
        found = f"{', '.join(other)} differs from what was applied"
        return StoreFinding(check="schema", verdict="bad", found=found, advice="Upgrade mindpipe.")
    return StoreFinding(check="schema", verdict="ok", found=found)


def answers(rows: Rows, clock: Clock, questions: Sequence[SqlQuestion]) -> Iterator[StoreFinding]:
    """Ask the rows what deserves a look."""
    moment = clock.boot()
    values: dict[str, Cell] = {"boot": moment.boot, "seconds": moment.seconds, "now": clock.now()}
    tables = frozenset(rows.all(str, _TABLES))
    for question in questions:
        if question.table in tables:
            names = rows.all(str, question.sql, values)
            yield StoreFinding.of_each(question.check, names, question.advice)


def keep_from_writing(store: Path, clock: Clock, *, why: str) -> None:
    """Put a store that failed its check into RECOVERY: from now on it is only read.

    A store is known by the reserve that opening it leaves beside it, or by its tables (a copy has
    no reserve). Any other file is left alone, and so is what nobody can write to anyway.
    """
    if recovery_log.read(store).entered is not None or media.is_read_only(store):
        return
    if place.reserve_of(store).exists() or _is_store(store):
        recovery_log.enter(store, at=clock.now(), cause="check", why=f"it fails its check: {why}")


def _is_store(store: Path) -> bool:
    """Tell whether the tables of a file can be read and are those of a store."""
    try:
        connection = connect(store, read_only=True)
        try:
            return require_store(connection, store) > 0
        finally:
            connection.close()
    except (apsw.Error, MindError):
        return False


# Up to here the quick check takes 3 ms; a larger store has it whenever it is recovered or checked.
QUICK_BYTES = 4 << 20


def require_sound(connection: apsw.Connection, store: Path, *, limit: int = QUICK_BYTES) -> None:
    """Refuse a file that was cut, and one of up to `limit` bytes whose structure is damaged.

    A failure counts only when a second, fresh connection finds one too.

    Raises:
        DamagedError: the store fails its check.
    """
    fault = _fault_of(connection, store, limit)
    if fault is None:
        return
    second = connect(store, read_only=True)
    try:
        fault = _fault_of(second, store, limit)
    finally:
        second.close()
    if fault is not None:
        raise DamagedError(
            f"{store.name} fails its check ({fault}). Run mind store recover.", store=store
        )


def _fault_of(connection: apsw.Connection, store: Path, limit: int) -> str | None:
    """Return the first fault of the file, or None."""
    with sqlite_errors(store):
        length = connection.pragma("page_count") * connection.pragma("page_size")
        logged = _is_logged(store)
        size = store.stat().st_size
        # SQLite takes half a last page for one that ends in zeros.
        if size < length and not logged:
            return "its end is cut off"
        # What is missing may be in the -wal: only SQLite's own check can tell.
        if limit < size >= length:
            return None
        faults = structure_faults(connection, "PRAGMA quick_check(1)")
    return faults[0] if faults else None


def _is_logged(store: Path) -> bool:
    """Tell whether anything lies in the -wal."""
    log = store.with_name(f"{store.name}-wal")
    return log.exists() and log.stat().st_size > 0
