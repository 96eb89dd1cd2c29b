"""What happens at one instant at which a body is cut, in the one order that there is."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mindpipe.person.body import channels, habits, rates, sleeping, slow
from mindpipe.person.body.bank import Bank, Flags, Instants
from mindpipe.person.body.effects import act, hunger
from mindpipe.person.body.event_fields import number
from mindpipe.person.body.satisfying import satisfy
from mindpipe.person.body.subject import Subject
from mindpipe.person.life import deciding
from mindpipe.person.life.noting import hold_of, note, renewed
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Contribution

GRID_US = 60_000_000
"""The decision grid, in microseconds since midnight of day 0."""


class Cut(NamedTuple):
    """For whom targets or plans changed, and the persons whose identity did, as they are now."""

    touched: Instants
    renewed: list[Person]


def cut(
    bank: Bank,
    t_us: int,
    events: Mapping[int, Sequence[Event]],
    due: Iterable[int],
    *,
    again: bool = False,
) -> Cut:
    """Let everything happen that does at an instant, for all persons of a bank, in place.

    What ended goes and what was due is done; on the decision grid habits and slow samples follow;
    then the events; then who is asleep may be woken; then the psyche decides. Targets are those
    after all of it.

    Args:
        bank: Persons who have all flowed to `t_us`.
        t_us: The instant.
        events: External events of that instant, by column, in input order.
        due: The columns for whom something of their own ends or is due by then.
        again: Whether they were cut then before, without these events.
    """
    touched = np.zeros(len(bank.persons), dtype=np.bool_)
    awake = bank.awake.copy()
    for column in due:
        touched[column] = _finish(Subject(bank, column, t_us))
    on_grid = t_us % GRID_US == 0
    if on_grid:
        _follow(bank, t_us, touched)
    changed = [
        person
        for column, happening in events.items()
        for event in happening
        if (person := _meet(Subject(bank, column, t_us), event)) is not None
    ]
    met = np.zeros(len(bank.persons), dtype=np.bool_)
    met[list(events)] = True
    touched |= met
    _rouse(bank, t_us, np.ones_like(met) if on_grid else met)
    woken = bank.awake & ~awake
    for column in woken.nonzero()[0].tolist():
        _note_waking(bank, column, by_event=bool(met[column] and bank.forced[column]))
    touched |= bank.awake != awake
    if on_grid or events:
        deciding.decide(bank, t_us, met, again=again)
    if touched.any():
        rates.retarget(bank, touched.nonzero()[0])
    return Cut(touched.nonzero()[0], changed)


def _finish(subject: Subject) -> bool:
    """End what has ended and do what is due for one person; return whether anything was."""
    life, t_us = subject.bank.lives[subject.column], subject.t_us
    ended = [one for one in life.active if one.end_us <= t_us]
    due = [one for one in life.pending if one.at_us <= t_us]
    held = [one for one in life.holds if one.end_us > t_us]
    changed = bool(ended or due) or len(held) != len(life.holds)
    life.holds[:] = held
    if ended:
        life.active[:] = [one for one in life.active if one.end_us > t_us]
        for one in ended:
            _sate(subject, one)
        channels.refresh(subject.bank, (subject.column,))
    if due:
        life.pending[:] = [one for one in life.pending if one.at_us > t_us]
        for item in sorted(due, key=lambda one: one.at_us):
            sleeping.fulfil(subject.bank, subject.column, item)
    return changed


def _sate(subject: Subject, ended: Contribution) -> None:
    """Let a person feel at the end of a meal how much less hungry it is."""
    if ended.start_hunger is not None:
        removed = max(ended.start_hunger - hunger(subject), 0.0)
        satisfy(subject.bank, np.array([subject.column]), removed)


def _follow(bank: Bank, t_us: int, touched: Flags) -> None:
    """Let habits and, every ten minutes, slow samples follow; mark for whom anything changed."""
    followed = habits.follow(bank, t_us)
    touched[followed] = True
    channels.refresh(bank, followed.tolist())
    if t_us % slow.SLOW_US == 0:
        touched |= slow.sample(bank)


def _meet(subject: Subject, event: Event) -> Person | None:
    """Let an event happen to a person; return the person if its identity changed."""
    bank, column, t_us = subject
    life = bank.lives[column]
    if event.type == "sleep":
        sleeping.fall_asleep(bank, column, t_us)
    elif event.type == "wake":
        sleeping.wake(bank, column, t_us, forced=False)
    elif event.type == "thought":
        if (hold := hold_of(event)) is not None:
            life.holds.append(hold)
    else:
        act(subject, event)
    if event.type in ("speech", "action"):
        sleeping.wake(bank, column, t_us, forced=True)
    channels.refresh(bank, (column,))
    if event.type in ("threat", "task"):
        bank.control[column] = 2.0 * number(event, "control") - 1.0
    life.mind = note(life.mind, event)
    if event.type != "identity":
        return None
    bank.persons[column] = renewed(bank.persons[column], event)
    return bank.persons[column]


def _rouse(bank: Bank, t_us: int, looked_at: Flags) -> None:
    """Wake who is asleep and disturbed among those who are looked at."""
    for column in (sleeping.roused(bank) & looked_at).nonzero()[0].tolist():
        sleeping.wake(bank, column, t_us, forced=True)


def _note_waking(bank: Bank, column: int, *, by_event: bool) -> None:
    """Keep in mind whether an event woke a person."""
    life = bank.lives[column]
    if life.mind.event_woken != by_event:
        life.mind = msgspec.structs.replace(life.mind, event_woken=by_event)
