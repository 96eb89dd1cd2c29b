"""The parser `improved` fires on what the seed means, and on none of the traps of its keywords."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.mind.parsers.improved import parse_improved
from mindpipe.person.mind.parsers.seed import parse_feedback
from mindpipe.person.records.state import CONTRACT, DISTORTIONS, LABELS
from mindpipe.person.voice.composed import seed_words
from support.tables import each_row

SEED = seed_words()

NEUTRAL = (Path(__file__).parent / "neutral.txt").read_text().splitlines()
AFFIRMED = [
    ("rumination", "I can't stop thinking about it."),
    ("rumination", "I keep going over and over it."),
    ("rumination", "I am replaying the whole evening."),
    ("acceptance", "For me it's okay now."),
    ("acceptance", "I accept what has happened."),
    ("acceptance", "I let it go."),
    ("acceptance", "I tell myself it is what it is."),
    ("reappraisal", "Maybe it's not that bad, I think."),
    ("reappraisal", "I find another way to look at it."),
    ("reappraisal", "I reframe it."),
    ("suppression", "I push it down."),
    ("suppression", "I don't feel anything."),
    ("suppression", "I just don't feel."),
    ("suppression", "I ignore it."),
    ("catastrophizing", "I think of the worst case."),
    ("catastrophizing", "I see a disaster coming."),
    ("catastrophizing", "I am going to die."),
    ("problem_solving", "I will figure this out."),
    ("problem_solving", "I need a plan."),
    ("problem_solving", "I can solve this."),
    ("distraction", "I think about something else."),
    ("distraction", "I distract myself with a game."),
    ("denial", "I say it's fine."),
    ("denial", "I say nothing's wrong."),
    ("denial", "I tell myself this is not happening."),
]
TRAPS = [
    "I can't accept this",
    "that is unacceptable",
    "this is not a disaster",
    "I don't feel cold",
    "it's fine weather today",
    "the tablet will dissolve this way",
    "I am not going to die",
    "there is no way I can solve this",
]


@each_row("apostrophe", ["'", "\u2019"])
@each_row(("label", "text"), AFFIRMED)
def test_keywords_in_an_affirmative_sentence_fire(label: str, text: str, apostrophe: str) -> None:
    assert parse_improved(text.replace("'", apostrophe)) == (label,)
    assert parse_improved(text.upper()) == (label,)


@each_row("text", TRAPS)
def test_traps_of_the_keywords_are_void(text: str) -> None:
    assert parse_feedback(text)
    assert parse_improved(text) == ()


@each_row(
    ("label", "text"),
    [(label, text) for label, texts in SEED.leans.items() for text in texts],
)
def test_what_the_composed_voice_leans_to_has_its_own_label(label: str, text: str) -> None:
    assert parse_improved(text) == (label,)
    assert parse_feedback(text) == ((label,) if label in CONTRACT else ())


@each_row(
    "text",
    [
        *(text for texts in SEED.felt.values() for text in texts),
        *SEED.triggers.values(),
    ],
)
def test_what_the_composed_voice_feels_has_no_label(text: str) -> None:
    assert parse_improved(text) == parse_feedback(text) == ()


@each_row("text", NEUTRAL)
def test_ordinary_thoughts_have_no_distortion(text: str) -> None:
    assert set(parse_improved(text)).isdisjoint(DISTORTIONS)


@each_row(
    ("text", "labels"),
    [
        ("They ignore me", ("mind_reading",)),
        ("They do not ignore me", ()),
        ("I don't think they ignore me", ()),
        ("I used to believe that they ignore me", ()),
        ("My plan is not working and they ignore me", ("mind_reading",)),
        ("He says it is my fault", ()),
        ("I know they ignore me", ("mind_reading",)),
        ("If they ignore me, so be it", ()),
        ("I imagine how they all ignore me", ()),
        ("Do they ignore me?", ()),
        ("In the novel I read they ignore me", ()),
        ("Oh great. They ignore me.", ()),
        ("“They ignore me”", ()),
        ("What can I do?", ("problem_solving",)),
        ("Is it okay, did I let it go?", ()),
        ("She thinks I am stupid", ("mind_reading",)),
        ("I will not fail", ()),
        ("It is not only a disaster", ("catastrophizing",)),
        ("I do not know why I can't stop thinking", ("rumination",)),
        ("I never can't stop thinking", ()),
        ("I cannot not accept it", ("acceptance",)),
        ("It is not on, so disaster looms", ("catastrophizing",)),
        ("He came late, so my head is full of disaster", ("catastrophizing",)),
        ("I am useless. He is late.", ("labeling",)),
        ("im such a fool and cant stop thinking of it", ("rumination", "labeling")),
    ],
)
def test_denials_subjects_and_tellers_are_minded(text: str, labels: tuple[str, ...]) -> None:
    assert parse_improved(text) == labels


def test_lines_are_clauses_of_their_own() -> None:
    assert parse_improved("I am never\ngoing to die") == ("catastrophizing",)
    assert parse_improved("I am never going to die") == ()


def test_labels_come_once_in_the_order_of_labels() -> None:
    found = parse_improved("I am useless. I need a plan. I am such a fool. I can't stop thinking.")
    assert found == ("rumination", "problem_solving", "labeling")
    assert [label for label in LABELS if label in found] == list(found)


@pytest.mark.heavy
@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert set(parse_improved(text)) <= set(LABELS)
