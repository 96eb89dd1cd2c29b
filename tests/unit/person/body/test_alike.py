"""A person among others is the person alone, bit for bit, wherever and with whomever it stands."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.body import flow, rates, vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.body.columns import bank_of, states_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.feelings import Feeling, dimensions
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.readouts import BodyReading, read
from mindpipe.person.body.vitals import PAINS
from support.drawn_persons import DAY_US, bank_of_all, somebody

SEEDS = st.lists(st.integers(0, 100_000), min_size=1, max_size=12, unique=True)
SPAN_US = st.integers(0, 3 * DAY_US)
FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    np.exp, np.tanh, np.cos, np.sin, np.abs, np.sign,
    lambda x: np.minimum(np.maximum(x, 0.0), 1.0), lambda x: np.maximum(x, 0.0),
    lambda x: np.clip(x, -1.0, 1.0), lambda x: x / 0.35,
)  # fmt: skip


def bits(rows: Any) -> bytes:
    return np.ascontiguousarray(rows).tobytes()


def reading_bits(reading: BodyReading | Feeling, *column: Any) -> list[bytes]:
    names = [field.name for field in fields(reading) if field.name != "now"]
    return [bits(getattr(reading, name)[column]) for name in names]


@pytest.mark.parametrize("function", FUNCTIONS)
@given(size=st.integers(1, 70), seed=st.integers(0, 1000))
def test_a_function_gives_the_same_bits_at_every_position_and_size(
    function: Callable[[Any], Any], size: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    x = chance.normal(0.0, 3.0, size)
    x[chance.random(size) < 0.2] = 0.0
    x[chance.random(size) < 0.2] = -0.0
    alone = b"".join(bits(function(x[place : place + 1].copy())) for place in range(size))
    assert bits(function(x)) == alone
    assert bits(function(np.broadcast_to(x, (3, size)).copy())) == alone * 3


@given(SEEDS, SPAN_US, st.randoms(use_true_random=False))
def test_one_in_a_population_is_the_one_alone(seeds: list[int], span_us: int, chance: Any) -> None:
    everybody = [somebody(seed) for seed in seeds]
    crowd = bank_of_all(everybody)
    flow.advance(crowd, DAY_US + span_us)
    seen = read(vitals.view_of(crowd, crowd.modes, crowd.t_us))
    for column, one in enumerate(everybody):
        alone = bank_of_all([one])
        flow.advance(alone, DAY_US + span_us)
        assert states_of(alone) == states_of(crowd)[column : column + 1]
        assert bits(alone.modes) == bits(crowd.modes[:, column])
        own = read(vitals.view_of(alone, alone.modes, alone.t_us))
        assert reading_bits(own, 0) == reading_bits(seen, column)
    order = list(range(len(seeds)))
    chance.shuffle(order)
    shuffled = bank_of_all([everybody[column] for column in order])
    flow.advance(shuffled, DAY_US + span_us)
    assert bits(shuffled.modes) == bits(crowd.modes[:, order])


@given(SEEDS, st.lists(SPAN_US, min_size=1, max_size=5))
def test_a_block_of_instants_is_each_instant_alone(seeds: list[int], spans_us: list[int]) -> None:
    crowd = bank_of_all([somebody(seed) for seed in seeds])
    block = flow.block(crowd, spans_us)
    instants = DAY_US + np.array(spans_us, dtype=np.int64)[:, None]
    felt = dimensions(vitals.view_of(crowd, block, instants))
    seen = read(vitals.view_of(crowd, block, instants))
    for place, span_us in enumerate(spans_us):
        modes = flow.at(crowd, DAY_US + span_us)
        assert bits(modes) == bits(block[:, place])
        view = vitals.view_of(crowd, modes, np.array([DAY_US + span_us]))
        assert reading_bits(dimensions(view)) == reading_bits(felt, place)
        assert reading_bits(read(view)) == reading_bits(seen, place)
        moved = crowd.take(range(len(seeds)))
        flow.advance(moved, DAY_US + span_us)
        assert bits(moved.modes) == bits(modes)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, DAY_US)), min_size=1, max_size=6))
def test_persons_with_anchors_of_their_own_flow_as_each_alone(told: list[tuple[int, int]]) -> None:
    everybody = [somebody(seed, at_us=at_us) for seed, at_us in told]
    crowd = bank_of_all(everybody)
    ahead = flow.at(crowd, 2 * DAY_US)
    flow.advance(crowd, 2 * DAY_US)
    assert bits(ahead) == bits(crowd.modes)
    for column, one in enumerate(everybody):
        alone = bank_of_all([one])
        flow.advance(alone, 2 * DAY_US)
        assert bits(alone.modes) == bits(crowd.modes[:, column])


@given(SEEDS)
def test_a_state_comes_back_from_its_columns(seeds: list[int]) -> None:
    everybody = [somebody(seed) for seed in seeds]
    states = [state for _, state in everybody]
    assert states_of(bank_of_all(everybody)) == states
    again = bank_of([one for one, _ in everybody], states, constants_of(()))
    assert bits(again.modes) == bits(bank_of_all(everybody).modes)


@given(SEEDS, st.data())
def test_taken_columns_flow_and_are_put_back(seeds: list[int], data: st.DataObject) -> None:
    whole, parted = (bank_of_all([somebody(seed) for seed in seeds]) for _ in range(2))
    columns = st.lists(st.sampled_from(range(len(seeds))), unique=True, min_size=1)
    chosen = data.draw(columns)
    flow.advance(whole, DAY_US + 60_000_000)
    flow.advance(parted, DAY_US + 60_000_000)
    some = parted.take(chosen)
    for one in (some, whole):
        for column, life in enumerate(one.lives):
            if one is some or column in chosen:
                life.active.clear()
    some.awake[:] = ~some.awake
    whole.awake[chosen] = ~whole.awake[chosen]
    rates.retarget(some)
    rates.refresh(whole, chosen)
    rates.retarget(whole, chosen)
    flow.advance(some, DAY_US + 120_000_000)
    flow.advance(whole, DAY_US + 120_000_000)
    others = [column for column in range(len(seeds)) if column not in chosen]
    rest = parted.take(others)
    flow.advance(rest, DAY_US + 120_000_000)
    parted.put(chosen, some)
    parted.put(others, rest)
    assert bits(parted.modes) == bits(whole.modes)
    assert _targets(parted) == _targets(whole)
    flow.advance(parted, DAY_US + 180_000_000)
    flow.advance(whole, DAY_US + 180_000_000)
    assert bits(parted.modes) == bits(whole.modes)


def test_who_was_renewed_apart_is_put_back() -> None:
    crowd = bank_of_all([somebody(seed) for seed in range(3)])
    some = crowd.take([2, 0])
    some.persons[0], some.lives[0] = somebody(9)[0], replace(some.lives[0])
    crowd.put([2, 0], some)
    assert crowd.persons == [somebody(0)[0], somebody(1)[0], somebody(9)[0]]
    assert crowd.lives[2] is some.lives[0]


def _targets(bank: Bank) -> list[bytes]:
    return [bits(rows) for rows in (bank.x, bank.regime_k, bank.hold_k, bank.held, bank.channel)]


@given(SEEDS)
def test_what_is_retargeted_in_part_is_what_is_retargeted_as_a_whole(seeds: list[int]) -> None:
    crowd = bank_of_all([somebody(seed) for seed in seeds])
    before = _targets(crowd)
    rates.retarget(crowd, range(0, len(seeds), 2))
    assert _targets(crowd) == before
    rates.retarget(crowd)
    assert _targets(crowd) == before


def test_a_mode_at_rest_is_read_once_and_some_persons_as_among_all() -> None:
    crowd = bank_of_all([somebody(seed) for seed in range(7)])
    crowd.modes[[MODE[name] for name in ("fever", "skin", "endo", "rum", "oxy", "adr", "vag")]] = 0
    crowd.modes[PAINS] = 0.0
    plain = dimensions(vitals.view_of(crowd, crowd.modes, crowd.t_us))
    flow.settle(crowd)
    assert crowd.rest
    assert {"fever", "pain_1", "adr"} <= crowd.rest.names
    chosen = np.array([5, 0, 2])
    some = dimensions(vitals.view_of_some(crowd, chosen))
    for name in ("pain", "arousal", "valence", "energy", "hungry", "kss", "glucose"):
        seen = np.broadcast_to(getattr(some, name), chosen.shape)
        assert (seen == getattr(plain, name)[chosen]).all(), name
