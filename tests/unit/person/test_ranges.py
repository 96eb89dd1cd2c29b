"""No readout leaves its range, whoever it is and whatever happens."""

import numpy as np
import pytest

from mindpipe.person.body import flow, readouts, vitals
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import PersonGroup
from mindpipe.person.validation.rig import RANGES
from support.drawn_lives import HOUR_US, history, instants, somebody

pytestmark = pytest.mark.heavy

HOURS = 18
AT_ONCE = 10_000


def _histories(batch: int, count: int) -> PersonGroup:
    """Return new persons, each of whom waits for some events at the instants of its batch."""
    chance = np.random.default_rng(batch)
    persons = [somebody(chance, number) for number in range(count)]
    group = PersonGroup(bank_of(persons, [first_state(one) for one in persons], constants_of(())))
    shared = [0, *instants(chance, HOURS, 24)]
    for column, who in enumerate(persons):
        group.expect(column, history(chance, who, shared, most=6))
    return group


def _check(group: PersonGroup, t_us: int) -> None:
    """Hold every readout against its range at an instant."""
    bank = group.bank
    modes = flow.at(bank, t_us)
    assert np.isfinite(modes).all()
    reading = readouts.read(vitals.view_of(bank, modes, bank.t_us))
    for name, (least, most) in RANGES.items():
        level = getattr(reading, name)
        assert np.isfinite(level).all(), name
        assert level.min() >= least, name
        assert level.max() <= most, name


@pytest.mark.parametrize(
    ("batches", "count"),
    [(range(1), 500), pytest.param(range(1, 101), AT_ONCE, marks=pytest.mark.long)],
)
def test_every_readout_is_finite_and_in_range_in_any_history(batches: range, count: int) -> None:
    for batch in batches:
        group = _histories(batch, count)
        chance = np.random.default_rng(batch)
        for t_us in sorted(instants(chance, HOURS, 30)):
            group.advance(t_us)
            _check(group, t_us)
        group.advance(HOURS * HOUR_US)
        _check(group, HOURS * HOUR_US)
