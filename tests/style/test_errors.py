"""Errors: drawn as they are, each with an exit status that is documented."""

import importlib
import pkgutil

import mindpipe
import mindpipe_cli
from mindpipe.core import errors
from mindpipe.core.errors import ExitStatus
from mindpipe_cli.manual.manuals import STATUSES


def all_errors() -> list[type[errors.MindError]]:
    """Return every error of the project, those outside core included."""
    for package in (mindpipe, mindpipe_cli):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    return _below(errors.MindError)


def _below(kind: type[errors.MindError]) -> list[type[errors.MindError]]:
    return [kind, *(error for below in kind.__subclasses__() for error in _below(below))]


def drawn() -> dict[str, tuple[str | None, int]]:
    """Return the tree of the docstring: each error's parent and exit status."""
    found: dict[str, tuple[str | None, int]] = {}
    above: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").split("\n\n")[1].strip("\n").splitlines():
        depth = len(line) - len(line.lstrip())
        name, status, _ = line.split(None, 2)
        while above and above[-1][0] >= depth:
            above.pop()
        found[name] = (above[-1][1] if above else None, int(status))
        above.append((depth, name))
    return found


def test_the_drawing_is_the_tree() -> None:
    real = {
        kind.__name__: (
            None if kind is errors.MindError else kind.__bases__[0].__name__,
            int(kind.status),
        )
        for kind in all_errors()
    }
    assert drawn() == real


def test_every_error_ends_with_a_status_of_the_enum() -> None:
    assert {type(kind.status) for kind in all_errors()} == {ExitStatus}


def test_the_manual_explains_every_status() -> None:
    assert set(STATUSES) == set(ExitStatus)
