"""`mind store check`: what is sound about a store and what is not, one finding per thing."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import InputOutputError, MindError, RefusedError, UnavailableError
from mindpipe.core.migrations import Migration
from mindpipe.core.ports import Clock
from mindpipe.store import surroundings
from mindpipe.store.checksums import have_checksums
from mindpipe.store.connection import connect, sqlite_errors, version_is_sound
from mindpipe.store.copying import faults_of, structure_faults
from mindpipe.store.records import Finding, Question
from mindpipe.store.schema import checksum, require_store

_WHOLE_CHECK_BYTES = 1 << 30
_SHOWN = 5
_ERRORS: dict[str, Callable[[str], MindError]] = {
    "integrity": InputOutputError,
    "history chain": InputOutputError,
    "sqlite": UnavailableError,
    "schema": UnavailableError,
    "place": RefusedError,
    "modes": RefusedError,
}


def check(
    store: Path, clock: Clock, *, migrations: Sequence[Migration], questions: Sequence[Question]
) -> list[Finding]:
    """Look at the program's SQLite, the file, its place, its schema and its rows; write nothing.

    `questions` are asked of the tables that are there.

    Raises:
        UnavailableError: there is no store.
    """
    findings = [_sqlite(), *surroundings.place_of(store), *surroundings.modes_of(store)]
    if findings[0].verdict == "ok":
        findings += _inside(store, clock, migrations, questions)
    return [*findings, *surroundings.room_of(store), *surroundings.abilities()]


def fault_of(findings: Sequence[Finding], store: Path) -> MindError | None:
    """Return the error that the worst finding makes a command end with, or None."""
    for name, error in _ERRORS.items():
        for finding in findings:
            if finding.check == name and finding.verdict == "bad":
                found = finding.found.rstrip(".")
                if name == "integrity" and not found.startswith(store.name):
                    found = f"{store.name} fails its check ({found})"
                return error(f"{found}. {finding.advice or ''}".rstrip())
    return None


def _sqlite() -> Finding:
    """Judge the SQLite that this program brings."""
    version = apsw.sqlite_lib_version()
    if version_is_sound(version):
        return Finding(check="sqlite", verdict="ok", found=version)
    return Finding(
        check="sqlite",
        verdict="bad",
        found=f"{version} can lose committed pages",
        advice="Install apsw 3.51.3 or newer.",
    )


def _inside(
    store: Path, clock: Clock, migrations: Sequence[Migration], questions: Sequence[Question]
) -> list[Finding]:
    """Look into the file; damage is confirmed by a second, fresh connection."""
    faults = faults_in(store)
    if faults and faults_in(store):
        found = "; ".join(faults[:_SHOWN])
        advice = "Run mind store recover."
        return [Finding(check="integrity", verdict="bad", found=found, advice=advice)]
    sound = Finding(check="integrity", verdict="ok", found="ok")
    summed = "on" if have_checksums(store) else "off"
    checksums = Finding(check="page checksums", verdict="ok", found=summed)
    connection = connect(store, read_only=True)
    try:
        with sqlite_errors(store):
            schema = _schema(connection, store, migrations)
            asked = [] if schema.verdict == "bad" else answers(connection, clock, questions)
            return [sound, checksums, schema, *asked]
    finally:
        connection.close()


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
    except (apsw.Error, InputOutputError) as error:
        return [str(error)]


def _schema(connection: apsw.Connection, store: Path, migrations: Sequence[Migration]) -> Finding:
    """Compare the store's schema with this program's."""
    try:
        version = require_store(connection, store)
    except UnavailableError as error:
        return Finding(check="schema", verdict="bad", found=str(error))
    ours = len(migrations)
    found = f"{version} of {ours}"
    if version > ours:
        return Finding(check="schema", verdict="bad", found=found, advice="Upgrade mindpipe.")
    if version < ours:
        return Finding(check="schema", verdict="bad", found=found, advice="Run mind store migrate.")
    applied = dict(connection.execute("SELECT name, checksum FROM migration"))
    other = [step.name for step in migrations if applied.get(step.name) != checksum(step)]
    if other:
        found = f"{', '.join(other)} differs from what was applied"
        return Finding(check="schema", verdict="bad", found=found, advice="Upgrade mindpipe.")
    return Finding(check="schema", verdict="ok", found=found)


def answers(
    connection: apsw.Connection, clock: Clock, questions: Sequence[Question]
) -> Iterator[Finding]:
    """Ask the rows what deserves a look."""
    moment = clock.boot()
    values = {"boot": moment.boot, "seconds": moment.seconds, "now": clock.now()}
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    for question in questions:
        if question.table in tables:
            lines = [str(line) for (line,) in connection.execute(question.sql, values)]
            yield _answer(question, lines)


def _answer(question: Question, lines: list[str]) -> Finding:
    """Return the finding for the rows that a question found."""
    if not lines:
        return Finding(check=question.check, verdict="ok", found="0")
    more = ", …" if len(lines) > _SHOWN else ""
    found = f"{len(lines)}: {', '.join(lines[:_SHOWN])}{more}"
    return Finding(check=question.check, verdict="note", found=found, advice=question.advice)
