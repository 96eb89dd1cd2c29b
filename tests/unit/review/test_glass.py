"""The observer stands behind glass: nothing of a person knows it, and it knows only records."""

import ast

import pytest

from support.source_tree import Source, none_of, sources

pytestmark = pytest.mark.heavy

KNOWN = ("mindpipe.core.", "mindpipe.person.records.", "mindpipe.review")


def imported(file: Source) -> list[str]:
    """Return the modules of ours that a file imports."""
    found = []
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names]
    return [name for name in found if name.startswith("mindpipe")]


def test_nothing_of_a_person_imports_the_observer() -> None:
    persons = [file for file in sources() if file.module.startswith("mindpipe.person")]
    assert len(persons) > 20
    none_of(
        [
            f"{file.place}: {name}"
            for file in persons
            for name in imported(file)
            if name.startswith("mindpipe.review") or "reviewing" in name
        ]
    )


def test_the_observer_knows_records_of_a_person_and_nothing_else_of_it() -> None:
    observers = [file for file in sources() if file.module.startswith("mindpipe.review")]
    assert len(observers) > 5
    none_of(
        [
            f"{file.place}: {name}"
            for file in observers
            for name in imported(file)
            if not f"{name}.".startswith(KNOWN)
        ]
    )
