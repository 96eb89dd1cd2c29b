"""Ids of events: one random part per push, and the place in order of arrival at the end."""

from collections.abc import Iterator
from itertools import islice, product

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUE = {letter: value for value, letter in enumerate(_ALPHABET)}
_PLACES = 8
_RANDOM = 14
_LENGTH = len("e_") + _RANDOM + _PLACES
_LOW = 62**2


def stem(random_id: str) -> str:
    """Return what the ids of one push begin with, from an id that chance made."""
    return random_id[: len("e_") + _RANDOM]


def ids(begin: str, first: int) -> Iterator[str]:
    """Yield the ids of the events from number `first` on, without end."""
    high, skipped = divmod(first, _LOW)
    while True:
        front = begin + _base62(high, _PLACES - 2)
        yield from islice(
            (front + one + two for one, two in product(_ALPHABET, repeat=2)), skipped, None
        )
        high, skipped = high + 1, 0


def seq_of(event_id: str) -> int | None:
    """Return the number that an id ends in, or None if this is no event's id."""
    if len(event_id) != _LENGTH or not event_id.startswith("e_"):
        return None
    number = 0
    for letter in event_id[2:]:
        if letter not in _VALUE:
            return None
    for letter in event_id[-_PLACES:]:
        number = number * 62 + _VALUE[letter]
    return number


def _base62(number: int, length: int) -> str:
    """Return a number as base62 text of fixed length, most significant digit first."""
    digits = []
    for _ in range(length):
        number, rest = divmod(number, 62)
        digits.append(_ALPHABET[rest])
    return "".join(reversed(digits))
