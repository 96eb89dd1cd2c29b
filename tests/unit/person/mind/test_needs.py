"""What may come to mind by itself, in the words that it comes in."""

import pytest

from mindpipe.person.mind.queue import DRIFTS, drift, driven, update_needs
from support.persons import readouts
from support.tables import each_row


@each_row(
    ("read", "text", "urgency"),
    [
        ({"energy": 0.1999}, "You are exhausted. Your body demands rest.", 0.8001),
        (
            {"valence": -0.5001, "arousal": 0.6001},
            "Something is wrong. You feel distressed.",
            0.6001,
        ),
        (
            {"valence": -0.8, "arousal": 0.7},
            "Something is wrong. You feel distressed.",
            0.8,
        ),
        ({"isolation_phase": "loneliness", "isolation": 0.31}, "You feel deeply alone.", 0.31),
        ({"isolation_phase": "despair", "isolation": 0.2}, "You feel deeply alone.", 0.3),
    ],
)
def test_each_need_has_its_words_and_its_urgency(
    read: dict[str, object], text: str, urgency: float
) -> None:
    (need,) = update_needs(readouts(**read), 5)
    assert (need.category, need.text, need.since_us) == ("BiologicalNeed", text, 5)
    assert need.urgency == pytest.approx(urgency)


@each_row(
    "read",
    [
        {"energy": 0.2},
        {"valence": -0.5, "arousal": 0.9},
        {"valence": -0.9, "arousal": 0.6},
        {"isolation_phase": "boredom", "isolation": 0.29},
    ],
)
def test_what_is_at_its_threshold_is_no_need(read: dict[str, object]) -> None:
    assert list(update_needs(readouts(**read), 0)) == []


@each_row(
    ("name", "thermal", "category", "text"),
    [
        ("eat", 0, "BiologicalNeed", "You are hungry; your stomach keeps calling."),
        ("drink", 0, "BiologicalNeed", "Your mouth is dry; you want something to drink."),
        ("toilet", 0, "BiologicalNeed", "You need the toilet."),
        ("sleep", 0, "BiologicalNeed", "You are tired; part of you is already lying down."),
        ("warmth", -0.7, "BiologicalNeed", "Your body wants to get warm."),
        ("warmth", 0.7, "BiologicalNeed", "Your body wants to cool down."),
        ("pain_relief", 0, "BiologicalNeed", "The pain keeps asking for your attention."),
        ("recovery", 0, "BiologicalNeed", "You are spent and want to put everything down."),
        ("safety", 0, "GoalRehearsal", "You look for a way to be safe."),
        ("contact", 0, "GoalRehearsal", "You want to be with someone."),
        ("stimulation", 0, "GoalRehearsal", "You want something to happen."),
    ],
)
def test_each_drive_has_its_category_and_its_words(
    name: str, thermal: float, category: str, text: str
) -> None:
    drives = ((name, 0.36), ("eat", 0.3599))
    (found,) = driven(drives, thermal=thermal, t_us=0)
    assert (found.source, found.category, found.text) == (name, category, text)
    assert found.urgency == 0.36


@each_row(
    ("read", "source", "text"),
    [
        (
            {"energy": 0.2999, "valence": -0.9},
            "drift1",
            "Your mind drifts, thoughts moving slowly.",
        ),
        (
            {"energy": 0.3, "valence": -0.2001, "arousal": 0.1},
            "drift2",
            "Your thoughts wander into darker territory.",
        ),
        (
            {"energy": 0.6001, "valence": -0.2, "arousal": 0.2999},
            "drift3",
            "Your mind is quiet and open.",
        ),
        ({"energy": 0.6, "valence": 0.0, "arousal": 0.2999}, "drift4", "Your mind wanders freely."),
        ({"energy": 0.7, "valence": 0.0, "arousal": 0.3}, "drift4", "Your mind wanders freely."),
    ],
)
def test_a_mind_drifts_as_its_state_is(read: dict[str, object], source: str, text: str) -> None:
    found = drift(readouts(**read), 0)
    assert (found.category, found.source, found.text) == ("AssociativeDrift", source, text)
    assert text in DRIFTS
