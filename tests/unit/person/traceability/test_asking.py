"""What the inner voice is asked, remembers and is: the rows on prompts, memory and identity."""

import json
import re

import msgspec
import pytest

from mindpipe.core.models import Target
from mindpipe.person.mind.draft import PromptDraft, RecalledText
from mindpipe.person.mind.felt import LINES, Felt, codes_of, lines_of
from mindpipe.person.mind.identity import IdentityCore
from mindpipe.person.mind.memory import (
    ContextSelector,
    Recollection,
    point_of,
    score,
    similarity,
    snapshot_of,
)
from mindpipe.person.mind.residue import residue
from mindpipe.person.mind.salience import Peak
from mindpipe.person.prompts import PromptBuilder, distortions_text, system_text, user_text
from mindpipe.person.records import state
from mindpipe.person.records.person import Person, PersonIdentity, PersonSettings, Traits, model_of
from mindpipe.person.records.state import Unanswered
from mindpipe.person.records.thought import ThoughtTrigger
from mindpipe.person.voice.models import request_of
from support.command import Mind
from support.persons import Heard, engine, memory, readouts, scene
from support.proofs import proves

STARTED = state.Mind(last_spontaneous_us=0, identity_us=0)
PAIN = Peak("pain", "+", 0.9, 0.3)


@proves("system prompt lines and identity block")
def test_the_system_prompt_says_what_it_must_and_who_one_is() -> None:
    lines = system_text(PersonIdentity(key_memories=("The sea", "The fall"))).split("\n")
    assert lines[:3] == [
        "You are a person experiencing your life moment by moment.",
        "You think, feel, and experience the world through your body and mind.",
        "Everything you experience is real to you.",
    ]
    assert lines[5:] == [
        "IMPORTANT: You only output your inner experience — thoughts, feelings,",
        "sensations, reactions. Never describe yourself in third person.",
        "",
        "--- Who You Are ---",
        "I'm a person, trying to make sense of the world around me. "
        "I think a lot, sometimes too much.",
        "Your tendencies: thoughtful, curious, sometimes anxious",
        "What matters to you: honesty, understanding, being kind",
        "Memories that define you: The sea; The fall",
    ]


@proves("state block, six literal lines, no numbers")
def test_a_state_is_told_as_it_feels_and_without_a_number() -> None:
    worst = Felt(
        arousal=0.71,
        valence=-0.51,
        energy=0.19,
        cognitive_load=0.61,
        regulation=0.19,
        isolation_phase="loneliness",
    )
    assert list(lines_of(codes_of(worst), t_us=0)) == [
        "Your body is highly activated — heart pounding, alert, on edge.",
        "Everything feels bad. A heavy, dark quality pervades your experience.",
        "You are deeply exhausted. Every movement feels effortful.",
        "Your thinking feels muddled, hard to concentrate.",
        "You feel emotionally raw, unable to hold things together.",
        "You feel lonely. You miss being around people.",
    ]
    assert not re.search(r"\d", "".join(LINES.values()))


@proves("per-mode triggers and questions")
def test_each_mode_has_its_trigger_and_its_question() -> None:
    voice = Heard()
    for given, peak in (
        (STARTED, PAIN),
        (STARTED, None),
        (_waiting("speech", "Hello"), None),
        (_waiting("action", "he waves"), None),
    ):
        engine(voice).live(given, scene(60), peak)
    assert [asked.user.split("\n\n")[-2:] for asked in voice.asked] == [
        [
            "Something just shifted: a sharp pain takes hold of you",
            "What are you thinking and feeling right now?",
        ],
        ["Your mind turns to: Your mind wanders freely.", "What passes through your mind?"],
        ['Someone says to you: "Hello"', "What do you think and feel?"],
        ["Someone does this: he waves", "What do you think and feel?"],
    ]


def _waiting(kind: str, text: str) -> state.Mind:
    given = msgspec.convert({"t_us": 0, "type": kind, "text": text, "event": "e"}, Unanswered)
    return msgspec.structs.replace(STARTED, inbox=(given,))


@proves("distortion sentence")
def test_distortions_stand_in_one_sentence_as_tendencies() -> None:
    assert distortions_text(("catastrophizing", "emotional_reasoning")) == (
        "Right now, your thinking tends toward: assuming the worst possible outcome; "
        "treating your feelings as evidence of reality."
    )
    assert distortions_text(()) == ""


@proves("up to about 10 memories within budget")
def test_as_many_memories_come_back_as_are_set_and_fit() -> None:
    past = [
        memory(number, f"I saw the boat number {number} leave, and for so long I was in it.")
        for number in range(30)
    ]
    for most in (0, 5, 10):
        voice = Heard()
        engine(voice, Recollection(memories=past), max_context_memories=most).live(
            STARTED, scene(60)
        )
        assert voice.asked[0].user.count("I saw the boat") == most
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"max_context_memories": 11}, PersonSettings)
    tight = Heard()
    outcome = engine(tight, Recollection(memories=past), max_prompt_tokens=260).live(
        STARTED, scene(60)
    )
    assert outcome.thought is not None
    assert outcome.thought.context.compressed
    assert len(outcome.thought.context.memories) == 5


@proves("IdentityCore fields, defaults, persisted, always fed")
def test_an_identity_has_its_fields_rests_and_stands_in_every_prompt() -> None:
    core = IdentityCore.created(Traits())
    assert json.loads(msgspec.json.encode(core.identity)) == {
        "self_narrative": "I'm a person, trying to make sense of the world around me. "
        "I think a lot, sometimes too much.",
        "disposition_traits": ["thoughtful", "curious", "sometimes anxious"],
        "relational_markers": [],
        "key_memories": [],
        "emotional_patterns": [],
        "values_commitments": ["honesty", "understanding", "being kind"],
        "last_updated_us": 0,
        "learnt": [],
    }
    person = Person(person="ann", identity=core.identity)
    assert msgspec.json.decode(msgspec.json.encode(person), type=Person) == person
    voice = Heard()
    for given, peak in ((STARTED, PAIN), (STARTED, None), (_waiting("speech", "Hi"), None)):
        engine(voice).live(given, scene(60), peak)
    assert all(core.identity.self_narrative in asked.system for asked in voice.asked)
    assert len(voice.asked) == 3


@proves(
    "ContextSelector score .35/.35/.30, six dimensions, abs(valence), MaxContextMemories 5, sorted"
)
def test_memories_are_scored_by_importance_likeness_and_strength_of_feeling() -> None:
    now = snapshot_of(readouts())
    opposite = msgspec.structs.replace(now, arousal=1.0, valence=-1.0, pain=1.0, hunger=1.0)
    alike = similarity(point_of(now), point_of(opposite))
    assert 0 < alike < 1
    assert len(point_of(now)) == 6
    sad = memory(1, importance=0.4, valence=-0.6, snapshot=opposite)
    assert score(sad, alike) == pytest.approx(0.35 * 0.4 + 0.35 * alike + 0.30 * 0.6)
    glad = msgspec.structs.replace(sad, valence=0.6)
    assert score(glad, alike) == score(sad, alike)
    past = [memory(number, importance=number / 20, snapshot=now) for number in range(20)]
    chosen = ContextSelector().select(now, past)
    assert [one.t_us for one in chosen] == [19, 18, 17, 16, 15]
    assert [one.t_us for one in ContextSelector().select(now, past[:2])] == [1, 0]


@proves("compression over truncation")
def test_what_does_not_fit_is_made_smaller_and_every_item_leaves_its_residue() -> None:
    contents = [
        f"Yesterday the harbour number{place} was covered with snow, "
        "and for an hour or so no boat at all went out of it to the sea."
        for place in range(9)
    ]
    draft = PromptDraft(
        mode="spontaneous",
        trigger=ThoughtTrigger(text="Your mind wanders freely."),
        memories=tuple(RecalledText(text, -0.6) for text in contents[:5]),
        thoughts=tuple(RecalledText(text, 0.0) for text in contents[5:]),
        identity=PersonIdentity(),
    )
    whole = PromptBuilder(max_tokens=2000).build(draft)
    assert not whole.compressed
    assert all(text in whole.user for text in contents)
    small = PromptBuilder(max_tokens=whole.tokens - 30).build(draft)
    assert small.compressed
    assert small.fits
    for piece in (*draft.memories, *draft.thoughts):
        assert piece.text in small.user or residue(piece.text, piece.valence) in small.user
    assert user_text(draft) != small.user


@proves("1024 tokens, temperature .9, ANTHROPIC_API_KEY, claude-haiku-4-5")
def test_a_model_is_asked_with_the_settings_of_the_requirements(mind: Mind) -> None:
    person = Person(person="ann", settings=PersonSettings(model="anthropic"))
    assert model_of(person) == "anthropic/claude-haiku-4-5"
    voice = Heard()
    engine(voice).live(STARTED, scene(60))
    (asked,) = voice.asked
    assert (asked.max_tokens, asked.temperature) == (1024, 0.9)
    name = "claude-haiku-4-5"
    target = Target(provider="anthropic", api="messages", model=name, family="claude")
    body = json.loads(request_of(asked, target).body)
    assert (body["model"], body["max_tokens"], body["temperature"]) == (name, 1024, 0.9)
    made = mind("simulate", "new", "--name", "Ann", "--at", "09:00").stdout
    refused = mind.run(
        "simulate",
        "tick",
        "--think",
        "--model",
        "anthropic",
        stdin=made,
        environment={"ANTHROPIC_API_KEY": ""},
    )
    assert refused.status == 69
    assert "ANTHROPIC_API_KEY" in refused.words
