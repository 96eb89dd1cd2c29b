"""The last instant of a tick belongs to it, with all that is thought then."""

from mindpipe.person.calendar import instant_us
from mindpipe.person.records.thought import Thought
from mindpipe.person.voice.composed import composed
from support.lone_life import person
from support.persons import aware


def test_what_is_thought_at_the_end_of_a_tick_is_thought_in_it() -> None:
    happened = aware([person()], composed).advance(instant_us("07:02"))
    found = [one.t_us for one in happened if isinstance(one, Thought)]
    assert found == [instant_us("07:01:30"), instant_us("07:02")]
