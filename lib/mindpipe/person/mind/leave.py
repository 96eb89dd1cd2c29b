"""For how long a turn of a life keeps a person from work, from school and from going out.

A child is mourned for two weeks (United Kingdom: Parental Bereavement Leave Regulations 2020); for
others the law mostly says nothing, and three to five days are what employers grant (C). Whoever
bears a child has fourteen weeks (ILO Convention 183, article 4), a second parent ten days of work
(Directive (EU) 2019/1158, article 4). For a week nobody has to certify that it is ill or hurt
(United Kingdom: Statutory Sick Pay Regulations 1985, regulation 7).
"""

import re

from mindpipe.core.patterns import late
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.relations import Kind, NamedOther, kind_of
from mindpipe.person.mind.turns import LifeTurn
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity

MOURNING_DAYS: dict[Kind, int] = {
    "child": 14,
    "partner": 5,
    "parent": 5,
    "sibling": 5,
    "relative": 3,
    "mate": 3,
    "friend": 1,
}
"""For how many days somebody is mourned at home, by what they were; others for none."""
BABY = "your baby"
"""What a child is called of which nothing tells the name."""
BEARER_DAYS, PARENT_DAYS = 98, 14
HURT_US = 7 * DAY_US
"""For how long one who is badly hurt stays at home of which nothing more is told."""
_BEARS = late(
    r"\b(?:pregnant|expecting|you (?:have given|give|gave) birth|your (?:waters|contractions))\b",
    re.I,
)


def leave_us(
    turn: LifeTurn, event: PersonEvent, identity: PersonIdentity, other: NamedOther | None
) -> int | None:
    """Return until when a turn keeps a person at home, None where it keeps it from nothing.

    Args:
        turn: What turned.
        event: What told of it.
        identity: Who the person was until then.
        other: Whom the turn is of, where the person has named them.
    """
    days = 0
    if turn.topic == "bereavement":
        unnamed: Kind = "child" if turn.about == BABY else _kind_of_unnamed(turn.about)
        days = MOURNING_DAYS.get(other.kind if other is not None else unnamed, 0)
    elif turn.topic == "birth":
        days = BEARER_DAYS if is_bearer(event, identity) else PARENT_DAYS
    return event.t_us + days * DAY_US if days else None


def _kind_of_unnamed(about: str) -> Kind:
    """Return what somebody was whom the person has not named, such as `your grandmother`."""
    return kind_of(about)[0] if about.startswith("your ") else "other"


def is_bearer(event: PersonEvent, identity: PersonIdentity) -> bool:
    """Tell whether it is the person itself who bears the child that is born."""
    known = (event.text or "", identity.self_narrative, *(one.text for one in identity.learnt))
    return any(_BEARS.search(one) for one in known)
