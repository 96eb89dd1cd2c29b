"""Awareness of many persons between their cuts: who can be passed over, and who has to step."""

from collections.abc import Callable, Generator, Iterator, Sequence

import msgspec
import numpy as np

from mindpipe.person.awareness import blocks
from mindpipe.person.awareness.salience import SECOND_US, Sense
from mindpipe.person.body.bank import Bank, Flags, Floats, Instants
from mindpipe.person.inner.gates import Engine
from mindpipe.person.life.thinking import NEVER_US, Stretch, Walker, Way, Words, due_us, watch
from mindpipe.person.records.person import Person
from mindpipe.person.records.thought import Failure, Memory, SalienceLine, Thought
from mindpipe.person.voicing import Asked

Speak = Callable[[Sequence[Asked]], Sequence[Words]]
"""Finds words for several persons at once, in the order in which they are asked."""

AT_ONCE = 256
"""The senses of so many persons are computed at once, so that they stay in the cache."""


class Attention:
    """What the persons of one bank become aware of.

    `happenings` is what came of it so far, `gists` are memories that stand for the `forgotten`
    ones, `notes` are warnings. Columns are those of the whole bank, also where only some of it is
    at hand.
    """

    def __init__(self, bank: Bank, engines: Sequence[Engine | None], speak: Speak) -> None:
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
        self.happenings: list[Person | SalienceLine | Thought | Memory | Failure] = []
        self.gists: list[Memory] = []
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
            self._due_us[column] = due_us(engine, life)
        elif life.mind.inbox or life.mind.carry:
            life.mind = msgspec.structs.replace(life.mind, inbox=(), carry=None)

    def _pass(self, bank: Bank, columns: Instants, stretch: Stretch) -> list[int]:
        """Let the persons of a bank, which have these columns, be aware during a stretch."""
        last_us = stretch.instants[-1]
        self._next_us[columns] = (last_us // SECOND_US + 1) * SECOND_US
        if not bank.awake.any():
            return []
        idle = self._due_us[columns] > last_us
        unmoved, last = _pass_over(bank, stretch, idle)
        ways: dict[int, Way] = {}
        silent: list[int] = []
        for index in np.flatnonzero(bank.awake & ~(unmoved & idle)).tolist():
            if self._engines[columns[index]] is None:
                silent.append(index)
            else:
                ways[index] = Way(stretch, None, last[:, index])
        if silent:
            some = bank if len(silent) == len(bank.persons) else bank.take(silent)
            self.happenings += _watch(some, stretch)
            if some is not bank:
                bank.put(silent, some)
        stirred = [index for index in ways if not unmoved[index]]
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

    def _exchange(self, walks: list[Generator[Asked, Words, None]]) -> None:
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


def _tell(walk: Generator[Asked, Words, None], words: Words) -> Asked | None:
    """Return what somebody who is told words asks next, or None at the end of the way."""
    try:
        return walk.send(words)
    except StopIteration:
        return None


def _watch(bank: Bank, stretch: Stretch) -> list[SalienceLine]:
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


def _pass_over(bank: Bank, stretch: Stretch, idle: Flags) -> tuple[Flags, Floats]:
    """Pass over a stretch those of the idle whom nothing can stir in it.

    Returns:
        Whom nothing can stir [N], and the dimensions [4, N] of all at the last instant.
    """
    ends = blocks.dimensions(bank, (stretch.dts_us[0], stretch.dts_us[-1]))
    unmoved = blocks.unmoved(bank, ends, stretch.dts_us)
    passed = unmoved & idle
    bank.prev[:, passed] = ends[:, -1, passed]
    bank.prev_us[passed] = stretch.instants[-1]
    return unmoved, ends[:, -1]


def _senses(bank: Bank, chosen: list[int], stretch: Stretch) -> Iterator[list[Sense]]:
    """Yield what some persons of a bank sense at every instant of a stretch."""
    for start in range(0, len(chosen), AT_ONCE):
        part = chosen[start : start + AT_ONCE]
        some = bank if len(part) == len(bank.persons) else bank.take(part)
        yield from blocks.senses(some, stretch.dts_us)


def _stretch(anchor_us: int, first_us: int, last_us: int) -> Stretch:
    """Return the awareness instants from one on to another that need not be one."""
    whole = range((first_us // SECOND_US + 1) * SECOND_US, last_us + 1, SECOND_US)
    instants = (first_us, *whole)
    return Stretch(instants, tuple(instant - anchor_us for instant in instants))


def _second_after(t_us: Instants) -> Instants:
    """Return the next whole second after instants."""
    return (t_us // SECOND_US + 1) * SECOND_US
