"""The same chance as `chance.py`, for many persons or instants at once."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindpipe.person.chance import BITS, ROUNDS, octets_of

Words = npt.NDArray[np.uint64]
_MASK = np.uint64(0xFFFF_FFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD251_1F53), np.uint64(0xCD9E_8D57)
_W0, _W1 = np.uint64(0x9E37_79B9), np.uint64(0xBB67_AE85)


def keys_of(persons: Iterable[tuple[int, str]]) -> Words:
    """Return the keys [2, N] of persons given as seed and id."""
    octets = b"".join([octets_of(seed, person) for seed, person in persons])
    return np.frombuffer(octets, dtype="<u4").reshape(-1, 2).T.astype(np.uint64)


def uniforms(
    keys: Words, t_us: npt.NDArray[np.int64] | int, stream: int, slots: npt.NDArray[np.int64] | int
) -> npt.NDArray[np.float64]:
    """Return numbers of [0, 1): those of `chance.uniform`, bit for bit; see `wholes`."""
    return wholes(keys, t_us, stream, slots).astype(np.float64) / 2.0**BITS


def wholes(
    keys: Words, t_us: npt.NDArray[np.int64] | int, stream: int, slots: npt.NDArray[np.int64] | int
) -> Words:
    """Return whole numbers of 53 bits: those of `chance.whole`.

    Args:
        keys: [2, *S].
        t_us: Instants that broadcast with S.
        stream: Which use of chance this is.
        slots: Counters that broadcast with S.
    """
    now = np.asarray(t_us, dtype=np.int64).view(np.uint64)
    shape = np.broadcast_shapes(keys.shape[1:], now.shape, np.shape(slots))
    c0 = np.broadcast_to(now & _MASK, shape)
    c1 = np.broadcast_to(now >> _HALF, shape)
    c2 = np.full(shape, stream, dtype=np.uint64)
    c3 = np.broadcast_to(np.asarray(slots).astype(np.uint64), shape)
    k0, k1 = keys
    for _ in range(ROUNDS):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _MASK
        c2, c3 = (p0 >> _HALF) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    found: Words = ((c0 >> np.uint64(5)) << np.uint64(26)) + (c1 >> np.uint64(6))
    return found
