"""What is otherwise for a while: who of the household is away, days off, and work by night.

A routine tells of ordinary days; somebody in hospital sits at no table, and who has the week off
goes to no work. Each is learnt when it is told plainly, and holds until its time is over or
something tells of its end.

What is here is compiled when it is imported: import it where the words of an event may tell of it.
"""

import re

from mindpipe.person.calendar import DAY_US, WEEKDAYS
from mindpipe.person.mind.recognition import ToldEvent, days_in, hits, says, telling_of, whom_of
from mindpipe.person.mind.relations import NamedOther, away_of
from mindpipe.person.mind.told_turn import DAYS_OFF, NIGHTS
from mindpipe.person.mind.turn_words import AWAY, HOME_AGAIN, LEAVE, OFF_NIGHTS, ON_NIGHTS
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import LearntFact, PersonIdentity

CARED_DAYS, TRAVEL_DAYS, SHIFT_DAYS, OFF_DAYS = 14, 7, 7, 1
"""For how many days at most something holds of which no time is told: care, a journey, a week of
nights, days off (C). Who is abroad for good, or locked up, is away until something tells else."""


def arranged(event: PersonEvent, identity: PersonIdentity) -> list[LearntFact]:
    """Return what an event arranges otherwise, or ends, as facts: one that is over has an end."""
    telling = telling_of(event, identity)
    found = [*_of_people(telling, event, identity), *_of_work(telling, event, identity)]
    return list({one.about: one for one in found}.values())


def _of_people(
    telling: ToldEvent, event: PersonEvent, identity: PersonIdentity
) -> list[LearntFact]:
    """Return who is away, or back."""
    facts: list[LearntFact] = []
    away = away_of(identity)
    for found in hits(AWAY, telling, planned=False):
        whom = _whom(found, telling)
        if whom is None or whom.kind == "animal" or not (whom.at_home and not whom.gone):
            continue
        if not found["to"] or found["afar"] or days_in(telling.text):
            # Who goes to the shops of Lidl is back by the evening.
            facts.append(_gone(found, whom, event))
    for found in hits(HOME_AGAIN, telling, planned=False):
        whom = whom_of(found, telling)
        if whom is not None and whom.name.casefold() in away:
            text = f"{whom.name} is back home"
            fact = LearntFact(text=text, since_us=event.t_us, about=whom.name)
            facts.append(fact)
    return facts


def _whom(found: re.Match[str], telling: ToldEvent) -> NamedOther | None:
    """Return of whom it is told that it is away, whichever way that is told."""
    for lead in ("", "go_", "is_"):
        if (whom := whom_of(found, telling, lead=lead)) is not None:
            return whom
    return None


def _gone(found: re.Match[str], whom: NamedOther, event: PersonEvent) -> LearntFact:
    """Return that somebody is away, and until when at most."""
    days = days_in(event.text or "")
    if found["care"]:
        where, most = "in hospital", CARED_DAYS
    elif found["jail"]:
        where, most = "in prison", 0
    elif found["to"]:
        where, most = f"away in {found['to']}", TRAVEL_DAYS
    else:
        where, most = "away", 0
    days = days or most
    return LearntFact(
        text=f"{whom.name} is {where}",
        since_us=event.t_us,
        about=whom.name,
        ends_us=event.t_us + days * DAY_US if days else None,
        where=where,
    )


_UNTIL = re.compile(rf"(?i)\b(?:until|till|before) ({'|'.join(WEEKDAYS)})\b")


def _days_until(text: str, t_us: int) -> int:
    """Return in how many days the weekday comes until which something holds, 0 without one."""
    found = _UNTIL.search(text)
    if found is None:
        return 0
    ahead = (WEEKDAYS.index(found[1].capitalize()) - t_us // DAY_US) % len(WEEKDAYS)
    return ahead or len(WEEKDAYS)


def _of_work(telling: ToldEvent, event: PersonEvent, identity: PersonIdentity) -> list[LearntFact]:
    """Return that a person has days off, or works by night for a while, or does so no more."""
    t_us, speaker = event.t_us, telling.speaker
    private = speaker is not None and speaker.kind not in ("colleague", "other")
    if private:
        return []
    held = {one.about: one for one in identity.learnt if one.until_us is None}
    facts: list[LearntFact] = []
    if says((LEAVE,), telling, planned=True):
        days = days_in(telling.text) or _days_until(telling.text, t_us) or OFF_DAYS
        ends_us = t_us + days * DAY_US
        text = "you have days off work"
        facts.append(LearntFact(text=text, since_us=t_us, about=DAYS_OFF, ends_us=ends_us))
    if says((OFF_NIGHTS,), telling, planned=True) and NIGHTS in held:
        facts.append(LearntFact(text="you work by day", since_us=t_us, about=NIGHTS, until_us=t_us))
    elif says((ON_NIGHTS,), telling, planned=True):
        ends_us = t_us + (days_in(telling.text) or SHIFT_DAYS) * DAY_US
        text = "you work nights"
        facts.append(LearntFact(text=text, since_us=t_us, about=NIGHTS, ends_us=ends_us))
    return facts
