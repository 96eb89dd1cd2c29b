"""Numbers of the advisory locks of a store: they follow from names, its schema's and what is held.

So a store that is taken away and made again has the same locks, and who had a connection to the one
before is held apart from who connects now.
"""

import hashlib


def lock_number(schema: str, *held: str) -> int:
    """Return the number of the lock of a store, or of something in it: a kind, and a name."""
    words = " ".join((schema, *held)).encode(errors="backslashreplace")
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "big", signed=True)
