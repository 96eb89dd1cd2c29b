"""Make persons, let them live for a tick or a run, judge them by the literature, draw lives."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import did_you_mean
from mindpipe.person.records.person import Person
from mindpipe.person.records.population import PopulationManifest
from mindpipe.person.records.state import PersonState

if TYPE_CHECKING:
    # Each verb loads what it needs: who only draws does without arrays.
    from mindpipe.person.life.lives import LifeSpan
    from mindpipe.person.life.people import InputLine, People
    from mindpipe.person.life.shared_lives import MakeSpeakers
    from mindpipe.person.plots.lives import DrawnLife
    from mindpipe.person.records.thought import StoredPerson
    from mindpipe.person.stats.tables import StatsAnswer
    from mindpipe.person.validation.table import ValidationRow
    from mindpipe.person.verbs.populations import StatsQuestion
    from mindpipe.person.verbs.runs import RunCourse, RunObserver, RunOfLines, TickOfLines
    from mindpipe.person.verbs.talk import LifeInStore, LifeOnLines, ListeningSpeakers, TalkPlace
    from mindpipe.person.voice.speech import Speakers


def new(persons: Iterable[Person], *, at_us: int = 0) -> Iterator[bytes]:
    """Yield a person line and a state line for each new person, who lives until an instant."""
    from mindpipe.person.life.birth import first_state
    from mindpipe.person.life.lives import AT_ONCE, LifeSpan, PersonLines
    from mindpipe.person.life.lives import tick as tick_lines

    everybody = iter(persons)
    while some := list(islice(everybody, AT_ONCE)):
        whole = [to_json(person) for person in some]
        states = [to_json(first_state(person)) for person in some]
        span = LifeSpan(at_us, 0, read=True)
        lived = tick_lines(PersonLines(whole, states, {}, {}), span).lived
        for line, after in zip(whole, lived, strict=True):
            yield line
            yield after.state


def settle(
    store: Store, clock: Clock, chance: Chance, *, lines: Sequence[bytes]
) -> Sequence[bytes]:
    """Keep new persons of pairs of lines in a store, all or none, and return the lines.

    Raises:
        RefusedError: the store has a person or an agent of that name.
        UnsafeNameError: an agent may not have this name.
    """
    from mindpipe.person.verbs import persons

    made = [msgspec.json.decode(one, type=Person) for one in lines[::2]]
    with store.write(*(one.person for one in made)):
        for person, second in zip(made, lines[1::2], strict=True):
            state = msgspec.json.decode(second, type=PersonState)
            persons.settle(store, clock, chance, person=person, state=state)
    return lines


def tick(
    people: "People",
    span: "LifeSpan",
    *,
    speakers: "MakeSpeakers | None",
    jobs: int,
    tell: Callable[[str], None],
) -> "TickOfLines":
    """Return one tick of everybody on lines, which is lived as its lines are read.

    Raises:
        BadInputError: somebody lived beyond the end already.
    """
    from mindpipe.person.verbs.runs import TickOfLines

    if span.to_us is not None:
        people.require_ahead(span.to_us, option="--to")
    return TickOfLines(people, span, speakers=speakers, jobs=jobs, tell=tell)


def run(
    people: "People",
    course: "RunCourse",
    clock: Clock,
    *,
    speaking: "Speakers",
    shared: "tuple[MakeSpeakers, int] | None",
    observer: "RunObserver",
    tell: Callable[[str], None],
) -> "RunOfLines":
    """Return a run of everybody on lines, which is lived as its lines are read.

    Raises:
        BadInputError: persons are not at one instant, or one is past the end.
        NothingToDoError: there is nobody on the lines.
    """
    from mindpipe.person.verbs.runs import RunOfLines

    _require_somebody(people)
    return RunOfLines(
        people, course, clock, speaking=speaking, shared=shared, observer=observer, tell=tell
    )


def talk(people: "People", *, person: str | None, speaking: "ListeningSpeakers") -> "LifeOnLines":
    """Return somebody on lines who is talked to.

    Raises:
        UsageError: it is not said who, or there is nobody of that id.
    """
    from mindpipe.person.life.lives import Lives
    from mindpipe.person.verbs.talk import LifeOnLines

    ids = _require_somebody(people)
    if person is None and len(ids) > 1:
        raise UsageError(f"{len(ids)} persons are in that file; give --person ID.")
    chosen = ids[0] if person is None else person
    if chosen not in ids:
        near = did_you_mean(chosen, ids) or f"there is {', '.join(ids[:3])}."
        raise UsageError(f'no person "{person}" in that file; {near.rstrip()}')
    who = msgspec.json.decode(people.persons[chosen], type=Person)
    state = msgspec.json.decode(people.states[chosen], type=PersonState)
    lives = Lives([who], [state], people.past, speaking)
    return LifeOnLines(lives, people.events.get(chosen, ()))


def _require_somebody(people: "People") -> Sequence[str]:
    """Return the ids of all persons, in the order of the lines."""
    ids = people.order()
    if not ids:
        raise NothingToDoError("no person is in that file. mind simulate new makes one.")
    return ids


def talk_in_store(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    lived: "StoredPerson",
    changed: Person,
    speaking: "ListeningSpeakers",
    place: "TalkPlace",
    deliver: Deliver,
) -> "LifeInStore":
    """Return somebody of a store who is talked to, and heard in some of its spaces.

    Raises:
        UsageError: there is no such space, or one of the two is not in there.
    """
    from mindpipe.person.verbs.persons import Resident
    from mindpipe.person.verbs.talk import LifeInStore, audience_of

    with store.write(changed.person):
        # A store that keeps nothing says so before anybody speaks.
        audience = audience_of(
            store, clock, chance, person=changed.person, place=place, deliver=deliver
        )
    resident = Resident(store, clock, lived=lived, speaking=speaking, changed=changed)
    return LifeInStore(resident, lived.state, audience)


def export(folder: Path, person: str | None, *, read: bool) -> Iterator[bytes]:
    """Return a person line and a state line of everybody in a folder, or of one.

    Raises:
        UnavailableError: it is no folder of persons, or nobody there has this id.
        UsageError: a tick was killed there, so that persons are at two instants.
    """
    from mindpipe.person.verbs import populations

    return populations.export(folder, person, read=read)


def stats(
    folder: Path, asked: "StatsQuestion", *, advance: Callable[[int, int], None]
) -> "AbstractContextManager[StatsAnswer]":
    """Give the answer to a question about everybody in a folder, to be read while it is given.

    Raises:
        NothingToDoError: the question is about readings, and there are none.
        UnavailableError: it is no folder of persons, or duckdb is not installed.
        UsageError: a tick was killed there, or a condition or a statement is none.
    """
    from mindpipe.person.verbs import populations

    return populations.stats(folder, asked, advance=advance)


def import_(
    folder: Path, lines: "Iterable[InputLine]", *, shard: int | None = None
) -> PopulationManifest:
    """Make a folder of persons who come in on lines, so many in a file, each before its state.

    Raises:
        BadInputError: a line is of something else, or persons are not at one instant.
        NothingToDoError: there is nobody.
        RefusedError: there is something in the folder.
    """
    from mindpipe.person.verbs import populations

    return populations.import_(folder, lines, shard=shard)


class JudgedRow(Record):
    """One row of the table of validation, judged.

    Group A was used to fit `constants` or to build the model, group B was not. `measured` are the
    model's figures, by name (true is 1, false 0), `found` the same in short. `sentence` says what
    is not good, empty where all is. `consts` are the overrides that were in force.
    """

    number: int
    group: Literal["A", "B"]
    verdict: Literal["good", "fair", "poor"]
    protocol: str
    measured: dict[str, float]
    found: str
    target: str
    tolerance: str
    used_to_fit: bool
    constants: tuple[str, ...]
    source: str
    verified: bool
    consts: dict[str, float]
    sentence: str = ""


def validate(
    *,
    group: str | None,
    numbers: Collection[int],
    consts: Mapping[str, float],
    advance: Callable[[int, int], None],
) -> list[JudgedRow]:
    """Return the rows that are wanted, judged, in order.

    Args:
        group: `A`, `B` or None for both.
        numbers: The rows that are wanted, none of them for all.
        consts: Overrides of constants of the body, by name.
        advance: Is told how much of the work is done, and how much there is.

    Raises:
        UsageError: no row is wanted.
        ValueError: one of the overrides is of no constant.
    """
    from mindpipe.person.validation.rig import run as run_trials
    from mindpipe.person.validation.table import ROWS

    wanted = [
        row for row in ROWS if group in (None, row.group) and (not numbers or row.number in numbers)
    ]
    if not wanted:
        raise UsageError("no row is both of this group and of these numbers.")
    courses = run_trials(max(row.days for row in wanted), consts, advance)
    return [_checked(row, row.measure(courses), consts) for row in wanted]


def failed(checked: JudgedRow) -> bool:
    """Tell whether a row makes validation fail: one that the model was fitted to, and is poor."""
    return checked.used_to_fit and checked.verdict == "poor"


def _checked(
    row: "ValidationRow", figures: Mapping[str, float], consts: Mapping[str, float]
) -> JudgedRow:
    """Return a row with what was measured."""
    from mindpipe.person.validation.figures import judge

    verdict = judge(figures, row.bands)
    remark = f" Note: {row.remark}" if row.remark and verdict.sentence else ""
    return JudgedRow(
        number=row.number,
        group=row.group,
        verdict=verdict.mark,
        protocol=row.protocol,
        measured=dict(figures),
        found=", ".join(f"{name} {round(value, 6):.3g}" for name, value in figures.items()),
        target=row.target,
        tolerance=row.tolerance,
        used_to_fit=row.group == "A",
        constants=tuple(_fitted_to(row.number)),
        source=row.source,
        verified=row.verified,
        consts=dict(consts),
        sentence=f"{verdict.sentence}{remark}",
    )


def _fitted_to(number: int) -> Iterator[str]:
    """Yield the constants that were fitted to a row, as their sources say it: `rows 7, 8`."""
    from mindpipe.person.body.constants import MARKS

    for name, mark in MARKS.items():
        said = re.search(r"\brows? ([0-9, ]+)", mark.source)
        if said and str(number) in re.findall(r"\d+", said.group(1)):
            yield name


def plot(records: Iterable[object], *, readouts: Sequence[str]) -> "list[DrawnLife]":
    """Return what is drawn of the persons that records tell of, the usual readouts without any.

    Raises:
        UsageError: one of the readouts cannot be drawn.
        NothingToDoError: no state has readouts.
    """
    from mindpipe.person.plots.lives import drawable, gather

    return gather(records, drawable(readouts))


def page(records: Iterable[object], *, readouts: Sequence[str]) -> bytes:
    """Return a page of the persons that records tell of, the usual readouts without any.

    Raises:
        UsageError: one of the readouts cannot be drawn.
        NothingToDoError: no state has readouts.
    """
    from mindpipe.person.plots.lives import drawable
    from mindpipe.person.plots.page import page as page_of

    return page_of(records, drawable(readouts)).encode()
