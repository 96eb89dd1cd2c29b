"""What every mode is pulled to, and how fast: channels of active events, targets and rates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np

from mindpipe.person.body.bank import (
    CHANNEL,
    CHANNELS,
    FIRST_HOLD,
    FIRST_REGIME,
    LAST_HOLD,
    Bank,
    Flags,
    Floats,
    FlowSpan,
    Instants,
    LifeRecords,
)
from mindpipe.person.body.constants import HOUR_S, Constants
from mindpipe.person.body.modes import GREATEST, MODE, MODES, RATES, SHARED, SUMMED
from mindpipe.person.body.personality import GAIN
from mindpipe.person.body.vitals import clipped, pain, view_of
from mindpipe.person.records.state import Contribution, Hold

_SHARED = frozenset(SHARED)
_GREATEST = frozenset(GREATEST)
_SUMMED = frozenset(SUMMED)


_PULLING = ("awake", "ramp", "x_ser", "x_allo")
_PERSONAL = (GAIN["oxy"], GAIN["alone_rate"])
"""The gains that targets and rates depend on."""


@dataclass(slots=True)
class Pulled:
    """What of some persons of a bank their targets depend on, and these; see `Bank`."""

    constants: Constants
    lives: list[LifeRecords]
    gains: Floats | Mapping[int, Floats]
    awake: Flags
    ramp: Flags
    x_ser: Floats
    x_allo: Floats
    channel: Floats
    x: Floats
    regime_k: Floats
    hold_k: Floats
    held: Flags
    pulled: Flags
    spans: Mapping[tuple[int, ...], FlowSpan] = field(default_factory=dict)


def combine(active: Iterable[Contribution], company: float = 0.0) -> tuple[float, ...]:
    """Return the channels, in the order of `CHANNELS`, of contributions in start order.

    `company` is how good that of the person's week is.
    Climate is the one that started latest: d = air_c - (27 - 6·clo), in °C. `ex`, the share of the
    greatest exertion, is clip((met - 1)/11).
    """
    found: dict[str, float] = dict.fromkeys(CHANNELS, 0.0)
    free: dict[str, float] = {}
    found["met"] = 1.0
    found["q"] = company
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


@lru_cache(maxsize=256)
def at_rest(company: float) -> tuple[float, ...]:
    """Return the channels of a person on whom nothing acts but its company."""
    return combine((), company)


MOST_KNOWN = 4096
_Levels = tuple[dict[str, float], ...]
_known: dict[tuple[float, ...], tuple[_Levels, tuple[float, ...]]] = {}


def channels_of(active: Sequence[Contribution], company: float) -> tuple[float, ...]:
    """Return what `combine` does, remembered: many persons eat by the very same levels.

    The levels are known by their identity, which is theirs as long as they are kept here.
    """
    if not active:
        return at_rest(company)
    key = (company, *[id(one.chan) for one in active])
    found = _known.get(key)
    if found is None:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        found = _known[key] = (tuple(one.chan for one in active), combine(active, company))
    return found[1]


def refresh(bank: Bank, columns: Sequence[int]) -> None:
    """Recompute the channels of some persons of a bank from what acts on them."""
    if not len(columns):
        return
    lives, company = bank.lives, bank.company.take(columns).tolist()
    acting = (life.active for life in map(lives.__getitem__, columns))
    found = [*map(channels_of, acting, company)]
    # Most of many persons share the very same few tuples: each of these is made an array once.
    places: dict[int, int] = {}
    codes = [places.setdefault(id(one), len(places)) for one in found]
    different = np.array(list({id(one): one for one in found}.values())).T
    bank.acting |= (different != _NOTHING[:, None]).any(axis=1)
    rows = bank.acting.nonzero()[0]
    bank.channel[rows[:, None], np.asarray(columns)] = different[rows][:, codes]


def rest(bank: Bank) -> None:
    """Set the channels of all persons to those of somebody on whom nothing acts but company."""
    bank.channel[:] = _NOTHING[:, None]
    bank.acting[:] = False
    if bank.company.any():
        for company in set(bank.company.tolist()) - {0.0}:
            keep_company(bank, (bank.company == company).nonzero()[0], company)


def keep_company(bank: Bank, columns: Instants, company: float) -> None:
    """Set the channels of some persons to those of whom nothing but such company acts on."""
    levels = np.array(at_rest(company))
    bank.acting |= levels != _NOTHING
    bank.channel[:, columns] = levels[:, None]


_NOTHING: Floats = np.array(at_rest(0.0))
"""The channels of somebody on whom nothing acts at all."""
_SPARSE = "hpa_1 hpa_2 hpa_3 glu_1 glu_2 glu_3 adr nor vag endo oxy act fphys fment depl"
_SPARSER = "cort_up cort_dn adr_up ser_up ser_dn rum hpa24 fever env skin pain_s v1"
SPARSE = tuple(MODE[name] for name in f"{_SPARSE} {_SPARSER}".split(" "))
"""The rows whose targets are 0 while no event and no thought acts on the person."""
DENSE = (*(MODE[name] for name in ("ser", "allo", "sleepf")), *range(FIRST_REGIME, len(MODES)))
"""The rows whose targets are added at every step; what is in neither has the target 0 for ever."""

_ALWAYS = np.array(DENSE)
_HELD = tuple(mode.name for mode in MODES[FIRST_HOLD : LAST_HOLD + 1])
_OPPOSED = {"cort_up": "cort_dn", "cort_dn": "cort_up", "ser_up": "ser_dn", "ser_dn": "ser_up"}


def retarget(bank: Bank, columns: Sequence[int] | Instants | None = None) -> None:
    """Recompute rates and targets of some persons from their channels.

    Without columns channels are recomputed too, and all that for everybody; else whoever let
    something act on these persons, or end, has already refreshed their channels.
    Everything is recomputed from the ordered lists, never incremented, and elementwise, so that a
    person among others has the very numbers of the person alone.
    """
    if columns is None:
        rest(bank)
        refresh(bank, [column for column, life in enumerate(bank.lives) if life.active])
        _retarget_all(bank)
        return
    chosen = np.asarray(columns, dtype=np.int64)
    count = len(chosen)
    if count == len(bank.persons):
        _retarget_all(bank)
        return
    channel = np.empty((len(CHANNELS), count))
    channel[:] = _NOTHING[:, None]
    acting = bank.acting.nonzero()[0]
    channel[acting] = bank.channel[acting[:, None], chosen]
    some = Pulled(
        constants=bank.constants,
        lives=[*map(bank.lives.__getitem__, chosen.tolist())],
        gains={row: bank.gains[row].take(chosen) for row in _PERSONAL},
        channel=channel,
        pulled=bank.pulled,
        x=np.empty((len(bank.x), count)),
        regime_k=np.empty((len(bank.regime_k), count)),
        hold_k=np.empty((len(bank.hold_k), count)),
        held=np.empty(count, dtype=np.bool_),
        **{name: getattr(bank, name).take(chosen, axis=-1) for name in _PULLING},
    )
    _retarget_all(some)
    pulled = bank.pulled.nonzero()[0]
    bank.x[pulled[:, None], chosen] = some.x[pulled]
    bank.regime_k[:, chosen] = some.regime_k
    if some.held.any() or bank.held.any():
        bank.hold_k[:, chosen] = some.hold_k
        bank.held[chosen] = some.held
    for span in bank.spans.values():
        span.stale.append(chosen)


def _retarget_all(bank: Bank | Pulled) -> None:
    """Recompute the rates and targets of all persons of a bank from their channels."""
    if isinstance(bank, Bank):
        bank.pulled[:] = False
    bank.x[:] = 0.0
    _stress_targets(bank)
    _level_targets(bank)
    _sampled_targets(bank)
    _regimes(bank)
    _base_holds(bank)
    for column, life in enumerate(bank.lives):
        if life.holds:
            hold(bank, column, life.holds)
    # A target that is 0 for everybody has no sign: it is never added.
    bank.pulled[_ALWAYS] = True
    for row in (~bank.pulled).nonzero()[0].tolist():
        bank.pulled[row] = bank.x[row].any()
    for span in bank.spans.values():
        span.stale.append(np.arange(len(bank.lives)))


def _stress_targets(bank: Bank | Pulled) -> None:
    """Set the targets of hormones and of what effort, pain and company do to body and mood."""
    c, x, ch = bank.constants, bank.x, bank.channel
    u, symp, ex, pain_in = (ch[CHANNEL[name]] for name in ("u", "symp", "ex", "pain_in"))
    noise, q = ch[CHANNEL["noise"]], ch[CHANNEL["q"]]
    x[MODE["hpa_1"]] = x[MODE["hpa_2"]] = x[MODE["hpa_3"]] = x[MODE["hpa24"]] = u
    given = np.minimum(c.adr_most, ch[CHANNEL["adr_in"]])
    x[MODE["adr"]] = c.adr_symp * symp + given + c.adr_exercise * (ex * ex * ex)
    cold = np.clip((-ch[CHANNEL["d"]] - 6.0) / 20.0, 0.0, 1.0)
    x[MODE["nor"]] = c.nor_symp * symp + c.nor_exercise * ex + c.nor_cold * cold
    calm = (1.0 - symp) * (1.0 - c.vag_noise * noise) * (1.0 - c.vag_pain * pain_in)
    x[MODE["vag"]] = 1.0 - calm
    hard = np.maximum(ex - 0.4, 0.0) / 0.6
    x[MODE["endo"]] = c.endo_u * u + c.endo_pain * pain_in + c.endo_exercise * hard
    x[MODE["v1"]] = c.v1_u * u + c.v1_contact * q
    x[MODE["act"]] = x[MODE["fphys"]] = ex
    x[MODE["pain_s"]] = pain_in


def _level_targets(bank: Bank | Pulled) -> None:
    """Set the targets of modes that follow one channel: food, work, touch, fever and climate."""
    c, x, ch = bank.constants, bank.x, bank.channel
    d = ch[CHANNEL["d"]]
    x[MODE["glu_1"]] = x[MODE["glu_2"]] = x[MODE["glu_3"]] = ch[CHANNEL["carb"]]
    x[MODE["oxy"]] = c.oxy_touch * ch[CHANNEL["touch"]] * bank.gains[GAIN["oxy"]]
    x[MODE["fment"]] = ch[CHANNEL["task"]]
    x[MODE["depl"]] = ch[CHANNEL["sc"]]
    x[MODE["fever"]] = ch[CHANNEL["fever"]]
    beyond = d - np.clip(d, -c.env_comfort, c.env_comfort)
    x[MODE["env"]] = np.clip(c.env_shift * beyond, -c.env_most, c.env_most)
    x[MODE["skin"]] = c.skin_shift * np.clip(d, -40.0, 20.0)


def _regimes(bank: Bank | Pulled) -> None:
    """Set rates and targets of the modes that depend on sleep, food, company and pastime."""
    c, x, k, ch, awake = bank.constants, bank.x, bank.regime_k, bank.channel, bank.awake
    row = {mode.name: index for index, mode in enumerate(MODES[FIRST_REGIME:])}
    q, fed = ch[CHANNEL["q"]], ch[CHANNEL["fed"]] > 0.0
    ramp = bank.ramp & ~awake
    k[row["S"]] = np.where(awake, 1.0 / c.tau_S_awake, 1.0 / c.tau_S_asleep)
    x[MODE["S"]] = awake
    asleep_L = np.where(ramp, 0.0, c.k_L_asleep_h / HOUR_S)
    k[row["L"]] = np.where(awake, c.k_L_awake_h / HOUR_S, asleep_L)
    x[MODE["L"]] = np.where(awake, c.low_L, c.high_L)
    k[row["W"]] = c.k_W_h / HOUR_S
    digest = 1.0 / c.tau_hun
    k[row["hun"]] = digest + ch[CHANNEL["eat"]]
    x[MODE["hun"]] = c.full_hun * (digest / k[row["hun"]])
    k[row["thirst"]] = 1.0 / c.tau_thirst
    k[row["bladder"]] = np.where(awake, 1.0 / c.tau_bladder_awake, 1.0 / c.tau_bladder_asleep)
    x[MODE["thirst"]] = x[MODE["bladder"]] = 1.0
    k[row["gly"]] = np.where(fed, 1.0 / c.tau_gly_fed, 1.0 / c.tau_gly_fasting)
    x[MODE["gly"]] = fed
    alone = np.where(awake, bank.gains[GAIN["alone_rate"]], 0.0)
    k[row["iso"]] = np.where(q > 0.0, q / c.tau_iso_contact, alone)
    x[MODE["iso"]] = q <= 0.0
    k[row["bore"]] = 1.0 / c.tau_bore
    x[MODE["bore"]] = awake & ~_busy(ch)
    x[MODE["sleepf"]] = ~awake


def _busy(ch: Floats) -> Flags:
    """Return who has something to do: a task, company, noise, exertion or stress."""
    task, q, noise = ch[CHANNEL["task"]], ch[CHANNEL["q"]], ch[CHANNEL["noise"]]
    busy: Flags = (task >= 0.1) | (q > 0.0) | (noise > 0.4)
    busy |= (ch[CHANNEL["ex"]] > 0.1) | (ch[CHANNEL["u"]] > 0.05)
    return busy


@cache
def base_rates(constants: Constants) -> tuple[float, ...]:
    """Return the rates in 1/s of the modes that do not depend on a person's regime."""
    return tuple(1.0 / getattr(constants, mode.tau) for mode in MODES[:FIRST_REGIME])


def _base_holds(bank: Bank | Pulled) -> None:
    """Set the rates of the modes that thoughts push to those without a thought."""
    bank.held[:] = False
    bank.hold_k[:] = np.array(base_rates(bank.constants)[FIRST_HOLD : LAST_HOLD + 1])[:, None]


def hold(bank: Bank | Pulled, column: int, holds: Sequence[Hold]) -> None:
    """Set rates and targets of the modes that a person's held thoughts push (section 22.4).

    Rates of simultaneous holds add. With R of a mode and the R of its opposite, K = k + both, and
    the target is R/K, so that a mode never passes 1 and relief works even from rest. How hard
    rumination pushes is a constant of the person.
    """
    rate = dict.fromkeys(_HELD, 0.0)
    ruminating = bank.constants.rum_rate / RATES["rumination"]["rum"]
    for one in holds:
        for name, pushed in one.rates.items():
            rate[name] += pushed * ruminating if name == "rum" else pushed
    for row, name in enumerate(_HELD):
        pushed = rate[name]
        together = bank.hold_k[row, column] + pushed
        if name in _OPPOSED:
            together = together + rate[_OPPOSED[name]]
        bank.hold_k[row, column] = together
        bank.x[FIRST_HOLD + row, column] = pushed / together
    bank.held[column] = True


SLOW_US = 600_000_000
"""The slow grid, in microseconds since midnight of day 0."""


def sample(bank: Bank) -> Flags:
    """Measure everybody and set the targets that follow; return who differs from before."""
    constants, modes = bank.constants, bank.modes
    missing = (modes[MODE["S"]] - constants.slow_pressure_at) / 0.33
    sleepless = clipped(missing)
    alone = modes[MODE["iso"]] >= constants.slow_alone_at
    x_ser = -constants.slow_ser_pressure * sleepless - constants.slow_ser_alone * alone
    strained = constants.slow_allo_hpa * modes[MODE["hpa24"]]
    load = strained + constants.slow_allo_pressure * sleepless
    load = load + constants.slow_allo_pain * pain(view_of(bank, modes, bank.t_us))
    x_allo = clipped(load)
    changed: Flags = (x_ser != bank.x_ser) | (x_allo != bank.x_allo)
    # For everybody, changed or not: a zero may have another sign than before.
    bank.x_ser[:], bank.x_allo[:] = x_ser, x_allo
    _sampled_targets(bank)
    for span in bank.spans.values():
        span.resampled = True
    return changed


def _sampled_targets(bank: Bank | Pulled) -> None:
    """Set the targets that slow samples drive."""
    c, x, ch = bank.constants, bank.x, bank.channel
    u, q = ch[CHANNEL["u"]], ch[CHANNEL["q"]]
    bright = (ch[CHANNEL["lux"]] >= c.bright_lux) * c.ser_light
    x[MODE["ser"]] = bright + c.ser_contact * q - c.ser_u * u + bank.x_ser
    x[MODE["allo"]] = bank.x_allo
