"""One person's way through a stretch of waking time: what it becomes aware of, what it thinks."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from mindpipe.person.awareness import blocks
from mindpipe.person.awareness.salience import Peak, Salience, Sense
from mindpipe.person.body import flow, rates, readouts
from mindpipe.person.body.bank import Bank, Floats, Life
from mindpipe.person.body.columns import COPING, DISTORTIONS
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import view_of
from mindpipe.person.inner.chain import absorption
from mindpipe.person.inner.gates import Engine, carried
from mindpipe.person.inner.noticed import line_of
from mindpipe.person.inner.scene import Outcome, Scene
from mindpipe.person.life.reading import readouts_of
from mindpipe.person.psyche import drives
from mindpipe.person.records.ranges import MOST_US
from mindpipe.person.records.state import Hold, Psyche
from mindpipe.person.records.thought import SalienceLine, Thought
from mindpipe.person.voicing import Asked, VoiceError

Words = str | VoiceError
NEVER_US = MOST_US + 1


class Stretch(NamedTuple):
    """Awareness instants between two cuts of persons who share their anchor, as spans from it."""

    instants: tuple[int, ...]
    dts_us: tuple[int, ...]

    def parted(self) -> tuple["Stretch", "Stretch"]:
        """Return the first instant, and the others."""
        return Stretch(self.instants[:1], self.dts_us[:1]), Stretch(
            self.instants[1:], self.dts_us[1:]
        )


class Way(NamedTuple):
    """What a person goes through: what it senses at every instant, or None where none can stir it.

    `last` are its dimensions [4] at the last instant.
    """

    stretch: Stretch
    senses: Sequence[Sense] | None
    last: Floats


def due_us(engine: Engine, life: Life) -> int:
    """Return the instant from which on there is something to think without any peak."""
    due = engine.due_us(life.mind)
    return NEVER_US if due is None else due


def watch(bank: Bank, column: int, stretch: Stretch, senses: Sequence[Sense]) -> list[SalienceLine]:
    """Let a person without a voice step through a stretch; return what broke into awareness.

    That only marks awareness: nothing is thought of it.
    """
    noticed: list[SalienceLine] = []
    person = bank.persons[column]
    salience, life = blocks.salience_of(bank, column), bank.lives[column]
    since_us, gain = int(bank.since_us[column]), person.settings.absorption_gain
    for t_us, sense in zip(stretch.instants, senses, strict=True):
        peak = _look(salience, life, t_us, sense, since_us=since_us, gain=gain)
        if peak is not None:
            noticed.append(line_of(person.person, life.mind, t_us, salience, peak))
            salience.mark(peak.dim, t_us)
    blocks.keep(bank, column, salience)
    return noticed


class Walker:
    """A waking person with a voice, who steps through a stretch of time.

    `noticed` is what broke into awareness, `outcomes` what came of it; `cut` whether a thought cut
    the body, which is then at the instant of that thought.
    """

    def __init__(self, alone: Bank, engine: Engine, way: Way) -> None:
        """Set out.

        Args:
            alone: A bank of that person only.
            engine: Its inner voice.
            way: What it goes through.
        """
        self.noticed: list[SalienceLine] = []
        self.outcomes: list[Outcome] = []
        self.cut = False
        self._alone, self._engine, self._way = alone, engine, way
        self._salience = blocks.salience_of(alone, 0)
        # An event may have changed who the person is since its voice was last heard.
        engine.person = alone.persons[0]

    def walk(self) -> Generator[Asked, Words, None]:
        """Go all the way, or up to a thought that cuts it; yield what is asked, be told words."""
        alone, engine, way = self._alone, self._engine, self._way
        life, since_us = alone.lives[0], int(alone.since_us[0])
        gain = engine.person.settings.absorption_gain
        due = due_us(engine, life)
        for index, t_us in enumerate(way.stretch.instants):
            peak = None
            if way.senses is not None:
                sense = way.senses[index]
                peak = _look(self._salience, life, t_us, sense, since_us=since_us, gain=gain)
            if peak is None and t_us < due:
                continue
            if peak is not None and carried(life.mind, peak, t_us) is not life.mind.carry:
                name = engine.person.person
                self.noticed.append(line_of(name, life.mind, t_us, self._salience, peak))
            scene = scene_of(alone, t_us)
            begun = engine.begin(life.mind, scene, peak)
            words: Words = "" if begun.attempt is None else (yield begun.attempt.asked)
            self._settle(engine.end(begun, words), scene)
            if self.cut:
                return
            due = due_us(engine, life)
        if way.senses is None:
            self._see(way.last.tolist(), way.stretch.instants[-1])
        blocks.keep(alone, 0, self._salience)

    def _settle(self, outcome: Outcome, scene: Scene) -> None:
        """Go on with what came of an instant; a thought that acts on the body cuts it."""
        alone, life = self._alone, self._alone.lives[0]
        self.outcomes.append(outcome)
        life.mind, alone.persons[0] = outcome.mind, self._engine.person
        if outcome.aware is not None:
            self._salience.mark(outcome.aware, scene.t_us)
        hold = hold_of(outcome.thought)
        if hold is None:
            return
        read = scene.read
        self._see([read.pain, read.arousal, read.valence, read.energy], scene.t_us)
        blocks.keep(alone, 0, self._salience)
        flow.advance(alone, scene.t_us)
        life.holds.append(hold)
        rates.retarget(alone)
        self.cut = True

    def _see(self, dimensions: list[float], t_us: int) -> None:
        """Compare what comes next with the dimensions of an instant."""
        self._salience.prev, self._salience.prev_us = dimensions, t_us


def hold_of(thought: Thought | None) -> Hold | None:
    """Return what a thought does to the body from its instant on, or None where nothing."""
    if thought is None or not thought.rates:
        return None
    end_us = thought.t_us + round(thought.hold_s * 1e6)
    return Hold(start_us=thought.t_us, end_us=end_us, rates=thought.rates)


def scene_of(alone: Bank, t_us: int) -> Scene:
    """Return what the inner voice is given of a person at an instant not past its next cut."""
    modes = flow.block(alone, (t_us - int(alone.anchor_us[0]),))[:, 0]
    reading = readouts.read(view_of(alone, modes, alone.anchor_us * 0 + t_us))
    codes = alone.coping[:, 0].tolist()
    bent = alone.distortions[:, 0].tolist()
    return Scene(
        t_us=t_us,
        read=readouts_of(alone, reading)[0],
        fever=float(modes[MODE["fever"], 0]),
        psyche=Psyche(
            coping=tuple(COPING[code] for code in codes if code >= 0),
            distortions=tuple(
                name for name, active in zip(DISTORTIONS, bent, strict=True) if active
            ),
        ),
        drives=drives.ranked(drives.strengths(alone, reading)[:, 0].tolist()),
    )


def _look(
    salience: Salience, life: Life, t_us: int, sense: Sense, *, since_us: int, gain: float
) -> Peak | None:
    """Return what breaks into awareness at an instant."""
    chain = life.mind.chain
    return salience.evaluate(
        t_us,
        sense,
        waking=salience.prev_us < since_us,
        woken=life.mind.event_woken,
        absorbed=gain * absorption(chain, t_us) if chain.n > 2 else 0.0,
    )
