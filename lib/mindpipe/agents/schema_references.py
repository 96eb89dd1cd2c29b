"""Follow the references of a JSON Schema as a check of arguments would."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from referencing import Resource

_REFERENCES = ("$ref", "$dynamicRef")
# Below these stand schemas that look at the same value as the schema which holds them.
_ONE = ("not", "if", "then", "else")
_SEVERAL = ("allOf", "anyOf", "oneOf")


class _Found(Protocol):
    """What a reference leads to."""

    @property
    def contents(self) -> object:
        """Return the schema."""
        ...

    @property
    def resolver(self) -> "_Near":
        """Return what resolves the references in it."""
        ...


class _Near(Protocol):
    """What resolves the references at one place of a schema."""

    def lookup(self, ref: str) -> _Found:
        """Return what a reference leads to; raises Unresolvable where that is nothing."""
        ...

    def in_subresource(self, subresource: "Resource[Any]") -> "_Near":
        """Return what resolves the references in a schema with an id of its own."""
        ...


Fault = tuple[str, str]
"""A JSON path, and what is wrong there."""


def references_out(value: object, at: str) -> Iterator[Fault]:
    """Yield the references in a value that lead out of the schema that it is part of.

    Unlike `faults_of_references` it serves a value that is no sound schema, too.
    """
    if isinstance(value, dict):
        for name, reference in _references(value):
            if not reference.startswith("#"):
                yield f"{at}.{name}", "only references inside the same schema (#/…) are followed"
    inner = value.items() if isinstance(value, dict) else ()
    for name, below in inner:
        yield from references_out(below, f"{at}.{name}")
    for place, below in enumerate(value if isinstance(value, list) else ()):
        yield from references_out(below, f"{at}[{place}]")


def faults_of_references(schema: dict[str, object], at: str) -> Iterator[Fault]:
    """Yield the references of a sound schema that lead nowhere, or round without an end.

    A schema that comes again only below a property or an item ends with the arguments; one that
    comes again for the same value never does. `at` is the JSON path of the schema.
    """
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    root: _Near = Registry().resolver_with_root(DRAFT202012.create_resource(schema))
    walk = _Walk()
    try:
        yield from walk.faults(schema, at, root)
    except RecursionError:
        yield at, "its references lead too deep"


class _Walk:
    """A walk through a schema that enters each part of it once."""

    def __init__(self) -> None:
        self._entered: set[int] = set()
        self._left: set[int] = set()

    def faults(self, value: object, at: str, near: _Near) -> Iterator[Fault]:
        """Yield what is wrong with the references in a value and below it."""
        if isinstance(value, dict):
            near = _within(value, near)
            wrong = list(_wrong_references(value, at, near))
            yield from wrong
            if not wrong and self._is_endless(value, near):
                yield at, "its references lead back to it without an end"
            for name, inner in value.items():
                yield from self.faults(inner, f"{at}.{name}", near)
        elif isinstance(value, list):
            for place, inner in enumerate(value):
                yield from self.faults(inner, f"{at}[{place}]", near)

    def _is_endless(self, schema: object, near: _Near) -> bool:
        """Tell whether checking a value by this schema comes to it again for the same value."""
        key = id(schema)
        if key in self._left or not isinstance(schema, dict):
            return False
        if key in self._entered:
            return True
        self._entered.add(key)
        found = any(self._is_endless(*one) for one in _for_the_same_value(schema, near))
        self._left.add(key)
        return found


def _within(schema: dict[str, object], near: _Near) -> _Near:
    """Return what resolves the references in a schema, which may have an id of its own."""
    from referencing.jsonschema import DRAFT202012

    if not isinstance(schema.get("$id"), str):
        return near
    return near.in_subresource(DRAFT202012.create_resource(schema))


def _wrong_references(schema: dict[str, object], at: str, near: _Near) -> Iterator[Fault]:
    """Yield the references of a schema that lead nowhere."""
    from referencing.exceptions import Unresolvable

    for name, reference in _references(schema):
        try:
            near.lookup(reference)
        except Unresolvable:
            yield f"{at}.{name}", f"{reference} is not in this schema"


def _references(schema: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the references of a schema under their keywords."""
    for name in _REFERENCES:
        reference = schema.get(name)
        if isinstance(reference, str):
            yield name, reference


def _for_the_same_value(schema: dict[str, object], near: _Near) -> Iterator[tuple[object, _Near]]:
    """Yield the schemas that a value is checked by because it is checked by this one."""
    from referencing.exceptions import Unresolvable

    near = _within(schema, near)
    for _, reference in _references(schema):
        try:
            found = near.lookup(reference)
        except Unresolvable:
            continue
        yield found.contents, found.resolver
    inner = [schema.get(name) for name in _ONE]
    for name in _SEVERAL:
        several = schema.get(name)
        inner += several if isinstance(several, list) else []
    dependent = schema.get("dependentSchemas")
    inner += dependent.values() if isinstance(dependent, dict) else []
    yield from ((one, near) for one in inner)
