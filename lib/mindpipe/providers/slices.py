"""JSON cut into its exact pieces, so that what a provider wrote is kept as it was written."""

import json

import msgspec

_DECODER = json.JSONDecoder()
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ELEMENTS = msgspec.json.Decoder(list[msgspec.Raw])
_NOT_READ = (msgspec.DecodeError, RecursionError, UnicodeError)
"""What the quick decoder does not take of what JSON allows, as half a character by its escape."""
_BLANK = " \t\n\r"


def _skip(text: str, at: int) -> int:
    """Return the next place that holds no white space."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _next(text: str, at: int) -> tuple[object, int, int]:
    """Return the value that begins at or after a place, with its start and end."""
    start = _skip(text, at)
    value, end = _DECODER.raw_decode(text, start)
    return value, start, end


def members_of(text: str) -> dict[str, str]:
    """Return the members of a JSON object as exact text; the text has passed `load_json`."""
    try:
        quick = _MEMBERS.decode(text)
    except _NOT_READ:
        return _members_of(text)
    return {key: bytes(value).decode() for key, value in quick.items()}


def _members_of(text: str) -> dict[str, str]:
    """Return the members of any JSON object as exact text."""
    found: dict[str, str] = {}
    at = _skip(text, 0) + 1
    while text[_skip(text, at)] != "}":
        key, _, end = _next(text, at)
        _, start, end = _next(text, _skip(text, end) + 1)
        found[str(key)] = text[start:end]
        at = _skip(text, end)
        at += text[at] == ","
    return found


def elements_of(text: str) -> list[str]:
    """Return the elements of a JSON array as exact text; the text has passed `load_json`."""
    try:
        return [bytes(one).decode() for one in _ELEMENTS.decode(text)]
    except _NOT_READ:
        return _elements_of(text)


def _elements_of(text: str) -> list[str]:
    """Return the elements of any JSON array as exact text."""
    found: list[str] = []
    at = _skip(text, 0) + 1
    while text[_skip(text, at)] != "]":
        _, start, end = _next(text, at)
        found.append(text[start:end])
        at = _skip(text, end)
        at += text[at] == ","
    return found


def object_of(members: dict[str, str]) -> str:
    """Return a JSON object whose values are exact text."""
    return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in members.items()) + "}"


def array_of(elements: list[str]) -> str:
    """Return a JSON array whose elements are exact text."""
    return "[" + ",".join(elements) + "]"
