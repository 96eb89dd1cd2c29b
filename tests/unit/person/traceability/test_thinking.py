"""Three ways to a thought: the rows on modes, gates, the queue and the limits of calls."""

from collections import Counter

import pytest

from mindpipe.person.chance import key_of
from mindpipe.person.mind.moment import ThoughtOutcome
from mindpipe.person.mind.queue import WEIGHTS, ThoughtQueue, select, update_needs
from mindpipe.person.mind.salience import Peak
from mindpipe.person.records.state import Mind, Psyche, Unanswered
from mindpipe.person.records.thought import VoiceError, VoiceRequest
from support.persons import SECOND_US, Heard, engine, readouts, scene
from support.proofs import proves

PAIN = Peak("pain", "+", 0.9, 0.3)
HELLO = Unanswered(t_us=0, type="speech", text="Hello", event="ev:ann:0:0")
PUSHED = Unanswered(t_us=0, type="action", text="he pushes you", event="ev:ann:0:1")


def started(**given: object) -> Mind:
    """Return a mind whose clocks run since the beginning of day 0."""
    return Mind(**({"last_spontaneous_us": 0, "identity_us": 0} | given))  # type: ignore[arg-type] # named fields


def mode_of(outcome: ThoughtOutcome) -> str | None:
    return outcome.thought.mode if outcome.thought else None


@proves("first-person experience from psychological state; the person is unaware of a simulation")
def test_a_state_becomes_a_thought_in_the_first_person_that_knows_of_no_simulation() -> None:
    voice = Heard()
    engine(voice).live(started(), scene(60, pain=0.9, valence=-0.8, arousal=0.9), PAIN)
    (asked,) = voice.asked
    both = f"{asked.system}\n{asked.user}".casefold()
    assert "something hurts badly" in both
    assert "everything you experience is real to you" in both
    for word in ("simulat", "language model", "prompt", "artificial"):
        assert word not in both
    thought = engine().live(started(), scene(60, pain=0.9, valence=-0.8), PAIN).thought
    assert thought is not None
    assert thought.content == "A dark weight lies on all of it. A sharp pain takes hold of me."


@proves("three modes, at most one per tick, shared rate limit")
def test_of_three_ways_one_leads_to_a_thought_and_all_share_the_limit() -> None:
    one, mind = engine(Heard()), started(inbox=(HELLO,))
    modes = []
    for second in (60, 61, 62, 63, 64):
        outcome = one.live(mind, scene(second), PAIN if second == 60 else None)
        mind = outcome.mind
        modes.append(mode_of(outcome))
    assert modes == ["respond", None, "react", None, "spontaneous"]


@proves("React: salience and rate limit, None otherwise")
def test_a_reaction_needs_a_trigger_and_a_free_call() -> None:
    one = engine(Heard(), drift=False)
    assert mode_of(one.live(started(), scene(60), PAIN)) == "react"
    assert one.live(started(), scene(60)).thought is None
    assert one.live(started(last_call_us=59 * SECOND_US), scene(60), PAIN).thought is None


@proves("Spontaneous: interval 30 s and rate limit, None without candidate")
def test_a_thought_by_oneself_needs_thirty_seconds_a_free_call_and_a_candidate() -> None:
    one = engine(Heard())
    assert one.live(started(), scene(29.999)).thought is None
    assert mode_of(one.live(started(), scene(30))) == "spontaneous"
    assert one.live(started(last_call_us=29 * SECOND_US), scene(30)).thought is None
    assert engine(Heard(), drift=False).live(started(), scene(30)).thought is None


@proves("Respond: speech and action, bypasses salience, rate limit only")
def test_what_is_said_or_done_is_answered_without_any_salience() -> None:
    one = engine(Heard(), drift=False)
    for waiting in (HELLO, PUSHED):
        answered = one.live(started(inbox=(waiting,)), scene(1))
        assert mode_of(answered) == "respond"
        assert answered.thought is not None
        assert answered.thought.trigger.type == waiting.type
    blocked = one.live(started(inbox=(HELLO,), last_call_us=0), scene(1))
    assert blocked.thought is None
    assert blocked.mind.inbox == (HELLO,)


@proves("reason for reactive and spontaneous")
def test_without_thoughts_by_itself_a_quiet_hour_is_silent() -> None:
    def hour(*, drift: bool) -> Counter[str]:
        one, mind = engine(Heard(), drift=drift), started()
        found: Counter[str] = Counter()
        for second in range(1, 3601):
            outcome = one.live(mind, scene(second))
            mind = outcome.mind
            if outcome.thought:
                found[outcome.thought.mode] += 1
        return found

    assert hour(drift=False) == {}
    assert hour(drift=True) == {"spontaneous": 120}


@proves("five priorities, weights 8/5/3/2/1, weighted random")
def test_what_comes_to_mind_is_drawn_by_weight() -> None:
    assert list(WEIGHTS.items()) == [
        ("PredictionError", 8.0),
        ("BiologicalNeed", 5.0),
        ("GoalRehearsal", 3.0),
        ("SocialModeling", 2.0),
        ("AssociativeDrift", 1.0),
    ]
    queue = ThoughtQueue()
    queue.add_prediction_error(0, "the light went out", strength=1.0, event="e")
    queue.add_goal(0, "the letter", importance=0.5, due_us=None, event="g")
    queue.add_concern(0, "Was that rude?", event="c")
    found = queue.candidates(0, readouts(energy=0.1), ())
    draws = 20_000
    drawn = Counter(
        chosen.category
        for number in range(draws)
        if (chosen := select(found, key=key_of(number, "ann"), t_us=0))
    )
    for category, weight in WEIGHTS.items():
        share = weight / 19
        spread = (share * (1 - share) / draws) ** 0.5
        assert abs(drawn[category] / draws - share) < 4 * spread


@proves("AddPredictionError, ActiveGoals, SocialConcerns")
def test_errors_goals_and_concerns_wait_with_their_words_and_end() -> None:
    queue = ThoughtQueue()
    queue.add_prediction_error(0, "the light went out", strength=1.0, event="e")
    queue.add_goal(0, "the letter", importance=0.5, due_us=None, event="g")
    queue.add_concern(0, "Was that rude?", event="c")
    texts = {one.category: one.text for one in queue.candidates(0, readouts(), (), drifting=False)}
    assert texts == {
        "PredictionError": "Something unexpected happened: the light went out",
        "GoalRehearsal": "You think about what lies ahead: the letter",
        "SocialModeling": "Was that rude?",
    }
    queue.goal_done("the letter")
    queue.forget_expired(601 * SECOND_US)
    assert [item.category for item in queue.items] == ["SocialModeling"]


@proves("UpdateNeeds three prompts")
def test_needs_are_told_where_body_and_mood_have_them() -> None:
    def told(**changed: object) -> list[str]:
        return [one.text for one in update_needs(readouts(**changed), 0)]

    assert told(energy=0.19) == ["You are exhausted. Your body demands rest."]
    assert told(valence=-0.51, arousal=0.61) == ["Something is wrong. You feel distressed."]
    assert told(isolation_phase="loneliness") == ["You feel deeply alone."]
    assert told(isolation_phase="despair") == ["You feel deeply alone."]
    assert told(energy=0.2, isolation_phase="boredom") == []
    assert told(valence=-0.51, arousal=0.6) == told(valence=-0.5, arousal=0.61) == []


@proves("four drift prompts")
def test_a_mind_drifts_as_it_feels() -> None:
    def drifts(**changed: object) -> str:
        (only,) = ThoughtQueue().candidates(0, readouts(**changed), ())
        return only.text

    assert drifts(energy=0.29) == "Your mind drifts, thoughts moving slowly."
    assert drifts(valence=-0.21) == "Your thoughts wander into darker territory."
    assert drifts(arousal=0.29, energy=0.61) == "Your mind is quiet and open."
    assert drifts() == "Your mind wanders freely."


@proves(
    "MinCallInterval 2 s, SpontaneousInterval 30 s, canCall, timestamps before the call, 0 = none"
)
def test_calls_are_limited_from_before_they_are_made() -> None:
    one = engine(Heard())
    settings = one.person.settings
    assert settings.min_call_interval_us == 2 * SECOND_US
    assert settings.spontaneous_interval_us == 30 * SECOND_US
    called = started(last_call_us=60 * SECOND_US)
    assert not one.can_call(called, 62 * SECOND_US - 1)
    assert one.can_call(called, 62 * SECOND_US)
    assert engine(Heard(), min_call_interval_us=0).can_call(called, 60 * SECOND_US)

    def fails(asked: VoiceRequest) -> str:
        raise VoiceError("no line", error_class="unreachable")

    failed = engine(fails).live(started(), scene(30))
    assert failed.failure is not None
    assert failed.mind.last_call_us == failed.mind.last_spontaneous_us == 30 * SECOND_US


@proves("LLM interface complete(system, user); mock in tests")
def test_a_voice_is_any_function_of_two_texts() -> None:
    voice = Heard("I notice the rain.")
    outcome = engine(voice).live(started(), scene(60, Psyche()))
    assert outcome.thought is not None
    assert outcome.thought.content == "I notice the rain."
    (asked,) = voice.asked
    assert asked.system.startswith("You are a person experiencing your life moment by moment.")
    assert asked.user.endswith("What passes through your mind?")
    assert pytest.approx(0.9) == asked.temperature
