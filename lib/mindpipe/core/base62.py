"""Numbers as base62 text, as ids hold them."""

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def base62(number: int, length: int) -> str:
    """Return a number as text of fixed length, most significant digit first."""
    digits = []
    for _ in range(length):
        number, rest = divmod(number, 62)
        digits.append(ALPHABET[rest])
    return "".join(reversed(digits))
