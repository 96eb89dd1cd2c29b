"""A life as one of two beside each other: what was said in it, moment by moment."""

from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.life.differences import HISTORY, Picture, shown
from mindpipe.life.persons.course import PersonCourse
from mindpipe.life.words import message_words
from mindpipe.person.calendar import instant_text
from mindpipe.person.plots.lives import gather
from mindpipe.person.records.state import Readouts

CURVES = ("arousal", "valence", "energy", "stress", "pain", "cortisol_nmol_l")


class SideMoment(NamedTuple):
    """Something that was said, thought or happened: its place among others, and its words."""

    place: int
    label: str
    what: str
    words: str


class LifeSide(NamedTuple):
    """A life beside another one: its moments in order; of a person its curves and its sleep.

    `curves` have a value for each instant of `t_us`, in microseconds.
    """

    name: str
    moments: tuple[SideMoment, ...]
    t_us: tuple[int, ...] = ()
    curves: Mapping[str, tuple[float, ...]] = {}
    nights: tuple[tuple[int, int], ...] = ()


def side_of_agent(name: str, picture: Picture) -> LifeSide:
    """Return the life of an agent by its messages."""
    return LifeSide(
        name,
        tuple(
            SideMoment(int(seq), f"cycle {one['cycle']}", str(one["role"]), message_words(one))
            for seq, one in ((seq, shown(row)) for seq, row in picture(HISTORY))
        ),
    )


def side_of_person(name: str, lived: PersonCourse) -> LifeSide:
    """Return the life of a person by its events and thoughts."""
    moments = [
        SideMoment(one.t_us, instant_text(one.t_us), "event", one.text or one.type)
        for one in lived.events
    ]
    moments += [
        SideMoment(one.t_us, instant_text(one.t_us), "thought", one.content)
        for one in lived.thoughts
    ]
    read = [one for one in lived.states if isinstance(one.read, Readouts)]
    if not read:
        return LifeSide(name, tuple(sorted(moments)))
    (drawn,) = gather(read, CURVES)
    return LifeSide(
        name,
        tuple(sorted(moments)),
        t_us=tuple(drawn.t_us),
        curves={
            one: tuple(round(value, 4) for value in values) for one, values in drawn.curves.items()
        },
        nights=tuple(drawn.nights()),
    )
