"""Persons and their settings as options and files give them to `mind simulate`."""

import math
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    EmptyInputError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record
from mindpipe.core.text import counted, did_you_mean
from mindpipe.io.lines import EVENT_BYTES, bounded_lines
from mindpipe.person.calendar import instant_us, span_us
from mindpipe.person.lines import LinePlace, NewerVersion, kind_of, plain, read_line
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.scales import MOST_US
from mindpipe.settings import of_persons, variable_of
from mindpipe_cli import input, output
from mindpipe_cli.input import name_of, rejects_file, rejects_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.person.life.people import InputLine, People
    from mindpipe.person.plots.page import PageNote
    from mindpipe.person.records.episode import RoutineBlock
    from mindpipe.person.records.thought import StoredPerson

_MODELS = ("model", "review_model")
_MOST_PROBLEMS = 10
USUAL_SPAN = "60"
"""How long a tick, or a turn of a talk, is where nobody says: in seconds."""


class LifeOptions(Record):
    """What a tick and a run have in common: which persons, how they are changed, who speaks."""

    file: str = "-"
    events: tuple[str, ...] = ()
    late: str = "refuse"
    on_error: str = "stop"
    rejects: str | None = None
    read: str = "all"
    jobs: int = 1
    settings: tuple[str, ...] = ()
    consts: tuple[str, ...] = ()
    model: str | None = None
    record: str | None = None
    person: str | None = None


def in_store(session: Session, *, person: str | None, file: str | None) -> bool:
    """Tell whether persons of the store are meant: one is named or the store is, or nothing is.

    Where nothing is named and nothing can be piped in, a store that is there is meant.
    """
    if person is not None or session.settings.value("store").source == "option":
        return True
    return file in (None, "-") and session.turns_to_store


def stored_people(
    session: Session, options: LifeOptions
) -> "tuple[list[StoredPerson], list[Person], People]":
    """Return persons of the store, who they are from now on, and events that come on lines."""
    from mindpipe.person.verbs.runs import people_in_store, stored_persons

    stored = stored_persons(session.store, options.person)
    changed = [_changed(lived.person, options) for lived in stored]
    rejects_file(options.on_error, options.rejects)
    people = people_in_store(session.store, stored, late_is_now=options.late == "now")
    read_people(people, options, [(file, True) for file in options.events])
    return stored, changed, people


def people_of(options: LifeOptions) -> "People":
    """Read persons, states and events, of which nothing is taken if a line is at fault.

    Raises:
        BadInputError: the faults of all lines, up to a number that a person can read.
        InputOutputError: a file is not there.
        EmptyInputError: there is no line.
        UnavailableError: a record is of a version that this program does not know.
        UsageError: lines are skipped, but there is nowhere to keep them.
    """
    from mindpipe.person.life.people import People

    rejects_file(options.on_error, options.rejects)
    people = People(late_is_now=options.late == "now")
    files = [(options.file, False), *((file, True) for file in options.events)]
    if not read_people(people, options, files):
        raise EmptyInputError(f"{name_of(options.file)} is empty.")
    return people


def read_people(people: "People", options: LifeOptions, files: Iterable[tuple[str, bool]]) -> int:
    """Add what stands in files, each with whether it is of events alone; return how many lines.

    Where bad lines are skipped they go to the file of rejects, with their faults, and a note says
    how many there were.
    """
    lines = 0
    for file, apart in files:
        before = lines
        for line in lines_of(file, apart=apart):
            lines += 1
            people.add(line)
        if apart and lines == before:
            output.say(f"{name_of(file)}: no event in it")
    settle_people(people, options)
    return lines


def settle_people(people: "People", options: LifeOptions) -> None:
    """Give everybody what the lines say; put bad lines aside, or raise their faults."""
    if people.pieces:
        people.settle()
    for problem in people.ignored:
        output.say(problem.line_of_text())
    if people.refused:
        with rejects_of(options.on_error, options.rejects) as rejects:
            if rejects is None:
                raise _error_of([problem for _, found in people.refused for problem in found])
            for line, found in people.refused:
                rejects.refuse(found, line.octets)
            rejects.settle()
        output.say(f"rejected {counted(len(people.refused), 'line')}; see {options.rejects}.")


def lines_of(file: str, *, apart: bool = False) -> "Iterator[InputLine]":
    """Yield the lines of a file or of stdin; raises UnavailableError where it is not there."""
    from mindpipe.person.life.people import InputLine

    source = name_of(file)
    with input.open_input(file) as stream:
        for found in bounded_lines(stream, limit=EVENT_BYTES, source=source, setting=""):
            if isinstance(found, Problem):
                yield InputLine(LinePlace(source, found.line), b"", apart, too_long=True)
            else:
                yield InputLine(LinePlace(source, found[0]), found[1], apart)


def _error_of(problems: list[Problem]) -> BadInputError | UnavailableError:
    """Return the error that faults of lines are; unavailable where all are of a newer version."""
    if all(isinstance(problem, NewerVersion) for problem in problems):
        return UnavailableError(f"{problems[0].line_of_text()}.")
    more = len(problems) - _MOST_PROBLEMS
    told = problems[:_MOST_PROBLEMS]
    if more > 0:
        told.append(Problem(source=told[-1].source, message=f"and {counted(more, 'more fault')}"))
    return BadInputError(told)


def change_people(people: "People", options: LifeOptions) -> None:
    """Change everybody as options and variables say; raises UsageError for what is no setting."""
    if options.settings or options.consts or of_persons(os.environ):
        people.change(lambda person: _changed(person, options))


def records_of(file: str = "-") -> Iterator[object]:
    """Yield the records about persons in a file.

    Raises:
        BadInputError: at the first bad line.
        EmptyInputError: there is no line.
    """
    source, some = name_of(file), False
    with input.open_input(file) as stream:
        for line in bounded_lines(
            stream, limit=EVENT_BYTES, source=source, setting="inbox.max_bytes"
        ):
            if isinstance(line, Problem):
                raise BadInputError([line])
            some = True
            number, octets = line
            if kind_of(octets) == "observation":
                yield _note_of(octets, LinePlace(source, number))
            else:
                yield read_line(octets, LinePlace(source, number))
    if not some:
        raise EmptyInputError(f"{source} is empty.")


def _note_of(octets: bytes, place: LinePlace) -> "PageNote":
    """Return what an observer noted; raises BadInputError where a line is no note."""
    from mindpipe.person.plots.page import PageNote

    try:
        return msgspec.json.decode(octets, type=PageNote)
    except msgspec.DecodeError as error:
        raise BadInputError([place.problem(None, plain(str(error)))]) from None


def routine_of(said: str) -> "tuple[RoutineBlock, ...]":
    """Return a week by its name, or as a file has it."""
    from mindpipe.person.mind.week_tables import ROUTINES
    from mindpipe.person.mind.weeks import read_week

    if said in ROUTINES:
        return ROUTINES[said]
    file = Path(said)
    if said != "-" and "." not in said and "/" not in said and not file.exists():
        raise UsageError(
            f'no routine "{said}"; {did_you_mean(said, ROUTINES)}it is one of '
            f"{', '.join(ROUTINES)}, or a file of blocks."
        )
    found = input.read_document(said)
    return read_week(found.octets, found.name)


def span_of(text: str, *, option: str) -> int:
    """Return a span in microseconds; without a unit it is in seconds.

    Raises:
        UsageError: it is none, or not above zero.
    """
    try:
        span = span_us(text if text[-1:].isalpha() else f"{text}s")
    except ValueError as fault:
        raise UsageError(f'{option}: {fault}, got "{text}".') from None
    if span == 0:
        raise UsageError(f"{option}: expected more than nothing.")
    return span


def instant_of(text: str, *, option: str) -> int:
    """Return an instant in microseconds: a time of a day, or a span since midnight of day 0.

    Raises:
        UsageError: it is neither.
    """
    try:
        return instant_us(text) if ":" in text else span_us(text, most=MOST_US)
    except ValueError as fault:
        raise UsageError(f'{option}: {fault}, or a span as 3d, got "{text}".') from None


_AGES = re.compile(r"(\d{1,3}(?:\.\d+)?)(?:-(\d{1,3}(?:\.\d+)?))?", re.ASCII)
_MOST_AGE = 150


def ages_of(text: str) -> tuple[float, float]:
    """Return the least and the most age in years, `34` or `18-90`.

    Raises:
        UsageError: it is neither, or above 150 years, or the first is above the second.
    """
    found = _AGES.fullmatch(text)
    least, most = (float(found[1]), float(found[2] or found[1])) if found else (1.0, 0.0)
    if not least <= most <= _MOST_AGE:
        raise UsageError(f"--age {text}: write years, as 34, or two between, as 18-90.")
    return least, most


def require_finite(number: float | None, *, option: str) -> None:
    """Raise UsageError for a number that is none, or is without end."""
    if number is not None and not math.isfinite(number):
        raise UsageError(f"{option}: expected a number, got {number}.")


def _pairs_of(given: Iterable[str], *, option: str) -> dict[str, str]:
    """Return options that are written KEY=VALUE; raises UsageError for others."""
    pairs = [one.partition("=") for one in given]
    if wrong := [key for key, sign, value in pairs if not (key and sign and value)]:
        raise UsageError(f'{option} is written KEY=VALUE, got "{wrong[0]}".')
    return {key: value for key, _, value in pairs}


def numbers_of(given: Iterable[str], *, option: str) -> dict[str, float]:
    """Return options that are written NAME=NUMBER; raises UsageError for others."""
    found = {}
    for name, text in _pairs_of(given, option=option).items():
        try:
            found[name] = float(text)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise UsageError(f'{option} {name}: expected a number, got "{text}".')
    return found


def settings_with(settings: PersonSettings, given: Iterable[str]) -> PersonSettings:
    """Return settings with some of them changed: by variables, and more strongly by options.

    Raises:
        UsageError: there is no such setting, or it does not take such a value.
    """
    asked = [
        (variable_of(f"person.{name}"), name, text) for name, text in of_persons(os.environ).items()
    ]
    pairs = _pairs_of(given, option="--set").items()
    asked += [(f"--set {name}", name, text) for name, text in pairs]
    changed: dict[str, object] = {}
    fields = {field.encode_name: field for field in msgspec.structs.fields(PersonSettings)}
    for place, name, text in asked:
        if name not in fields:
            raise UsageError(f"{place}: no such setting; there are {', '.join(fields)}.")
        try:
            changed[name] = msgspec.convert(text, fields[name].type, strict=False)
        except msgspec.ValidationError as fault:
            words = str(fault).replace("`", "")
            choices = get_args(fields[name].type)
            if words.startswith("Invalid enum value"):
                words = f'expected one of {", ".join(choices)}, got "{text}"'
            raise UsageError(f"{place}: {plain(words[0].lower() + words[1:])}.") from None
        if name in _MODELS and text:
            from mindpipe.io.model_aliases import without_alias
            from mindpipe.person.voice.models import require_model

            changed[name] = require_model(without_alias(text, os.environ))
    return msgspec.structs.replace(settings, **changed)


def constants_with(consts: dict[str, float], given: Iterable[str]) -> dict[str, float]:
    """Return overrides of constants with some more; raises UsageError for names that are none."""
    added = numbers_of(given, option="--const")
    if added:
        from mindpipe.person.body.constants import fault_of

        for name, value in added.items():
            if fault := fault_of(name, value):
                raise UsageError(f"--const {name}: {fault}{'' if fault.endswith('?') else '.'}")
    return {**consts, **added}


def _changed(person: Person, options: LifeOptions) -> Person:
    """Return a person with settings and constants changed; raises UsageError for ones not there."""
    return msgspec.structs.replace(
        person,
        settings=settings_with(person.settings, options.settings),
        consts=constants_with(person.consts, options.consts),
    )


def require_person(person: Person) -> None:
    """Raise UsageError where a person that was made by options breaks its shape."""
    plain = msgspec.to_builtins(person)
    for problem in problems_of(plain, Person, source=person.person or "person"):
        raise UsageError(f"{problem.line_of_text()}.")
