"""Ids of items: one random part for all that is added together, and the number at the end."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PLACES = 8
_LENGTH = len("it_") + 22
_PAIRS = tuple(one + two for one in _ALPHABET for two in _ALPHABET)


def stem(random_id: str) -> str:
    """Return what the ids of one addition begin with, from an id that chance made."""
    return random_id[: _LENGTH - _PLACES]


def item_ids(begin: str, first: int, count: int) -> list[str]:
    """Return the ids of so many items from number `first` on."""
    made: list[str] = []
    while len(made) < count:
        high, low = divmod(first + len(made), len(_PAIRS))
        front = f"{begin}{_four(high // len(_PAIRS))}{_PAIRS[high % len(_PAIRS)]}"
        made += [front + end for end in _PAIRS[low : low + count - len(made)]]
    return made


def _four(number: int) -> str:
    """Return a number below 62^4 as four digits."""
    high, low = divmod(number, 62**2)
    return _PAIRS[high] + _PAIRS[low]
