"""Chance for many persons is the chance of each."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person import chance
from mindpipe.person.chance_arrays import keys_of, uniforms

SEEDS = st.integers(0, 2**63 - 1)


@given(
    st.lists(st.tuples(SEEDS, st.text("ab.", min_size=1, max_size=9)), min_size=1, max_size=9),
    st.integers(-(2**62), 2**62),
    st.integers(0, 6),
    st.integers(1, 11),
)
def test_every_number_is_that_of_the_person_alone(
    persons: list[tuple[int, str]], t_us: int, stream: int, slots: int
) -> None:
    many = uniforms(keys_of(persons), t_us, stream, np.arange(slots)[:, None])
    keys = [chance.key_of(*one) for one in persons]
    alone = [[chance.uniform(key, t_us, stream, slot) for key in keys] for slot in range(slots)]
    assert many.tolist() == alone


def test_the_known_answers() -> None:
    ann = keys_of([(7, "ann")])
    assert ann.tolist() == [[3229682279], [3841961359]]
    assert uniforms(ann, 0, 3, 0)[0] == 0.8391712939964338
    assert uniforms(ann, 36_000_000_000, 1, 1)[0] == 0.06880905198533571
