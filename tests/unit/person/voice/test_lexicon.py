"""The forms of verbs: those with forms of their own, and those that double their last letter."""

import pytest

from mindpipe.person.voice.language import language

PAST = {
    "ask": "asked",
    "tidy": "tidied",
    "stop": "stopped",
    "unwrap": "unwrapped",
    "transfer": "transferred",
    "upset": "upset",
    "flee": "fled",
    "oversleep": "overslept",
    "overthink": "overthought",
    "misunderstand": "misunderstood",
}


@pytest.mark.parametrize("base", PAST)
def test_the_past_of_a_verb(base: str) -> None:
    lexicon = language().reader.lexicon
    assert lexicon.preterite(base) == PAST[base]
    assert lexicon.base(PAST[base]) == base
