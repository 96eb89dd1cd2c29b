"""The moment of a thought: the scene, what is asked for it, and what is known of it beforehand."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from mindpipe.person.mind.draft import (
    LivedDraft,
    PromptDraft,
    PromptMaker,
    RecalledText,
    ThoughtPrompt,
)
from mindpipe.person.mind.felt import DISTORTED, codes_of, felt_of
from mindpipe.person.mind.memory import ContextSelector, Recollection, snapshot_of
from mindpipe.person.mind.needs import Silent, spoken_codes
from mindpipe.person.mind.salience import WAKING
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import (
    Coping,
    Dimension,
    Distortion,
    Mind,
    Psyche,
    Readouts,
    ThoughtMode,
)
from mindpipe.person.records.thought import (
    Affect,
    Failure,
    PendingThought,
    PersonMemory,
    Thought,
    ThoughtContext,
    ThoughtMoment,
    ThoughtTrigger,
    Voice,
    VoiceRequest,
)


class Scene(NamedTuple):
    """A person at an awareness instant: readouts, the mode `fever` in °C, psyche, drives.

    `drives` are names and strengths (0 to 1); those that are too weak to come to mind may be left
    out. `since_us` is since when it is awake or asleep, `ate_us` when it ate last; `silent` are
    needs that are not felt now.
    """

    t_us: int
    read: Readouts
    fever: float = 0.0
    psyche: Psyche = Psyche()
    drives: tuple[tuple[str, float], ...] = ()
    awake: bool = True
    since_us: int = 0
    ate_us: int = -(2**62)
    silent: frozenset[Silent] = frozenset()


class Thinker(NamedTuple):
    """Who finds the words: a model by its name, its voice, and what makes its prompts.

    `prompts` is given the most tokens of a prompt. Without a voice nothing is thought; `composed`
    is the built-in voice, whose calls are not counted; `instead` speaks where no call is left or
    one failed.
    """

    model: str
    voice: Voice | None
    prompts: Callable[[int], PromptMaker]
    composed: bool = False
    instead: Voice | None = None


class ThoughtAttempt(NamedTuple):
    """A thought that lacks its words: what is asked, and all else that is known of it.

    With `retelling` the words become who the person says it is, and no thought.
    """

    asked: VoiceRequest
    about: PendingThought
    scene: Scene
    retelling: bool = False


class BegunThought(NamedTuple):
    """A mind at an instant before its voice is called, and what is asked, if anything is.

    `aware` is the dimension that came to awareness, whose alert is over; `person` is who the
    person is from now on, where that changed. `words` are those that are known already, so that
    nobody is asked.
    """

    mind: Mind
    attempt: ThoughtAttempt | None = None
    aware: Dimension | None = None
    person: Person | None = None
    notes: tuple[str, ...] = ()
    words: str | None = None


class ThoughtOutcome(NamedTuple):
    """A mind after an instant: the thought or the failure, what is remembered, who one is.

    `gists` are memories that stand for the `forgotten` ones from now on; they are made anew from
    the same memories by everybody who reads all of these. `notes` are warnings.
    """

    mind: Mind
    thought: Thought | None = None
    memory: PersonMemory | None = None
    failure: Failure | None = None
    person: Person | None = None
    gists: tuple[PersonMemory, ...] = ()
    forgotten: tuple[str, ...] = ()
    aware: Dimension | None = None
    notes: tuple[str, ...] = ()

    def happenings(self) -> tuple[Person | Thought | PersonMemory | Failure, ...]:
        """Return the records of what happened, in the order in which they are written."""
        found = (self.person, self.failure, self.thought, self.memory)
        return tuple(record for record in found if record is not None)


KIND, UNKIND = 0.2, -0.2
"""The valence from which on what is said does somebody good, or stings."""


HAPPENED, DREAMT = "episode", "dream"
"""What the composed voice calls what happened, and what is dreamt."""


class RecalledPast(NamedTuple):
    """What comes back: memories, best first, and thoughts, oldest first."""

    memories: tuple[PersonMemory, ...] = ()
    thoughts: tuple[Thought, ...] = ()


def recalled(
    recollection: Recollection, read: Readouts, *, selector: ContextSelector, most_thoughts: int
) -> RecalledPast:
    """Return what comes back to a body at an instant, at most so many thoughts."""
    thoughts = tuple(recollection.recent)[-most_thoughts:] if most_thoughts else ()
    shown = [thought.id for thought in thoughts]
    chosen = selector.select(snapshot_of(read), recollection.memories, shown=shown)
    return RecalledPast(memories=tuple(chosen), thoughts=thoughts)


def trigger_key(mode: ThoughtMode, trigger: ThoughtTrigger) -> str:
    """Return what the composed voice calls a trigger: `pain+`, `waking`, `respond-`, `eat` ...."""
    if mode == "react":
        if trigger.dim is None:
            return HAPPENED
        return "waking" if trigger.text.endswith(WAKING) else f"{trigger.dim}{trigger.dir}"
    if mode == "spontaneous":
        return trigger.source or ""
    valence = trigger.valence or 0.0
    if valence >= KIND:
        return "respond+"
    return "respond-" if valence <= UNKIND else "respond0"


def attempt_at(
    person: Person,
    scene: Scene,
    mode: ThoughtMode,
    trigger: ThoughtTrigger,
    back: RecalledPast,
    prompting: PromptMaker,
    lived: LivedDraft | None = None,
) -> tuple[ThoughtAttempt, ThoughtPrompt]:
    """Return a thought that lacks its words, and the prompt that asks for them."""
    settings, psyche = person.settings, scene.psyche
    moment = _moment(person, scene, mode, trigger, back)
    if lived is not None:
        # What comes back is what happened, and not the words that were once thought of it.
        back = back._replace(memories=())
        moment = msgspec.structs.replace(moment, lived=lived.moment)
    prompt = prompting.build(
        PromptDraft(
            mode=mode,
            trigger=trigger,
            codes=moment.codes,
            t_us=scene.t_us,
            identity=person.identity,
            distortions=moment.distortions,
            impulse=_primary(psyche) if settings.prompt_coping else None,
            memories=tuple(
                RecalledText(memory.content, memory.valence) for memory in back.memories
            ),
            thoughts=tuple(
                RecalledText(thought.content, _valence(thought)) for thought in back.thoughts
            ),
            lived=lived,
        )
    )
    asked = VoiceRequest(
        system=prompt.system,
        user=prompt.user,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        moment=moment,
    )
    about = PendingThought(
        moment=moment,
        trigger=trigger,
        affect=affect_of(scene.read),
        context=ThoughtContext(
            memories=tuple(memory.id for memory in back.memories),
            thoughts=tuple(thought.id for thought in back.thoughts),
            tokens_est=prompt.tokens,
            compressed=prompt.compressed,
        ),
        hold_s=settings.hold_s,
        parser=settings.parser,
    )
    return ThoughtAttempt(asked=asked, about=about, scene=scene), prompt


def retelling_at(person: Person, scene: Scene, prompting: PromptMaker) -> ThoughtAttempt:
    """Return the call by which a person says anew who it is, at the beginning of a day."""
    settings, trigger = person.settings, ThoughtTrigger()
    prompt = prompting.retelling(person.identity)
    asked = VoiceRequest(
        system=prompt.system,
        user=prompt.user,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        moment=_moment(person, scene, "spontaneous", trigger, RecalledPast()),
    )
    about = PendingThought(moment=asked.moment, trigger=trigger)
    return ThoughtAttempt(asked=asked, about=about, scene=scene, retelling=True)


def affect_of(read: Readouts) -> Affect:
    """Return how a thought feels that comes with these readouts."""
    return Affect(
        arousal=read.arousal, valence=read.valence, energy=read.energy, stress=read.stress
    )


def _moment(
    person: Person, scene: Scene, mode: ThoughtMode, trigger: ThoughtTrigger, back: RecalledPast
) -> ThoughtMoment:
    """Return what the composed voice speaks from."""
    codes = codes_of(felt_of(scene.read, fever=scene.fever, t_us=scene.t_us))
    codes = spoken_codes(codes, scene.silent) if scene.silent else codes
    return ThoughtMoment(
        person=person.person,
        seed=person.seed,
        t_us=scene.t_us,
        mode=mode,
        codes=codes,
        trigger=trigger_key(mode, trigger),
        distortions=() if "gloom" in scene.silent else _distortions(scene.psyche),
        coping=_primary(scene.psyche),
        stress=scene.read.stress,
        memory=back.memories[0].content if back.memories else "",
    )


def _distortions(psyche: Psyche) -> tuple[Distortion, ...]:
    """Return the active distortions in the order of their table."""
    return tuple(name for name in DISTORTED if name in psyche.distortions)


def _primary(psyche: Psyche) -> Coping | None:
    """Return the primary way of coping, if there is one."""
    return psyche.coping[0] if psyche.coping else None


def _valence(thought: Thought) -> float:
    """Return how a thought felt, or 0 where that is not known."""
    return thought.affect.valence if thought.affect else 0.0
