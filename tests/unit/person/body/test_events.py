"""What every type of event does: impulses at its instant, and what acts while it lasts."""

from functools import cache
from math import exp, log
from typing import Any

import pytest

from mindpipe.person.body.appraisal import (
    EventSituation,
    Temper,
    gravity,
    proneness,
    spread,
    strain,
    support,
    surprise,
)
from mindpipe.person.body.constants import Constants
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.population import Population
from mindpipe.person.records.event import FIELDS, TYPES
from mindpipe.person.records.state import Contribution, PersonState
from support.lone_life import SECOND_US, Alone, happening, person
from support.tables import each_row

NOON = "12:00:00.5"
FELT = ("v1", "v2", "v3", "v4", "v5")
MINUTE_US = 60 * SECOND_US
USUAL = Constants()
HOUR_US = 60 * MINUTE_US


def _moved(what: str, **fields: Any) -> dict[str, float]:
    """Return by how much an event at noon moves the modes that it moves."""
    before, after = _states(what, **fields)
    return {
        name: getattr(after.modes, name) - level
        for name in before.modes.__struct_fields__
        if getattr(after.modes, name) != (level := getattr(before.modes, name))
    }


@cache
def _noon() -> PersonState:
    """Return how somebody average is at noon."""
    return Alone(person()).at("12:00")


def _met(what: str, **fields: Any) -> Population:
    """Return somebody average just after an event at noon."""
    population = Population([person()], [_noon()])
    population.advance(instant_us(NOON), {"ann": [happening(NOON, what, **fields)]})
    return population


def _states(what: str, **fields: Any) -> tuple[PersonState, PersonState]:
    """Return the state of somebody average at noon without and with an event."""
    return _met("goal", text="a walk").states()[0], _met(what, **fields).states()[0]


def _active(what: str, **fields: Any) -> list[Contribution]:
    """Return what acts on somebody average at noon with an event."""
    return [one for one in _states(what, **fields)[1].active if one.type == what]


def test_every_type_of_event_has_its_fields() -> None:
    assert set(FIELDS) == set(TYPES)


def test_food_is_eaten_then_digested() -> None:
    eaten, digested = _active("food", kcal=800.0)
    noon = instant_us(NOON)
    assert eaten.chan == pytest.approx(
        {"carb": 100.0 / 900.0, "eat": log(1.0 / max(0.12, 1.0 - 0.00135 * 800.0)) / 900.0}
    )
    assert (eaten.start_us, eaten.end_us) == (noon, noon + 15 * MINUTE_US)
    assert digested.chan == {"fed": 1.0}
    assert digested.end_us == noon + 15 * MINUTE_US + 3 * HOUR_US
    assert digested.start_hunger is None


def test_the_end_of_a_meal_pays_for_the_hunger_that_it_took() -> None:
    life = Alone(person(), [happening("16:00:00.5", "food", kcal=800.0)])
    before = life.read("16:00:00.5").hunger
    eaten = life.at("16:14:59.9")
    after = life.at("16:15:00.5")
    assert eaten.modes.dopa == pytest.approx(0.0, abs=1e-3)
    read = after.read
    assert read
    assert after.modes.dopa - eaten.modes.dopa * exp(-0.6 / 1200.0) == pytest.approx(
        0.2 * (before - read.hunger), abs=1e-4
    )


def test_a_drink_takes_its_share_of_thirst_and_pleases() -> None:
    before, _ = _states("drink")
    taken = before.modes.thirst * 250.0 / 600.0
    assert _moved("drink") == pytest.approx(
        {"thirst": -taken, "v1": 0.3 * taken, "dopa": 0.2 * taken}
    )
    assert _moved("drink", ml=900.0)["thirst"] == -before.modes.thirst


def test_the_toilet_empties_the_bladder_and_half_of_that_pleases() -> None:
    full = _states("toilet")[0].modes.bladder
    expected = {"bladder": -full, "v1": 0.15 * full, "dopa": 0.1 * full}
    assert _moved("toilet") == pytest.approx(expected)


@each_row(("db", "level", "startle"), [(95, 0.9, 0.375), (60, 0.2, 0), (194, 1, 0.6)])
def test_noise_is_heard_and_startles(db: float, level: float, startle: float) -> None:
    (heard,) = _active("noise", db=float(db))
    assert heard.chan == {"noise": level}
    assert heard.end_us - heard.start_us == 5 * SECOND_US
    assert _moved("noise", db=float(db)).get("aev", 0.0) == pytest.approx(startle)


@each_row(
    ("cls", "shares"),
    [
        ("sting", (1.0, 0.0, 0.0)),
        ("bruise", (0.6, 0.4, 0.0)),
        (None, (0.4, 0.4, 0.2)),
        ("cut", (0.4, 0.4, 0.2)),
        ("burn", (0.4, 0.4, 0.2)),
        ("fracture", (0.3, 0.3, 0.4)),
    ],
)
def test_an_injury_hurts_by_its_kind(cls: str | None, shares: tuple[float, ...]) -> None:
    moved = _moved("injury", nrs=5.0, cls=cls)
    pains = [moved.get(f"pain_{number}", 0.0) for number in (1, 2, 3)]
    assert pains == pytest.approx([0.5 * share for share in shares])
    assert sum(moved[name] for name in FELT if name in moved) == pytest.approx(-0.15)
    rest = {"aev": 0.3, "adr": 100.0, "vag": 0.25, "endo": 3.0}
    assert {name: moved[name] for name in rest} == pytest.approx(rest)


def test_a_threat_strains_frightens_and_stirs() -> None:
    fields = {"level": 0.5, "danger": 0.4, "social_eval": 1.0, "control": 0.2}
    (strained,) = _active("threat", **fields)
    grave = 0.05 + 0.30 + 0.30 * 0.8 + 0.35 * 0.8
    u, symp = 0.5 * grave, 0.5 * (0.33 + 0.67 * grave)
    assert strained.chan == pytest.approx({"u": u, "symp": symp, "adr_in": 1500.0 * 0.4 * 0.5})
    moved = _moved("threat", **fields)
    assert moved["aev"] == pytest.approx(0.5 * u + 0.05 + 0.08)
    assert sum(moved[name] for name in FELT if name in moved) == pytest.approx(-(0.2 + 0.5 * u))
    assert _states("threat", **fields)[1].psyche.control == pytest.approx(-0.6)


def test_a_task_loads_and_strains_and_stresses_only_before_others_without_control() -> None:
    (calm,) = _active("task", load=0.6, self_control=0.3)
    assert calm.chan == pytest.approx(
        {"u": 0.6 * 0.05, "symp": 0.6 * (0.33 + 0.67 * 0.05), "task": 0.6, "sc": 0.3}
    )
    assert set(_moved("task", load=0.6)) == {"aev"}
    judged = _moved("task", load=0.6, level=1.0, social_eval=1.0, control=0.0)
    assert sum(judged[name] for name in FELT if name in judged) == pytest.approx(-0.3)


def test_speech_is_company_and_unkind_words_strain() -> None:
    kind = _moved("speech", text="hello", valence=1.0, intensity=1.0, closeness=0.5)
    assert kind["aev"] == pytest.approx(0.25)
    assert kind["oxy"] == pytest.approx(0.075)
    assert kind["dopa"] == pytest.approx(0.1)
    assert sum(kind[name] for name in FELT if name in kind) == pytest.approx(0.8 * 0.75)
    (company,) = _active("speech", text="hello", valence=-0.3, closeness=0.6)[:1]
    assert company.chan == {"q": 0.6}
    assert company.end_us - company.start_us == 5 * MINUTE_US
    cold, blow = _active("action", text="leaves", valence=-1.0, intensity=1.0, closeness=1.0)
    assert cold.chan == {"q": 0.2}
    assert blow.chan == pytest.approx({"u": 0.3, "symp": 0.3})
    assert blow.end_us - blow.start_us == MINUTE_US


def test_speech_wakes_and_waits_for_an_answer() -> None:
    life = Alone(person(), [happening("03:00:00.5", "speech", text="wake up", source="Ben")])
    state = life.at("03:00:00.5")
    assert state.flags.awake and state.flags.forced and state.mind.event_woken
    assert [one.text for one in state.mind.inbox] == ["wake up"]
    assert state.mind.relations[0].name == "Ben"


def test_touch_contact_exercise_and_light_act_while_they_last() -> None:
    (touched,) = _active("touch")
    assert touched.chan == {"touch": 0.3, "q": 0.5}
    assert sum(_moved("touch").values()) == pytest.approx(0.3 * 0.6 * 0.5)
    (met,) = _active("contact")
    assert met.chan == {"q": 0.7}
    missed = 1.0 - exp(-3.5 * _states("contact")[0].modes.iso)
    assert _moved("contact") == pytest.approx({"v1": 0.3 * missed, "dopa": 0.2 * missed})
    assert _active("exercise", met=6.0, dur_us=MINUTE_US)[0].chan == {"met": 6.0}
    assert _active("light", lux=2000.0, dur_us=MINUTE_US)[0].chan == {"lux": 2000.0}
    assert _active("climate", air_c=5.0, dur_us=MINUTE_US)[0].chan == {"air_c": 5.0, "clo": 1.0}
    assert _active("pain", nrs=4.0, dur_us=MINUTE_US)[0].chan == {"pain_in": 0.4}
    assert _active("illness", peak_c=1.5, dur_us=MINUTE_US)[0].chan == {"fever": 1.5}


def test_news_moves_by_importance_and_bad_news_strain() -> None:
    good = _moved("news", valence=0.5, importance=0.8)
    assert good["aev"] == pytest.approx(0.4)
    assert good["dopa"] == pytest.approx(0.3 * 0.8 * 0.5)
    assert sum(good[name] for name in FELT if name in good) == pytest.approx(0.8)
    assert _active("news", valence=0.5, importance=0.8) == []
    (drive,) = _active("news", valence=-0.5, importance=0.8)
    assert drive.chan == pytest.approx({"u": 0.3 * 0.8 * 0.5})
    assert drive.end_us - drive.start_us == 30 * MINUTE_US


@each_row(
    ("name", "amount", "moved"),
    [
        ("cortisol", 20.0, {"exo": 20.0}),
        ("caffeine", 100.0, {"caf": 0.5}),
        ("alcohol", 10.0, {"alc": 0.25}),
    ],
)
def test_drugs_are_taken_at_once(name: str, amount: float, moved: dict[str, float]) -> None:
    assert _moved("drug", name=name, amount=amount) == pytest.approx(moved)


def test_staying_awake_ends_and_so_does_an_explicit_sleep() -> None:
    _, state = _states("stay_awake", dur_us=HOUR_US)
    assert state.flags.stay_awake_until_us == instant_us(NOON) + HOUR_US
    life = Alone(person(), [happening("12:00", "sleep"), happening("14:00", "wake")])
    assert not life.at("12:00").flags.awake
    woken = life.at("14:00")
    assert woken.flags.awake and not woken.flags.forced and not woken.mind.event_woken


def test_gravity_proneness_and_support_are_those_of_the_text() -> None:
    assert gravity(EventSituation(1.0, 0.0, 1.0, 0.0), USUAL) == 0.05
    assert gravity(EventSituation(1.0, 1.0, 0.0, 0.0), USUAL) == pytest.approx(1.0)
    assert proneness(Temper(2.0, -1.0, 0.0), 0.5) == pytest.approx(1.2 * 1.05)
    assert proneness(Temper(9.0, -9.0, 0.0), 1.0) == 1.6
    assert support(0.5, 2.0) == 0.6
    eased = strain(EventSituation(1.0, 1.0, 0.0, 0.0), Temper(0.0, 0.0, 0.5), USUAL)
    assert eased == pytest.approx((0.8, 1.0))
    assert strain(EventSituation(0.5, 0.0, 1.0, 1.0), Temper(0.0, 0.0, 0.0), USUAL).symp == 0.5
    assert spread(2.0, 0.4) == pytest.approx(0.42)
    assert spread(-2.0, 0.0) == 0.0
    assert spread(2.0, 1.0) == 0.5


@each_row(
    ("what", "fields", "strength"),
    [
        ("noise", {"db": 85.0}, 1.0),
        ("noise", {"db": 84.9}, 0.0),
        ("injury", {"nrs": 1.0}, 1.0),
        ("threat", {"level": 0.1}, 0.8),
        ("news", {"valence": 0.0, "importance": 0.3}, 0.3),
        ("toilet", {}, 0.0),
        ("toilet", {"certainty": 0.25}, 0.75),
        ("injury", {"nrs": 1.0, "surprise": 0.2, "certainty": 0.0}, 0.2),
    ],
)
def test_events_surprise_by_their_type_unless_they_say(
    what: str, fields: dict[str, float], strength: float
) -> None:
    assert surprise(happening(NOON, what, **fields)) == strength


@each_row(
    ("what", "fields", "text"),
    [
        ("noise", {"db": 90.0}, "a sudden loud noise"),
        ("injury", {"nrs": 2.0}, "you got hurt"),
        ("threat", {"level": 0.2}, "something threatens you"),
        ("news", {"valence": 0.1, "importance": 0.5}, "the news you just heard"),
        ("touch", {"surprise": 0.5}, "something unexpected happened"),
        ("noise", {"db": 90.0, "text": "a door slams"}, "a door slams"),
    ],
)
def test_surprises_are_something_to_think_about(what: str, fields: Any, text: str) -> None:
    queue = _states(what, **fields)[1].mind.queue
    assert [(one.category, one.text) for one in queue] == [("PredictionError", text)]


def test_small_surprises_are_forgotten() -> None:
    assert _states("touch", surprise=0.49)[1].mind.queue == ()


def test_unkind_words_and_judges_leave_a_concern() -> None:
    for what, fields in (
        ("speech", {"text": "no", "valence": -0.1}),
        ("task", {"load": 0.2, "social_eval": 0.5}),
    ):
        (item,) = _states(what, **fields)[1].mind.queue
        assert (item.category, item.text) == (
            "SocialModeling",
            "What did they think of you just now?",
        )


def test_an_identity_event_changes_only_what_it_brings() -> None:
    (after,) = _met("identity", values_commitments=("calm",)).persons
    assert after.identity.values_commitments == ("calm",)
    assert after.identity.self_narrative == person().identity.self_narrative
    assert after.identity.last_updated_us == instant_us(NOON)
