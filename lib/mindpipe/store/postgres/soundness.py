"""Whether the schema of a store on a server is this program's, and all of it is there."""

import re
from collections import Counter
from collections.abc import Iterator

from mindpipe.store.address import Address
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.postgres.messages import Connection
from mindpipe.store.postgres.schema import SCRIPTS, version_of
from mindpipe.store.records import StoreFinding, first_names

_TABLE = re.compile(r"^CREATE (?:UNLOGGED )?TABLE (\w+)\((.*?)^\);", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r'^    "?([a-z]\w*)"? \w', re.MULTILINE)
_RULE = re.compile(r"\b(PRIMARY KEY|UNIQUE|REFERENCES|CHECK)\b")
_OTHERS = (
    ("index", re.compile(r"^CREATE (?:UNIQUE )?INDEX (\w+)", re.MULTILINE)),
    ("function", re.compile(r"^ *CREATE FUNCTION (\w+)", re.MULTILINE)),
)
_TRIGGER = re.compile(
    r"^CREATE (?:CONSTRAINT )?TRIGGER (\w+)\s[^;]*?\sON (\w+)", re.MULTILINE | re.DOTALL
)
# Numbers of these follow each other: whoever writes there holds the log, or all.
_NUMBER = re.compile(
    r"DEFAULT next_number\('(?!(?:change|operation|restoration)')(\w+)', '(\w+)'\)"
)
_TAKEN = re.compile(r"^INSERT INTO migration VALUES\('(\w+)', \d+, '(\w+)'\);", re.MULTILINE)
# An index that was not made to its end, and a trigger that is switched off, are not there.
_THERE = """
WITH ours AS (SELECT oid, relname, relkind FROM pg_class
    WHERE relnamespace = to_regnamespace(%(schema)s) AND relkind IN ('r', 'i'))
SELECT 'table ' || relname FROM ours WHERE relkind = 'r'
UNION ALL SELECT 'column ' || relname || '.' || attname FROM ours JOIN pg_attribute
    ON attrelid = oid WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'index ' || relname FROM ours JOIN pg_index ON indexrelid = oid
    WHERE indisvalid AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = ours.oid)
UNION ALL SELECT 'sequence ' || relname FROM pg_class
    WHERE relnamespace = to_regnamespace(%(schema)s) AND relkind = 'S'
UNION ALL SELECT 'trigger ' || tgname || ' of ' || relname FROM ours JOIN pg_trigger
    ON tgrelid = ours.oid WHERE NOT tgisinternal AND tgenabled <> 'D'
UNION ALL SELECT DISTINCT 'function ' || proname FROM pg_proc
    WHERE pronamespace = to_regnamespace(%(schema)s) AND prokind = 'f'
UNION ALL SELECT count(*) || ' ' || kind || ' of ' || relname FROM ours JOIN (
    SELECT conrelid, CASE contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE'
    WHEN 'f' THEN 'REFERENCES' WHEN 'c' THEN 'CHECK' END AS kind FROM pg_constraint
    WHERE convalidated) AS rule ON conrelid = oid WHERE kind IS NOT NULL GROUP BY kind, relname
"""


def judge(connection: Connection, address: Address) -> Iterator[StoreFinding]:
    """Judge the version of a store's schema, its migrations and all that belongs to it.

    Raises:
        UnavailableError: there is no store in the schema.
    """
    version = version_of(connection, address)
    found = f"{version} of {len(SCHEMA)}"
    if version != len(SCHEMA):
        advice = "Upgrade mindpipe." if version > len(SCHEMA) else "Run mind store migrate."
        yield StoreFinding(check="schema", verdict="bad", found=found, advice=advice)
        return
    there = {str(name) for (name,) in connection.execute(_THERE, {"schema": address.schema})}
    yield _whole(connection, address, there)
    made = {name.partition(".")[0].removeprefix("column ") for name in parts()}
    strangers = sorted(
        name.removeprefix("table ")
        for name in there
        if name.startswith("table ") and name.removeprefix("table ") not in made
    )
    if strangers:
        yield StoreFinding(
            check="other tables",
            verdict="note",
            found=first_names(strangers),
            advice="mind did not make them; keep what is yours in a schema of its own.",
        )


def _whole(connection: Connection, address: Address, there: set[str]) -> StoreFinding:
    """Say whether the migrations are ours and nothing is missing of what they come to."""
    named = f"SELECT name, checksum FROM {address.schema}.migration"
    applied = {(str(name), str(summed)) for name, summed in connection.execute(named.encode())}
    other = sorted(name for name, _ in set(_TAKEN.findall(_script())) - applied)
    if other:
        found = f"{first_names(other)} differs from what was applied"
        return StoreFinding(check="schema", verdict="bad", found=found, advice="Upgrade mindpipe.")
    missing = sorted(parts() - there)
    if missing:
        return StoreFinding(
            check="schema",
            verdict="bad",
            found=f"missing: {first_names(missing)}",
            advice="Nothing is to be written before it is there again: use a backup.",
        )
    found = f"{address.schema}, {len(SCHEMA)} of {len(SCHEMA)}"
    return StoreFinding(check="schema", verdict="ok", found=found)


def parts() -> set[str]:
    """Return all that a store consists of: tables, columns, rules, indexes, sequences and so on."""
    script = _script()
    found = {f"{kind} {name}" for kind, known in _OTHERS for name in known.findall(script)}
    found |= {f"trigger {name.lower()} of {table}" for name, table in _TRIGGER.findall(script)}
    found |= {f"sequence {table}_{column}" for table, column in _NUMBER.findall(script)}
    for table, body in _TABLE.findall(script):
        found |= {f"table {table}", *(f"column {table}.{name}" for name in _COLUMN.findall(body))}
        rules = Counter(_RULE.findall(body))
        found |= {f"{count} {rule} of {table}" for rule, count in rules.items()}
    return found


def _script() -> str:
    return "".join(script.read_text() for script in SCRIPTS)
