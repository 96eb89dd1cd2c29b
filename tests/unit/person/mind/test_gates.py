"""The three ways to a thought: which comes first, what holds it back, and what failing leaves."""

import itertools
import re

import msgspec
import pytest

from mindpipe.person.mind.memory import Recollection
from mindpipe.person.mind.moment import ThoughtOutcome
from mindpipe.person.mind.salience import Peak
from mindpipe.person.records.person import NARRATIVE
from mindpipe.person.records.state import Carry, Mind, PersonRelation, Psyche, QueueItem, Unanswered
from mindpipe.person.records.thought import Snapshot, Thought, VoiceError, VoiceRequest
from support.persons import DAY_US, SECOND_US, Heard, engine, memory, scene, thought
from support.tables import each_row

PAIN = Peak("pain", "+", 0.9, 0.3)


def fails(asked: VoiceRequest) -> str:
    raise VoiceError("the line is \x1b[31mdead", error_class="unreachable")


def said(text: str = "Hello", second: float = 0.0, valence: float = 0.0) -> Unanswered:
    t_us = round(second * SECOND_US)
    return Unanswered(
        t_us=t_us, type="speech", text=text, event=f"ev:ann:{t_us}:0", valence=valence
    )


def started(**given: object) -> Mind:
    """Return a mind whose clocks run since the beginning of day 0."""
    return Mind(**({"last_spontaneous_us": 0, "identity_us": 0} | given))  # type: ignore[arg-type] # named fields


def of(outcome: ThoughtOutcome) -> Thought:
    assert outcome.thought is not None
    return outcome.thought


def test_the_first_waking_evaluation_only_starts_the_clock_of_thoughts_by_oneself() -> None:
    one = engine(Heard())
    outcome = one.live(Mind(), scene(100))
    assert outcome.happenings() == ()
    assert (outcome.mind.last_spontaneous_us, outcome.mind.last_call_us) == (100 * SECOND_US, None)
    assert one.due_us(outcome.mind) == 130 * SECOND_US
    assert one.live(outcome.mind, scene(129)).thought is None
    assert of(one.live(outcome.mind, scene(130))).mode == "spontaneous"


def test_an_answer_comes_before_a_reaction_and_that_before_a_thought_by_oneself() -> None:
    one = engine(Heard())
    mind = started(inbox=(said("Hello"),))
    first = one.live(mind, scene(60), PAIN)
    assert (of(first).mode, of(first).trigger.text, first.aware) == ("respond", "Hello", None)
    assert first.mind.inbox == ()
    assert one.live(first.mind, scene(61)).thought is None
    second = one.live(first.mind, scene(62))
    assert (of(second).mode, of(second).trigger.dim, second.aware) == ("react", "pain", "pain")
    assert second.mind.carry is None
    third = one.live(second.mind, scene(64))
    assert of(third).mode == "spontaneous"


def test_a_prompt_of_each_mode_reaches_the_voice() -> None:
    voice = Heard()
    one = engine(voice, max_tokens=99, temperature=0.5)
    one.live(started(inbox=(said("Hello"),)), scene(60))
    one.live(started(), scene(60), PAIN)
    one.live(started(), scene(60))
    lines = [asked.user.split("\n\n")[-2:] for asked in voice.asked]
    assert lines == [
        ['Someone says to you: "Hello"', "What do you think and feel?"],
        [
            "Something just shifted: a sharp pain takes hold of you",
            "What are you thinking and feeling right now?",
        ],
        ["Your mind turns to: Your mind wanders freely.", "What passes through your mind?"],
    ]
    assert {(asked.max_tokens, asked.temperature) for asked in voice.asked} == {(99, 0.5)}
    assert [asked.moment.trigger for asked in voice.asked] == ["respond0", "pain+", "drift4"]


def test_calls_are_two_seconds_apart_and_a_blocked_trigger_is_carried_for_five() -> None:
    one = engine(Heard())
    mind = started(last_call_us=10 * SECOND_US)
    blocked = one.live(mind, scene(11), PAIN)
    assert (blocked.thought, blocked.aware) == (None, None)
    assert blocked.mind.carry == Carry(
        t_us=11 * SECOND_US,
        dim="pain",
        dir="+",
        salience=0.9,
        threshold=0.3,
        text="a sharp pain takes hold of you",
    )
    assert one.due_us(blocked.mind) == 12 * SECOND_US
    fired = one.live(blocked.mind, scene(12))
    assert (of(fired).mode, of(fired).trigger.salience, fired.aware) == ("react", 0.9, "pain")
    assert one.live(blocked.mind, scene(16)).thought is not None
    assert one.live(blocked.mind, scene(16.000001)).thought is None


def test_only_a_larger_salience_replaces_what_is_carried() -> None:
    one = engine(Heard())
    carried = one.live(started(last_call_us=10 * SECOND_US), scene(10), PAIN).mind
    weaker = one.live(carried, scene(11), Peak("arousal", "+", 0.9, 0.3)).mind
    assert weaker.carry == carried.carry
    stronger = one.live(carried, scene(11), Peak("arousal", "-", 0.91, 0.3)).mind
    assert stronger.carry is not None
    assert (stronger.carry.dim, stronger.carry.text) == (
        "arousal",
        "a sudden calm settles over you",
    )


def test_answers_wait_in_their_order_and_none_is_dropped() -> None:
    one = engine(Heard(), min_call_interval_us=10 * SECOND_US)
    mind = started(
        inbox=tuple(said(f"word {number}") for number in range(3)), last_call_us=59 * SECOND_US
    )
    heard = []
    for second in range(60, 100):
        outcome = one.live(mind, scene(second))
        mind = outcome.mind
        if outcome.thought:
            heard.append((second, outcome.thought.trigger.text))
    assert heard[:3] == [(69, "word 0"), (79, "word 1"), (89, "word 2")]


def test_no_interval_means_no_limit() -> None:
    one = engine(Heard(), min_call_interval_us=0, spontaneous_interval_us=0)
    mind = started(last_call_us=60 * SECOND_US)
    assert one.can_call(mind, 60 * SECOND_US)
    assert one.live(mind, scene(60)).thought is not None


def test_intervals_are_kept_and_there_is_one_thought_at_an_instant() -> None:
    one = engine(Heard())
    mind, times = started(), []
    for second in range(1, 400):
        peak = PAIN if second % 7 == 0 else None
        if second % 50 == 0:
            inbox = (*mind.inbox, said("a", second), said("b", second))
            mind = Mind(
                **(
                    {name: getattr(mind, name) for name in mind.__struct_fields__}
                    | {"inbox": inbox}
                )
            )
        outcome = one.live(mind, scene(second), peak)
        mind = outcome.mind
        if outcome.thought:
            times.append((second, outcome.thought.mode))
    seconds = [second for second, _ in times]
    assert all(b - a >= 2 for a, b in itertools.pairwise(seconds))
    alone = [second for second, mode in times if mode == "spontaneous"]
    assert len(alone) > 5
    assert all(b - a >= 30 for a, b in itertools.pairwise(alone))
    assert sum(mode == "respond" for _, mode in times) == 14


def test_timers_are_set_before_the_voice_is_called_and_stay_when_it_fails() -> None:
    one = engine(fails)
    outcome = one.live(started(), scene(30))
    assert outcome.thought is None
    assert outcome.failure is not None
    failure = outcome.failure
    assert (failure.mode, failure.error_class) == ("spontaneous", "unreachable")
    assert (failure.model, failure.message) == ("test", "the line is [31mdead")
    assert outcome.mind.last_call_us == outcome.mind.last_spontaneous_us == 30 * SECOND_US
    assert (outcome.mind.recent, outcome.mind.chain.n) == ((), 0)
    assert one.live(outcome.mind, scene(31), PAIN).failure is None
    begun = engine(Heard()).begin(started(), scene(30))
    assert begun.mind.last_call_us == 30 * SECOND_US


def test_a_blocked_thought_leaves_the_timers_alone() -> None:
    one = engine(Heard(), drift=False)
    mind = started(last_call_us=10 * SECOND_US)
    assert one.live(mind, scene(11)).mind == mind
    nothing = one.live(mind, scene(60))
    assert (nothing.thought, nothing.mind) == (None, mind)


def test_without_a_voice_a_trigger_is_noticed_and_the_inbox_emptied() -> None:
    one = engine(None)
    mind = started(inbox=(said(),), last_call_us=59 * SECOND_US)
    assert one.due_us(mind) is not None
    outcome = one.live(mind, scene(60), PAIN)
    assert (outcome.happenings(), outcome.aware, outcome.mind.inbox) == ((), "pain", ())
    assert outcome.mind.last_call_us == 59 * SECOND_US
    assert one.due_us(outcome.mind) is None


def test_after_all_calls_there_is_one_warning_and_the_body_lives_on() -> None:
    voice = Heard()
    one = engine(voice, max_calls=2)
    mind, notes = started(), []
    for second in range(30, 300, 30):
        outcome = one.live(mind, scene(second), PAIN)
        mind, notes = outcome.mind, [*notes, *outcome.notes]
        assert outcome.aware == "pain"
    assert (len(voice.asked), len(notes), one.refused) == (2, 1, True)
    assert "all 2 calls" in notes[0]
    assert one.due_us(mind) is None
    mind = started(inbox=(said(),))
    assert one.live(mind, scene(400)).mind.inbox == mind.inbox


def test_the_composed_voice_is_not_counted() -> None:
    one = engine(Heard(), composing=True, max_calls=0)
    outcome = one.live(started(), scene(30))
    assert of(outcome).composed
    assert outcome.mind.calls == 1


def test_what_a_thought_says_is_found_and_acts() -> None:
    outcome = engine(Heard("I keep replaying it.\x07")).live(started(), scene(30))
    made = of(outcome)
    assert (made.content, made.labels, made.parser) == (
        "I keep replaying it.",
        ("rumination",),
        "seed",
    )
    assert made.rates == {"cort_up": 0.02, "ser_dn": 0.01, "rum": 0.3}
    assert made.hold_s == 1.0
    assert (made.id, made.model, made.composed) == ("th:ann:30000000", "test", False)
    improved = engine(Heard("I keep going over it."), parser="improved", hold_s=5.0)
    found = of(improved.live(started(), scene(30)))
    assert (found.labels, found.hold_s) == (("rumination",), 5.0)
    assert found.parser.startswith("improved@")


def test_an_empty_thought_carries_nothing() -> None:
    made = of(engine(Heard("")).live(started(), scene(30)))
    assert (made.content, made.labels, made.rates) == ("", (), {})


def test_the_five_latest_thoughts_are_on_the_mind() -> None:
    voice = Heard(lambda asked: f"thought of {asked.moment.t_us // SECOND_US}")
    one = engine(voice)
    mind = started()
    for second in range(30, 211, 30):
        mind = one.live(mind, scene(second)).mind
    assert mind.recent == tuple(f"th:ann:{second * SECOND_US}" for second in range(90, 211, 30))
    listed = re.findall(r"- thought of (\d+)", voice.asked[-1].user)
    assert listed == ["30", "60", "90", "120", "150", "180"][-5:]
    assert mind.chain.n == 0


def test_what_matters_is_remembered_and_comes_back() -> None:
    voice = Heard("It hurts so much.")
    past = Recollection([], [memory(1, "I fell as a child.")])
    one = engine(voice, past)
    moment = scene(30, valence=-0.7, arousal=0.9)
    outcome = one.live(started(), moment, PAIN)
    kept = outcome.memory
    assert kept is not None
    assert (kept.id, of(outcome).memory_id) == ("me:ann:30000000", "me:ann:30000000")
    assert kept.importance == pytest.approx(0.45 + 0.21 + 0.18)
    assert of(outcome).context.memories == ("me:ann:1",)
    assert "What comes back to you:\n- I fell as a child." in voice.asked[0].user
    assert past.memories[-1] == kept
    again = one.live(outcome.mind, scene(60))
    # The memory of a thought that is shown anyway does not come back as well.
    assert of(again).context.memories == ("me:ann:1",)
    assert of(again).context.thoughts == ("th:ann:30000000",)


def test_the_size_of_a_prompt_is_told_and_one_that_never_fits_is_sent_whole() -> None:
    voice = Heard()
    outcome = engine(voice, max_prompt_tokens=10).live(started(), scene(30))
    context = of(outcome).context
    assert context.compressed
    octets = len((voice.asked[0].system + voice.asked[0].user).encode())
    assert context.tokens_est == -(-octets // 4)
    assert [note for note in outcome.notes if "over its limit of 10" in note]
    easy = engine(Heard()).live(started(), scene(30))
    assert (of(easy).context.compressed, easy.notes) == (False, ())


def test_distortions_and_impulse_stand_in_the_prompt_and_the_impulse_may_be_left_out() -> None:
    psyche = Psyche(coping=("denial", "rumination"), distortions=("labeling", "mind_reading"))
    voice = Heard()
    engine(voice).live(started(), scene(30, psyche))
    engine(voice, prompt_coping=False).live(started(), scene(30, psyche))
    with_impulse, without = (asked.user for asked in voice.asked)
    tends = "being sure what others think of you; calling yourself names."
    assert tends in with_impulse
    assert tends in without
    assert "Your impulse is to tell yourself nothing is the matter." in with_impulse
    assert "Your impulse" not in without
    assert voice.asked[1].moment.coping == "denial"


def test_a_shift_is_put_down_to_an_event_of_two_seconds_before() -> None:
    voice = Heard()
    mind = started(event_us=58 * SECOND_US, event_text="you fell on the stairs")
    engine(voice).live(mind, scene(60), PAIN)
    engine(voice).live(mind, scene(60.5), PAIN)
    engine(voice).live(mind, scene(59), Peak("arousal", "+", 0.9, 0.3, woken=True))
    told = [re.findall("shifted: (.*)", asked.user)[0] for asked in voice.asked]
    assert told == [
        "you fell on the stairs — a sharp pain takes hold of you",
        "a sharp pain takes hold of you",
        "you fell on the stairs — you are pulled out of sleep",
    ]
    assert [asked.moment.trigger for asked in voice.asked] == ["pain+", "pain+", "waking"]


@each_row(
    ("valence", "key"),
    [(0.2, "respond+"), (0.19, "respond0"), (-0.19, "respond0"), (-0.2, "respond-")],
)
def test_an_answer_is_coloured_by_what_was_said(valence: float, key: str) -> None:
    voice = Heard()
    engine(voice).live(started(inbox=(said(valence=valence),)), scene(60))
    assert voice.asked[0].moment.trigger == key


def test_what_came_to_mind_is_used_up_even_when_the_voice_fails() -> None:
    item = QueueItem(t_us=0, category="PredictionError", text="a bang", event="e", strength=1.0)
    one = engine(fails, drift=False)
    outcome = one.live(started(queue=(item,)), scene(30))
    assert outcome.failure is not None
    assert outcome.mind.queue == ()
    heard = Heard()
    made = of(engine(heard, drift=False).live(started(queue=(item,)), scene(30)))
    assert (made.trigger.category, made.trigger.source, made.trigger.event) == (
        "PredictionError",
        "prediction",
        "e",
    )
    assert made.trigger.text == "Something unexpected happened: a bang"


def test_identity_is_renewed_at_the_first_waking_evaluation_of_a_day() -> None:
    met = PersonRelation(name="Tom", inputs=3, valence_sum=3.0)
    past = Recollection([thought(number) for number in range(1, 6)], [memory(1, "The sea. Yes.")])
    voice = Heard()
    one = engine(voice, past, pacing="seed")
    mind = started(last_spontaneous_us=DAY_US - SECOND_US, relations=(met,))
    assert one.due_us(mind) == DAY_US
    outcome = one.live(mind, scene(86_400))
    assert outcome.person is not None
    identity = outcome.person.identity
    assert (identity.key_memories, identity.relational_markers) == (("The sea",), ("Tom: close",))
    assert (identity.last_updated_us, outcome.person.t_us) == (DAY_US, DAY_US)
    assert outcome.happenings() == (outcome.person,)
    later = one.live(outcome.mind, scene(86_430))
    assert later.person is None
    assert "Memories that define you: The sea" in voice.asked[0].system
    next_day = one.live(later.mind, scene(2 * 86_400))
    assert next_day.person is None, "one thought is too few"


def test_a_mind_that_is_put_out_and_taken_back_goes_on_in_the_same_way() -> None:

    whole, halved = engine(), engine()
    a = b = Mind()
    for second in range(25_260, 25_700):
        peak = PAIN if second % 11 == 0 else None
        one = whole.live(a, scene(second), peak)
        if second % 20 == 0:
            b = msgspec.json.decode(msgspec.json.encode(b), type=Mind)
            past = Recollection(halved.recollection.recent, halved.recollection.memories)
            halved = engine(recollection=past)
        two = halved.live(b, scene(second), peak)
        assert one == two
        a, b = one.mind, two.mind


def test_what_was_given_stays_at_the_lived_pace_and_what_a_voice_says_is_added() -> None:
    met = PersonRelation(name="Tom", inputs=3, valence_sum=3.0)
    past = Recollection([thought(number) for number in range(1, 6)], [memory(1, "The sea. Yes.")])
    mind = started(last_spontaneous_us=0, relations=(met,))
    one = engine(Heard("I am Ann. I dive."), past, identity_by_model=True, pacing="lived")
    given = one.person.identity
    outcome = one.live(mind, scene(86_400))
    assert outcome.person is not None
    (fact,) = outcome.person.identity.learnt
    assert (fact.about, fact.text, fact.since_us) == ("self", "I am Ann. I dive.", DAY_US)
    assert msgspec.structs.replace(outcome.person.identity, learnt=()) == given


def test_a_voice_may_say_who_one_is_only_where_that_is_set() -> None:
    words = "I am Ann. I dive.\nI like it! And more."
    mind = started(last_spontaneous_us=0)
    for by_model, composing, told in (
        (True, False, "I am Ann. I dive. I like it!"),
        (True, True, NARRATIVE),
        (False, False, NARRATIVE),
    ):
        past = Recollection([thought(number) for number in range(1, 6)])
        voice = Heard(words)
        one = engine(voice, past, composing=composing, identity_by_model=by_model, pacing="seed")
        outcome = one.live(mind, scene(86_400))
        assert outcome.person is not None
        narrative = outcome.person.identity.self_narrative
        assert narrative == one.person.identity.self_narrative == told
        assert (outcome.thought is None) == (told != NARRATIVE)
        if told != NARRATIVE:
            assert voice.asked[0].user.endswith("who are you?")
            assert outcome.mind.last_call_us == DAY_US
            assert outcome.happenings() == (outcome.person,)


def test_who_one_is_stays_when_the_voice_fails_or_says_nothing() -> None:
    for voice in (fails, Heard(" ")):
        past = Recollection([thought(number) for number in range(1, 6)])
        one = engine(voice, past, identity_by_model=True)
        outcome = one.live(started(), scene(86_400))
        assert outcome.person is not None
        assert outcome.person.identity.self_narrative.startswith("I'm a person, trying")
        assert outcome.thought is None


def test_memories_that_lack_a_dimension_are_told_once() -> None:
    past = Recollection([], [memory(1, snapshot=Snapshot(arousal=0.5)), memory(2)])
    one, mind, notes = engine(Heard(), past), started(), []
    for second in (30, 60, 90):
        outcome = one.live(mind, scene(second))
        mind, notes = outcome.mind, [*notes, *outcome.notes]
    assert len(notes) == 1
    assert notes[0].startswith("1 memories lack a dimension")
