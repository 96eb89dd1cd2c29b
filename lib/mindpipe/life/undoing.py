"""Take changes of the log back in the stored rows themselves."""

from mindpipe.core.ports import Rows
from mindpipe.store.changes import Undo, columns_of


def take_back(rows: Rows, undo: Undo) -> None:
    """Take back what one transaction did to the rows of one agent.

    Triggers are to be off, and links followed at the end of the transaction.
    """
    for table, of in undo.items():
        columns = columns_of(rows, table)
        where = " AND ".join(f'"{name}" = ?' for name in columns.key)
        rows.run_many(f'DELETE FROM "{table}" WHERE {where}', of.made)
        for key, values in of.changed:
            changed = ", ".join(f'"{name}" = ?' for name in values)
            sql = f'UPDATE "{table}" SET {changed} WHERE {where}'
            rows.run_many(sql, [(*values.values(), *key)])
        picked = ", ".join(f'"{name}"' for name in columns.all)
        marks = ", ".join("?" * len(columns.all))
        rows.run_many(
            f'INSERT INTO "{table}"({picked}) VALUES({marks})',
            [[values.get(name) for name in columns.all] for _, values in of.gone],
        )
