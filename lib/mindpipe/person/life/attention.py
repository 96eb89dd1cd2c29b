"""Awareness of persons between their cuts: who is passed over, who steps, and what it thinks."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mindpipe.person.body import flow, rates, readouts
from mindpipe.person.body.bank import Bank, Flags, Floats, Instants, LifeRecords
from mindpipe.person.body.columns import COPING, DISTORTIONS
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import view_of
from mindpipe.person.mind import awareness
from mindpipe.person.mind.gates import ThoughtEngine, carried
from mindpipe.person.mind.moment import Scene, ThoughtOutcome
from mindpipe.person.mind.salience import SECOND_US, Peak, Salience, Sense, absorption, line_of
from mindpipe.person.psyche import drives
from mindpipe.person.psyche.drives import readouts_of
from mindpipe.person.records.person import Person
from mindpipe.person.records.scales import MOST_US
from mindpipe.person.records.state import Hold, Psyche
from mindpipe.person.records.thought import (
    Failure,
    PersonMemory,
    SalienceLine,
    Thought,
    VoiceError,
    VoiceRequest,
)

Words = str | VoiceError
NEVER_US = MOST_US + 1


class WakingStretch(NamedTuple):
    """Awareness instants between two cuts of persons who share their anchor, as spans from it."""

    instants: tuple[int, ...]
    dts_us: tuple[int, ...]

    def parted(self) -> tuple["WakingStretch", "WakingStretch"]:
        """Return the first instant, and the others."""
        return WakingStretch(self.instants[:1], self.dts_us[:1]), WakingStretch(
            self.instants[1:], self.dts_us[1:]
        )


class Way(NamedTuple):
    """What a person goes through: what it senses at every instant, or None where none can stir it.

    `last` are its dimensions [4] at the last instant.
    """

    stretch: WakingStretch
    senses: Sequence[Sense] | None
    last: Floats


def due_us(engine: ThoughtEngine, bank: Bank, index: int) -> int:
    """Return the instant from which on somebody has something to think without any peak."""
    awake, since_us = bool(bank.awake[index]), int(bank.since_us[index])
    due = engine.due_us(bank.lives[index].mind, awake=awake, since_us=since_us)
    return NEVER_US if due is None else due


def watch(
    bank: Bank, column: int, stretch: WakingStretch, senses: Sequence[Sense]
) -> list[SalienceLine]:
    """Let a person without a voice step through a stretch; return what broke into awareness.

    That only marks awareness: nothing is thought of it.
    """
    noticed: list[SalienceLine] = []
    person = bank.persons[column]
    salience, life = awareness.salience_of(bank, column), bank.lives[column]
    since_us, gain = int(bank.since_us[column]), person.settings.absorption_gain
    for t_us, sense in zip(stretch.instants, senses, strict=True):
        peak = _look(salience, life, t_us, sense, since_us=since_us, gain=gain)
        if peak is not None:
            noticed.append(line_of(person.person, life.mind, t_us, salience, peak))
            salience.mark(peak.dim, t_us)
    awareness.keep(bank, column, salience)
    return noticed


class Walker:
    """A person with a voice, who steps through a stretch of time, awake or dreaming.

    `noticed` is what broke into awareness, `outcomes` what came of it; `cut` whether a thought cut
    the body, which is then at the instant of that thought.
    """

    def __init__(self, alone: Bank, engine: ThoughtEngine, way: Way) -> None:
        """Set out.

        Args:
            alone: A bank of that person only.
            engine: Its inner voice.
            way: What it goes through.
        """
        self.noticed: list[SalienceLine] = []
        self.outcomes: list[ThoughtOutcome] = []
        self.cut = False
        self._alone, self._engine, self._way = alone, engine, way
        self._salience = awareness.salience_of(alone, 0)
        # An event may have changed who the person is since its voice was last heard.
        engine.person = alone.persons[0]

    def walk(self) -> Generator[VoiceRequest, Words, None]:
        """Go all the way, or up to a thought that cuts it; yield what is asked, be told words."""
        alone, engine, way = self._alone, self._engine, self._way
        life, since_us = alone.lives[0], int(alone.since_us[0])
        gain = engine.person.settings.absorption_gain
        due = due_us(engine, alone, 0)
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
            words: Words = begun.words or ""
            if begun.attempt is not None and begun.words is None:
                words = yield begun.attempt.asked
            self._settle(engine.end(begun, words), scene)
            if self.cut:
                return
            due = due_us(engine, alone, 0)
        if not alone.awake[0]:
            return
        if way.senses is None:
            self._see(way.last.tolist(), way.stretch.instants[-1])
        awareness.keep(alone, 0, self._salience)

    def _settle(self, outcome: ThoughtOutcome, scene: Scene) -> None:
        """Go on with what came of an instant; a thought that acts on the body cuts it."""
        alone, life = self._alone, self._alone.lives[0]
        self.outcomes.append(outcome)
        life.mind, alone.persons[0] = outcome.mind, self._engine.person
        if outcome.aware is not None:
            self._salience.mark(outcome.aware, scene.t_us)
        hold = hold_of(outcome.thought)
        if hold is None:
            return
        if scene.awake:
            read = scene.read
            self._see([read.pain, read.arousal, read.valence, read.energy], scene.t_us)
            awareness.keep(alone, 0, self._salience)
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
        awake=bool(alone.awake[0]),
        since_us=int(alone.since_us[0]),
        ate_us=int(alone.last_meal_us[0]),
    )


def _look(
    salience: Salience, life: LifeRecords, t_us: int, sense: Sense, *, since_us: int, gain: float
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


Speak = Callable[[Sequence[VoiceRequest]], Sequence[Words]]
"""Finds words for several persons at once, in the order in which they are asked."""

AT_ONCE = 256
"""The senses of so many persons are computed at once, so that they stay in the cache."""


class Attention:
    """What the persons of one bank become aware of.

    `happenings` is what came of it so far, `gists` are memories that stand for the `forgotten`
    ones, `notes` are warnings. Columns are those of the whole bank, also where only some of it is
    at hand.
    """

    def __init__(self, bank: Bank, engines: Sequence[ThoughtEngine | None], speak: Speak) -> None:
        """Attend from the second after the time of the persons on.

        Args:
            bank: The persons.
            engines: The inner voice of each; None where what breaks in only marks awareness.
            speak: What finds the words.
        """
        self._engines = list(engines)
        self._speak = speak
        self._off = np.array([not one.settings.awareness for one in bank.persons])
        self._next_us = np.where(self._off, NEVER_US, _second_after(bank.t_us))
        self._due_us = np.full(len(bank.persons), NEVER_US)
        self._since_us = bank.since_us.copy()
        self.happenings: list[Person | SalienceLine | Thought | PersonMemory | Failure] = []
        self.gists: list[PersonMemory] = []
        self.forgotten: list[str] = []
        self.notes: list[str] = []
        for column in np.flatnonzero(~self._off).tolist():
            self._remind(bank, column, column)

    def meet(self, bank: Bank, column: int, index: int) -> None:
        """Let an external event make its instant one of awareness.

        Args:
            bank: The bank that the event was applied in.
            column: The person's column.
            index: Its place in `bank`.
        """
        if not self._off[column]:
            self._next_us[column] = bank.anchor_us[index]
            self._remind(bank, column, index)

    def attend(self, bank: Bank, last_us: Instants) -> list[int]:
        """Let everybody be aware up to an instant of its own [N], itself included.

        Returns:
            The columns of those whom a thought cut before, with a hold that acts since.
        """
        left = np.flatnonzero(self._next_us <= last_us)
        cut: list[int] = []
        while left.size:
            one = left[0]
            same = self._next_us[left] == self._next_us[one]
            same &= last_us[left] == last_us[one]
            same &= bank.anchor_us[left] == bank.anchor_us[one]
            columns, left = left[same], left[~same]
            stretch = _stretch(int(bank.anchor_us[one]), int(self._next_us[one]), int(last_us[one]))
            if columns.size == len(bank.persons):
                cut += self._pass(bank, columns, stretch)
            else:
                some = bank.take(columns)
                cut += self._pass(some, columns, stretch)
                bank.put(columns, some)
        return cut

    def _remind(self, bank: Bank, column: int, index: int) -> None:
        """Know again when a person has something to think; without a voice nothing waits."""
        engine, life = self._engines[column], bank.lives[index]
        if engine is not None:
            self._due_us[column] = due_us(engine, bank, index)
        elif life.mind.inbox or life.mind.carry:
            life.mind = msgspec.structs.replace(life.mind, inbox=(), carry=None)

    def _turn(self, bank: Bank, columns: Instants) -> None:
        """Know again what those have to think who fell asleep or woke since they were looked at."""
        for index in np.flatnonzero(self._since_us[columns] != bank.since_us).tolist():
            self._since_us[columns[index]] = bank.since_us[index]
            self._remind(bank, int(columns[index]), index)

    def _pass(self, bank: Bank, columns: Instants, stretch: WakingStretch) -> list[int]:
        """Let the persons of a bank, which have these columns, be aware during a stretch."""
        last_us = stretch.instants[-1]
        self._next_us[columns] = (last_us // SECOND_US + 1) * SECOND_US
        self._turn(bank, columns)
        idle = self._due_us[columns] > last_us
        going = bank.awake | ~idle
        if not going.any():
            return []
        unmoved, last = _pass_over(bank, stretch, idle)
        ways: dict[int, Way] = {}
        silent: list[int] = []
        for index in np.flatnonzero(going & ~(unmoved & idle)).tolist():
            if self._engines[columns[index]] is None:
                silent.append(index)
            else:
                ways[index] = Way(stretch, None, last[:, index])
        if silent:
            some = bank if len(silent) == len(bank.persons) else bank.take(silent)
            self.happenings += _watch(some, stretch)
            if some is not bank:
                bank.put(silent, some)
        stirred = [index for index in ways if bank.awake[index] and not unmoved[index]]
        for index, senses in zip(stirred, _senses(bank, stirred, stretch), strict=True):
            ways[index] = ways[index]._replace(senses=senses)
        return self._converse(bank, columns, ways) if ways else []

    def _converse(self, bank: Bank, columns: Instants, ways: dict[int, Way]) -> list[int]:
        """Let persons with voices go their ways; return the columns of those who were cut."""
        single = len(bank.persons) == 1
        banks = {index: bank if single else bank.take([index]) for index in ways}
        walkers = {
            index: Walker(banks[index], engine, way)
            for index, way in ways.items()
            if (engine := self._engines[columns[index]]) is not None
        }
        self._exchange([walker.walk() for walker in walkers.values()])
        cut: list[int] = []
        for index, walker in walkers.items():
            column = int(columns[index])
            if not single:
                bank.put([index], banks[index])
            self._remind(bank, column, index)
            self.happenings += walker.noticed
            for outcome in walker.outcomes:
                self.happenings += outcome.happenings()
                self.gists += outcome.gists
                self.forgotten += outcome.forgotten
                self.notes += outcome.notes
            if walker.cut:
                self._next_us[column] = _second_after(bank.anchor_us[index])
                cut.append(column)
        return cut

    def _exchange(self, walks: list[Generator[VoiceRequest, Words, None]]) -> None:
        """Let everybody walk on, all who ask at once being told at once, until all are through."""
        asking = [(walk, asked) for walk in walks if (asked := next(walk, None)) is not None]
        while asking:
            told = self._speak([asked for _, asked in asking])
            going = zip(asking, told, strict=True)
            asking = [
                (walk, asked)
                for (walk, _), words in going
                if (asked := _tell(walk, words)) is not None
            ]


def _tell(walk: Generator[VoiceRequest, Words, None], words: Words) -> VoiceRequest | None:
    """Return what somebody who is told words asks next, or None at the end of the way."""
    try:
        return walk.send(words)
    except StopIteration:
        return None


def _watch(bank: Bank, stretch: WakingStretch) -> list[SalienceLine]:
    """Let persons without a voice step through a stretch; return what broke into awareness.

    Mostly it is a cut that stirred them, and after the first instant they can be passed over.
    """
    noticed: list[SalienceLine] = []
    first, rest = stretch.parted()
    everybody = list(range(len(bank.persons)))
    for index, senses in enumerate(_senses(bank, everybody, first)):
        noticed += watch(bank, index, first, senses)
    if rest.instants:
        unmoved, _ = _pass_over(bank, rest, bank.awake)
        moved = np.flatnonzero(~unmoved).tolist()
        for index, senses in zip(moved, _senses(bank, moved, rest), strict=True):
            noticed += watch(bank, index, rest, senses)
    return noticed


def _pass_over(bank: Bank, stretch: WakingStretch, idle: Flags) -> tuple[Flags, Floats]:
    """Pass over a stretch those of the idle whom nothing can stir in it.

    Returns:
        Whom nothing can stir [N], and the dimensions [4, N] of all at the last instant.
    """
    ends = awareness.dimensions(bank, (stretch.dts_us[0], stretch.dts_us[-1]))
    unmoved = awareness.unmoved(bank, ends, stretch.dts_us)
    passed = unmoved & idle
    bank.prev[:, passed] = ends[:, -1, passed]
    bank.prev_us[passed] = stretch.instants[-1]
    return unmoved, ends[:, -1]


def _senses(bank: Bank, chosen: list[int], stretch: WakingStretch) -> Iterator[list[Sense]]:
    """Yield what some persons of a bank sense at every instant of a stretch."""
    for start in range(0, len(chosen), AT_ONCE):
        part = chosen[start : start + AT_ONCE]
        some = bank if len(part) == len(bank.persons) else bank.take(part)
        yield from awareness.senses(some, stretch.dts_us)


def _stretch(anchor_us: int, first_us: int, last_us: int) -> WakingStretch:
    """Return the awareness instants from one on to another that need not be one."""
    whole = range((first_us // SECOND_US + 1) * SECOND_US, last_us + 1, SECOND_US)
    instants = (first_us, *whole)
    return WakingStretch(instants, tuple(instant - anchor_us for instant in instants))


def _second_after(t_us: Instants) -> Instants:
    """Return the next whole second after instants."""
    return (t_us // SECOND_US + 1) * SECOND_US
