"""`mind store export`: every row of one table or view."""

from pathlib import Path

from mindpipe.core.errors import UsageError
from mindpipe.store.reading import answer_of, asked_errors, open_reading
from mindpipe.store.records import Answer

# What an index keeps for itself (shadow tables) is nobody's reading, and one without content has
# nothing to give.
_NAMES = (
    "SELECT name FROM pragma_table_list WHERE schema='main' AND type != 'shadow' "
    "AND name NOT LIKE 'sqlite_%' AND name NOT IN "
    "(SELECT name FROM sqlite_schema WHERE sql LIKE '%content=''''%') ORDER BY name"
)


def export(store: Path, table: str) -> Answer:
    """Return the rows of a table or view.

    Raises:
        UsageError: there is no such table; names those there are.
    """
    database = open_reading(store)
    with asked_errors(store):
        names = [name for (name,) in database.execute(_NAMES)]
        if table not in names:
            raise UsageError(f'no table "{table}"; there are {", ".join(names)}.')
        quoted = table.replace('"', '""')
        return answer_of(store, database.execute(f'SELECT * FROM "{quoted}"'))
