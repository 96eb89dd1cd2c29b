"""Populations that are aware: without a voice, with the composed one, or with any other."""

from collections.abc import Sequence

from mindpipe.person.ask import PromptBuilder
from mindpipe.person.body.bank import Bank
from mindpipe.person.body.beginning import first_state
from mindpipe.person.inner.gates import Engine
from mindpipe.person.inner.scene import Thinker
from mindpipe.person.life.advance import Population
from mindpipe.person.life.attending import Attention, Speak
from mindpipe.person.life.thinking import Words
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.voice.composed import composed
from mindpipe.person.voicing import Asked, Voice, VoiceError


def aware(
    persons: Sequence[Person],
    voice: Voice | None = None,
    states: Sequence[State] | None = None,
) -> Population:
    """Return persons, new unless their states are given, who are aware."""
    return Population(
        persons, states or [first_state(one) for one in persons], lambda bank: _paid(bank, voice)
    )


def _paid(bank: Bank, voice: Voice | None) -> Attention:
    """Return the attention of a bank of persons who all have the same voice."""
    if voice is None:
        return Attention(bank, [None] * len(bank.persons), lambda asked: ())
    thinker = Thinker("test", voice, PromptBuilder, voice is composed)
    return Attention(bank, [Engine(one, thinker) for one in bank.persons], _speaking(voice))


def _speaking(voice: Voice) -> Speak:
    """Return what tells several persons their words, one after the other."""

    def words(asked: Asked) -> Words:
        try:
            return voice(asked)
        except VoiceError as error:
            return error

    return lambda several: [words(asked) for asked in several]
