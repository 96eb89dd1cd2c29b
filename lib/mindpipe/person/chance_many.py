"""The chance of `chance.py` for many persons at once, the very same numbers."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindpipe.person.chance import BITS, ROUNDS, Key

Words = npt.NDArray[np.uint64]

_M0, _M1 = np.uint64(0xD251_1F53), np.uint64(0xCD9E_8D57)
_W0, _W1 = np.uint64(0x9E37_79B9), np.uint64(0xBB67_AE85)
_MASK, _HALF = np.uint64(0xFFFF_FFFF), np.uint64(32)


def keys_of(keys: Iterable[Key]) -> Words:
    """Return the keys of N persons as words [2, N]."""
    return np.array(list(keys), dtype=np.uint64).reshape(-1, 2).T.copy()


def uniform(keys: Words, t_us: int, *, stream: int, slots: int) -> npt.NDArray[np.float64]:
    """Return numbers of [0, 1) [slots, N]: those of the slots from 0 on, for every person.

    Args:
        keys: The persons' keys [2, N].
        t_us: The instant.
        stream: What the numbers are for, see `chance.py`.
        slots: How many numbers each person draws.
    """
    shape = (slots, keys.shape[1])
    c0 = np.full(shape, t_us & 0xFFFF_FFFF, dtype=np.uint64)
    c1 = np.full(shape, (t_us >> 32) & 0xFFFF_FFFF, dtype=np.uint64)
    c2 = np.full(shape, stream, dtype=np.uint64)
    c3 = np.broadcast_to(np.arange(slots, dtype=np.uint64)[:, None], shape)
    k0, k1 = keys[0], keys[1]
    for _ in range(ROUNDS):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _MASK, (p0 >> _HALF) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    whole = ((c0 >> np.uint64(5)) << np.uint64(26)) + (c1 >> np.uint64(6))
    return whole / 2**BITS
