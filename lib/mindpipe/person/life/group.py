"""Persons who share their constants and their time, living side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mindpipe.person.body import flow
from mindpipe.person.body.bank import Bank, Instants, Life
from mindpipe.person.body.slow import SLOW_US
from mindpipe.person.life.cut import GRID_US, Cut, cut
from mindpipe.person.life.gliding import FEW, glide
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.thought import Failure, Memory, SalienceLine, Thought

if TYPE_CHECKING:
    from mindpipe.person.life.attending import Attention

NEVER = np.iinfo(np.int64).max


Happening = Person | SalienceLine | Thought | Memory | Failure
"""What comes of a person while it lives, besides states."""


class Group:
    """One bank of persons, what is due for each of them next, and the events they wait for."""

    def __init__(self, bank: Bank, attention: "Attention | None" = None) -> None:
        """Let the persons of a bank live, all at the same `t_us`; aware where attention is paid."""
        self.bank = bank
        count = len(bank.persons)
        self._all = np.arange(count)
        self._events: list[list[Event]] = [[] for _ in range(count)]
        self._event_us = np.full(count, NEVER)
        self._due_us = np.array([due_us(life) for life in bank.lives], dtype=np.int64)
        self._renewed: list[Person] = []
        self._attention = attention

    def expect(self, column: int, events: Sequence[Event]) -> None:
        """Add events of a person, none of them before its time, to those it waits for."""
        waiting = sorted((*reversed(self._events[column]), *events), key=lambda one: one.t_us)
        self._events[column] = waiting[::-1]
        self._event_us[column] = waiting[0].t_us if waiting else NEVER

    def waiting(self, column: int) -> list[Event]:
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
                self._pass_grid(grid_us)
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
            if self._attend(np.minimum(soonest - 1, last_us)):
                continue
            t_us = int(soonest.min())
            if t_us > last_us:
                return
            columns = (soonest == t_us).nonzero()[0]
            some = self._some(columns)
            self._cut(some, t_us, columns, again=again)
            self._put(columns, some)

    def _pass_grid(self, t_us: int) -> None:
        """Cut everybody at an instant of the decision grid."""
        bank = self.bank
        strays = (bank.anchor_us != t_us - GRID_US).nonzero()[0]
        if 0 < len(strays) < len(self._all):
            some = bank.take(strays)
            flow.advance(some, t_us)
            bank.anchor_us[strays] = t_us - GRID_US
            flow.advance(bank, t_us)
            bank.modes[:, strays] = some.modes
        self._cut(bank, t_us, self._all)

    def _cut(self, bank: Bank, t_us: int, columns: Instants, *, again: bool = False) -> None:
        """Flow some persons to an instant and cut them there, `columns` being theirs here."""
        flow.advance(bank, t_us)
        due = (self._due_us[columns] <= t_us).nonzero()[0]
        met = (self._event_us[columns] <= t_us).nonzero()[0]
        events = {int(index): self._take_events(int(columns[index]), t_us) for index in met}
        done = cut(bank, t_us, events, due.tolist(), again=again)
        self._plan(bank, columns, done)
        if self._attention is not None:
            for index in met.tolist():
                self._attention.meet(bank, int(columns[index]), index)

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


def due_us(life: Life) -> int:
    """Return when next something of a person's own ends or is due, or `NEVER`."""
    ends = [one.end_us for one in life.active] + [one.end_us for one in life.holds]
    return min(ends + [one.at_us for one in life.pending], default=NEVER)
