"""Persons, banks of them, readings and minds, with what matters named."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from mindpipe.person.body import vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.readouts import BodyReading, read
from mindpipe.person.life.attention import Attention, Speak, Words
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.gates import ThoughtEngine
from mindpipe.person.mind.memory import Recollection
from mindpipe.person.mind.moment import Scene, Thinker
from mindpipe.person.prompts import PromptBuilder
from mindpipe.person.records.person import Person, PersonSettings, Traits
from mindpipe.person.records.state import PersonState, Psyche, Readouts
from mindpipe.person.records.thought import (
    Affect,
    PersonMemory,
    Snapshot,
    Thought,
    ThoughtTrigger,
    Voice,
    VoiceError,
    VoiceRequest,
)
from mindpipe.person.voice.composed import composed


def person(number: int = 0, **settings: Any) -> Person:
    """Return one of many persons who differ in seed and id."""
    return Person(person=f"p{number:06d}", **{"seed": 7, **settings})


def bank(persons: Sequence[Person]) -> Bank:
    """Return a bank of new persons."""
    return bank_of(persons, [first_state(one) for one in persons], constants_of(()))


def of_traits(**traits: float) -> Traits:
    """Return traits from standard ones: z = (trait - 0.5)/0.17."""
    return Traits(**{name: 0.5 + 0.17 * z for name, z in traits.items()})


def reading(count: int, **known: Any) -> BodyReading:
    """Return readouts of `count` persons, zero but for those that are given."""
    return BodyReading(
        **{
            field.name: np.broadcast_to(np.asarray(known.get(field.name, 0.0)), (count,)).copy()
            for field in fields(BodyReading)
        }
    )


def reading_of(one: Bank) -> BodyReading:
    """Return the readouts of a bank at its anchors."""
    return read(vitals.view_of(one, one.modes, one.anchor_us))


def aware(
    persons: Sequence[Person],
    voice: Voice | None = None,
    states: Sequence[PersonState] | None = None,
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
    return Attention(bank, [ThoughtEngine(one, thinker) for one in bank.persons], _speaking(voice))


def _speaking(voice: Voice) -> Speak:
    """Return what tells several persons their words, one after the other."""

    def words(asked: VoiceRequest) -> Words:
        try:
            return voice(asked)
        except VoiceError as error:
            return error

    return lambda several: [words(asked) for asked in several]


SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
ORDINARY = {
    "core_temp_c": 37.0,
    "energy": 0.5,
    "fatigue": 0.5,
    "arousal": 0.25,
    "valence": 0.1,
    "regulation": 0.7,
}


def readouts(**changed: object) -> Readouts:
    """Return the readouts of somebody on whom nothing presses, but for what is named."""
    quiet: dict[str, object] = dict.fromkeys(Readouts.__struct_fields__, 0.0)
    quiet |= {"isolation_phase": "none", "drives": ()}
    return Readouts(**(quiet | ORDINARY | changed))  # type: ignore[arg-type] # named fields


def scene(second: float, psyche: Psyche | None = None, **changed: object) -> Scene:
    """Return an instant, in seconds of day 0, with readouts of which some are named."""
    return Scene(round(second * SECOND_US), readouts(**changed), psyche=psyche or Psyche())


def says(words: str) -> Voice:
    """Return a voice that always says the same."""
    return lambda asked: words


def engine(
    voice: Voice | None = composed,
    recollection: Recollection | None = None,
    *,
    composing: bool = False,
    **settings: object,
) -> ThoughtEngine:
    """Return the inner voice of Ann, with settings of which some are named."""
    person = Person(
        person="ann",
        name="Ann",
        seed=7,
        settings=PersonSettings(**settings),  # type: ignore[arg-type] # named settings
    )
    return ThoughtEngine(person, Thinker("test", voice, PromptBuilder, composing), recollection)


def thought(t_us: int, content: str = "I am here.", **changed: object) -> Thought:
    """Return a spontaneous thought of Ann."""
    given: dict[str, object] = {
        "person": "ann",
        "t_us": t_us,
        "id": f"th:ann:{t_us}",
        "mode": "spontaneous",
        "trigger": ThoughtTrigger(),
        "content": content,
        "affect": Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0),
    }
    return Thought(**(given | changed))  # type: ignore[arg-type] # named fields


def memory(t_us: int, content: str = "I was there.", **changed: object) -> PersonMemory:
    """Return a memory of Ann's."""
    given: dict[str, object] = {
        "person": "ann",
        "t_us": t_us,
        "id": f"me:ann:{t_us}",
        "thought": f"th:ann:{t_us}",
        "content": content,
        "importance": 0.5,
        "valence": 0.0,
        "arousal": 0.3,
        "snapshot": Snapshot(
            arousal=0.3, valence=0.0, body_temp_c=37.0, pain=0.0, fatigue=0.5, hunger=0.3
        ),
    }
    return PersonMemory(**(given | changed))  # type: ignore[arg-type] # named fields


class Heard:
    """A voice that keeps what it was asked and says what it is told to."""

    def __init__(self, words: str | Callable[[VoiceRequest], str] = "I see.") -> None:
        self.asked: list[VoiceRequest] = []
        self._words = words

    def __call__(self, asked: VoiceRequest) -> str:
        self.asked.append(asked)
        return self._words if isinstance(self._words, str) else self._words(asked)
