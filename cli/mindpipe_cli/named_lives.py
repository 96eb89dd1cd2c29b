"""Which life is named: an agent or a person of the store, a life file, lines, at which point."""

import contextlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import click

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe_cli import input, startup
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.life.archive import LifeReader
    from mindpipe.life.differences import Picture
    from mindpipe.life.persons.course import PersonCourse
    from mindpipe.life.records import LifeDifference, LifeManifest
    from mindpipe.life.sides import LifeSide
    from mindpipe.store.engine import EngineStore


_PIECE = 1 << 20
_STORE = b"SQLite format 3\0"
_LIFE = b"\x1f\x8b"


class LifePoint(Record):
    """When in a life: at the end of a cycle of an agent, or at an instant of a person."""

    cycle: int | None = None
    at_us: int | None = None

    def of_agent(self, agent: str) -> int | None:
        """Return the cycle; raises UsageError for an instant."""
        if self.at_us is not None:
            raise UsageError(f"{agent} is an agent, whose life has cycles: write its number.")
        return self.cycle

    def of_person(self, person: str) -> int | None:
        """Return the instant in microseconds; raises UsageError for a cycle."""
        if self.cycle is not None:
            raise UsageError(f"{person} is a person: write an instant, such as 2d16:00 or 36h.")
        return self.at_us


NOW = LifePoint()


class MomentType(click.ParamType[LifePoint]):
    """A number of a cycle, or an instant such as 2d16:00; the least number is 0 (at first) or 1."""

    name = "moment"

    def __init__(self, least: int = 0) -> None:
        self._least = least

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> LifePoint:
        """Return what is meant."""
        if isinstance(value, LifePoint):
            return value
        text = str(value)
        if text.removeprefix("-").isdecimal():
            if int(text) < self._least:
                also = "" if self._least else "; 0 is before the first"
                self.fail(f"cycles count from 1{also}.", param, ctx)
            return LifePoint(cycle=int(text))
        named = param.opts[0] if param is not None else "@"
        if not text[:1].isdecimal():
            raise UsageError(
                f"{named}: expected the number of a cycle of an agent, or an instant of a person "
                f'such as 2d16:00 or 36h, got "{text}".'
            )
        from mindpipe_cli.person_input import instant_of

        return LifePoint(at_us=instant_of(text, option=named))


def _compared(session: Session, given: str, held: contextlib.ExitStack) -> "Picture | PersonCourse":
    """Return what is compared of somebody of the store, of a life file, or of lines."""
    from mindpipe.life.persons.course import PersonCourse
    from mindpipe.life.verbs import life, persons

    name, at, when = given.rpartition("@")
    moment = NOW
    # No name has an @, and of a file one may be part.
    if name and at and (when[:1].isdecimal() or not _is_file(given)):
        moment = MomentType().convert(when, None, None)
    else:
        name = given
    lived = taken(session, name, held)
    if isinstance(lived, PersonCourse):
        startup.load_arrays()
        return persons.seen(lived, at_us=moment.of_person(lived.id))
    if lived is None:
        store, who = session.store, name
    else:
        store, who = held.enter_context(life.unpacked(lived)), lived.manifest.agent
    return held.enter_context(life.picture(store, agent=who, cycle=moment.of_agent(who)))


def taken(
    session: Session, name: str, held: contextlib.ExitStack
) -> "PersonCourse | LifeReader | None":
    """Return a person's life, or the life file of an agent; None for an agent of the store."""
    from mindpipe.life.verbs import kept_person, life, persons
    from mindpipe.person.verbs import refusal

    if not _is_file(name):
        is_person = refusal.is_person(session.store, name)
        return kept_person.course(session.store, person=name) if is_person else None
    if is_lines(name):
        return lived_on_lines(name)
    if _begins(name, _STORE):
        return _of_store(name, held)
    stream = held.enter_context(input.open_input(name))
    reader = life.opened(pieces(stream), name=input.name_of(name))
    return persons.course_of_file(reader) if reader.manifest.person is True else reader


def _of_store(name: str, held: contextlib.ExitStack) -> "PersonCourse | LifeReader":
    """Return the one life of a store; raises UsageError where it holds several, or none."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.app import App
    from mindpipe.life.verbs import kept_person, life
    from mindpipe.person.verbs import refusal

    app = App({"store": name}, os.environ)
    store = held.enter_context(contextlib.closing(app.store))
    there = [one.name for one in agents.list_(store)]
    if len(there) != 1:
        lives = f"the lives of {', '.join(there)}" if there else "no life"
        raise UsageError(f"{name} holds {lives}; mind life export NAME --store {name} gives one.")
    (who,) = there
    if refusal.is_person(store, who):
        return kept_person.course(store, person=who)
    return life.opened(life.export(store, app.clock, agent=who), name=name)


@contextlib.contextmanager
def life_in(file: str) -> "Iterator[tuple[EngineStore, LifeManifest] | None]":
    """Give a private store with the life of a life file (- is stdin); None where it is none."""
    from mindpipe.life.verbs import life

    if file == "-" or not Path(file).is_file():
        is_life = file == "-" and input.first_octets(1) == _LIFE[:1]
    else:
        is_life = _begins(file, _LIFE)
    if not is_life:
        yield None
        return
    with input.open_input(file) as stream:
        reader = life.opened(pieces(stream), name=input.name_of(file))
        with life.unpacked(reader) as store:
            yield store, reader.manifest


_IN_ROWS = frozenset({"message", "parting", "thought", "event"})
"""What a page of two lives shows among what was said, and not among what differs beside it."""


def beside(
    session: Session, first: str, second: str
) -> "tuple[list[LifeSide], list[LifeDifference]]":
    """Return two lives as they are looked at beside each other, and what else differs."""
    from mindpipe.life.persons.course import PersonCourse
    from mindpipe.life.sides import side_of_agent, side_of_person

    with pair(session, first, second) as (one, other, found):
        sides = [
            side_of_person(name, it) if isinstance(it, PersonCourse) else side_of_agent(name, it)
            for name, it in ((first, one), (second, other))
        ]
        return sides, [each for each in found if each.what not in _IN_ROWS]


class LifePair(NamedTuple):
    """Two lives of one kind, and what differs between them."""

    first: "Picture | PersonCourse"
    second: "Picture | PersonCourse"
    found: "Iterator[LifeDifference]"


@contextlib.contextmanager
def pair(session: Session, first: str, second: str) -> Iterator[LifePair]:
    """Give two lives that are compared; raises UsageError for an agent and a person."""
    from mindpipe.life.persons.course import PersonCourse
    from mindpipe.life.verbs import life, persons

    with contextlib.ExitStack() as held:
        one, other = (_compared(session, name, held) for name in (first, second))
        if isinstance(one, PersonCourse) and isinstance(other, PersonCourse):
            yield LifePair(one, other, persons.diff(one, other))
        elif isinstance(one, PersonCourse) or isinstance(other, PersonCourse):
            raise UsageError(f"of {first} and {second} one is an agent and the other a person.")
        else:
            yield LifePair(one, other, life.diff(one, other))


def lived_on_lines(file: str) -> "PersonCourse":
    """Return the life of the one person on the lines of a file; raises UsageError for several."""
    from mindpipe.life.persons.course import course_of_lines
    from mindpipe_cli.person_input import records_of

    found = course_of_lines(records_of(file))
    if len(found) != 1:
        names = ", ".join(one.id for one in found[:3])
        words = f"lines of {len(found)} persons ({names})" if found else "nobody's life"
        raise UsageError(f"{input.name_of(file)} has {words}; give the lines of one.")
    return found[0]


def is_lines(file: str) -> bool:
    """Tell whether a file (- is stdin) has lines of persons, and is no life file."""
    if file != "-" and not Path(file).is_file():
        return False
    from mindpipe.life.archive import UNPACKED

    if file == "-":
        begins = input.first_octets(len(UNPACKED))
        return begins.startswith(b"{") and begins != UNPACKED
    return _begins(file, b"{") and not _begins(file, UNPACKED)


def _begins(file: str, octets: bytes) -> bool:
    """Tell whether a file begins with some octets; stdin is left as it is."""
    if file == "-":
        return False
    with input.open_input(file) as stream:
        return stream.read(len(octets)) == octets


def _is_file(life: str) -> bool:
    """Tell whether a life file is meant, and no agent of the store."""
    return life == "-" or life.endswith(".life") or "/" in life or Path(life).is_file()


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what a stream holds, a megabyte at a time."""
    return iter(partial(stream.read, _PIECE), b"")
