"""A named step of the store's schema."""

from mindpipe.core.records import Record


class Migration(Record):
    """One step: a unique name such as `0003_inbox` and the SQL statements that take it."""

    name: str
    sql: str
