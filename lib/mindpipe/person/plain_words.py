"""Faults of types and ranges in the words of people, not of the program."""

import re

_TYPES = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
}
_SIGNS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}
_EXPECTED = re.compile(r"expected ([a-z]+)(?: \| null)?(?: (>=|<=|>|<) (\S+?))?(, got .*)?")
_ID = re.compile(r"expected str matching regex '\^\[A-Za-z0-9_\.-\]\{1,64\}\$'(, got .*)?")


def plain(message: str) -> str:
    """Return a fault such as `expected int >= 0, got str` as `expected a whole number ...`."""
    if named := _ID.fullmatch(message):
        return f"expected 1 to 64 of A-Z, a-z, 0-9, _ . -{named.group(1) or ''}"
    found = _EXPECTED.fullmatch(message)
    if found is None or found.group(1) not in _TYPES:
        return message
    kind, sign, bound, got = found.groups()
    limit = f" {_SIGNS[sign]} {bound}" if sign else ""
    there = (got or "").removeprefix(", got ")
    ending = f", got {_TYPES.get(there, there)}" if got else ""
    return f"expected {_TYPES[kind]}{limit}{ending}"
