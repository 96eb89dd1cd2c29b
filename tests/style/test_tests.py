"""What the tests name in the product and in each other is there."""

import ast
import importlib
import types
from collections.abc import Iterator

from support.broken_builds import Patch
from support.command import ROOT
from support.source_tree import Source, none_of, suites

# What these name is not there on every machine, or not for every interpreter.
OWN_PLACES = ("tests.support.fork_client",)
_MODULES = ("mindpipe", "mindpipe_cli", "support", "red")


def test_every_name_that_a_test_takes_from_a_module_is_there() -> None:
    missing = []
    for file in suites():
        if file.module not in OWN_PLACES:
            taken = dict(_taken(file, missing))
            for name in _bound(file):
                taken.pop(name, None)
            missing += [
                f"{file.at(node)}: {node.value.id}.{node.attr}"
                for node in file.nodes
                if isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and isinstance(module := taken.get(node.value.id), types.ModuleType)
                and not hasattr(module, node.attr)
            ]
    none_of(missing)


def _taken(file: Source, missing: list[str]) -> Iterator[tuple[str, object]]:
    """Yield what a file imports of ours under each name; note what is not there."""
    for node in file.nodes:
        if not isinstance(node, ast.ImportFrom) or node.level:
            continue
        if str(node.module).partition(".")[0] not in _MODULES:
            continue
        for one in node.names:
            try:
                yield one.asname or one.name, _part(str(node.module), one.name)
            except (ImportError, AttributeError) as error:
                missing.append(f"{file.at(node)}: {error}")


def _bound(file: Source) -> Iterator[str]:
    """Yield the names that are also those of variables somewhere in a file."""
    for node in file.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def _part(module: str, name: str) -> object:
    """Return a part of a module, or a module of a package."""
    found = importlib.import_module(module)
    if not hasattr(found, name) and hasattr(found, "__path__"):
        return importlib.import_module(f"{module}.{name}")
    return getattr(found, name)


def test_every_broken_build_patches_what_is_there() -> None:
    builds = sorted(path.stem for path in (ROOT / "tests" / "red").glob("*.py"))
    none_of(
        [
            f"{build}: {owner} has no {name}"
            for build in builds
            for owner, name, _ in _patches(build)
            if not hasattr(owner, name)
        ]
    )


def _patches(build: str) -> list[Patch]:
    """Return all patches of a build; one may have several sets of them."""
    sets = [part for name, part in vars(importlib.import_module(f"red.{build}")).items()
            if name.startswith("PATCHES")]  # fmt: skip
    assert sets, f"{build} patches nothing"
    return [patch for patches in sets for patch in patches]
