"""Documents that are almost right: a sound one, changed here and there in its values or bytes."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 2**63, 10**400, 1.5, -0.0, 1e308, [], {}, [[]], [{}], {"": {}}),
    *("", " ", "\x00", "\ud800", "\x1b[31m", "\u202e", "x" * 300, "0", "-1", "null", "1e999", "⚠"),
    *("2026-11-21T20:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "a.b/../c"),
    *("$ref", "user", "assistant", "tool", "text", "call", "result", "tool_use", "tool_result"),
    *({"type": "text"}, {"type": "call"}, {"role": "user"}, {"$ref": "#"}, {"$ref": "http://x"}),
    *({"type": "object", "properties": {"a": 1}}, ["a", 1, None], {"a": {"a": {"a": {}}}}),
)
ODD_BYTES = (
    *("", "00", "ff", "eda080", "0d", "0a", "efbbbf", "e280a8", "22", "5c", "5c7530303030"),
    *("5c7564383030", "5c753132", "7b", "7d", "5b", "5d", "2c", "3a", "31", "4e614e", "2d", "65"),
    *("3d", "0a5b615d0a", "646174613a20", "0a0a", "6576656e743a206572726f720a", "6e756c6c", "7b7d"),
    *("20" * 70, "5b" * 200),
)
"""Bytes as hexadecimal digits."""
MANY = (("[", 200_000), ('{"a":', 5_000), ("9", 5_000), ("a = [", 1), ("[", 3_000), ("a.", 300))
"""Texts that are long when repeated so often."""
_PLACE = st.integers(0, 10_000)
_CHANGES = st.lists(
    st.tuples(st.sampled_from(("put", "drop", "twice", "rename")), _PLACE, _PLACE),
    max_size=4,
)
_ODD = st.sampled_from(ODD_BYTES).map(lambda odd: (bytes.fromhex(odd), 1))
_LONG = st.sampled_from(MANY).map(lambda odd: (odd[0].encode(), odd[1]))
_CUTS = st.lists(st.tuples(_PLACE, st.integers(0, 6), _ODD | _ODD | _ODD | _LONG), max_size=2)


def values_like(sound: Any) -> st.SearchStrategy[Any]:
    """Draw a JSON value that is a sound one with up to four changes."""
    return _CHANGES.map(lambda changes: _changed(sound, changes))


def documents_like(*sound: Any) -> st.SearchStrategy[bytes]:
    """Draw JSON text like one of the sound values, changed in its values, its bytes or both."""
    values = st.sampled_from(sound).flatmap(values_like)
    return st.tuples(values.map(_text), _CUTS).map(lambda drawn: _cut(*drawn))


def bytes_like(*sound: bytes) -> st.SearchStrategy[bytes]:
    """Draw bytes like one of the sound documents, changed in one or two places."""
    return st.tuples(st.sampled_from(sound), _CUTS).map(lambda drawn: _cut(*drawn))


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


def _cut(octets: bytes, cuts: list[tuple[int, int, tuple[bytes, int]]]) -> bytes:
    for place, length, (odd, times) in cuts:
        at = place % (len(octets) + 1)
        octets = octets[:at] + odd * times + octets[at + length :]
    return octets


def _changed(value: Any, changes: list[tuple[str, int, int]]) -> Any:
    value = json.loads(json.dumps(value))
    for change, place, odd in changes:
        spots = list(_spots(value))
        if not spots:
            return ODD_VALUES[odd % len(ODD_VALUES)]
        _change(
            change, *spots[place % len(spots)], copy.deepcopy(ODD_VALUES[odd % len(ODD_VALUES)])
        )
    return value


def _spots(value: Any) -> Any:
    """Yield every place inside a value, as the list or object that holds it, and the key."""
    if not isinstance(value, dict | list):
        return
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        yield from _spots(inner)


def _change(change: str, holder: Any, key: Any, odd: Any) -> None:
    if change == "drop":
        del holder[key]
    elif change == "twice" and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif change == "rename" and isinstance(holder, dict) and isinstance(odd, str):
        holder[odd] = holder.pop(key)
    else:
        holder[key] = odd
