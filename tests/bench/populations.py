"""How many persons' bodies flow in a second, beside the same bodies as agents of mesa."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import mesa
import msgspec
import numpy as np
from figures import Figure
from measuring import progress

from mindpipe.person.body import flow, readouts, vitals
from mindpipe.person.body.bank import Bank, Floats
from mindpipe.person.body.modes import MODE
from mindpipe.person.life.population import SIDE_BY_SIDE
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from support import body_oracle
from support.drawn_persons import DAY_US, bank_of_all, somebody

PART = "persons"
STEP_US = 60_000_000
# A busy machine moves the one clock and hardly the other: goals are held against both.
_CLOCKS = {"on the wall": time.perf_counter, "of a core": time.process_time}
DRAWN = 1000
AGENTS = 500
BUSY_OF = 100


@dataclass(frozen=True, kw_only=True)
class _Crowd:
    """Persons in banks, how they began, and those who are agents besides."""

    banks: list[Bank]
    begun: list[Floats]
    few: list[tuple[Person, PersonState]]


class _Body(mesa.Agent):
    """One body that keeps its numbers to itself; its factors are computed once, as the bank's."""

    def __init__(self, model: mesa.Model, person: Person, state: PersonState) -> None:
        super().__init__(model)
        awake, ramp = state.flags.awake, state.flags.l_regime == "ramp"
        self.z = {
            name: body_oracle.standard(level)
            for name, level in msgspec.structs.asdict(person.traits).items()
        }
        self.channels = body_oracle.channels([one.chan for one in state.active])
        x = body_oracle.targets(self.channels, awake=awake, z_e=self.z["e"], sampled=state.sampled)
        k = body_oracle.rates(self.channels, awake=awake, ramp=ramp, z_e=self.z["e"])
        factors = {name: flow.factor(k[name], STEP_US) for name in MODE}
        self.kept = [factors[name].e for name in MODE]
        self.gained = [x.get(name, 0.0) * factors[name].g for name in MODE]
        if ramp:
            self.gained[MODE["L"]] = body_oracle.RAMP / 60
        self.begun = list(msgspec.structs.astuple(state.modes))
        self.modes = self.begun
        self.awake, self.hour = awake, 24.0 - person.chronotype_h
        self.phi = person.chronotype_h
        self.seen: dict[str, object] = {}

    def step(self) -> None:
        """Flow for one step of time."""
        self.modes = [
            y * e + gain for y, e, gain in zip(self.modes, self.kept, self.gained, strict=True)
        ]

    def read(self) -> None:
        """Flow for one step of time and read everything."""
        self.step()
        self.hour += 1 / 60
        y = dict(zip(MODE, self.modes, strict=True))
        body = body_oracle.body(y, self.hour)
        self.seen = body | body_oracle.psyche(y, body, self.channels, self.z, awake=self.awake)

    def begin(self) -> None:
        """Go back to how it began."""
        self.modes, self.hour = self.begun, 24.0 - self.phi


def figures(*, persons: int, ticks: int, rounds: int) -> Iterator[Figure]:
    """Measure persons whose 55 modes are all something, 30 % asleep, 1 % with an active event."""
    crowd = _crowd(persons)
    model = mesa.Model(seed=1)
    for person, state in crowd.few:
        _Body(model, person, state)
    runs: dict[str, Callable[[], None]] = {
        "flow": lambda: _live(crowd, ticks, reading=False),
        "read": lambda: _live(crowd, ticks, reading=True),
        "mesa flow": lambda: _act(model, "step", ticks),
        "mesa read": lambda: _act(model, "read", ticks),
    }
    clocks = _interleaved(runs, lambda: _restart(crowd, model), rounds)
    _compare(crowd, model, ticks)
    for name, least, what in (
        ("flow", 40, "flow of 55 modes"),
        ("read", 8, "flow and all readouts"),
    ):
        text = f"{what}, {persons:,} persons"
        for clock, spent in clocks.items():
            speed = persons * ticks / spent[name]
            alone = len(crowd.few) * ticks / spent[f"mesa {name}"]
            unit = f"M steps/s {clock}"
            yield Figure(part=PART, what=text, value=speed / 1e6, unit=unit, least=least)
            ratio = speed / alone
            yield Figure(part=PART, what=text, value=ratio, unit=f"x mesa {clock}", least=100)


def _crowd(count: int) -> _Crowd:
    """Draw persons, and repeat them in other orders up to a count."""
    progress(f"{PART}: {count:,} persons")
    drawn = [_person(seed) for seed in range(DRAWN)]
    first, chance = bank_of_all(drawn), np.random.default_rng(1)
    sizes = [min(SIDE_BY_SIDE, count - begun) for begun in range(0, count, SIDE_BY_SIDE)]
    banks = [first.take(np.arange(size) % DRAWN) for size in sizes]
    for bank in banks[1:]:
        bank.modes *= chance.uniform(0.9, 1.0, bank.modes.shape)
    return _Crowd(banks=banks, begun=[bank.modes.copy() for bank in banks], few=drawn[:AGENTS])


def _person(seed: int) -> tuple[Person, PersonState]:
    """Return one person: three of ten sleep, one of a hundred is busy with something."""
    person, state = somebody(seed)
    asleep = seed % 10 < 3
    flags = msgspec.structs.replace(
        state.flags, awake=not asleep, l_regime="ramp" if seed % 10 == 0 else "exp"
    )
    active = next(
        (found for number in range(seed, seed + 50) if (found := somebody(number)[1].active)), ()
    )
    return person, msgspec.structs.replace(
        state, flags=flags, active=active if seed % BUSY_OF == 0 else (), holds=()
    )


def _live(crowd: _Crowd, ticks: int, *, reading: bool) -> None:
    """Let all persons flow step by step, bank after bank."""
    for bank in crowd.banks:
        for tick in range(1, ticks + 1):
            flow.advance(bank, DAY_US + tick * STEP_US)
            if reading:
                readouts.read(vitals.view_of(bank, bank.modes, bank.anchor_us[:1]))


def _act(model: mesa.Model, what: str, ticks: int) -> None:
    """Let all agents do the same, step by step."""
    for _ in range(ticks):
        model.agents.do(what)


def _restart(crowd: _Crowd, model: mesa.Model) -> None:
    """Put everybody back to the beginning."""
    for bank, begun in zip(crowd.banks, crowd.begun, strict=True):
        bank.modes[:] = begun
        bank.anchor_us[:] = bank.t_us[:] = DAY_US
    model.agents.do("begin")


def _interleaved(
    runs: Mapping[str, Callable[[], None]], before: Callable[[], None], rounds: int
) -> dict[str, dict[str, float]]:
    """Return the median seconds of each run by each clock, in turns; the first turn is left out."""
    spent: dict[str, dict[str, list[float]]] = {
        clock: {name: [] for name in runs} for clock in _CLOCKS
    }
    for number in range(rounds + 1):
        progress(f"{PART}: turn {number} of {rounds}")
        for name, run in runs.items():
            before()
            begun = {clock: now() for clock, now in _CLOCKS.items()}
            run()
            for clock, now in _CLOCKS.items():
                spent[clock][name].append(now() - begun[clock])
    return {
        clock: {name: statistics.median(seconds[1:]) for name, seconds in found.items()}
        for clock, found in spent.items()
    }


def _compare(crowd: _Crowd, model: mesa.Model, ticks: int) -> None:
    """Make sure that agents and bank did the same; raises RuntimeError where they did not."""
    _restart(crowd, model)
    _live(crowd, ticks, reading=False)
    _act(model, "read", ticks)
    bank, agents = crowd.banks[0], list(model.agents)
    told = readouts.read(vitals.view_of(bank, bank.modes, bank.anchor_us[:1]))
    for name in ("cortisol_nmol_l", "heart_rate_bpm", "valence", "regulation", "stress"):
        theirs = [agent.seen[name] for agent in agents]
        if not np.allclose(getattr(told, name)[: len(agents)], theirs, rtol=1e-9, atol=1e-12):
            raise RuntimeError(f"agents and bank do not agree on {name}")
    theirs = np.array([agent.modes for agent in agents]).T
    if not np.allclose(bank.modes[:, : len(agents)], theirs, rtol=1e-10, atol=1e-12):
        raise RuntimeError("agents and bank do not agree on the modes")
