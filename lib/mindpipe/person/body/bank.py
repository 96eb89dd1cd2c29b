"""Many persons side by side: every quantity of a body as one row of an array."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindpipe.person.body.constants import Constants
from mindpipe.person.body.modes import GREATEST, MODE, MODES, SHARED, SUMMED
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.body.week import Week
from mindpipe.person.chance_arrays import Words
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Contribution, Hold, Mind, Pending, Slot

Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

CHANNELS = (
    *SHARED,
    *GREATEST,
    *SUMMED,
    "ex",
    "d",
    "quiet",
    "undriven",
    "untaxed",
    "inward",
    "wanted",
)
CHANNEL: dict[str, int] = {name: row for row, name in enumerate(CHANNELS)}
"""The row of each channel in the bank; `ex`, `d` and what comes behind follow from the others."""

FIRST_HOLD, LAST_HOLD = 24, 29
"""The rows of the modes whose rates thoughts change while they are held (25 to 30 of the table)."""
FIRST_REGIME = 46
"""From this row on a mode's rate may depend on the person's regime: S to bore."""


# The C library gives freed memory back once there is more of it than twice the largest block that
# was ever freed, and faulting it in again takes longer than a reading: this block is never touched.
np.empty(3 << 20)


@dataclass(slots=True)
class LifeRecords:
    """What of a person is no number: what acts on it or is due, what it has in mind, its week."""

    active: list[Contribution]
    pending: list[Pending]
    holds: list[Hold]
    meal_slots: list[tuple[int, Slot]]
    mind: Mind
    week: Week


COLUMNS = (
    "t_us",
    "anchor_us",
    "modes",
    "z",
    "phi",
    "lonely",
    "gains",
    "habits",
    "awake",
    "forced",
    "ramp",
    "since_us",
    "stay_awake_us",
    "last_meal_us",
    "meal",
    "company",
    "company_us",
    "in_bed",
    "channel",
    "x",
    "regime_k",
    "hold_k",
    "held",
    "x_ser",
    "x_allo",
    "control",
    "episode_us",
    "coping",
    "distortions",
    "keys",
    "draws",
    "draws_us",
    "ready",
    "prev",
    "prev_us",
    "aware_us",
    "inside",
    "latch",
)
"""The arrays of a bank; the last axis of each is the persons."""


@dataclass(slots=True)
class FlowSpan:
    """Factors of T spans of time of a bank's N persons (see `flow.py`).

    `e` and `g` [46, T, 1] belong to the modes before `FIRST_REGIME`; `regime_e`, `regime_g`
    [9, T, N] to those from it on, for the rates `regime_k` [9, N]; `add` [12, T, N] is what the
    rows of `rates.DENSE` gain, `pushed` [27, T, N] what those of `rates.SPARSE` do: -0.0, which
    changes nothing, where the target is 0. `pushing` [27, N] says where it is not, `pushes` [27]
    for how many. `held` are the H columns that hold a thought, `held_e` [6, T, H] their factors
    and `held_add` what they gain. `stale` are columns that were retargeted since; `resampled` says
    that slow samples were.
    """

    e: Floats
    g: Floats
    regime_k: Floats
    regime_e: Floats
    regime_g: Floats
    add: Floats
    pushed: Floats
    pushing: Flags
    pushes: Instants
    held: Instants
    held_e: Floats
    held_add: Floats
    stale: list[Instants]
    resampled: bool = False


class RestingModes(NamedTuple):
    """Which modes before `FIRST_REGIME` are at rest, their names, and the runs of others."""

    rests: Flags
    names: frozenset[str]
    moving: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Bank:
    """N persons who share their constants; the last axis of every array is the persons.

    `modes` [55, N] are those of `anchor_us` [N], `x` [55, N] their targets, `regime_k` [9, N] the
    rates in 1/s of the modes from `FIRST_REGIME` on, `hold_k` [6, N] those that thoughts change,
    `held` [N] whether any does. `z` [5, N] are standard traits, `phi` [N] chronotypes in hours,
    `gains` what `personality.py` makes of both. `habits` [4, N]: sleep, meals, drink, toilet.
    `meal` [N] are the numbers of the latest meals of the routine (see `meals.py`), `company` [N]
    is how good the company of each is by its week alone, `in_bed` [N] whether that has it rest, and
    until `company_us` [N] both stay so.
    `ramp` [N] is true in the ramp regime of L. `coping` [2, N] are indices of strategies or -1,
    `distortions` [11, N] flags in the order of their names; `keys` [2, N] are those of chance, and
    `draws` [11, N] what it said of distortions for the 600 s from `draws_us` [N] on; `prev`,
    `aware_us`, `inside`, `latch` [4, N] are those of salience in tie order. `spans` is a cache of
    `flow.py`, by spans in µs; `rest` is None where nobody looked which modes are at rest.
    `acting` [23] are the channels, `pulled` [55] the targets that may be those of somebody on whom
    something acts; of the others all have the very same, so that nothing need be gathered.
    """

    persons: list[Person]
    constants: Constants
    lives: list[LifeRecords]
    t_us: Instants
    anchor_us: Instants
    modes: Floats
    z: Floats
    phi: Floats
    lonely: Floats
    gains: Floats
    habits: Flags
    awake: Flags
    forced: Flags
    ramp: Flags
    since_us: Instants
    stay_awake_us: Instants
    last_meal_us: Instants
    meal: Instants
    company: Floats
    company_us: Instants
    in_bed: Flags
    channel: Floats
    x: Floats
    regime_k: Floats
    hold_k: Floats
    held: Flags
    x_ser: Floats
    x_allo: Floats
    control: Floats
    episode_us: Instants
    coping: Codes
    distortions: Flags
    keys: Words
    draws: Floats
    draws_us: Instants
    ready: Flags
    prev: Floats
    prev_us: Instants
    aware_us: Instants
    inside: Flags
    latch: Flags
    spans: dict[tuple[int, ...], FlowSpan] = field(default_factory=dict)
    rest: RestingModes | None = None
    acting: Flags = field(default_factory=lambda: np.ones(len(CHANNELS), dtype=np.bool_))
    pulled: Flags = field(default_factory=lambda: np.ones(len(MODES), dtype=np.bool_))

    def take(self, indices: Sequence[int] | Instants) -> "Bank":
        """Return copies of some columns as a bank of their own, which shares their `Life`."""
        chosen = np.asarray(indices, dtype=np.int64)
        arrays: dict[str, Any] = {
            name: np.take(getattr(self, name), chosen, axis=-1) for name in COLUMNS
        }
        return Bank(
            persons=[self.persons[index] for index in chosen],
            constants=self.constants,
            lives=[self.lives[index] for index in chosen],
            rest=self.rest,
            acting=self.acting.copy(),
            pulled=self.pulled.copy(),
            **arrays,
        )

    def put(self, indices: Sequence[int] | Instants, other: "Bank") -> None:
        """Write the columns of `other`, which was taken from this bank, back to where they were."""
        chosen = np.asarray(indices, dtype=np.int64)
        for name in COLUMNS:
            getattr(self, name)[..., chosen] = getattr(other, name)
        for column, index in enumerate(chosen):
            self.persons[index] = other.persons[column]
            self.lives[index] = other.lives[column]
        if other.rest is not self.rest:
            self.rest = None
        self.acting |= other.acting
        self.pulled |= other.pulled
        for span in self.spans.values():
            span.stale.append(chosen)


class Subject(NamedTuple):
    """The column of a person in a bank whose modes are those of `t_us`."""

    bank: Bank
    column: int
    t_us: int

    def mode(self, name: str) -> float:
        """Return the level of a mode."""
        return float(self.bank.modes[MODE[name], self.column])

    def push(self, name: str, amount: float) -> None:
        """Add an impulse to a mode."""
        self.bank.modes[MODE[name], self.column] += amount

    def channel(self, name: str) -> float:
        """Return the level of a channel as it was computed last."""
        return float(self.bank.channel[CHANNEL[name], self.column])

    def trait(self, name: str) -> float:
        """Return a standard trait: o, c, e, a or n."""
        return float(self.bank.z[TRAITS.index(name), self.column])

    def contribute(self, contribution: Contribution) -> None:
        """Let something act from now on, unless it ends at once."""
        if contribution.end_us > self.t_us:
            self.bank.lives[self.column].active.append(contribution)
