"""The values that a person of this specification has, to a relative 1e-8 (section 27)."""

from functools import cache
from typing import Any

import pytest

from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.state import PersonState
from support.lone_life import Alone, happening, person
from support.tables import each_row

pytestmark = pytest.mark.heavy

ANXIOUS = {"n": 0.84}
LABELS = ("catastrophizing", "mind_reading", "should_statements", "acceptance")
TSST = {"social_eval": 1.0, "control": 0.0, "dur_us": 600_000_000}


def _ruminations() -> list[PersonEvent]:
    """Return twenty thoughts of rumination, one every 30 s from 15:00 on."""
    return [
        happening(f"15:{half // 2:02d}:{half % 2 * 30:02d}", "thought", labels=("rumination",))
        for half in range(20)
    ]


EVENTS: dict[str, list[PersonEvent]] = {
    "V1": [],
    "V2": [
        happening("16:00", "task", load=0.4, level=0.4, **TSST),
        happening("16:10", "task", load=0.6, level=1.0, **TSST),
    ],
    "V3": [happening("15:00:00.5", "injury", nrs=8.0, cls="fracture")],
    "V4": [happening("03:00:00.25", "noise", db=95.0, dur_us=2_000_000)],
    "V5": _ruminations(),
    "V5b": [happening("15:00", "thought", labels=LABELS, hold_s=20.0)],
    "V6": [happening("10:00", "news", valence=-1.0, importance=1.0, cls="sadness")],
}
TRAITS = {"V6": ANXIOUS}

VALUES: list[tuple[str, str, dict[str, Any]]] = [
    (
        "V1",
        "03:00",
        {
            "cortisol_nmol_l": 2.23060524,
            "heart_rate_bpm": 55.1391615,
            "core_temp_c": 36.4911159,
            "glucose_mmol_l": 4.91784491,
            "hunger": 0.571593968,
            "kss": 5.19458752,
            "valence": 0.244918662,
        },
    ),
    (
        "V1",
        "07:15",
        {
            "cortisol_nmol_l": 13.4090404,
            "heart_rate_bpm": 58.1610306,
            "core_temp_c": 36.5540358,
            "kss": 5.98346177,
            "energy": 0.377067278,
            "arousal": 0.163120184,
            "regulation": 0.576304043,
            "isolation": 0.00967511421,
        },
    ),
    (
        "V1",
        "12:00",
        {
            "cortisol_nmol_l": 6.04191718,
            "heart_rate_bpm": 67.4895904,
            "core_temp_c": 37.0273855,
            "glucose_mmol_l": 4.94952053,
            "hunger": 0.475598527,
            "energy": 0.697334892,
            "arousal": 0.259200468,
            "valence": 0.154990924,
            "cognitive_load": 0.118959439,
        },
    ),
    (
        "V1",
        "22:00",
        {
            "cortisol_nmol_l": 1.72616469,
            "energy": 0.502006824,
            "valence": -0.000736075518,
            "isolation": 0.464366733,
        },
    ),
    (
        "V2",
        "16:10",
        {
            "cortisol_nmol_l": 4.72337243,
            "adrenaline_pmol_l": 297.5,
            "heart_rate_bpm": 75.7471044,
            "arousal": 0.808144709,
            "valence": -0.513139724,
            "cognitive_load": 0.67400504,
            "regulation": 0.473021298,
        },
    ),
    (
        "V2",
        "16:20",
        {
            "cortisol_nmol_l": 7.97591704,
            "adrenaline_pmol_l": 449.84375,
            "heart_rate_bpm": 85.9854269,
            "arousal": 0.779021519,
        },
    ),
    (
        "V2",
        "16:33:30",
        {
            "cortisol_nmol_l": 11.7834118,
            "adrenaline_pmol_l": 205.917067,
            "heart_rate_bpm": 69.0863254,
        },
    ),
    (
        "V3",
        "15:00:01",
        {
            "pain": 0.693102586,
            "adrenaline_pmol_l": 359.630748,
            "heart_rate_bpm": 76.7328956,
            "arousal": 0.868984446,
            "valence": -0.577805154,
            "attention": 0.615861552,
        },
    ),
    ("V3", "15:30", {"pain": 0.517762671}),
    ("V3", "1d15:00", {"pain": 0.233686317}),
    (
        "V4",
        "03:00:01",
        {"arousal": 0.547387845, "energy": 0.04680731, "kss": 8.62554152},
    ),
    ("V4", "03:30", {"kss": 5.16091577}),
    (
        "V5",
        "15:00:01",
        {"cort_up": 0.0197985859, "ser_dn": 0.00994947645, "rum": 0.258158542},
    ),
    (
        "V5",
        "15:10",
        {
            "cort_up": 0.304122666,
            "ser_dn": 0.1738122,
            "rum": 0.479217703,
            "cortisol_nmol_l": 5.65177064,
        },
    ),
    (
        "V5b",
        "15:00:20",
        {
            "cort_up": 0.412009116,
            "cort_dn": 0.137336372,
            "adr_up": 0.432947945,
            "ser_up": 0.0950327334,
            "adrenaline_pmol_l": 373.179178,
        },
    ),
    (
        "V6",
        "10:00:01",
        {"arousal": 0.734164103, "valence": -0.904038133, "stress": 0.572078988},
    ),
    ("V6", "2d10:00", {"valence": -0.774060345}),
    (
        "V1",
        "1d12:00",
        {
            "isolation": 0.581978421,
            "serotonin_proxy": 0.454288308,
            "valence": -0.0864843042,
        },
    ),
    (
        "V1",
        "4d12:00",
        {
            "isolation": 0.943072242,
            "serotonin_proxy": 0.421707114,
            "valence": -0.291156118,
        },
    ),
]


@cache
def _life(case: str) -> dict[str, PersonState]:
    """Return the states of one life at all instants that a case has values for."""
    life = Alone(person(**TRAITS.get(case, {})), EVENTS[case])
    return {instant: life.at(instant) for name, instant, _ in VALUES if name == case}


@each_row(("case", "instant", "values"), VALUES)
def test_conformance_values_are_reproduced(
    case: str, instant: str, values: dict[str, float]
) -> None:
    state = _life(case)[instant]
    found = {name: getattr(state.read, name, None) or getattr(state.modes, name) for name in values}
    assert found == pytest.approx(values, rel=1e-8, abs=0.0)


@each_row(
    ("case", "before", "after", "awake"),
    [
        ("V1", "07:00:59", "07:01", True),
        ("V1", "22:57:59", "22:58", False),
        ("V1", "1d07:00:59", "1d07:01", True),
        ("V4", "03:00:00.2", "03:00:00.25", True),
        ("V4", "03:15:59", "03:16", False),
    ],
)
def test_persons_sleep_and_wake_when_they_should(
    case: str, before: str, after: str, *, awake: bool
) -> None:
    life = Alone(person(), EVENTS[case])
    assert life.at(before).flags.awake is not awake
    assert life.at(after).flags.awake is awake


def test_labels_push_the_body_at_their_rates() -> None:
    life = Alone(person(), EVENTS["V5b"])
    assert life.at("15:00:01").holds[0].rates == pytest.approx(
        {"cort_up": 0.03, "cort_dn": 0.01, "adr_up": 0.03, "ser_up": 0.005}
    )
