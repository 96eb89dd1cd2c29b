"""Chance that is the same everywhere: Philox4x32-10 (Salmon 2011), counted by instant and stream.

There is no state: a draw is a function of the person, the instant, the stream and the slot.
Streams: 1 coping, 2 distortions, 3 spontaneous thoughts, 4 composed voice, 6 traits,
7 the pacing of a lived life, 8 the composed voice of what is lived, 9 broken sleep.
"""

from functools import lru_cache

Key = tuple[int, int]
"""Two words of 32 bits that belong to one person."""
ROUNDS = 10
BITS = 53
_MASK = 0xFFFF_FFFF
_M0, _M1 = 0xD251_1F53, 0xCD9E_8D57
_W0, _W1 = 0x9E37_79B9, 0xBB67_AE85


@lru_cache(maxsize=1024)
def key_of(seed: int, person: str) -> Key:
    """Return the key of a person."""
    octets = octets_of(seed, person)
    return int.from_bytes(octets[:4], "little"), int.from_bytes(octets[4:], "little")


def octets_of(seed: int, person: str) -> bytes:
    """Return the key of a person, little-endian: the first 8 octets of SHA-256 of `seed:id`.

    hashlib brings OpenSSL, which a filter that draws nothing spares.
    """
    from hashlib import sha256

    return sha256(f"{seed}:{person}".encode()).digest()[:8]


def philox(counter: tuple[int, int, int, int], key: Key) -> tuple[int, int, int, int]:
    """Return four words of 32 bits for a counter of four and a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & _MASK, (p0 >> 32) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    return c0, c1, c2, c3


def whole(key: Key, t_us: int, stream: int, slot: int) -> int:
    """Return a whole number of 53 bits; `t_us` may be negative and counts as unsigned 64 bits."""
    counter = (t_us & _MASK, (t_us >> 32) & _MASK, stream, slot)
    x0, x1, _, _ = philox(counter, key)
    return (x0 >> 5) * 2**26 + (x1 >> 6)


def uniform(key: Key, t_us: int, stream: int, slot: int) -> float:
    """Return a number of [0, 1)."""
    return whole(key, t_us, stream, slot) / (1 << BITS)
