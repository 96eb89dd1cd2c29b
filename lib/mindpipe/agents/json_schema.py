"""Check a value by a JSON Schema (2020-12) in bounded time, whoever wrote either.

Patterns are matched by RE2, in a time that grows with the text alone; it knows no look-around and
no back reference. Branches that multiply are given up after `MOST_CHECKS`.
"""

import contextlib
import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

MOST_CHECKS = 100_000
"""Keywords that are looked at for one value: about a second."""
MOST_DEPTH = 120
"""Keywords within one another: a tree of items takes three for each of its levels."""
_PATTERN_BYTES = 1 << 20

Check = Callable[[Any, Any, Any, Any], "Iterator[ValidationError] | None"]
"""What checks one keyword: validator, the keyword's value, the instance, the schema."""


class _Effort:
    """What one check may take: keywords in all, and within one another."""

    def __init__(self) -> None:
        self._left = MOST_CHECKS
        self._depth = 0

    @contextlib.contextmanager
    def deeper(self) -> Iterator[None]:
        """Mark a keyword that is checked; raises UncheckedError where that is too much."""
        if self._left == 0:
            raise UncheckedError(f"that takes more than {MOST_CHECKS:,} steps")
        self._left -= 1
        if self._depth == MOST_DEPTH:
            raise UncheckedError("they, or the tool's input_schema, go too deep")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1


_effort: ContextVar[_Effort] = ContextVar("_effort")


class _Descending(Protocol):
    """A validator of the library, which says how it goes on below a value."""

    def descend(
        self, instance: object, schema: object, path: str, schema_path: str
    ) -> "Iterator[ValidationError]":
        """Check a part of a value by a part of a schema."""
        ...


class UncheckedError(ValueError):
    """A value cannot be checked by a schema, for the reason that it says."""


@functools.lru_cache(maxsize=256)
def matcher(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a pattern matches somewhere in a text.

    Raises:
        UncheckedError: RE2 does not know the pattern, or it takes too much memory.
    """
    import re2  # type: ignore[import-untyped] # the wheel has no types

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _PATTERN_BYTES
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as fault:
        said = fault.args[0]
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise UncheckedError(f"the pattern {pattern!r} cannot be matched: {words}") from None
    return lambda text: compiled.search(text) is not None


def pattern_format() -> "FormatChecker":
    """Return what finds patterns in a schema that could not be matched."""
    from jsonschema import FormatChecker

    found = FormatChecker(formats=())

    @found.checks("regex", raises=UncheckedError)
    def _is_pattern(value: object) -> bool:
        return not isinstance(value, str) or matcher(value) is not None

    return found


def unbounded(schema: object) -> str | None:
    """Return why no value can be checked by a schema in bounded time, or None.

    For these two keywords together the library matches patterns by itself.
    """
    keywords = set(_keywords(schema))
    if {"patternProperties", "unevaluatedProperties"} <= keywords:
        return "patternProperties go with additionalProperties, not with unevaluatedProperties"
    return None


def _keywords(schema: object) -> Iterator[str]:
    """Yield the names of all members of a schema and below it."""
    below: Iterable[object] = schema if isinstance(schema, list) else ()
    if isinstance(schema, dict):
        yield from schema
        below = schema.values()
    for one in below:
        yield from _keywords(one)


def fault_of(value: object, schema: Mapping[str, object]) -> str | None:
    """Return the first place where a value breaks a schema, as `PATH: fault`, or None.

    Raises:
        UncheckedError: the value cannot be checked.
    """
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable

    if (why := unbounded(schema)) is not None:
        raise UncheckedError(why)
    mark = _effort.set(_Effort())
    try:
        error = best_match(_validator()(schema).iter_errors(cast("Any", value)))
    except (Unresolvable, OverflowError) as fault:
        raise UncheckedError(str(fault)) from None
    finally:
        _effort.reset(mark)
    return None if error is None else f"{error.json_path}: {error.message}"


@functools.cache
def _validator() -> "type[Validator]":
    """Return the validator of the draft, with checks that end in time."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    usual: dict[str, Check] = dict(Draft202012Validator.VALIDATORS)
    ours: dict[str, Check] = {
        **usual,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties(usual["additionalProperties"]),
        "uniqueItems": _unique_items,
    }
    made = extend(  # type: ignore[no-untyped-call] # jsonschema has none here
        Draft202012Validator, {name: _in_time(check) for name, check in ours.items()}
    )
    return cast("type[Validator]", made)


def _in_time(check: Check) -> Check:
    """Return a check that gives up when the time is over."""

    def checked(
        validator: object, value: object, instance: object, schema: object
    ) -> "Iterator[ValidationError]":
        with _effort.get().deeper():
            yield from check(validator, value, instance, schema) or ()

    return checked


def _pattern(
    _validator: object, pattern: str, instance: object, _schema: object
) -> "Iterator[ValidationError]":
    """Check a text by a pattern."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not matcher(pattern)(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: "_Descending", patterns: dict[str, object], instance: object, _schema: object
) -> "Iterator[ValidationError]":
    """Check the members whose names match a pattern."""
    if not isinstance(instance, dict):
        return
    for pattern, below in patterns.items():
        matches = matcher(pattern)
        for name, value in instance.items():
            if matches(name):
                yield from validator.descend(value, below, path=name, schema_path=pattern)


def _additional_properties(usual: Check) -> Check:
    """Return the check of members that no other keyword names."""

    def checked(
        validator: "Validator", allowed: object, instance: object, schema: dict[str, Any]
    ) -> "Iterator[ValidationError]":
        patterns = [matcher(pattern) for pattern in schema.get("patternProperties", ())]
        if not patterns or not isinstance(instance, dict):
            yield from usual(validator, allowed, instance, schema) or ()
            return
        # The library matches patterns by itself here; what they match is not additional.
        rest = {name: it for name, it in instance.items() if not any(one(name) for one in patterns)}
        plain = {key: it for key, it in schema.items() if key != "patternProperties"}
        yield from usual(validator, allowed, rest, plain) or ()

    return checked


def _unique_items(
    _validator: object, unique: object, instance: object, _schema: object
) -> "Iterator[ValidationError]":
    """Check that no two items are equal; the library compares each with each."""
    from jsonschema.exceptions import ValidationError

    if unique and isinstance(instance, list):
        written = {json.dumps(_equal(one), sort_keys=True) for one in instance}
        if len(written) < len(instance):
            yield ValidationError(f"{instance!r} has non-unique elements")


def _equal(value: object) -> object:
    """Return a value so that numbers which are equal are written alike."""
    if isinstance(value, dict):
        return {name: _equal(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_equal(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
