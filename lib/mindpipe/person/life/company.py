"""What of a person's own week reaches its body: company, and the work that it was given."""

from collections.abc import Sequence

import numpy as np

from mindpipe.person.body import habits, rates
from mindpipe.person.body.bank import Bank, Flags, Subject
from mindpipe.person.body.effects import act, satisfy
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.week import (
    WEEK_MIN,
    RoutineSpan,
    Week,
    is_in_bed,
    quality_of,
    span_of,
)
from mindpipe.person.mind.routine import lived_week
from mindpipe.person.records.event import MINUTE_US, PersonEvent
from mindpipe.person.records.scales import VERSION

ROUTINE = "routine"
"""The id of what a person's week brings, as the event of its contributions."""
CONTROL = 0.8
"""How far ordinary work is in one's own hands (C)."""
FEVERISH_C = 0.8
"""From this fever on somebody stays in bed and away from work (C)."""


def follow(bank: Bank, t_us: int, touched: Flags) -> None:
    """Let the weeks of everybody go on at an instant of the decision grid.

    Company begins and ends; who has work to go to wakes for it, stays up for it, and does it.
    """
    moved = bank.company_us <= t_us
    if not moved.any():
        return
    columns = moved.nonzero()[0].tolist()
    by_week: dict[int, list[int]] = {}
    for column in columns:
        by_week.setdefault(id(bank.lives[column].week), []).append(column)
    for members in by_week.values():
        week = bank.lives[members[0]].week
        span = span_of(week, t_us)
        bank.in_bed[members] = is_in_bed(week, span)
        _keep_company(bank, members, span)
        if week.waking:
            _work(bank, members, week, span, t_us)
    touched |= moved


def renew(bank: Bank, column: int, t_us: int) -> None:
    """Let a person whose identity changed have the week that this suggests."""
    life = bank.lives[column]
    life.week = lived_week(bank.persons[column])
    span = span_of(life.week, t_us)
    bank.company[column], bank.company_us[column] = quality_of(span), span.end_us
    bank.in_bed[column] = is_in_bed(life.week, span)
    rates.refresh(bank, (column,))


def _keep_company(bank: Bank, members: Sequence[int], span: RoutineSpan) -> None:
    """Set the company of persons to that of a span; who comes into company is glad of it."""
    quality = quality_of(span)
    some = np.asarray(members)
    if quality > 0.0:
        came = some[bank.company[some] == 0.0]
        lack = 1.0 - np.exp(-3.5 * bank.modes[MODE["iso"], came])
        satisfy(bank, came, lack)
    bank.company[some], bank.company_us[some] = quality, span.end_us
    rates.keep_company(bank, some, quality)
    rates.refresh(bank, [column for column in members if bank.lives[column].active])


def _work(bank: Bank, members: Sequence[int], week: Week, span: RoutineSpan, t_us: int) -> None:
    """Let persons get up for work, stay up for it and do it; not those in a fever."""
    minute = t_us // MINUTE_US % WEEK_MIN
    fit = [c for c in members if bank.modes[MODE["fever"], c] < FEVERISH_C]
    if minute in week.alarms:
        habits.wake(bank, np.asarray(fit, dtype=np.int64), t_us, forced=False)
    for start, minutes in week.waking:
        if start == minute:
            up = np.asarray(fit, dtype=np.int64)
            until_us = t_us + minutes * MINUTE_US
            bank.stay_awake_us[up] = np.maximum(bank.stay_awake_us[up], until_us)
    block = span.block
    if block is None or not block.load or span.start_us != t_us:
        return
    # Work strains by an impulse, as events do; what habits do never sets such a mode going.
    bank.rest = None
    for column in fit:
        if bank.awake[column]:
            event = PersonEvent(
                v=VERSION,
                person=bank.persons[column].person,
                t_us=t_us,
                id=ROUTINE,
                type="task",
                load=block.load,
                control=CONTROL,
                dur_us=span.end_us - t_us,
            )
            act(Subject(bank, column, t_us), event)
            rates.refresh(bank, (column,))
