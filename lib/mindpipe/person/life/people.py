"""Persons who come in on lines, with what happens to them and what they look back on."""

import difflib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple
from zlib import crc32

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.io.lines import EVENT_BYTES
from mindpipe.person.calendar import instant_text
from mindpipe.person.life.population import made_punctual
from mindpipe.person.lines import NO_ID, Known, LinePlace, kind_of, read_line
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import PersonMemory, Thought


class InputLine(NamedTuple):
    """One line as it came in; `apart` says that it is of a file of events, not written again.

    Of a line that is longer than `EVENT_BYTES` nothing is kept.
    """

    place: LinePlace
    octets: bytes
    apart: bool = False
    too_long: bool = False


class GivenEvent(NamedTuple):
    """An event, the line that it came on, and which of the pieces that is.

    `past` says that it was lived through before the state from which its person goes on.
    """

    event: PersonEvent
    line: InputLine
    piece: int
    past: bool = False


class LatestState(NamedTuple):
    """What is known of a person's latest state besides its line, while lives are still to come.

    It is the piece `last`, and `first` is that of the earliest one. `met` are ids of events that
    act or wait, `marks` those by which the state knows the latest ones.
    """

    place: LinePlace
    t_us: int
    recent: tuple[str, ...]
    held_us: tuple[int, ...]
    met: frozenset[str]
    marks: frozenset[int]
    first: int
    last: int


class People:
    """Everybody on the lines that were given, and all that belongs to them.

    `pieces` is what is written again, in input order: lines as they came, and the id of a person
    where its latest state stood. Where a person has several states, each later than those before,
    as `mind simulate run` prints them, it goes on from the latest; what stands between them is
    past. `persons` and `states` are lines by id, `events` those of each person in
    the order of time, `past` the thoughts and memories that it looks back on. `refused` are lines
    with their faults, `ignored` the events that came twice; `had` are ids of events that a person
    had before, which are passed over.
    """

    def __init__(self, *, late_is_now: bool = False) -> None:
        self.pieces: list[bytes | str] = []
        self.persons: dict[str, bytes] = {}
        self.states: dict[str, bytes] = {}
        self.events: defaultdict[str, list[PersonEvent]] = defaultdict(list)
        self.past: defaultdict[str, list[Thought | PersonMemory]] = defaultdict(list)
        self.passing: set[str] = set()
        self.refused: list[tuple[InputLine, list[Problem]]] = []
        self.ignored: list[Problem] = []
        self.had: dict[str, frozenset[str]] = {}
        self._late_is_now = late_is_now
        self._given: defaultdict[str, list[GivenEvent]] = defaultdict(list)
        self._places: dict[str, tuple[InputLine, int]] = {}
        self._latest: dict[str, int] = {}
        self._standing: dict[str, LatestState] = {}
        self._later: list[tuple[InputLine, int]] = []
        self._known: set[tuple[str, str]] = set()

    def add(self, line: InputLine) -> None:
        """Take a line: who somebody is and how at once, all else when everybody is known."""
        self.pieces.append(b"" if line.apart else line.octets)
        piece = len(self.pieces) - 1
        if line.too_long:
            words = f"longer than {EVENT_BYTES} bytes"
            self._refuse(line, piece, [line.place.problem(None, words)])
            return
        if kind_of(line.octets) not in ("person", "state"):
            self._later.append((line, piece))
            return
        try:
            record = read_line(line.octets, line.place)
            if line.apart:
                raise _no_event(line)
            if isinstance(record, Person):
                self.persons[record.person] = line.octets
                self._places.setdefault(record.person, (line, piece))
                self._latest[record.person] = piece
            elif isinstance(record, PersonState):
                self._stand(line, piece, record)
        except BadInputError as error:
            self._refuse(line, piece, error.problems)

    def settle(self) -> None:
        """Give everybody what the other lines say, now that everybody is known."""
        self._pair()
        defaults: dict[str, object] = {}
        if len(self._standing) == 1:
            ((person, standing),) = self._standing.items()
            defaults = {"person": person, "t_us": standing.t_us}
        for line, piece in self._later:
            try:
                record = read_line(line.octets, line.place, defaults=_defaults(defaults, line))
                if line.apart and not isinstance(record, PersonEvent | Thought):
                    raise _no_event(line)
                if record is not None and self._give(line, piece, record):
                    self.pieces[piece] = b""
            except BadInputError as error:
                self._refuse(line, piece, error.problems)
        self._later = []
        for person, given in self._given.items():
            given.sort(key=lambda one: one.event.t_us)
            self.events[person] = self._in_time(person, given)
        self.refused.sort(key=lambda one: (one[0].apart, one[0].place.line or 0))

    def change(self, change: Callable[[Person], Person]) -> None:
        """Change who everybody is, on their lines too."""
        for person, line in self.persons.items():
            changed = to_json(change(msgspec.json.decode(line, type=Person)))
            self.pieces[self._latest[person]] = changed
            self.persons[person] = changed

    def require_ahead(self, until_us: int, *, option: str) -> None:
        """Raise BadInputError for persons who have lived beyond the end that `option` names."""
        words = f"later than {option}, {instant_text(until_us)}; time does not run backwards"
        problems = [
            standing.place.problem("$.t_us", f"{instant_text(standing.t_us)} is {words}")
            for standing in (self._standing[person] for person in self.states)
            if standing.t_us > until_us
        ]
        if problems:
            raise BadInputError(problems)

    def order(self) -> list[str]:
        """Return the ids of everybody in the order of their lines."""
        return [piece for piece in self.pieces if isinstance(piece, str)]

    def place(self, person: str) -> LinePlace:
        """Return where the state of a person stands."""
        return self._standing[person].place

    def _refuse(self, line: InputLine, piece: int, problems: list[Problem]) -> None:
        """Leave a line out, for its faults."""
        self.pieces[piece] = b""
        self.refused.append((line, problems))

    def _stand(self, line: InputLine, piece: int, state: PersonState) -> None:
        """Keep the latest state of a person; those before it are lines that pass."""
        known = self._standing.get(state.person)
        first = piece if known is None else known.first
        if known is not None:
            if state.t_us <= known.t_us:
                words = (
                    f"a second state of {state.person}, no later than the one "
                    f"{_at(known.place)}; states of one person go on in time"
                )
                raise BadInputError([line.place.problem("$.person", words)])
            self.pieces[known.last] = self.states[state.person]
        held = tuple(hold.start_us for hold in state.holds)
        recent, met, marks = state.mind.recent, _met(state), frozenset(state.mind.met)
        self._standing[state.person] = LatestState(
            line.place, state.t_us, recent, held, met, marks, first=first, last=piece
        )
        self.states[state.person] = line.octets
        self.pieces[piece] = state.person

    def _pair(self) -> None:
        """Refuse states without persons, and persons without states."""
        for piece, person in enumerate(self.pieces):
            if isinstance(person, str) and person not in self.persons:
                line = InputLine(self._standing.pop(person).place, self.states.pop(person))
                words = f'no person line for "{person}"; it goes with its state'
                self._refuse(line, piece, [line.place.problem("$.person", words)])
        for person, (line, piece) in self._places.items():
            if person not in self.states:
                del self.persons[person]
                words = f'no state line for "{person}"; mind simulate new writes one'
                self._refuse(line, piece, [line.place.problem("$.person", words)])

    def _give(self, line: InputLine, piece: int, record: Known) -> bool:
        """Give a record to its person; return whether its line is used up by that.

        Raises:
            BadInputError: its person is unknown.
        """
        standing = self._standing.get(record.person)
        if not isinstance(record, PersonEvent | Thought | PersonMemory):
            return False
        if standing is None:
            words = f'no person "{record.person}" among the lines'
            raise BadInputError([line.place.problem("$.person", words)])
        if isinstance(record, PersonMemory) or (
            isinstance(record, Thought) and _is_past(record, standing) and not line.apart
        ):
            self.past[record.person].append(record)
            return False
        event = record if isinstance(record, PersonEvent) else _thought_event(record)
        if event.id != NO_ID and (event.person, event.id) in self._known:
            self._ignore(line, event)
            return True
        lived = not line.apart and standing.first < piece < standing.last
        past = lived and event.t_us <= standing.t_us
        self._given[event.person].append(GivenEvent(event, line, piece, past))
        self._known.add((event.person, event.id))
        if past:
            return False
        if isinstance(record, Thought) and not line.apart:
            self.passing.add(event.id)
        return isinstance(record, PersonEvent)

    def _in_time(self, person: str, given: list[GivenEvent]) -> list[PersonEvent]:
        """Return the events of a person in the order of time, but those that it has had.

        Late ones are refused, or are now.
        """
        standing = self._standing[person]
        now_us, had = standing.t_us, self.had.get(person, frozenset())
        taken: list[PersonEvent] = []
        for event, line, piece, past in self._numbered(person, given):
            if past or event.id in had:
                continue
            if _happened(event, standing) and _says_when(line):
                self._ignore(line, event)
                continue
            if event.t_us >= now_us or self._late_is_now:
                taken.append(made_punctual(event, now_us))
            else:
                self._refuse(line, piece, [line.place.problem("$.t_us", _late(event, now_us))])
        return taken

    def _numbered(self, person: str, given: list[GivenEvent]) -> Iterator[GivenEvent]:
        """Yield the events of a person, those without an id with the number of their instant.

        They are counted within one source, so that a file which is given again counts the same: an
        event that is there already by its number is ignored, another one takes the next free one.
        """
        known = {one.event.id: one.event for one in given if one.event.id != NO_ID}
        counts: Counter[tuple[str, int]] = Counter()
        own: set[tuple[str, str]] = set()
        for one in given:
            event, line, piece, past = one
            if event.id != NO_ID:
                yield one
                continue
            source, number = line.place.source, counts[line.place.source, event.t_us]
            counts[source, event.t_us] += 1
            while True:
                named = msgspec.structs.replace(event, id=f"ev:{person}:{event.t_us}:{number}")
                there = known.get(named.id)
                if there is None or (there == named and (source, named.id) not in own):
                    break
                number += 1
            if there is None:
                known[named.id] = named
                own.add((source, named.id))
                yield GivenEvent(named, line, piece, past)
            else:
                self._ignore(line, named)

    def _ignore(self, line: InputLine, event: PersonEvent) -> None:
        """Pass over an event that came before."""
        words = f"a second event {event.id}; it is ignored"
        self.ignored.append(line.place.problem("$.id", words))


def _defaults(defaults: dict[str, object], line: InputLine) -> dict[str, object]:
    """Return what a line need not say; a thought that is written again has to say when it was."""
    if line.apart or kind_of(line.octets) != "thought":
        return defaults
    return {name: one for name, one in defaults.items() if name != "t_us"}


class _When(msgspec.Struct):
    """What a line says of its time."""

    t_us: object = None
    at: object = None


def _happened(event: PersonEvent, standing: LatestState) -> bool:
    """Tell whether a person had an event already, as far as its state tells."""
    if event.t_us > standing.t_us:
        return False
    return event.id in standing.met or crc32(event.id.encode()) in standing.marks


def _met(state: PersonState) -> frozenset[str]:
    """Return the ids of events of which a state tells that they happened: they act, or wait."""
    mind = state.mind
    acting = [one.event for one in state.active]
    waiting = [one.event for one in mind.inbox] + [one.event for one in mind.queue]
    return frozenset(one for one in (*acting, *waiting) if one)


def _says_when(line: InputLine) -> bool:
    """Tell whether a line of a file of events names its instant, so that it can be known again."""
    if not line.apart:
        return False
    when = msgspec.json.decode(line.octets, type=_When)
    return when.t_us is not None or when.at is not None


def _no_event(line: InputLine) -> BadInputError:
    """Return the fault of a line in a file of events that is neither an event nor a thought."""
    kind = kind_of(line.octets)
    words = "missing" if kind is None else f'expected event or thought, got "{kind}"'
    near = difflib.get_close_matches(kind or "", ("event", "thought"), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return BadInputError([line.place.problem("$.kind", f"{words}{hint}")])


def _late(event: PersonEvent, now_us: int) -> str:
    """Return what is said of an event before the time of its person."""
    return (
        f"late_event: {event.person} has reached {instant_text(now_us)} ({now_us}), this is at "
        f"{instant_text(event.t_us)}; --late now applies it now"
    )


def _is_past(thought: Thought, standing: LatestState) -> bool:
    """Tell whether a person had a thought already, and whatever it did to the body was done."""
    return (
        thought.t_us < standing.t_us
        or thought.id in standing.recent
        or thought.t_us in standing.held_us
    )


def _thought_event(thought: Thought) -> PersonEvent:
    """Return a thought from outside as an event: labels, rates, hold, and what it answers."""
    return PersonEvent(
        v=thought.v,
        person=thought.person,
        t_us=thought.t_us,
        id=thought.id,
        type="thought",
        about=thought.trigger.event if thought.mode == "respond" else None,
        labels=thought.labels,
        rates=thought.rates or None,
        hold_s=thought.hold_s,
    )


def _at(place: LinePlace) -> str:
    """Return a place as it is written before a fault."""
    return f"{place.source}:{place.line}"
