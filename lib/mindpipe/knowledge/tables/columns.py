"""The columns of knowledge's tables, and how a record's fields rest in them."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.ports import Cell
from mindpipe.core.records import to_json

CLAIM = (
    "number agent id kind subject_type subject_id slot canonical_key value summary detail tags "
    "valid_from learnt supersedes_observation_id"
)
STANDING = (
    "confidence components freshness status contested pinned operator_confirmed valid_to ended "
    "last_supported_at contradicted_at reinforced revalidation_due_at sources version"
)
EVIDENCE = (
    "agent observation source ref stance weight at learnt origin sources span value linked "
    "retracted"
)
DECISION = (
    "agent id call canonical_key observation made old_value new_value old_weight new_weight margin "
    "evidence at by why state proposal answered answered_by"
)
LOGGED = "number agent observation version recorded by why standing"
ANSWER = frozenset({"made", "state", "answered", "answered_by"})
JSON = frozenset({"tags", "components", "sources", "evidence", "span", "proposal", "standing"})


def cells(record: msgspec.Struct, names: Iterable[str]) -> dict[str, Cell]:
    """Return those of some fields that a record has, as a row keeps them."""
    return {name: _cell(name, getattr(record, name)) for name in names if hasattr(record, name)}


def _cell(name: str, value: object) -> Cell:
    """Return a field as a row keeps it."""
    if value is not None and name in JSON:
        return to_json(value).decode()
    return value  # type: ignore[return-value]  # the others are plain


def read(row: dict[str, object]) -> dict[str, object]:
    """Return a row whose columns of JSON are values again."""
    return {
        name: msgspec.json.decode(str(value)) if value is not None and name in JSON else value
        for name, value in row.items()
    }


def array(values: Iterable[str]) -> str:
    """Return texts as a JSON array, which one parameter holds whole."""
    return to_json(list(values)).decode()


def inserted(table: str, names: Iterable[str]) -> str:
    """Return the SQL that adds a row to a table by named parameters."""
    listed = list(names)
    marks = ", ".join(f":{name}" for name in listed)
    return f"INSERT INTO {table}({', '.join(listed)}) VALUES({marks})"
