"""Channels: what the active events of a person add up to, in the order in which they began."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from mindpipe.person.body.bank import CHANNELS, Bank
from mindpipe.person.body.contributing import GREATEST, SHARED, SUMMED
from mindpipe.person.records.state import Contribution

_SHARED = frozenset(SHARED)
_GREATEST = frozenset(GREATEST)
_SUMMED = frozenset(SUMMED)


def combine(active: Iterable[Contribution]) -> tuple[float, ...]:
    """Return the channels, in the order of `CHANNELS`, of contributions in start order.

    Climate is the one that started latest: d = air_c - (27 - 6·clo), in °C. `ex`, the share of the
    greatest exertion, is clip((met - 1)/11).
    """
    found: dict[str, float] = dict.fromkeys(CHANNELS, 0.0)
    free: dict[str, float] = {}
    found["met"] = 1.0
    for one in active:
        for name, level in one.chan.items():
            if name in _SHARED:
                free[name] = free.get(name, 1.0) * (1.0 - level)
            elif name in _GREATEST:
                found[name] = max(found[name], level)
            elif name in _SUMMED:
                found[name] += level
        if "air_c" in one.chan:
            found["d"] = one.chan["air_c"] - (27.0 - 6.0 * one.chan["clo"])
    for name, left in free.items():
        found[name] = 1.0 - left
    found["ex"] = min(max((found["met"] - 1.0) / 11.0, 0.0), 1.0)
    found |= _weighed(found)
    return tuple(found.values())


def _weighed(found: Mapping[str, float]) -> dict[str, float]:
    """Return what psychology makes of channels alone, once for all instants until the next cut.

    They are 1 - 0.25·noise of arousal, 1 - 0.35·u of regulation, 1 - 0.9·task of cognitive load,
    the terms of attention that channels have, and the arousal that performance wants.
    """
    noise, task, q = found["noise"], found["task"], found["q"]
    idle = 0.2 if q == 0.0 and task < 0.1 else 0.0
    return {
        "quiet": 1.0 - 0.25 * noise,
        "undriven": 1.0 - 0.35 * found["u"],
        "untaxed": 1.0 - 0.9 * task,
        "inward": idle - 0.8 * task - 0.4 * q - 0.3 * noise,
        "wanted": 0.65 - 0.30 * task,
    }


REST: tuple[float, ...] = combine(())
"""The channels of a person on whom nothing acts."""


def refresh(bank: Bank, columns: Sequence[int]) -> None:
    """Recompute the channels of some persons of a bank from what acts on them."""
    for column in columns:
        active = bank.lives[column].active
        bank.channel[:, column] = combine(active) if active else REST


def rest(bank: Bank) -> None:
    """Set the channels of all persons to those of nobody on whom anything acts."""
    bank.channel[:] = np.array(REST)[:, None]
