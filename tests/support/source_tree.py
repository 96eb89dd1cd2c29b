"""The project's own source files, parsed once: what the tests of style look at."""

import ast
import functools
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT

SOURCES = (ROOT / "lib" / "mindpipe", ROOT / "cli" / "mindpipe_cli")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One file of Python: its dotted name, its text and its tree."""

    path: Path
    module: str
    text: str
    tree: ast.Module

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Return every node of the tree."""
        return tuple(ast.walk(self.tree))

    @property
    def place(self) -> str:
        """Return the path below the project's root."""
        return str(self.path.relative_to(ROOT))

    def at(self, node: ast.AST) -> str:
        """Return file and line of a node."""
        return f"{self.place}:{getattr(node, 'lineno', 1)}"

    def functions(self) -> Iterator[Function]:
        """Yield every function and method."""
        for node in self.nodes:
            if isinstance(node, Function):
                yield node

    def strings(self) -> Iterator[ast.Constant]:
        """Yield every string but docstrings."""
        told = {id(node) for node in self.docstrings()}
        for node in self.nodes:
            if id(node) in told or not isinstance(node, ast.Constant):
                continue
            if isinstance(node.value, str):
                yield node

    def docstrings(self) -> Iterator[ast.Constant]:
        """Yield every docstring."""
        for node in self.nodes:
            if isinstance(node, ast.Module | ast.ClassDef | Function) and node.body:
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    yield first.value


@functools.cache
def sources() -> tuple[Source, ...]:
    """Return every file of the library and of the commands."""
    return _parsed(*SOURCES)


@functools.cache
def suites() -> tuple[Source, ...]:
    """Return every file of the tests."""
    return _parsed(ROOT / "tests")


def _parsed(*roots: Path) -> tuple[Source, ...]:
    """Parse what stays; to look for garbage in it meanwhile takes three times as long."""
    gc.disable()
    try:
        found = tuple(_read(path, root) for root in roots for path in sorted(root.rglob("*.py")))
        for file in found:
            _ = file.nodes
        gc.freeze()
    finally:
        gc.enable()
    return found


def _read(path: Path, root: Path) -> Source:
    text = path.read_text()
    inside = path.relative_to(root.parent).with_suffix("")
    module = ".".join(inside.parts).removesuffix(".__init__")
    return Source(path, module, text, ast.parse(text))


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for a chain of names and attributes, else an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def none_of(violations: list[str]) -> None:
    """Fail with one line per violation."""
    assert not violations, "\n" + "\n".join(violations)
