"""Persons who share their constants and their time, living side by side."""

from collections.abc import Sequence

import numpy as np

from mindpipe.person.body import flow
from mindpipe.person.body.bank import Bank, Instants, Life
from mindpipe.person.life.cut import GRID_US, Cut, cut
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person

NEVER = np.iinfo(np.int64).max


class Group:
    """One bank of persons, what is due for each of them next, and the events they wait for."""

    def __init__(self, bank: Bank) -> None:
        """Let the persons of a bank live, all of them at the same `t_us`."""
        self.bank = bank
        count = len(bank.persons)
        self._events: list[list[Event]] = [[] for _ in range(count)]
        self._event_us = np.full(count, NEVER)
        self._due_us = np.array([due_us(life) for life in bank.lives], dtype=np.int64)
        self._renewed: list[Person] = []

    def expect(self, column: int, events: Sequence[Event]) -> None:
        """Add events of a person, none of them before its time, to those it waits for."""
        waiting = sorted((*reversed(self._events[column]), *events), key=lambda one: one.t_us)
        self._events[column] = waiting[::-1]
        self._event_us[column] = waiting[0].t_us if waiting else NEVER

    def waiting(self, column: int) -> list[Event]:
        """Return the events that a person still waits for, soonest first."""
        return self._events[column][::-1]

    def advance(self, until_us: int) -> list[Person]:
        """Live until an instant, itself included.

        Returns:
            The persons whose identity changed, as they are then, in the order of instants.
        """
        bank, now_us = self.bank, int(self.bank.t_us[0])
        self._pass_own(now_us)
        while now_us < until_us:
            grid_us = (now_us // GRID_US + 1) * GRID_US
            if grid_us <= until_us:
                self._pass_own(grid_us - 1)
                self._pass_grid(grid_us)
                now_us = grid_us
            else:
                self._pass_own(until_us)
                now_us = until_us
        bank.t_us[:] = until_us
        renewed, self._renewed = self._renewed, []
        return renewed

    def _pass_own(self, last_us: int) -> None:
        """Cut persons at the instants of their own up to one, soonest first."""
        while True:
            soonest = np.minimum(self._event_us, self._due_us)
            t_us = int(soonest.min())
            if t_us > last_us:
                return
            columns = np.flatnonzero(soonest == t_us)
            if len(columns) == len(self._events):
                self._cut(self.bank, t_us, columns)
            else:
                some = self.bank.take(columns)
                self._cut(some, t_us, columns)
                self.bank.put(columns, some)

    def _pass_grid(self, t_us: int) -> None:
        """Cut everybody at an instant of the decision grid."""
        bank = self.bank
        strays = np.flatnonzero(bank.anchor_us != t_us - GRID_US)
        if 0 < len(strays) < len(self._events):
            some = bank.take(strays)
            flow.advance(some, t_us)
            bank.anchor_us[strays] = t_us - GRID_US
            flow.advance(bank, t_us)
            bank.modes[:, strays] = some.modes
        self._cut(bank, t_us, np.arange(len(self._events)))

    def _cut(self, bank: Bank, t_us: int, columns: Instants) -> None:
        """Flow some persons to an instant and cut them there, `columns` being theirs here."""
        flow.advance(bank, t_us)
        due = np.flatnonzero(self._due_us[columns] <= t_us)
        met = np.flatnonzero(self._event_us[columns] <= t_us)
        events = {int(index): self._take_events(int(columns[index]), t_us) for index in met}
        self._plan(bank, columns, cut(bank, t_us, events, due.tolist()))

    def _take_events(self, column: int, t_us: int) -> list[Event]:
        """Return the events of a person at an instant, which it waits for no longer."""
        waiting, taken = self._events[column], list[Event]()
        while waiting and waiting[-1].t_us <= t_us:
            taken.append(waiting.pop())
        self._event_us[column] = waiting[-1].t_us if waiting else NEVER
        return taken

    def _plan(self, bank: Bank, columns: Instants, done: Cut) -> None:
        """Know again what is due next for whom a cut touched."""
        for index in done.touched:
            self._due_us[columns[index]] = due_us(bank.lives[index])
        self._renewed += done.renewed


def due_us(life: Life) -> int:
    """Return when next something of a person's own ends or is due, or `NEVER`."""
    ends = [one.end_us for one in life.active] + [one.end_us for one in life.holds]
    return min(ends + [one.at_us for one in life.pending], default=NEVER)
