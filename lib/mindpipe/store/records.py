"""What the commands about the store say: findings, copies, migrations, answers to SQL."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, Self

import msgspec

from mindpipe.core.ports import Sql
from mindpipe.core.records import Record

Verdict = Literal["ok", "note", "bad"]
Plain = None | int | float | str | bytes
_SHOWN = 5


def first_names(names: Sequence[str]) -> str:
    """Return the first five of some names in words, and whether there are more."""
    more = ", …" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


class StoreFinding(Record):
    """One thing that a check looked at: what it found, and what to do unless all is well."""

    check: str
    verdict: Verdict
    found: str
    advice: str | None = None

    @classmethod
    def of_each(
        cls,
        check: str,
        names: Sequence[str],
        advice: str,
        verdict: Verdict = "note",
        *,
        scope: str = "",
    ) -> Self:
        """Return the finding about whatever is named: ok where that is nothing.

        `scope` says behind the count of whose they are, where they may not be all.
        """
        if not names:
            return cls(check=check, verdict="ok", found=f"0{scope}")
        found = f"{len(names)}{scope}: {first_names(names)}"
        return cls(check=check, verdict=verdict, found=found, advice=advice)

    @property
    def damage(self) -> str:
        """Return what is damaged, by the name of the check where SQLite's own words do not say."""
        return self.found if self.check == "integrity" else f"{self.check}: {self.found}"


class SqlQuestion(Record):
    """One thing that a check asks the rows of a table.

    `sql` returns one line of text per row that deserves a look and may use `:boot`, `:seconds`
    (the clock since boot) and `:now`; `advice` says what to do about such rows.
    """

    check: str
    table: str
    sql: Sql
    advice: str


class MigrationStep(Record):
    """One statement that a restored copy needs, on the table it concerns."""

    table: str
    sql: str


class Copied(Record):
    """A copy of the store: where it is, its size in bytes and the version of its schema."""

    file: str
    bytes: int
    schema: int


class Cleaned(NamedTuple):
    """A column of a table, and what is written in its place where nobody may see all of it."""

    column: str
    clean: Callable[[str], str]


class DatasetteCopy(Record):
    """A copy of the store for Datasette: its files, its size in bytes, and how much is named.

    `command` shows it.
    """

    file: str
    metadata: str
    bytes: int
    tables: int
    queries: int
    command: str


class Salvaged(Record):
    """What could be saved of a table: rows written, refused and unreadable, and pages lost.

    Without a name: what no table is known for. A page lost there may be any that SQLite's own
    check complains of.
    """

    table: str
    rows: int
    refused: int
    rows_lost: int
    pages_lost: int


class Migrated(Record):
    """What a migration did: the steps taken, the schema's version now, the copy made before.

    On a server no copy is made: that is for mind store backup.
    """

    applied: tuple[str, ...]
    schema: int
    backup: str | None = None


class Restored(Record):
    """A store made from a backup: its generation, and since when its life may be lost."""

    file: str
    generation: int
    schema: int
    loss_since: str


class MovedRows(Record):
    """What a move brought over: the rows of a table, or of an agent's log, and their hash.

    `source` and `target` are what was read at either end, once all is there.
    """

    what: Literal["table", "log"]
    name: str
    rows: int
    source: str | None = None
    target: str | None = None


class Moved(NamedTuple):
    """What a move brought over, and the tables that stayed: this program did not make them."""

    rows: Sequence[MovedRows]
    strangers: tuple[str, ...]


class QueryRow(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a statement: its columns, and its rows while they are read."""

    columns: tuple[str, ...]
    rows: Iterator[dict[str, Plain]]


class Presence(Record):
    """A process of `mind run`: where it is, since when, and for whom, as names or patterns."""

    host: str
    pid: int
    since: str
    names: tuple[str, ...]
