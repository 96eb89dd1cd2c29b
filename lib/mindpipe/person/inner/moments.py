"""The moment of a thought: all that is asked for it, and all that is known of it beforehand."""

from typing import NamedTuple

from mindpipe.person.inner.drafting import Draft, Piece, Prompt, Prompting
from mindpipe.person.inner.felt import codes_of, felt_of
from mindpipe.person.inner.recollection import Recollection
from mindpipe.person.inner.scene import Attempt, Scene
from mindpipe.person.inner.selecting import ContextSelector, snapshot_of
from mindpipe.person.inner.shifts import WAKING
from mindpipe.person.inner.tendencies import DISTORTED
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Coping, Distortion, Psyche, Readouts, ThoughtMode
from mindpipe.person.records.thought import Affect, Memory, Thought, ThoughtContext, Trigger
from mindpipe.person.voicing import About, Asked, Moment

KIND, UNKIND = 0.2, -0.2
"""The valence from which on what is said does somebody good, or stings."""


class Recalled(NamedTuple):
    """What comes back: memories, best first, and thoughts, oldest first."""

    memories: tuple[Memory, ...] = ()
    thoughts: tuple[Thought, ...] = ()


def recalled(
    recollection: Recollection, read: Readouts, *, selector: ContextSelector, most_thoughts: int
) -> Recalled:
    """Return what comes back to a body at an instant, at most so many thoughts."""
    thoughts = tuple(recollection.recent)[-most_thoughts:] if most_thoughts else ()
    shown = [thought.id for thought in thoughts]
    chosen = selector.select(snapshot_of(read), recollection.memories, shown=shown)
    return Recalled(memories=tuple(chosen), thoughts=thoughts)


def trigger_key(mode: ThoughtMode, trigger: Trigger) -> str:
    """Return what the composed voice calls a trigger: `pain+`, `waking`, `respond-`, `eat` ...."""
    if mode == "react":
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
    trigger: Trigger,
    back: Recalled,
    prompting: Prompting,
) -> tuple[Attempt, Prompt]:
    """Return a thought that lacks its words, and the prompt that asks for them."""
    settings, psyche = person.settings, scene.psyche
    moment = _moment(person, scene, mode, trigger, back)
    prompt = prompting.build(
        Draft(
            mode=mode,
            trigger=trigger,
            codes=moment.codes,
            t_us=scene.t_us,
            identity=person.identity,
            distortions=moment.distortions,
            impulse=_primary(psyche) if settings.prompt_coping else None,
            memories=tuple(Piece(memory.content, memory.valence) for memory in back.memories),
            thoughts=tuple(Piece(thought.content, _valence(thought)) for thought in back.thoughts),
        )
    )
    asked = Asked(
        system=prompt.system,
        user=prompt.user,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        moment=moment,
    )
    about = About(
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
    return Attempt(asked=asked, about=about, scene=scene), prompt


def retelling_at(person: Person, scene: Scene, prompting: Prompting) -> Attempt:
    """Return the call by which a person says anew who it is, at the beginning of a day."""
    settings, trigger = person.settings, Trigger()
    prompt = prompting.retelling(person.identity)
    asked = Asked(
        system=prompt.system,
        user=prompt.user,
        max_tokens=settings.max_tokens,
        temperature=settings.temperature,
        moment=_moment(person, scene, "spontaneous", trigger, Recalled()),
    )
    about = About(moment=asked.moment, trigger=trigger)
    return Attempt(asked=asked, about=about, scene=scene, retelling=True)


def affect_of(read: Readouts) -> Affect:
    """Return how a thought feels that comes with these readouts."""
    return Affect(
        arousal=read.arousal, valence=read.valence, energy=read.energy, stress=read.stress
    )


def _moment(
    person: Person, scene: Scene, mode: ThoughtMode, trigger: Trigger, back: Recalled
) -> Moment:
    """Return what the composed voice speaks from."""
    codes = codes_of(felt_of(scene.read, fever=scene.fever, t_us=scene.t_us))
    return Moment(
        person=person.person,
        seed=person.seed,
        t_us=scene.t_us,
        mode=mode,
        codes=codes,
        trigger=trigger_key(mode, trigger),
        distortions=_distortions(scene.psyche),
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
