"""The composed voice: every phrase, its order, and the draws that choose."""

from typing import get_args

from mindpipe.person.chance import key_of, uniform
from mindpipe.person.mind.felt import LINES
from mindpipe.person.mind.parsers.improved import parse_improved
from mindpipe.person.mind.parsers.seed import parse_feedback
from mindpipe.person.mind.queue import DRIVES
from mindpipe.person.records.state import CONTRACT, Coping, Distortion
from mindpipe.person.records.thought import ThoughtMoment, VoiceRequest
from mindpipe.person.voice.composed import ORDER, composed, composed_words, seed_words
from support.tables import each_row

SEED = seed_words()

# As they stand in the specification, where / parts the two forms.
SPECIFIED = """
P1 it hurts so much that nothing else fits in my head / the pain fills everything
P2 something aches and keeps asking for notice / there is a nagging pain
V1 everything feels bad, heavy and dark / a dark weight lies on all of it
V2 there is an uneasy note under everything / my mood is low
A1 my heart is pounding and I am on edge / my whole body is wound up
A2 my pulse is quicker than usual / I am very awake
E1 I am so tired that every movement costs me / I have nothing left in me
E2 I am tired and would like to lie down / my eyes are heavy
R1 I am raw and cannot hold myself together / one more thing and I come undone
R2 small things get under my skin / I am thinner-skinned than usual
I1 I miss having people around me / I feel alone in this
I2 time drags / I wish something would happen
I3 it is as if there were nobody left out there / the silence around me has no end
C1 my thoughts are muddled and slip away / I cannot keep a thought in place
H1 I am very hungry / my stomach keeps calling
H2 I could eat something / a bit of hunger stirs
K1 I am cold to the bone / my hands are stiff with cold
K2 I am much too hot / the heat sits on me
F1 I feel feverish and my skin aches / the fever makes everything swim
T1 my mouth is dry / I want a drink of water
B1 I need the toilet / my bladder is full
V3 things feel light and good / there is a warm brightness in me
E3 I feel fresh / I am rested and clear
A3 my body is slow and quiet / I am very still
0 I feel ordinary / nothing presses on me
rumination I can't stop thinking about it / I keep going over and over it
acceptance it is what it is / I can let it go
reappraisal there is another way to look at this / maybe it's not that bad
suppression I push it down / I ignore it
problem_solving I need a plan / I will figure this out
distraction I will think about something else / I try to distract myself
denial nothing's wrong / it's fine
all_or_nothing it is a complete failure / I never do anything right
overgeneralization this always happens to me / nothing ever works out for me
mental_filter I can only see what went badly / all I see is the bad part
disqualifying_positive the good parts do not count / that was just luck
mind_reading they must think I am strange / everyone thinks less of me
fortune_telling this will go wrong / I am going to fail
catastrophizing this is going to be a disaster / I see the worst case coming
emotional_reasoning I feel bad so it must be bad / I feel like a burden
should_statements I should have done better / I must not show it
labeling I am such a fool / I am useless
personalization it is my fault / it happened because of me
"""
TRIGGERED = """
arousal+ my heart is suddenly racing
arousal- a sudden calm settles over me
valence- a dark feeling washes over me
valence+ something lightens inside me
energy- my strength is draining away
energy+ a wave of energy runs through me
pain+ a sharp pain takes hold of me
pain- the pain is letting go
waking I am pulled out of sleep
respond+ someone is with me and it does me good
respond0 someone is with me and I take it in
respond- someone is with me and it stings
exhausted my body wants rest before anything
distressed something in me is badly upset
alone I think of the people I do not see
eat I think about food
drink I think about water
toilet I look for a toilet in my mind
sleep I think about my bed
warmth I want to be warm and comfortable
pain_relief I want this pain to ease
recovery I want to put everything down for a while
safety I want to be somewhere safe
contact I want to be with somebody
stimulation I want something to do
goal I go through what I still have ahead of me
social I wonder how I came across
prediction that was not what I expected
drift1 my mind drifts slowly
drift2 my thoughts wander into darker places
drift3 my mind is quiet and open
drift4 my mind wanders
"""
CODES = "P1 V1 A1 E1 R1 I3 I1 C1 H1 F1 K1 K2 P2 V2 A2 E2 R2 I2 H2 T1 B1 V3 E3 A3"
KEY = key_of(7, "ann")


def moment(
    t_us: int = 0, codes: str = "0 D", trigger: str = "eat", **given: object
) -> ThoughtMoment:
    return ThoughtMoment(
        person="ann",
        seed=7,
        t_us=t_us,
        mode="react",
        codes=tuple(codes.split()),
        trigger=trigger,
        **given,  # type: ignore[arg-type] # named fields
    )


def where(slot: int, least: float, below: float) -> int:
    """Return the first second whose draw of a slot is in a range, where distortions speak."""
    seconds = (second * 1_000_000 for second in range(10_000))
    return next(
        t_us
        for t_us in seconds
        if least <= uniform(KEY, t_us, 4, slot) < below
        and (slot == 2 or uniform(KEY, t_us, 4, 2) < 0.5)
    )


def test_every_phrase_stands_as_it_is_specified() -> None:
    said = [line.split(" ", 1) for line in SPECIFIED.strip().split("\n")]
    assert {name: tuple(forms.split(" / ")) for name, forms in said} == SEED.felt | SEED.leans
    told = [line.split(" ", 1) for line in TRIGGERED.strip().split("\n")]
    # Only somebody who lives at its own pace thinks of what happened, and dreams.
    lived = {name: SEED.triggers[name] for name in ("episode", "dream") if name in SEED.triggers}
    assert {name: sentence for name, sentence in told} | lived == SEED.triggers
    assert " ".join(ORDER) == CODES
    assert {*ORDER, "0"} == set(LINES) == set(SEED.felt)
    assert set(DRIVES) <= set(SEED.triggers)


def test_the_first_thought_of_the_conformance_row() -> None:
    first = moment(25_290_000_000, "A3 E2 H2 D", "sleep", distortions=("labeling",))
    words = "I could eat something. I think about my bed. I am useless."
    assert composed_words(first) == words
    asked = VoiceRequest(system="", user="", max_tokens=1, temperature=0.0, moment=first)
    assert composed(asked) == words


def test_of_the_two_strongest_feelings_one_is_said() -> None:
    codes = "A1 E3 P1 V3 D"
    said = {composed_words(moment(number * 1_000_000, codes))[:10] for number in range(60)}
    forms = {form[:1].upper() + form[1:] for code in ("P1", "A1") for form in SEED.felt[code]}
    assert said == {form[:10] for form in forms}


@each_row("code", SEED.felt)
def test_the_second_draw_chooses_the_form_of_a_feeling(code: str) -> None:
    for form, (least, below) in enumerate([(0.0, 0.5), (0.5, 1.0)]):
        words = SEED.felt[code][form]
        said = composed_words(moment(where(1, least, below), code))
        assert said.startswith(words[:1].upper() + words[1:] + ". I think about food")


@each_row("name", SEED.leans)
def test_a_tendency_is_said_in_the_form_of_the_fourth_draw(name: str) -> None:
    for form, (least, below) in enumerate([(0.0, 0.5), (0.5, 1.0)]):
        t_us = where(3, least, below)
        is_coping = name in get_args(Coping)
        given = {"coping": name} if is_coping else {"distortions": (name,)}
        phrase = SEED.leans[name][form]
        assert composed_words(moment(t_us, **given)).endswith(
            f". {phrase[:1].upper()}{phrase[1:]}."
        )


def test_distortions_speak_below_one_half_and_else_coping_does() -> None:
    given = {"distortions": ("labeling",), "coping": "suppression"}
    low, high = moment(where(2, 0, 0.5), **given), moment(where(2, 0.5, 1), **given)
    labeling = tuple(f"{form}." for form in SEED.leans["labeling"])
    suppression = tuple(f"{form}." for form in SEED.leans["suppression"])
    assert composed_words(low).endswith(labeling)
    assert composed_words(high).endswith(suppression)
    quiet = moment(where(2, 0.5, 1), distortions=("labeling",))
    assert composed_words(quiet).count(".") == 2


def test_under_strain_the_first_three_distortions_speak_and_else_one() -> None:
    names: tuple[Distortion, ...] = (
        "mental_filter",
        "catastrophizing",
        "labeling",
        "personalization",
    )
    t_us = where(5, 0.5, 0.75)
    strained = composed_words(moment(t_us, distortions=names, stress=0.5))
    form = int(uniform(KEY, t_us, 4, 3) * 2)
    said = [SEED.leans[name][form] for name in names[:3]]
    assert strained.endswith(". " + ". ".join(one[:1].upper() + one[1:] for one in said) + ".")
    calm = composed_words(moment(t_us, distortions=names, stress=0.49))
    one = SEED.leans[names[int(uniform(KEY, t_us, 4, 5) * 4)]][form]
    assert calm.endswith(f". {one[:1].upper()}{one[1:]}.")
    assert calm.count(".") == 3


def test_a_memory_comes_back_below_035_and_in_60_characters() -> None:
    low, high = where(4, 0, 0.35), where(4, 0.35, 1)
    text = "The water by the harbour was black and still that evening, and nobody said a word. B."
    said = composed_words(moment(low, memory=text))
    recalled = "the water by the harbour was black and still that evening,"
    assert said.endswith(f". It brings back {recalled}.")
    assert "brings back" not in composed_words(moment(high, memory=text))
    assert "brings back" not in composed_words(moment(low))


@each_row("name", SEED.leans)
def test_a_tendency_is_found_again_by_the_parsers(name: str) -> None:
    for form in SEED.leans[name]:
        sentence = f"{form[:1].upper()}{form[1:]}."
        assert parse_improved(sentence) == (name,)
        assert parse_feedback(sentence) == ((name,) if name in CONTRACT else ())


def test_feelings_and_triggers_carry_no_label() -> None:
    phrases = [form for forms in SEED.felt.values() for form in forms] + list(
        SEED.triggers.values()
    )
    for phrase in phrases:
        assert parse_feedback(phrase) == ()
        assert (phrase, parse_improved(phrase)) == (phrase, ())
