"""What the observer's model is asked, letter by letter."""

from mindpipe.person.records.person import Traits
from mindpipe.person.records.thought import Affect, Thought, ThoughtTrigger
from mindpipe.review.prompts import SYSTEM, question
from mindpipe.review.records import HeardThought, ObservedState, heard_of

PAIN = HeardThought(
    t_us=0, id="th:ann:0", origin="react, pain +", content="The pain fills everything."
)
DRIFT = HeardThought(
    t_us=1, id="th:ann:1", origin="spontaneous, AssociativeDrift", content="I drift."
)
WHOLE = ObservedState(
    arousal=0.7249,
    valence=-0.41,
    energy=0.55,
    cognitive_load=0.6251,
    regulation=0.38,
    distortions=("catastrophizing", "mind_reading"),
    coping=("rumination",),
    traits=Traits(),
)


def test_the_system_prompt_is_the_seeds() -> None:
    assert question(WHOLE, (PAIN,)).system == SYSTEM
    assert SYSTEM == (
        "You are a clinical psychologist observing a person through a one-way mirror. You see "
        "their inner thoughts and physiological state. Provide brief, insightful observations "
        "about psychological patterns you notice. Be concise — 2-3 sentences max. Use clinical "
        "language but keep it accessible. Never address the person directly."
    )


def test_the_user_prompt_has_numbers_psyche_traits_thoughts_and_the_question() -> None:
    assert question(WHOLE, (PAIN, DRIFT)).user == (
        "Current psychological state:\n"
        "- Arousal: 0.72\n"
        "- Valence: -0.41\n"
        "- Energy: 0.55\n"
        "- Cognitive load: 0.63\n"
        "- Regulation: 0.38\n"
        "Active cognitive distortions: catastrophizing, mind_reading\n"
        "Active coping strategies: rumination\n"
        "Personality (Big Five): O 0.50, C 0.50, E 0.50, A 0.50, N 0.50\n"
        "Recent thoughts:\n"
        "1. [react, pain +] The pain fills everything.\n"
        "2. [spontaneous, AssociativeDrift] I drift.\n"
        "What patterns do you observe? Any concerns?"
    )


def test_sections_without_content_are_left_out() -> None:
    assert question(ObservedState(), (PAIN,)).user == (
        "Recent thoughts:\n"
        "1. [react, pain +] The pain fills everything.\n"
        "What patterns do you observe? Any concerns?"
    )
    assert question(ObservedState(valence=-0.004, coping=("denial", "suppression")), ()).user == (
        "Current psychological state:\n"
        "- Valence: 0.00\n"
        "Active coping strategies: denial, suppression\n"
        "What patterns do you observe? Any concerns?"
    )


def test_a_thought_stands_on_one_line() -> None:
    said = HeardThought(t_us=0, id="a", origin="", content="One\n2. [react] two\tthree ")
    assert "\n1. One 2. [react] two three\n" in question(ObservedState(arousal=0.1), (said,)).user


def test_what_is_heard_of_a_thought() -> None:
    thought = Thought(
        person="ann", t_us=9, id="th:ann:9", mode="react", content="No.", labels=("denial",)
    )
    plain = HeardThought(t_us=9, id="th:ann:9", origin="react", content="No.", labels=("denial",))
    assert heard_of(thought) == plain


def test_a_thought_comes_from_a_dimension_a_category_or_an_input() -> None:
    origins = [
        heard_of(Thought(person="ann", t_us=0, id="x", mode=mode, trigger=cause, content="")).origin
        for mode, cause in (
            (
                "react",
                ThoughtTrigger(dim="valence", dir="-", text="a dark feeling washes over you"),
            ),
            ("spontaneous", ThoughtTrigger(category="BiologicalNeed", source="eat")),
            ("respond", ThoughtTrigger(type="speech", text="Hello.")),
        )
    ]
    assert origins == ["react, valence -", "spontaneous, BiologicalNeed", "respond, speech"]


def test_the_valence_of_a_thought_is_that_of_its_moment() -> None:
    affect = Affect(arousal=0.1, valence=-0.7, energy=0.5, stress=0.0)
    thought = Thought(person="ann", t_us=0, id="x", mode="react", content="", affect=affect)
    assert heard_of(thought).valence == -0.7
