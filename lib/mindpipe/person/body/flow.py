"""The flow of the bank: exact for any span of time in which nothing acts anew.

With rate k and target x constant over a span of dt seconds, y becomes y·e + x·g with
e = exp(-k·dt) and g = -expm1(-k·dt); in the ramp regime L becomes L + r·dt.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mindpipe.person.body.bank import (
    FIRST_HOLD,
    FIRST_REGIME,
    LAST_HOLD,
    Bank,
    Flags,
    Floats,
    FlowSpan,
    Instants,
    RestingModes,
)
from mindpipe.person.body.constants import HOUR_S, Constants
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import DENSE, SPARSE, base_rates

PART = 4096
"""Of how many persons the regime modes flow at once."""
MOST_SPANS = 8
"""How many spans a bank remembers the factors of."""
_SPARSE = np.array(SPARSE)
_HOLDS = slice(FIRST_HOLD, LAST_HOLD + 1)
_LONE = DENSE[: len(DENSE) - (len(MODES) - FIRST_REGIME)]
_L = MODE["L"] - FIRST_REGIME
_WHOLE = ((0, FIRST_REGIME),)
_BY_HABIT = [MODE[name] for name in ("v1", "dopa", "car_1", "car_2", "car_3", "car_4")] + [*_LONE]


def settle(bank: Bank) -> None:
    """Note which modes of a bank are at rest, being 0 for everybody, so that they need no flow.

    That holds until an event or given work acts on anybody: what habits push is never taken for
    at rest, and what is pulled is seen.
    """
    rests: Flags = np.logical_not(bank.modes[:FIRST_REGIME].any(axis=1))
    rests[_BY_HABIT] = False
    edges = np.flatnonzero(np.diff(np.concatenate(([True], rests, [True]))))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    names = frozenset(MODES[row].name for row in np.flatnonzero(rests).tolist())
    bank.rest = RestingModes(rests, names, tuple(runs))


class Factor(NamedTuple):
    """What a mode keeps of itself over a span, and how much of its target it takes."""

    e: float
    g: float


def factor(k: float, dt_us: int) -> Factor:
    """Return the factors of a rate `k` in 1/s, 0 or more, over a span in µs."""
    depth = k * (dt_us / 1e6)
    return Factor(math.exp(-depth), -math.expm1(-depth))


def advance(bank: Bank, to_us: int) -> None:
    """Flow every person of a bank from its anchor to an instant, which becomes its anchor.

    Persons need not share their anchors; those who do flow together.

    Raises:
        ValueError: If the instant lies before an anchor.
    """
    anchors = bank.anchor_us
    if not len(anchors):
        return
    together = bool((anchors == anchors[0]).all())
    if to_us < (anchors[0] if together else anchors.max()):
        raise ValueError("a body cannot flow backwards")
    if together:
        _step(bank, to_us - int(anchors[0]))
    else:
        for anchor_us in sorted(set(anchors.tolist())):
            chosen = np.flatnonzero(anchors == anchor_us)
            some = bank.take(chosen)
            _step(some, to_us - anchor_us)
            bank.modes[:, chosen] = some.modes
    bank.anchor_us[:] = to_us
    bank.t_us[:] = to_us


def at(bank: Bank, t_us: int) -> Floats:
    """Return the modes [55, N] at an instant, not before any anchor; the bank stays as it is."""
    spans = t_us - bank.anchor_us
    found = np.empty_like(bank.modes)
    for dt_us in sorted(set(spans.tolist())):
        chosen = np.flatnonzero(spans == dt_us)
        whole = len(chosen) == len(spans)
        some = bank if whole else bank.take(chosen)
        found[:, chosen] = block(some, (dt_us,))[:, 0]
    return found


def block(bank: Bank, dts_us: Sequence[int]) -> Floats:
    """Return the modes [55, T, N] at T spans in µs after each person's anchor."""
    found = np.empty((len(MODES), len(dts_us), len(bank.persons)))
    _flow(bank.modes[:, None, :], _span(bank, tuple(dts_us)), found)
    return found


def _step(bank: Bank, dt_us: int) -> None:
    """Flow all persons of a bank over the same span, in place."""
    if not dt_us:
        return
    modes, span = bank.modes[:, None, :], _span(bank, (dt_us,))
    rest = bank.rest
    if rest and (len(span.held) or rest.rests[_SPARSE[span.pushes > 0]].any()):
        rest = bank.rest = None
    _flow(modes, span, modes, _WHOLE if rest is None else rest.moving)


def _flow(
    y: Floats, span: FlowSpan, into: Floats, moving: Sequence[tuple[int, int]] = _WHOLE
) -> None:
    """Write y·e + x·g of modes [55, 1, N] into [55, T, N], which may be the same array.

    Where nothing pulls a mode it is only multiplied, alone and among others alike: adding a zero
    could turn its sign. `moving` are the rows before `FIRST_REGIME`, from and to, that are not at
    rest; where some are the two arrays are the same.
    """
    held = y[_HOLDS, :, span.held] * span.held_e + span.held_add if len(span.held) else None
    for first, end in moving:
        np.multiply(y[first:end], span.e[first:end], out=into[first:end])
    for row, add in zip(_LONE, span.add, strict=False):
        into[row] += add
    # Of many persons a part at a time, so that the product is still in the cache for the sum.
    for start in range(0, y.shape[-1], PART):
        part = np.s_[:, :, start : start + PART]
        moved = into[FIRST_REGIME:][part]
        np.multiply(y[FIRST_REGIME:][part], span.regime_e[part], out=moved)
        moved += span.add[len(_LONE) :][part]
    for place in span.pushes.nonzero()[0].tolist():
        into[SPARSE[place]] += span.pushed[place]
    if held is not None:
        into[_HOLDS, :, span.held] = held


def _span(bank: Bank, dts_us: tuple[int, ...]) -> FlowSpan:
    """Return the factors of some spans for everybody in a bank, remembered until retargeted."""
    span = bank.spans.get(dts_us)
    if span is None:
        if len(bank.spans) >= MOST_SPANS:
            del bank.spans[next(iter(bank.spans))]
        span = bank.spans[dts_us] = _new_span(bank, dts_us)
    if span.stale:
        # np.unique would load masked arrays, which takes as long as a third of numpy.
        stale = np.zeros(len(bank.persons), dtype=np.bool_)
        for columns in span.stale:
            stale[columns] = True
        span.stale.clear()
        _refresh(bank, span, dts_us, np.flatnonzero(stale))
    if span.resampled:
        span.resampled = False
        for row, mode in enumerate(_LONE):
            np.multiply(bank.x[mode], span.g[mode], out=span.add[row])
    return span


def _new_span(bank: Bank, dts_us: tuple[int, ...]) -> FlowSpan:
    """Return a span of which everything is stale but what all persons share."""
    e, g = _base(bank.constants, dts_us)
    nobody = np.empty(0, dtype=np.int64)
    shape = (len(MODES) - FIRST_REGIME, len(dts_us), len(bank.persons))
    return FlowSpan(
        e=e,
        g=g,
        regime_k=np.full_like(bank.regime_k, -1.0),
        regime_e=np.empty(shape),
        regime_g=np.empty(shape),
        add=np.empty((len(DENSE), *shape[1:])),
        pushed=np.full((len(SPARSE), *shape[1:]), -0.0),
        pushing=np.zeros((len(SPARSE), len(bank.persons)), dtype=np.bool_),
        pushes=np.zeros(len(SPARSE), dtype=np.int64),
        held=nobody,
        held_e=np.empty((LAST_HOLD + 1 - FIRST_HOLD, len(dts_us), 0)),
        held_add=np.empty((LAST_HOLD + 1 - FIRST_HOLD, len(dts_us), 0)),
        stale=[np.arange(len(bank.persons))],
    )


@lru_cache(maxsize=64)
def _base(constants: Constants, dts_us: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return e and g [46, T, 1] of the modes whose rates no regime changes."""
    rates = base_rates(constants)
    both = np.array([[factor(k, dt_us) for dt_us in dts_us] for k in rates])
    return np.ascontiguousarray(both[:, :, :1]), np.ascontiguousarray(both[:, :, 1:])


def _refresh(bank: Bank, span: FlowSpan, dts_us: tuple[int, ...], columns: Instants) -> None:
    """Recompute the factors of columns whose rates changed, and what their rows gain."""
    now = bank.regime_k[:, columns]
    for row, changed in enumerate(span.regime_k[:, columns] != now):
        if changed.any():
            some, rates = columns[changed], now[row, changed]
            span.regime_k[row, some] = rates
            # Those who wake, fall asleep or eat together mostly change to one rate.
            both = _factors(rates[:1] if (rates == rates[0]).all() else rates, dts_us)
            span.regime_e[row][:, some], span.regime_g[row][:, some] = both
    _gain(bank, span, dts_us, columns)
    _push(bank, span, columns)
    _hold(bank, span, dts_us)


def _factors(k: Floats, dts_us: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return e and g [T, M] of M rates over T spans, as `factor` has them."""
    seconds = np.array([dt_us / 1e6 for dt_us in dts_us])
    depths = (-(k * seconds[:, None])).ravel().tolist()
    e = np.array([*map(math.exp, depths)]).reshape(len(dts_us), -1)
    return e, -np.array([*map(math.expm1, depths)]).reshape(len(dts_us), -1)


def _gain(bank: Bank, span: FlowSpan, dts_us: tuple[int, ...], columns: Instants) -> None:
    """Recompute what the rows of `DENSE` gain: x·g, and r·dt for L in the ramp regime."""
    every = len(columns) == len(bank.persons)
    some: slice | Instants = slice(None) if every else columns
    for row, mode in enumerate(_LONE):
        span.add[row][:, some] = bank.x[mode, some] * span.g[mode]
    add = bank.x[FIRST_REGIME:, None, some] * span.regime_g[:, :, some]
    ramp = (bank.ramp & ~bank.awake)[some].nonzero()[0]
    if len(ramp):
        rise = bank.constants.ramp_L_h / HOUR_S
        add[_L][:, ramp] = np.array([rise * (dt_us / 1e6) for dt_us in dts_us])[:, None]
    span.add[len(_LONE) :, :, some] = add


def _push(bank: Bank, span: FlowSpan, columns: Instants) -> None:
    """Recompute how far events and thoughts push columns."""
    every = len(columns) == len(bank.persons)
    if every:
        rows, where = np.arange(len(SPARSE)), np.arange(len(bank.persons))
    else:
        rows, where = (bank.pulled[_SPARSE] | (span.pushes > 0)).nonzero()[0], columns
    if not len(rows):
        return
    x, there = bank.x[_SPARSE[rows][:, None], where], (rows[:, None], where)
    pushing = x != 0.0
    span.pushes[rows] += _counts(pushing) - _counts(span.pushing[there])
    span.pushing[there] = pushing
    gained = np.where(pushing[:, None], x[:, None] * span.g[_SPARSE[rows]], -0.0)
    for row, gain in zip(rows.tolist(), gained, strict=True):
        span.pushed[row][:, where] = gain


def _counts(flags: Flags) -> Instants:
    """Return how many are set in each row: a sum would make numbers of them first."""
    return np.array([np.count_nonzero(row) for row in flags], dtype=np.int64)


def _hold(bank: Bank, span: FlowSpan, dts_us: tuple[int, ...]) -> None:
    """Recompute the factors of columns that hold a thought, and what their rows gain."""
    if not bank.held.any():
        span.held = bank.held.nonzero()[0] if len(span.held) else span.held
        return
    span.held = np.flatnonzero(bank.held)
    both = [_factors(k, dts_us) for k in bank.hold_k[:, span.held]]
    span.held_e = np.array([e for e, _ in both])
    x = bank.x[_HOLDS, None, span.held]
    span.held_add = np.where(x != 0.0, x * np.array([g for _, g in both]), -0.0)
