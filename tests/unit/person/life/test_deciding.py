"""What is decided twice at one instant is decided as if all had been known at once."""

import numpy as np

from mindpipe.person.body.bank import Bank
from mindpipe.person.body.modes import MODE
from mindpipe.person.life import cut
from support import persons

AT_US = 7 * 60_000_000
COUNT = 60


def _sad(*, control: float) -> Bank:
    """Return people who are awake, sad enough to cope, and in control or not."""
    bank = persons.bank([persons.person(number) for number in range(COUNT)])
    bank.awake[:] = True
    bank.t_us[:] = AT_US
    bank.modes[MODE["v5"]] = -1.5
    bank.control[:] = control
    return bank


def test_an_episode_that_began_before_its_event_was_known_is_drawn_anew() -> None:
    nobody, everybody = np.zeros(COUNT, dtype=np.bool_), np.ones(COUNT, dtype=np.bool_)
    late, known = _sad(control=-1.0), _sad(control=1.0)
    cut.decide(late, AT_US, nobody)
    before = late.coping.copy()
    late.control[:] = 1.0
    cut.decide(late, AT_US, everybody, again=True)
    cut.decide(known, AT_US, everybody)
    assert (known.episode_us == AT_US).all()
    assert (late.coping == known.coping).all()
    assert (late.coping != before).any()
