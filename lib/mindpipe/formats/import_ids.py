"""Ids of imported messages and calls, the same each time the same document is imported."""

import hashlib

from mindpipe.core.records import to_json

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 22


def import_id(prefix: str, *place: str | int) -> str:
    """Return `prefix_` + 22 base62 characters of the sha256 of a place; the same each time."""
    number = int.from_bytes(hashlib.sha256(to_json(place)).digest())
    digits = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        digits += _DIGITS[digit]
    return f"{prefix}_{digits}"
