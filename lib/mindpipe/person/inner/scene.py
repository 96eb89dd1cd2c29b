"""What the inner voice is given at an instant, and what it gives back."""

from collections.abc import Callable
from typing import NamedTuple

from mindpipe.person.inner.drafting import Prompting
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Dimension, Mind, Psyche, Readouts
from mindpipe.person.records.thought import Failure, Memory, Thought
from mindpipe.person.voicing import About, Asked, Voice


class Scene(NamedTuple):
    """A waking person at an awareness instant: readouts, the mode `fever` in °C, psyche, drives.

    `drives` are names and strengths (0 to 1); those that are too weak to come to mind may be left
    out.
    """

    t_us: int
    read: Readouts
    fever: float = 0.0
    psyche: Psyche = Psyche()
    drives: tuple[tuple[str, float], ...] = ()


class Thinker(NamedTuple):
    """Who finds the words: a model by its name, its voice, and what makes its prompts.

    `prompts` is given the most tokens of a prompt. Without a voice nothing is thought; `composed`
    is the built-in voice, whose calls are not counted.
    """

    model: str
    voice: Voice | None
    prompts: Callable[[int], Prompting]
    composed: bool = False


class Attempt(NamedTuple):
    """A thought that lacks its words: what is asked, and all else that is known of it.

    With `retelling` the words become who the person says it is, and no thought.
    """

    asked: Asked
    about: About
    scene: Scene
    retelling: bool = False


class Begun(NamedTuple):
    """A mind at an instant before its voice is called, and what is asked, if anything is.

    `aware` is the dimension that came to awareness, whose alert is over; `person` is who the
    person is from now on, where that changed.
    """

    mind: Mind
    attempt: Attempt | None = None
    aware: Dimension | None = None
    person: Person | None = None
    notes: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """A mind after an instant: the thought or the failure, what is remembered, who one is.

    `gists` are memories that stand for the `forgotten` ones from now on; they are made anew from
    the same memories by everybody who reads all of these. `notes` are warnings.
    """

    mind: Mind
    thought: Thought | None = None
    memory: Memory | None = None
    failure: Failure | None = None
    person: Person | None = None
    gists: tuple[Memory, ...] = ()
    forgotten: tuple[str, ...] = ()
    aware: Dimension | None = None
    notes: tuple[str, ...] = ()

    def happenings(self) -> tuple[Person | Thought | Memory | Failure, ...]:
        """Return the records of what happened, in the order in which they are written."""
        found = (self.person, self.failure, self.thought, self.memory)
        return tuple(record for record in found if record is not None)
