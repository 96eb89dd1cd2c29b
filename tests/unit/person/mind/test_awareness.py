"""Awareness of many instants at once is that of stepping through them, bit for bit."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from mindpipe.core.records import to_json
from mindpipe.person.body import flow
from mindpipe.person.body.bank import FIRST_HOLD, LAST_HOLD, Bank
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import DENSE, SPARSE, base_rates
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind import awareness
from mindpipe.person.mind.awareness import SPAN_S, paces
from mindpipe.person.mind.salience import Salience, Sense
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, Traits
from mindpipe.person.records.state import Dimensions, PersonState, Readouts, SalienceState
from support.drawn_lives import SECOND_US, something
from support.persons import aware
from support.tables import each_row

MINUTE_US = 60 * SECOND_US
START_US = 24_960 * SECOND_US
"""06:56, a few minutes before most people wake."""
UNTIL_US = START_US + 8 * MINUTE_US
COUNT = 6


def _somebody(number: int) -> Person:
    chance = np.random.default_rng(number)
    traits = dict(zip("ocean", chance.random(5).tolist(), strict=True))
    return Person(person=f"p{number:06d}", seed=number, traits=Traits(**traits))


def _events(who: Person, number: int) -> list[PersonEvent]:
    """Return events at whole seconds, on the grid, and at any microsecond."""
    chance = np.random.default_rng(number)
    steps = chance.choice([1, SECOND_US, MINUTE_US], 10)
    found = START_US + chance.integers(MINUTE_US, UNTIL_US - START_US, 10)
    chosen = sorted((found - found % steps).tolist())
    return [something(chance, who, int(t_us), place) for place, t_us in enumerate(chosen)]


def _sense(read: object) -> Sense:
    assert isinstance(read, Readouts)
    return Sense(*(getattr(read, name) for name in Sense._fields))


def _dimensions(sense: Sense) -> Dimensions:
    return Dimensions(
        pain=sense.pain, arousal=sense.arousal, valence=sense.valence, energy=sense.energy
    )


def _stepped(who: Person, events: Sequence[PersonEvent]) -> SalienceState:
    """Return what salience goes on from after somebody was looked at every single second."""
    population = Population([who], [first_state(who)])
    population.advance(START_US)
    salience = Salience()
    seconds = range(START_US + SECOND_US, UNTIL_US + 1, SECOND_US)
    given = {who.person: list(events)}
    for t_us in sorted({*seconds, *(event.t_us for event in events)}):
        population.advance(t_us, given)
        given = {}
        state = population.states(read=True)[0]
        if not state.flags.awake:
            continue
        waking = salience.prev_us < state.flags.since_us
        woken = state.mind.event_woken
        peak = salience.evaluate(t_us, _sense(state.read), waking=waking, woken=woken)
        if peak is not None:
            salience.mark(peak.dim, t_us)
    return salience.record()


@pytest.fixture(scope="module")
def lives() -> list[tuple[Person, list[PersonEvent]]]:
    return [(who := _somebody(number), _events(who, number)) for number in range(COUNT)]


@pytest.fixture(scope="module")
def together(lives: list[tuple[Person, list[PersonEvent]]]) -> list[PersonState]:
    """The states of all who lived side by side in one go."""
    population = aware([who for who, _ in lives])
    population.advance(START_US)
    population.advance(UNTIL_US, {who.person: events for who, events in lives})
    return population.states(read=True)


@pytest.mark.parametrize("number", range(COUNT))
def test_a_block_is_its_steps(
    number: int, lives: list[tuple[Person, list[PersonEvent]]], together: list[PersonState]
) -> None:
    assert together[number].mind.salience == _stepped(*lives[number])


def test_the_lives_of_the_comparison_are_moved_ones(together: list[PersonState]) -> None:
    aware_us = [msgspec.structs.astuple(state.mind.salience.aware_us) for state in together]
    assert sum(len(set(instants)) > 1 for instants in aware_us) >= COUNT // 2
    assert any(any(msgspec.structs.astuple(state.mind.salience.inside)) for state in together)


@pytest.mark.parametrize("number", range(COUNT))
def test_ticks_anywhere_and_json_between_them_change_nothing(
    number: int, lives: list[tuple[Person, list[PersonEvent]]], together: list[PersonState]
) -> None:
    who, events = lives[number]
    chance = np.random.default_rng(number)
    edges = sorted(chance.integers(START_US, UNTIL_US, 12).tolist())
    population = aware([who])
    population.advance(START_US)
    for edge in [*edges, UNTIL_US]:
        now_us = population.states()[0].t_us
        due = [event for event in events if now_us < event.t_us <= edge]
        line = to_json(population.states()[0])
        population = aware([who], states=[msgspec.json.decode(line, type=PersonState)])
        population.advance(edge, {who.person: due})
    assert to_json(population.states(read=True)[0]) == to_json(together[number])


def _shaken(seed: int) -> Bank:
    """Return waking persons whose modes, targets and past salience are anything."""
    chance = np.random.default_rng(seed)
    who = _somebody(seed)
    population = Population([who], [first_state(who)])
    population.advance(START_US)
    state = population.states()[0]
    flags = msgspec.structs.replace(state.flags, awake=True, l_regime="exp")
    state = msgspec.structs.replace(state, flags=flags, anchor_us=START_US)
    bank = bank_of([who] * 200, [state] * 200, constants_of(()))
    for part in (bank.modes, bank.x):
        size = chance.choice([0.0, 0.01, 0.3], (1, 200)) * (chance.random(part.shape) < 0.2)
        part += size * chance.random(part.shape) * np.where(SCALES > 1.0, SCALES, 1.0)
    never_pulled = [row for row in range(len(MODES)) if row not in (*SPARSE, *DENSE)]
    bank.x[never_pulled] = 0.0
    ends = awareness.dimensions(bank, (0,))
    bank.ready[:] = chance.random(200) < 0.95
    bank.prev[:] = ends[:, 0] + 0.05 * (chance.random(bank.prev.shape) < 0.05)
    bank.prev_us[:] = START_US - SECOND_US
    bank.since_us[:] = START_US - SECOND_US * (2 - (chance.random(200) < 0.05) * 2)
    bank.inside[:] = chance.random(bank.inside.shape) < 0.05
    bank.latch[:] = bank.inside & (chance.random(bank.inside.shape) < 0.5)
    bank.latch |= chance.random(bank.inside.shape) < 0.02
    return bank


SCALES = np.ones((len(MODES), 1))
SCALES[[MODE["adr"], MODE["endo"], MODE["L"], MODE["W"]]] = [[500.0], [20.0], [5.0], [5.0]]
STEPS = tuple(range(0, 60 * SECOND_US, SECOND_US))


@pytest.mark.heavy
@each_row("seed", range(10))
def test_no_dimension_ever_moves_faster_than_its_pace(seed: int) -> None:
    bank = _shaken(seed)
    found = awareness.dimensions(bank, range(0, int(SPAN_S) * SECOND_US, SECOND_US // 4))
    moved = np.abs(np.diff(found, axis=1)).max(axis=1) * 4.0
    assert np.all(moved <= paces(bank) + 1e-12)
    assert np.all(flow.block(bank, (0,))[:, 0] == bank.modes)


@pytest.mark.heavy
@each_row("row", range(len(MODES)))
def test_no_mode_alone_moves_a_dimension_faster_than_its_pace(row: int) -> None:
    bank = _shaken(3)
    bank.modes[row] *= 0.5
    bank.modes[MODE["skin"]] = 4.0
    bank.x[:] = bank.modes
    before = awareness.dimensions(bank, (0,))[:, 0]
    nudge = 1e-6 * SCALES[row, 0]
    bank.x[row] += nudge
    pace = paces(bank)
    bank.x[row] -= nudge
    tide = paces(bank)
    rates = np.concatenate([np.repeat(base_rates(bank.constants), 200), np.ravel(bank.regime_k)])
    k = rates.reshape(len(MODES), 200)
    k[FIRST_HOLD : LAST_HOLD + 1] = bank.hold_k
    bank.modes[row] += nudge
    moved = np.abs(awareness.dimensions(bank, (0,))[:, 0] - before)
    assert np.all(moved * k[row] <= (pace - tide) * (1.0 + 1e-3) + 1e-13)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 10))]
)
@each_row("steps", [STEPS, STEPS[:3]])
def test_whoever_is_passed_over_would_have_noticed_nothing_step_by_step(
    seed: int, steps: tuple[int, ...]
) -> None:
    bank = _shaken(seed)
    ends = awareness.dimensions(bank, (steps[0], steps[-1]))
    unmoved = np.flatnonzero(awareness.unmoved(bank, ends, steps))
    assert 20 < unmoved.size < 190
    senses = awareness.senses(bank, steps)
    for column in unmoved.tolist():
        salience = awareness.salience_of(bank, column)
        before = salience.record()
        for dt_us, sense in zip(steps, senses[column], strict=True):
            waking = salience.prev_us < bank.since_us[column]
            assert salience.evaluate(START_US + dt_us, sense, waking=waking) is None
        last = _dimensions(senses[column][-1])
        assert salience.record() == msgspec.structs.replace(
            before, prev=last, prev_us=START_US + steps[-1]
        )


def test_whoever_just_woke_is_not_passed_over() -> None:
    """Waking may end an extreme that would have lasted, which only stepping sees."""
    bank = _shaken(0)
    ends = awareness.dimensions(bank, (0, SECOND_US))
    bank.prev[:], bank.prev_us[:] = ends[:, 0], START_US - SECOND_US
    bank.ready[:], bank.inside[:], bank.latch[:] = True, False, False
    bank.since_us[:] = START_US - SECOND_US
    assert awareness.unmoved(bank, ends, (0, SECOND_US)).any()
    bank.since_us[:] = START_US
    assert not awareness.unmoved(bank, ends, (0, SECOND_US)).any()


def test_a_pace_is_not_far_above_what_a_quiet_day_does() -> None:
    """Else nobody could be passed over, and awareness would cost as much as stepping."""
    who = Person(person="ann", seed=7)
    population = aware([who])
    quiet = 0
    for minute in range(480, 1200, 5):
        population.advance(minute * MINUTE_US)
        state = msgspec.structs.replace(population.states()[0], anchor_us=0, t_us=0)
        bank = bank_of([who], [state], constants_of(()))
        quiet += bool((paces(bank) < awareness.UNNOTICED / 10).all())
    assert quiet >= 140
