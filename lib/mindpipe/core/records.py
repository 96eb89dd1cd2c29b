"""The base of everything that travels on a line of JSON or rests in a row."""

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Frozen, keyword-only, typed; decoded and validated straight from a line of JSON."""


def to_json(record: object) -> bytes:
    """Encode a record or plain JSON value as one line of UTF-8 JSON without the line end."""
    return msgspec.json.encode(record)
