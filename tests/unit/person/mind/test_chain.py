"""Chains of thoughts on one theme, and how far they draw a person in."""

import pytest

from mindpipe.person.mind.salience import absorption, chained, theme_of
from mindpipe.person.records.state import Chain
from mindpipe.person.records.thought import ThoughtTrigger
from support.persons import SECOND_US
from support.tables import each_row

EAT = ThoughtTrigger(category="BiologicalNeed", source="eat")
DRIFT = ThoughtTrigger(category="AssociativeDrift", source="drift4")


def test_themes() -> None:
    assert theme_of("react", ThoughtTrigger(dim="pain", dir="+")) == "pain"
    assert theme_of("spontaneous", EAT) == "BiologicalNeed/eat"
    assert theme_of("respond", ThoughtTrigger(type="speech")) == "respond"


def test_a_chain_grows_on_its_theme_within_90_s() -> None:
    chain = Chain()
    for number, second in enumerate((0, 30, 120), start=1):
        chain = chained(chain, "spontaneous", EAT, labels=(), t_us=second * SECOND_US)
        assert chain == Chain(theme="BiologicalNeed/eat", n=number, last_us=second * SECOND_US)
    late = chained(chain, "spontaneous", EAT, labels=(), t_us=211 * SECOND_US)
    assert late.n == 1
    other = chained(
        chain, "respond", ThoughtTrigger(type="speech"), labels=(), t_us=121 * SECOND_US
    )
    assert (other.theme, other.n) == ("respond", 1)


def test_drift_ends_a_chain_unless_it_ruminates() -> None:
    chain = Chain(theme="AssociativeDrift/drift4", n=2, last_us=0)
    drifting = chained(chain, "spontaneous", DRIFT, labels=("acceptance",), t_us=1)
    assert drifting.n == 0
    ruminating = chained(chain, "spontaneous", DRIFT, labels=("rumination",), t_us=1)
    assert ruminating.n == 3
    assert chained(drifting, "spontaneous", DRIFT, labels=("rumination",), t_us=2).n == 1


@each_row(("n", "drawn"), [(0, 0), (2, 0), (3, 1 / 3), (4, 2 / 3), (5, 1), (9, 1)])
def test_absorption_grows_from_the_third_thought_and_ends_after_90_s(n: int, drawn: float) -> None:
    chain = Chain(theme="pain", n=n, last_us=0)
    assert absorption(chain, 90 * SECOND_US) == pytest.approx(drawn)
    assert absorption(chain, 90 * SECOND_US + 1) == 0.0
