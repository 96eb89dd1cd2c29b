"""Persons in all kinds of states, drawn at random but the same for the same seed."""

from collections.abc import Sequence

import msgspec
import numpy as np

from mindpipe.person.body.bank import Bank
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.life.birth import first_state
from mindpipe.person.records.person import Pacing, Person, PersonSettings, Traits
from mindpipe.person.records.state import (
    Contribution,
    DimensionFlags,
    Flags,
    Hold,
    Mind,
    Modes,
    PersonState,
    Psyche,
    SalienceState,
    Sampled,
)

DAY_US = 86_400_000_000
SHARES = ("u", "symp", "task", "pain_in", "touch", "sc", "noise", "q")
HELD = ("cort_up", "cort_dn", "adr_up", "ser_up", "ser_dn", "rum")


def bank_of_all(seen: Sequence[tuple[Person, PersonState]]) -> Bank:
    """Return a bank of persons with their states."""
    return bank_of([one for one, _ in seen], [state for _, state in seen], constants_of(()))


def somebody(
    seed: int, *, at_us: int = DAY_US, pacing: Pacing = "lived"
) -> tuple[Person, PersonState]:
    """Return one person in a state that is drawn, at its anchor, asleep three times of ten."""
    chance = np.random.default_rng(seed)
    o, c, e, a, n = (float(one) for one in chance.uniform(0.0, 1.0, 5))
    one = Person(
        person=f"p{seed:06d}",
        seed=seed,
        traits=Traits(o=o, c=c, e=e, a=a, n=n),
        chronotype_h=float(chance.uniform(-4.0, 4.0)),
        settings=PersonSettings(pacing=pacing),
    )
    awake = bool(chance.random() > 0.3)
    holds = tuple(_hold(chance, at_us) for _ in range(int(chance.integers(0, 3))))
    return one, msgspec.structs.replace(
        first_state(one),
        t_us=at_us,
        anchor_us=at_us,
        modes=_modes(chance),
        flags=Flags(
            awake=awake,
            since_us=at_us - 3_600_000_000,
            l_regime="ramp" if not awake and chance.random() < 0.5 else "exp",
        ),
        active=tuple(_acting(chance, at_us) for _ in range(int(chance.integers(0, 3)))),
        holds=holds if chance.random() < 0.3 else (),
        sampled=Sampled(x_ser=-float(chance.uniform(0, 0.18)), x_allo=float(chance.random())),
        psyche=Psyche(
            coping=("denial", "problem_solving"), distortions=("labeling",), control=-0.5
        ),
        mind=Mind(salience=SalienceState(ready=awake, latch=DimensionFlags(valence=awake))),
    )


def _modes(chance: np.random.Generator) -> Modes:
    """Return modes that all are something, some of them large, some negative."""
    levels = dict(zip(Modes.__struct_fields__, chance.uniform(0.0, 1.0, 55).tolist(), strict=True))
    levels["adr"] *= 900.0
    levels["L"] = 2.4 + 12.0 * levels["L"]
    levels["W"] = -5.72 * levels["W"]
    levels["endo"] *= 20.0
    levels["fever"] *= 5.0
    for name in ("v1", "v2", "v3", "v4", "v5", "dopa", "ser", "env"):
        levels[name] -= 0.5
    levels["skin"] = 20.0 * levels["skin"] - 12.0
    for name in ("glu_1", "glu_2", "glu_3"):
        levels[name] *= 0.1
    return Modes(**levels)


def _acting(chance: np.random.Generator, at_us: int) -> Contribution:
    """Return a contribution to some of the channels."""
    level = {name: float(chance.random()) for name in SHARES if chance.random() < 0.3}
    for name, most in (("lux", 3000.0), ("fever", 3.0), ("carb", 0.1), ("adr_in", 9000.0)):
        if chance.random() < 0.3:
            level[name] = float(chance.uniform(0.0, most))
    if chance.random() < 0.3:
        level |= {"air_c": float(chance.uniform(-40, 50)), "clo": float(chance.uniform(0, 3))}
    if chance.random() < 0.3:
        level |= {"eat": float(chance.uniform(0, 0.003)), "fed": 1.0}
    if chance.random() < 0.3:
        level["met"] = float(chance.uniform(1.0, 20.0))
    return Contribution(
        start_us=at_us, end_us=at_us + DAY_US, type="task", event=f"ev:{at_us}", chan=level
    )


def _hold(chance: np.random.Generator, at_us: int) -> Hold:
    """Return rates that a thought holds."""
    rates = {name: float(chance.uniform(0.001, 0.3)) for name in HELD if chance.random() < 0.5}
    return Hold(start_us=at_us, end_us=at_us + DAY_US, rates=rates)
