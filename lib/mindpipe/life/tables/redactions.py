"""Rows that are changed for good, because a secret is taken out of them."""

from collections.abc import Iterable, Sequence

from mindpipe.core.ports import NOBODY, Row, Rows
from mindpipe.store.changes import Columns


def changes(rows: Rows, *, agent: str) -> list[tuple[int, str]]:
    """Return the number and the undo of the changes of an agent and of what nobody owns."""
    sql = "SELECT number, undo FROM change WHERE agent IN (:agent, :nobody) ORDER BY number"
    return list(rows.each(tuple, sql, {"agent": agent, "nobody": NOBODY}))


def set_undo(rows: Rows, found: Iterable[tuple[int, str]]) -> None:
    """Let changes, by their numbers, be taken back by something else."""
    rows.run_many("UPDATE change SET undo = ? WHERE number = ?", ((undo, n) for n, undo in found))


def put_in_place(
    rows: Rows, table: str, columns: Columns, found: Sequence[tuple[Row, Row]]
) -> None:
    """Put rows in the place of others: each as it was, and as it is to be."""
    places = [columns.all.index(name) for name in columns.key]
    cells = ", ".join(f'"{name}" = ?' for name in columns.all)
    named = " AND ".join(f'"{name}" = ?' for name in columns.key)
    rows.run_many(
        f'UPDATE "{table}" SET {cells} WHERE {named}',
        ((*after, *(before[place] for place in places)) for before, after in found),
    )


def delete_blobs(rows: Rows, hashes: Iterable[str]) -> None:
    """Take octets away."""
    rows.run_many("DELETE FROM blob WHERE sha256 = ?", ((one,) for one in hashes))
