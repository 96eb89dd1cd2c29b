"""Persons side by side through simulated time, each living as it would alone, bit for bit."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.person.body import columns, flow, readouts, vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.constants import constants_of
from mindpipe.person.life.arriving import in_order
from mindpipe.person.life.group import Group, Happening
from mindpipe.person.life.reading import readouts_of
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Readouts, State

if TYPE_CHECKING:
    from mindpipe.person.life.attending import Attention

SIDE_BY_SIDE = 10_000
"""How many are computed together: the numbers of more would not stay near the processor, and those
of a power of two would push each other out, since all rows would begin at the same cache line."""


class Population:
    """Persons who live side by side without knowing of each other.

    Those who share constants and time are computed together. Nothing about a person depends on
    the others, on their order, or on how often and how far the population is advanced.
    """

    def __init__(
        self,
        persons: Sequence[Person],
        states: Sequence[State],
        attending: Callable[[Bank], "Attention"] | None = None,
    ) -> None:
        """Take persons as they are.

        Args:
            persons: Who they are.
            states: The state of each, in the same order.
            attending: Pays attention for the persons of a bank; without it nobody is aware.
        """
        self._order = [person.person for person in persons]
        self._place: dict[str, tuple[Group, int]] = {}
        together: dict[tuple[object, int], list[int]] = {}
        for index, (person, state) in enumerate(zip(persons, states, strict=True)):
            constants = constants_of(tuple(sorted(person.consts.items())))
            together.setdefault((constants, state.t_us), []).append(index)
        self._groups: list[Group] = []
        parts = (
            every[first : first + SIDE_BY_SIDE]
            for every in together.values()
            for first in range(0, len(every), SIDE_BY_SIDE)
        )
        for members in parts:
            some = [persons[index] for index in members]
            constants = constants_of(tuple(sorted(some[0].consts.items())))
            bank = columns.bank_of(some, [states[index] for index in members], constants)
            group = Group(bank, attending(bank) if attending else None)
            self._groups.append(group)
            for column, person in enumerate(some):
                self._place[person.person] = (group, column)

    @property
    def persons(self) -> list[Person]:
        """Return who the persons are by now, in their order."""
        return [group.bank.persons[column] for group, column in self._places()]

    def advance(
        self, until_us: int, events: Mapping[str, Sequence[Event]] | None = None
    ) -> list[Happening]:
        """Let everybody live until an instant, itself included.

        Args:
            until_us: The instant; persons who are there already stay as they are.
            events: Events by the id of their person; those after the instant wait for a later call.

        Returns:
            What came of it, by instant, then in the order of persons.

        Raises:
            LateEventError: an event is before the time of its person; nothing was advanced.
            KeyError: an event is for nobody of this population; nothing was advanced.
        """
        arrived = [
            (group, column, in_order(some, int(group.bank.t_us[column])))
            for person, some in (events or {}).items()
            for group, column in [self._place[person]]
        ]
        for group, column, some in arrived:
            group.expect(column, some)
        found: list[Happening] = []
        for group in self._groups:
            found += group.advance(until_us)
        order = {person: index for index, person in enumerate(self._order)}
        return sorted(found, key=lambda one: (one.t_us, order[one.person]))

    def waiting(self) -> list[Event]:
        """Return the events that are still to come, person by person, soonest first."""
        return [event for group, column in self._places() for event in group.waiting(column)]

    def states(self, *, read: bool = False) -> list[State]:
        """Return the state of everybody, in their order, with readouts where they are wanted."""
        by_group = {id(group): columns.states_of(group.bank) for group in self._groups}
        if read:
            for group in self._groups:
                found = zip(by_group[id(group)], self._read(group), strict=True)
                by_group[id(group)] = [
                    msgspec.structs.replace(state, read=one) for state, one in found
                ]
        return [by_group[id(group)][column] for group, column in self._places()]

    def readouts(self) -> list[Readouts]:
        """Return what can be read of everybody at its time, in their order."""
        by_group = {id(group): self._read(group) for group in self._groups}
        return [by_group[id(group)][column] for group, column in self._places()]

    def _places(self) -> list[tuple[Group, int]]:
        """Return the group and the column of every person, in their order."""
        return [self._place[person] for person in self._order]

    def _read(self, group: Group) -> list[Readouts]:
        """Return the readouts of a group at its time."""
        bank = group.bank
        modes = flow.at(bank, int(bank.t_us[0]))
        return readouts_of(bank, readouts.read(vitals.view_of(bank, modes, bank.t_us)))
