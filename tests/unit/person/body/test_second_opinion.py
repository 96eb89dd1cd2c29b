"""The bank says what the specification says, by a second, plain reading of it."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.body import flow, vitals
from mindpipe.person.body.bank import CHANNEL, FIRST_HOLD, FIRST_REGIME, LAST_HOLD, Bank
from mindpipe.person.body.columns import readouts_of
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import base_rates
from mindpipe.person.body.readouts import read
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from support import body_oracle
from support.drawn_persons import bank_of_all, somebody

SEEDS = st.integers(0, 100_000)
SPANS_US = st.integers(0, 40 * 86_400_000_000)


def plain(
    one: Person, state: PersonState
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    z_e = body_oracle.standard(one.traits.e)
    ch = body_oracle.channels([active.chan for active in state.active])
    awake, ramp = state.flags.awake, state.flags.l_regime == "ramp"
    x = body_oracle.targets(ch, awake=awake, z_e=z_e, sampled=state.sampled)
    k = body_oracle.rates(ch, awake=awake, ramp=ramp, z_e=z_e)
    if state.holds:
        names = {name for hold in state.holds for name in hold.rates}
        held = {name: sum(hold.rates.get(name, 0.0) for hold in state.holds) for name in names}
        body_oracle.thought(k, x, held)
    return ch, k, x


def rates_of(bank: Bank) -> dict[str, float]:
    every = [*base_rates(bank.constants), *bank.regime_k[:, 0].tolist()]
    every[FIRST_HOLD : LAST_HOLD + 1] = bank.hold_k[:, 0].tolist()
    assert len(every) == len(MODES)
    assert MODE["S"] == FIRST_REGIME
    return {name: every[row] for name, row in MODE.items()}


@given(SEEDS)
def test_channels_rates_and_targets(seed: int) -> None:
    one, state = somebody(seed, pacing="seed")
    bank = bank_of_all([(one, state)])
    ch, k, x = plain(one, state)
    assert {name: bank.channel[CHANNEL[name], 0] for name in ch} == pytest.approx(ch, rel=1e-12)
    assert rates_of(bank) == pytest.approx(k, rel=1e-12)
    every = {name: x.get(name, 0.0) for name in MODE}
    assert {name: bank.x[row, 0] for name, row in MODE.items()} == pytest.approx(every, rel=1e-12)


@given(SEEDS, SPANS_US)
def test_flow(seed: int, span_us: int) -> None:
    one, state = somebody(seed, pacing="seed")
    bank = bank_of_all([(one, state)])
    _, k, x = plain(one, state)
    y = msgspec.structs.asdict(state.modes)
    before = y["L"]
    body_oracle.flow(y, k, x, span_us / 1e6)
    if state.flags.l_regime == "ramp":
        y["L"] = before + body_oracle.RAMP * span_us / 3.6e9
    flow.advance(bank, state.anchor_us + span_us)
    found = {name: bank.modes[row, 0] for name, row in MODE.items()}
    assert found == pytest.approx(y, rel=1e-11, abs=1e-14)
    assert bank.anchor_us.tolist() == bank.t_us.tolist() == [state.anchor_us + span_us]


@given(SEEDS, st.integers(-(2**50), 2**50))
def test_readouts(seed: int, at_us: int) -> None:
    one, state = somebody(seed, at_us=at_us, pacing="seed")
    bank = bank_of_all([(one, state)])
    found = readouts_of(read(vitals.view_of(bank, bank.modes, bank.anchor_us)))[0]
    y, hour = msgspec.structs.asdict(state.modes), (at_us % 86_400_000_000) / 3.6e9
    ch, _, _ = plain(one, state)
    expected = body_oracle.body(y, hour - one.chronotype_h)
    z = {
        name: body_oracle.standard(level)
        for name, level in msgspec.structs.asdict(one.traits).items()
    }
    expected |= body_oracle.psyche(y, expected, ch, z, awake=state.flags.awake)
    told = msgspec.structs.asdict(found)
    assert told.pop("drives") == ()
    assert told.pop("isolation_phase") == expected.pop("isolation_phase")
    assert list(told) == list(expected)
    assert told == pytest.approx(expected, rel=1e-11, abs=1e-12)


def test_nobody_flows_backwards() -> None:
    bank = bank_of_all([somebody(1), somebody(2)])
    with pytest.raises(ValueError, match="backwards"):
        flow.advance(bank, int(bank.anchor_us[0]) - 1)
    assert np.isfinite(bank.modes).all()
