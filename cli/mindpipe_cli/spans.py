"""Options that are spans and instants of simulated time, and changes of persons."""

import math
import os
from collections.abc import Iterable
from typing import get_args

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.faults import problems_of
from mindpipe.person.calendar import instant_us, span_us
from mindpipe.person.plain_words import plain
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.ranges import MOST_US
from mindpipe.wiring.settings import of_persons, variable_of

_MODELS = ("model", "review_model")


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


def require_finite(number: float | None, *, option: str) -> None:
    """Raise UsageError for a number that is none, or is without end."""
    if number is not None and not math.isfinite(number):
        raise UsageError(f"{option}: expected a number, got {number}.")


def pairs_of(given: Iterable[str], *, option: str) -> dict[str, str]:
    """Return options that are written KEY=VALUE; raises UsageError for others."""
    pairs = [one.partition("=") for one in given]
    if wrong := [key for key, sign, value in pairs if not (key and sign and value)]:
        raise UsageError(f'{option} is written KEY=VALUE, got "{wrong[0]}".')
    return {key: value for key, _, value in pairs}


def numbers_of(given: Iterable[str], *, option: str) -> dict[str, float]:
    """Return options that are written NAME=NUMBER; raises UsageError for others."""
    found = {}
    for name, text in pairs_of(given, option=option).items():
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
    pairs = pairs_of(given, option="--set").items()
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
            from mindpipe.wiring.voices import require_model

            require_model(text)
    return msgspec.structs.replace(settings, **changed)


def constants_with(consts: dict[str, float], given: Iterable[str]) -> dict[str, float]:
    """Return overrides of constants with some more; raises UsageError for names that are none."""
    added = numbers_of(given, option="--const")
    if added:
        from mindpipe.person.constants import fault_of

        for name, value in added.items():
            if fault := fault_of(name, value):
                raise UsageError(f"--const {name}: {fault}{'' if fault.endswith('?') else '.'}")
    return {**consts, **added}


def changed(person: Person, *, settings: Iterable[str], consts: Iterable[str]) -> Person:
    """Return a person with settings and constants changed; raises UsageError for ones not there."""
    return msgspec.structs.replace(
        person,
        settings=settings_with(person.settings, settings),
        consts=constants_with(person.consts, consts),
    )


def require_person(person: Person) -> None:
    """Raise UsageError where a person that was made by options breaks its shape."""
    plain = msgspec.to_builtins(person)
    for problem in problems_of(plain, Person, source=person.person or "person"):
        raise UsageError(f"{problem.line_of_text()}.")
