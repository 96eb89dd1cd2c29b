"""`mind store query`: one SQL statement that only reads."""

from collections.abc import Mapping
from pathlib import Path

from mindpipe.store.reading import answer_of, asked_errors, open_reading
from mindpipe.store.records import Answer


def query(store: Path, sql: str, *, values: Mapping[str, str]) -> Answer:
    """Run one statement; `values` fill its named parameters (`:name`).

    Raises:
        UsageError: SQLite does not understand it, or it would write.
    """
    database = open_reading(store)
    with asked_errors(store):
        return answer_of(store, database.execute(sql, dict(values)))
