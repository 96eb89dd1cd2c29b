"""Ids of items: one random part for all that is added together, and the number at the end."""

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PLACES = 8
_LENGTH = len("it_") + 22
_PAIRS = tuple(one + two for one in _ALPHABET for two in _ALPHABET)


def stem(random_id: str) -> str:
    """Return what the ids of one addition begin with, from an id that chance made."""
    return random_id[: _LENGTH - _PLACES]


def item_id(begin: str, number: int) -> str:
    """Return the id of the item with this number."""
    high, low = divmod(number, 62**4)
    return f"{begin}{_four(high)}{_four(low)}"


def _four(number: int) -> str:
    """Return a number below 62^4 as four digits."""
    high, low = divmod(number, 62**2)
    return _PAIRS[high] + _PAIRS[low]
