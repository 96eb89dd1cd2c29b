"""A turn of a life as an event tells it, and how much an event weighs."""

from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.person.mind.relations import Kind
from mindpipe.person.records.event import LifeTopic, PersonEvent

WORK, SICK_LEAVE, NOTICE = "work", "sick leave", "notice"
"""What turns are of that are of no person."""
DAYS_OFF, NIGHTS = "days off", "nights"
"""What is arranged for a while and is of no person: no work, and work by night."""
MAY_TELL = late(
    r"(?i)\b(?:hospital|clinic|hospice|intensive care|sanatorium|rehab|nursing home|care home"
    r"|maternity|prison|jail|custody|abroad|overseas|sea|deployed|called up|away|home|back|returns?"
    r"|returned|discharged|released|nights?|shifts?|days?|weeks?|fortnight|months?|off|leave"
    r"|holiday|time off|come in)\b|(?:go|goes|gone|went|going|fl[iy]\w*|flew|flown|leaves?|left"
    r"|leaving|travel\w*|mov\w+|sail\w*|sets|drives|drove)\b"
)
"""Words without one of which nothing tells that something is otherwise for a while."""


class ToldTurn(NamedTuple):
    """A turn that an event tells of, and whose it is: a name, `your brother`, or nothing.

    `own` is whether it is the person's own, and not only that of somebody whom it knows. `due_us`
    is when it comes to pass, where that is told.
    """

    topic: LifeTopic
    name: str = ""
    kind: Kind = "other"
    own: bool = True
    due_us: int | None = None


def weight_of(event: PersonEvent) -> float:
    """Return how much an event weighs, 0 to 1: as it says, or by its valence and strength."""
    if event.importance is not None:
        return event.importance
    intensity = 0.5 if event.intensity is None else event.intensity
    return abs(event.valence or 0.0) * (0.5 + 0.5 * intensity)
