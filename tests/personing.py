"""Persons, readouts and minds for tests of the inner voice, with what matters named."""

from collections.abc import Callable

from mindpipe.person.ask import PromptBuilder
from mindpipe.person.inner.gates import Engine
from mindpipe.person.inner.recollection import Recollection
from mindpipe.person.inner.scene import Scene, Thinker
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.state import Psyche, Readouts
from mindpipe.person.records.thought import Affect, Memory, Snapshot, Thought, Trigger
from mindpipe.person.voice.composed import composed
from mindpipe.person.voicing import Asked, Voice

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
) -> Engine:
    """Return the inner voice of Ann, with settings of which some are named."""
    person = Person(
        person="ann",
        name="Ann",
        seed=7,
        settings=PersonSettings(**settings),  # type: ignore[arg-type] # named settings
    )
    return Engine(person, Thinker("test", voice, PromptBuilder, composing), recollection)


def thought(t_us: int, content: str = "I am here.", **changed: object) -> Thought:
    """Return a spontaneous thought of Ann."""
    given: dict[str, object] = {
        "person": "ann",
        "t_us": t_us,
        "id": f"th:ann:{t_us}",
        "mode": "spontaneous",
        "trigger": Trigger(),
        "content": content,
        "affect": Affect(arousal=0.3, valence=0.0, energy=0.5, stress=0.0),
    }
    return Thought(**(given | changed))  # type: ignore[arg-type] # named fields


def memory(t_us: int, content: str = "I was there.", **changed: object) -> Memory:
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
    return Memory(**(given | changed))  # type: ignore[arg-type] # named fields


class Heard:
    """A voice that keeps what it was asked and says what it is told to."""

    def __init__(self, words: str | Callable[[Asked], str] = "I see.") -> None:
        self.asked: list[Asked] = []
        self._words = words

    def __call__(self, asked: Asked) -> str:
        self.asked.append(asked)
        return self._words if isinstance(self._words, str) else self._words(asked)
