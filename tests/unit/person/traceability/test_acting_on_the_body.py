"""What thoughts do to the body: the rows on feedback."""

from math import expm1

import pytest

from mindpipe.person.body.modes import feedback_to_changes
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.parsers.seed import parse_feedback
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonSettings
from support.persons import SECOND_US
from support.proofs import proves

TABLE = {
    "rumination": ("can't stop thinking|going over and over|replaying", (0.02, 0, -0.01)),
    "acceptance": ("it's okay|accept|let it go|it is what it is", (-0.01, 0, 0.005)),
    "reappraisal": (
        "maybe it's not that bad|another way to look|reframe",
        (-0.01, 0, 0.005),
    ),
    "suppression": ("push it down|don't feel|ignore it", (0.01, 0.005, 0)),
    "catastrophizing": ("worst case|disaster|going to die", (0.02, 0.03, 0)),
    "problem_solving": ("figure this out|need a plan|solve this", (0, 0, 0)),
    "distraction": ("think about something else|distract myself", (0, 0, 0)),
    "denial": ("it's fine|nothing's wrong|not happening", (0, 0, 0)),
}
"""Keywords of the founding requirements; cortisol, adrenaline, serotonin per second."""
NOON_US = 12 * 3600 * SECOND_US


def rates_of(*labels: str) -> tuple[float, float, float]:
    """Return cortisol, adrenaline and serotonin per second, rise less relief."""
    found = feedback_to_changes(labels)
    return (
        found.get("cort_up", 0.0) - found.get("cort_dn", 0.0),
        found.get("adr_up", 0.0),
        found.get("ser_up", 0.0) - found.get("ser_dn", 0.0),
    )


@proves("feedback table, 8 patterns, keywords, rates")
def test_every_keyword_has_its_label_and_every_label_its_rates() -> None:
    assert len(TABLE) == 8
    for label, (keywords, rates) in TABLE.items():
        for keyword in keywords.split("|"):
            assert parse_feedback(f"I say: {keyword.upper()}!") == (label,), keyword
            assert parse_feedback(keyword.replace("'", "\u2019")) == (label,)
        assert rates_of(label) == pytest.approx(rates)
    assert parse_feedback("A day like any other.") == ()


@proves("more than 2 distortions: cortisol +.01/s")
def test_the_third_distortion_adds_to_cortisol() -> None:
    two = ("catastrophizing", "mind_reading")
    assert rates_of(*two)[0] == pytest.approx(0.02)
    assert rates_of(*two, "labeling")[0] == pytest.approx(0.03)
    assert rates_of(*two, "labeling", "personalization")[0] == pytest.approx(0.03)
    assert rates_of(*two, "rumination", "acceptance")[0] == pytest.approx(0.03)


@proves("FeedbackToChanges, per-second rates applied to the body")
def test_rates_push_the_body_for_as_long_as_a_thought_is_held() -> None:
    settings = PersonSettings(awareness=False, model="none")
    person = Person(person="ann", settings=settings)
    population = Population([person], [first_state(person)])
    thought = PersonEvent(
        v=1,
        person="ann",
        t_us=NOON_US,
        id="th:1",
        type="thought",
        labels=("catastrophizing",),
        hold_s=3.0,
    )
    population.advance(NOON_US, {"ann": [thought]})
    population.advance(NOON_US + 3 * SECOND_US)
    (state,) = population.states()
    # m' = -k·m + R·(1 - m) from 0, over three seconds.
    for mode, rate, tau in (("cort_up", 0.02, 3600.0), ("adr_up", 0.03, 216.404256)):
        together = rate + 1 / tau
        assert getattr(state.modes, mode) == pytest.approx(
            rate / together * -expm1(-3 * together), rel=1e-6
        )
    population.advance(NOON_US + 60 * SECOND_US)
    (later,) = population.states()
    assert 0 < later.modes.adr_up < state.modes.adr_up
