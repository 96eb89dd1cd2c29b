"""Triggers that tables of several domains have alike."""


def not_replaced(table: str, *keys: str, silently: bool = False) -> str:
    """Return a trigger by which no row takes the place of one that is there, as REPLACE lets it.

    SQLite deletes the earlier row without a trigger where a connection does not ask for that.
    `keys` are what no two rows share: columns with a blank between them, and behind WHERE what has
    to hold of the earlier row. `silently` the earlier row stays and there is no error, which is
    for tables whose rows are inserted ON CONFLICT DO NOTHING.
    """
    tests = []
    for key in keys:
        columns, _, condition = key.partition(" WHERE ")
        equal = " AND ".join(f"{column} = NEW.{column}" for column in columns.split())
        where = f"{equal} AND {condition}" if condition else equal
        tests.append(f"EXISTS(SELECT 1 FROM {table} WHERE {where})")
    refusal = "IGNORE" if silently else f"ABORT, 'rows of {table} are never replaced'"
    return (
        f"CREATE TRIGGER {table}_REPLACE BEFORE INSERT ON {table} WHEN {' OR '.join(tests)} "
        f"BEGIN SELECT RAISE({refusal}); END;"
    )
