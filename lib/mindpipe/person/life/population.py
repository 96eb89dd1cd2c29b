"""Persons side by side through simulated time, each living as it would alone, bit for bit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mindpipe.person.body import columns, flow, readouts, vitals
from mindpipe.person.body.bank import Bank, Instants, LifeRecords
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.rates import SLOW_US
from mindpipe.person.calendar import weekday_of
from mindpipe.person.life import outlook
from mindpipe.person.life.cut import FEW, GRID_US, BodyCut, Stirred, cut, glide
from mindpipe.person.mind.routine import lived_week
from mindpipe.person.psyche.drives import readouts_of
from mindpipe.person.records.event import HOUR_US, PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import Failure, PersonMemory, SalienceLine, Thought

if TYPE_CHECKING:
    from mindpipe.person.life.attention import Attention

NEVER: int = np.iinfo(np.int64).max


Happening = Person | SalienceLine | Thought | PersonMemory | Failure
"""What comes of a person while it lives, besides states."""


class PersonGroup:
    """One bank of persons, what is due for each of them next, and the events they wait for."""

    def __init__(self, bank: Bank, attention: "Attention | None" = None) -> None:
        """Let the persons of a bank live, all at the same `t_us`; aware where attention is paid."""
        self.bank = bank
        count = len(bank.persons)
        self._all = np.arange(count)
        self._events: list[list[PersonEvent]] = [[] for _ in range(count)]
        self._event_us = np.full(count, NEVER)
        self._due_us = np.array([due_us(life) for life in bank.lives], dtype=np.int64)
        # Before these nothing but numbers that flow changes: who is not yet known is looked at.
        self._quiet_us = np.zeros(count, dtype=np.int64)
        self._composed_us = np.zeros(count, dtype=np.int64)
        self._renewed: list[Person] = []
        self._attention = attention

    def expect(self, column: int, events: Sequence[PersonEvent]) -> None:
        """Add events of a person, none of them before its time, to those it waits for."""
        waiting = sorted((*reversed(self._events[column]), *events), key=lambda one: one.t_us)
        self._events[column] = waiting[::-1]
        self._event_us[column] = waiting[0].t_us if waiting else NEVER
        self._quiet_us[column] = self._composed_us[column] = 0

    def waiting(self, column: int) -> list[PersonEvent]:
        """Return the events that a person still waits for, soonest first."""
        return self._events[column][::-1]

    def advance(self, until_us: int) -> list[Happening]:
        """Live until an instant, itself included; return what came of it."""
        now_us = int(self.bank.t_us[0])
        self._pass_own(now_us, again=True)
        while now_us < until_us:
            now_us = self._glide(now_us, until_us)
            grid_us = (now_us // GRID_US + 1) * GRID_US
            if now_us == until_us:
                break
            now_us = min(grid_us, until_us)
            if now_us == grid_us:
                self._pass_own(grid_us - 1)
                self._pass_grid(grid_us, last=grid_us + GRID_US > until_us)
            else:
                self._pass_own(until_us)
        self._pass_own(now_us)
        self.bank.t_us[:] = now_us
        found: list[Happening] = [*self._renewed]
        self._renewed.clear()
        if self._attention is not None:
            found += self._attention.happenings
            self._attention.happenings.clear()
        return found

    def _glide(self, now_us: int, until_us: int) -> int:
        """Let few persons pass quiet minutes at once; return the instant that they reached."""
        free = self._attention is None and len(self._all) <= FEW
        if not free or (self.bank.anchor_us != now_us).any() or now_us % GRID_US:
            return now_us
        own_us = int(np.minimum(self._event_us, self._due_us).min())
        own_us = min(own_us, int(self.bank.company_us.min()))
        slow_us = (now_us // SLOW_US + 1) * SLOW_US
        last_us = min(own_us - 1, slow_us - 1, until_us) // GRID_US * GRID_US
        return now_us if last_us <= now_us else glide(self.bank, last_us)

    def _pass_own(self, last_us: int, *, again: bool = False) -> None:
        """Cut persons at the instants of their own up to one, soonest first.

        Args:
            last_us: The last instant.
            again: Whether everybody was cut there before, when its events were not yet known.
        """
        while True:
            soonest = np.minimum(self._event_us, self._due_us)
            if self._attention is not None and self._attend(np.minimum(soonest - 1, last_us)):
                continue
            t_us = int(soonest.min())
            if t_us > last_us:
                return
            columns = (soonest == t_us).nonzero()[0]
            some = self._some(columns)
            self._cut(some, t_us, columns, again=again)
            self._put(columns, some)

    def _pass_grid(self, t_us: int, *, last: bool) -> None:
        """Cut everybody at an instant of the decision grid, which may be the last on the way."""
        bank = self.bank
        strays = (bank.anchor_us != t_us - GRID_US).nonzero()[0]
        if 0 < len(strays) < len(self._all):
            some = bank.take(strays)
            flow.advance(some, t_us)
            bank.anchor_us[strays] = t_us - GRID_US
            flow.advance(bank, t_us)
            bank.modes[:, strays] = some.modes
        looked = last or self._attention is not None
        stirred = None
        if not looked:
            doing = (self._quiet_us <= t_us).nonzero()[0]
            stirred = Stirred(doing, (self._composed_us <= t_us).nonzero()[0])
        self._cut(bank, t_us, self._all, stirred=stirred)
        # What is known to rest is looked for anew once an hour: to look takes a walk through all.
        every_us = SLOW_US if bank.rest is None else HOUR_US
        if t_us % every_us == 0 and self._attention is None and len(self._all) > FEW:
            flow.settle(bank)

    def _cut(
        self,
        bank: Bank,
        t_us: int,
        columns: Instants,
        *,
        again: bool = False,
        stirred: Stirred | None = None,
    ) -> None:
        """Flow some persons to an instant and cut them there, `columns` being theirs here.

        Of everybody only those may be looked at who were not known to be quiet until then.
        """
        flow.advance(bank, t_us)
        known = columns if stirred is None else stirred.doing
        due = (self._due_us[known] <= t_us).nonzero()[0]
        met = (self._event_us[known] <= t_us).nonzero()[0]
        if stirred is not None:
            due, met = known[due], known[met]
        events = {int(index): self._take_events(int(columns[index]), t_us) for index in met}
        if events:
            bank.rest = None
        done = cut(bank, t_us, events, due.tolist(), again=again, stirred=stirred)
        self._plan(bank, columns, done, t_us)
        if self._attention is not None:
            for index in met.tolist():
                self._attention.meet(bank, int(columns[index]), index)

    def _take_events(self, column: int, t_us: int) -> list[PersonEvent]:
        """Return the events of a person at an instant, which it waits for no longer."""
        waiting, taken = self._events[column], list[PersonEvent]()
        while waiting and waiting[-1].t_us <= t_us:
            taken.append(waiting.pop())
        self._event_us[column] = waiting[-1].t_us if waiting else NEVER
        return taken

    def _plan(self, bank: Bank, columns: Instants, done: BodyCut, t_us: int) -> None:
        """Know again what is due next for whom a cut touched, and until when nothing is."""
        self._renewed += done.renewed
        lives, seen, felt = bank.lives, done.seen, done.felt
        due = map(due_us, map(lives.__getitem__, done.touched.tolist()))
        self._due_us[columns[done.touched]] = np.fromiter(due, np.int64, len(done.touched))
        if seen is None or felt is None or done.mood is None:
            self._quiet_us[columns] = self._composed_us[columns] = 0
            return
        if len(felt):
            self._composed_us[felt] = outlook.composed_us(bank, felt, done.mood.felt, t_us)
        if len(seen):
            quiet_us = outlook.quiet_us(bank, seen, t_us)
            for planned_us in (self._due_us, self._event_us, bank.company_us):
                np.minimum(quiet_us, planned_us[seen], out=quiet_us)
            self._quiet_us[seen] = quiet_us

    def _attend(self, last_us: Instants) -> bool:
        """Let awareness pass up to an instant of each; return whether a thought cut anybody."""
        if self._attention is None:
            return False
        held = self._attention.attend(self.bank, last_us)
        for column in held:
            self._due_us[column] = due_us(self.bank.lives[column])
        return bool(held)

    def _some(self, columns: Instants) -> Bank:
        """Return the bank itself for everybody, else a bank of some."""
        return self.bank if len(columns) == len(self._all) else self.bank.take(columns)

    def _put(self, columns: Instants, some: Bank) -> None:
        """Put back what was taken."""
        if some is not self.bank:
            self.bank.put(columns, some)


def due_us(life: LifeRecords) -> int:
    """Return when next something of a person's own ends or is due, or `NEVER`."""
    soonest: int = NEVER
    for one in life.active:
        if one.end_us < soonest:  # noqa: PLR1730 - a call of min takes twice as long
            soonest = one.end_us
    if life.pending:
        soonest = min(soonest, *[due.at_us for due in life.pending])
    if life.holds:
        soonest = min(soonest, *[held.end_us for held in life.holds])
    return soonest


class LateEventError(Exception):
    """An event that happened before the time that its person has reached."""

    def __init__(self, event: PersonEvent, now_us: int) -> None:
        super().__init__(
            f"late_event: {event.id} is at {event.t_us}, but {event.person} has reached {now_us}."
        )
        self.event = event
        self.now_us = now_us


def in_order(events: Iterable[PersonEvent], now_us: int) -> list[PersonEvent]:
    """Return events by time, those of one instant in input order.

    Raises:
        LateEventError: one of them is before `now_us`.
    """
    ordered = sorted(events, key=lambda event: event.t_us)
    if ordered and ordered[0].t_us < now_us:
        raise LateEventError(ordered[0], now_us)
    return ordered


def made_punctual(event: PersonEvent, now_us: int) -> PersonEvent:
    """Return an event as it can still be applied: one that is late is now, and says when it was."""
    if event.t_us >= now_us:
        return event
    return msgspec.structs.replace(event, t_us=now_us, late_from_us=event.t_us)


SIDE_BY_SIDE = 10_000
"""How many are computed together: the numbers of more would not stay near the processor, and those
of a power of two would push each other out, since all rows would begin at the same cache line."""


class Population:
    """Persons who live side by side without knowing of each other.

    Those who share constants and time are computed together. Nothing about a person depends on
    the others, on their order, or on how often and how far the population is advanced.
    """

    def __init__(
        self,
        persons: Sequence[Person],
        states: Sequence[PersonState],
        attending: Callable[[Bank], "Attention"] | None = None,
    ) -> None:
        """Take persons as they are.

        Args:
            persons: Who they are.
            states: The state of each, in the same order.
            attending: Pays attention for the persons of a bank; without it nobody is aware.
        """
        self._order = [person.person for person in persons]
        self._place: dict[str, tuple[PersonGroup, int]] = {}
        together: dict[tuple[object, int], list[int]] = {}
        for index, (person, state) in enumerate(zip(persons, states, strict=True)):
            constants = constants_of(tuple(sorted(person.consts.items())))
            together.setdefault((constants, state.t_us), []).append(index)
        self._groups: list[PersonGroup] = []
        parts = (
            every[first : first + SIDE_BY_SIDE]
            for every in together.values()
            for first in range(0, len(every), SIDE_BY_SIDE)
        )
        for members in parts:
            some = [persons[index] for index in members]
            constants = constants_of(tuple(sorted(some[0].consts.items())))
            weeks = [lived_week(person) for person in some]
            bank = columns.bank_of(some, [states[index] for index in members], constants, weeks)
            group = PersonGroup(bank, attending(bank) if attending else None)
            self._groups.append(group)
            for column, person in enumerate(some):
                self._place[person.person] = (group, column)

    @property
    def persons(self) -> list[Person]:
        """Return who the persons are by now, in their order."""
        return [group.bank.persons[column] for group, column in self._places()]

    def advance(
        self, until_us: int, events: Mapping[str, Sequence[PersonEvent]] | None = None
    ) -> list[Happening]:
        """Let everybody live until an instant, itself included.

        Args:
            until_us: The instant; persons who are there already stay as they are.
            events: Events by the id of their person; those after the instant wait for a later call.

        Returns:
            What came of it, by instant, then in the order of persons.

        Raises:
            LateEventError: an event is before the time of its person; nothing was advanced.
            KeyError: an event is for nobody of this population; nothing was advanced.
        """
        arrived = [
            (group, column, in_order(some, int(group.bank.t_us[column])))
            for person, some in (events or {}).items()
            for group, column in [self._place[person]]
        ]
        for group, column, some in arrived:
            group.expect(column, some)
        found: list[Happening] = []
        for group in self._groups:
            found += group.advance(until_us)
        order = {person: index for index, person in enumerate(self._order)}
        return sorted(found, key=lambda one: (one.t_us, order[one.person]))

    def waiting(self) -> list[PersonEvent]:
        """Return the events that are still to come, person by person, soonest first."""
        return [event for group, column in self._places() for event in group.waiting(column)]

    def states(self, *, read: bool = False) -> list[PersonState]:
        """Return the state of everybody, in their order, with readouts where they are wanted."""
        by_group = {id(group): columns.states_of(group.bank) for group in self._groups}
        if read:
            for group in self._groups:
                found = zip(by_group[id(group)], self._read(group), strict=True)
                by_group[id(group)] = [
                    msgspec.structs.replace(state, read=one) for state, one in found
                ]
        return [_dated(by_group[id(group)][column]) for group, column in self._places()]

    def banks(self) -> list[Bank]:
        """Return the banks that persons are in."""
        return [group.bank for group in self._groups]

    def readouts(self) -> list[Readouts]:
        """Return what can be read of everybody at its time, in their order."""
        by_group = {id(group): self._read(group) for group in self._groups}
        return [by_group[id(group)][column] for group, column in self._places()]

    def _places(self) -> list[tuple[PersonGroup, int]]:
        """Return the group and the column of every person, in their order."""
        return [self._place[person] for person in self._order]

    def _read(self, group: PersonGroup) -> list[Readouts]:
        """Return the readouts of a group at its time."""
        bank = group.bank
        modes = flow.at(bank, int(bank.t_us[0]))
        return readouts_of(bank, readouts.read(vitals.view_of(bank, modes, bank.t_us)))


def _dated(state: PersonState) -> PersonState:
    """Return a state whose situation, which is that of the latest thought, has today's weekday."""
    situation, day = state.mind.situation, weekday_of(state.t_us)
    if situation.weekday in ("", day):
        return state
    situation = msgspec.structs.replace(situation, weekday=day)
    mind = msgspec.structs.replace(state.mind, situation=situation)
    return msgspec.structs.replace(state, mind=mind)
