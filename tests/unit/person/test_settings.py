"""What a person is set to where nothing is said: the tables of sections 3 and 23.3."""

import msgspec

from mindpipe.person.records.person import Person, PersonSettings

SETTINGS = {
    "awareness": True,
    "pacing": "lived",
    "model": "composed",
    "anthropic_model": "claude-haiku-4-5",
    "max_tokens": 1024,
    "temperature": 0.9,
    "min_call_interval_us": 2_000_000,
    "spontaneous_interval_us": 30_000_000,
    "review": True,
    "review_interval_us": 60_000_000,
    "review_buffer": 20,
    "review_model": "",
    "max_prompt_tokens": 2000,
    "max_context_memories": 5,
    "max_recent_thoughts": 5,
    "hold_s": 1.0,
    "parser": "seed",
    "absorption_gain": 0.15,
    "drift": True,
    "prompt_coping": True,
    "identity_by_model": False,
    "max_calls": 300,
    "language": "",
}


def test_settings_are_by_default_those_of_the_table() -> None:
    assert msgspec.structs.asdict(PersonSettings()) == SETTINGS


def test_a_person_is_by_default_that_of_the_table() -> None:
    one = Person(person="ann")
    assert msgspec.structs.asdict(one.traits) == dict.fromkeys("ocean", 0.5)
    assert msgspec.structs.asdict(one.habits) == dict.fromkeys(
        ("sleep", "meals", "drink", "toilet"), True
    )
    assert (one.seed, one.chronotype_h, one.loneliness_trait, one.consts) == (0, 0.0, 0.0, {})
