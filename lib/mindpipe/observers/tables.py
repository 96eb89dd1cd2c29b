"""Rows of what observers have seen: files, and marks of their own."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mindpipe.core.ports import Given, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.observers.records import SeenFile

MIGRATIONS = (
    Migration(
        name="0033_observed",
        sql="""
    CREATE TABLE observed(
        observer TEXT NOT NULL,
        path TEXT NOT NULL,
        size INTEGER NOT NULL CHECK (size >= 0),
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        sha256 TEXT CHECK (sha256 IS NULL OR length(sha256) = 64),
        settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
        fields TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
        PRIMARY KEY (observer, path)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE observed_mark(
        observer TEXT NOT NULL,
        name TEXT NOT NULL,
        mark TEXT NOT NULL,
        PRIMARY KEY (observer, name)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
)
_FILE = "path, size, mtime_ns, ctime_ns, inode, sha256, settled, fields"
_FILE_NOW = ", ".join(f"{name} = excluded.{name}" for name in _FILE.split(", "))


class _Mark(msgspec.Struct):
    """A mark as it rests."""

    name: str
    mark: str


def files_of(rows: Rows, observer: str) -> dict[str, SeenFile]:
    """Return all that an observer has seen, by path."""
    sql = f"SELECT {_FILE} FROM observed WHERE observer = :observer"
    return {seen.path: seen for seen in _seen(rows, sql, {"observer": observer})}


def files_at(rows: Rows, observer: str, paths: Sequence[str]) -> dict[str, SeenFile]:
    """Return what an observer has seen at some paths."""
    sql = f"SELECT {_FILE} FROM observed WHERE observer = :observer AND path IN :paths"
    values = {"observer": observer, "paths": list(paths)}
    return {seen.path: seen for seen in _seen(rows, sql, values)}


def marks_of(rows: Rows, observer: str) -> dict[str, str]:
    """Return the marks of an observer."""
    sql = "SELECT name, mark FROM observed_mark WHERE observer = :observer"
    return {one.name: one.mark for one in rows.all(_Mark, sql, {"observer": observer})}


def put_files(rows: Rows, observer: str, seen: Iterable[SeenFile]) -> None:
    """Put files as they are seen now."""
    rows.run_many(
        f"INSERT INTO observed(observer, {_FILE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        f" ON CONFLICT(observer, path) DO UPDATE SET {_FILE_NOW}",
        (
            (
                observer,
                one.path,
                one.size,
                one.mtime_ns,
                one.ctime_ns,
                one.inode,
                one.sha256,
                int(one.settled),
                to_json(one.fields).decode(),
            )
            for one in seen
        ),
    )


def drop_files(rows: Rows, observer: str, paths: Iterable[str]) -> None:
    """Forget files that are gone."""
    rows.run_many(
        "DELETE FROM observed WHERE observer = ? AND path = ?",
        ((observer, path) for path in paths),
    )


def put_marks(rows: Rows, observer: str, marks: Mapping[str, str | None]) -> None:
    """Put marks; those that are None go."""
    rows.run_many(
        "DELETE FROM observed_mark WHERE observer = ? AND name = ?",
        ((observer, name) for name in marks),
    )
    rows.run_many(
        "INSERT INTO observed_mark(observer, name, mark) VALUES (?, ?, ?)",
        ((observer, name, mark) for name, mark in marks.items() if mark is not None),
    )


def _seen(rows: Rows, sql: str, values: Mapping[str, Given]) -> list[SeenFile]:
    """Return rows as files."""
    found = rows.all(dict[str, object], sql, values)
    for row in found:
        row["settled"] = bool(row["settled"])
        row["fields"] = msgspec.json.decode(str(row["fields"]))
    return [msgspec.convert(row, SeenFile) for row in found]
