"""How files, functions and names may look."""

import ast
import re
import subprocess

import pytest

from support.command import ROOT
from support.source_tree import Source, none_of, sources, suites

# Not what a good file is, but where somebody should ask whether it is about one thing.
FILE_LINES, FUNCTION_LINES = 800, 80
# A file of such a name is about nothing.
VAGUE = frozenset({"util", "utils", "helper", "helpers", "common", "misc"})
# The name of another program.
GIVEN = frozenset({"sqlite_utils_plugin"})
# What may lie at the top: a try that was left there is seen at once.
FOLDERS = {"cli", "lib", "tests", "fixtures", "man", "completions"}
FILES = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"}
LOCKS = {"requirements.lock", "requirements-embed.lock"}

_IGNORE = re.compile(r"#\s*type:\s*ignore")
_REASONED_IGNORE = re.compile(r"#\s*type: ignore\[[a-z-]+(, ?[a-z-]+)*\]\s+[#–-]+ ?\w\S* \w\S*")
_NOQA = re.compile(r"#\s*noqa")
_REASONED_NOQA = re.compile(r"#\s*noqa: [A-Z]+[0-9]+(, ?[A-Z]+[0-9]+)*\s+[#–-]+ ?\w\S* \w\S*")


def test_nothing_else_lies_at_the_top() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout: what is tracked cannot be told")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    tops = {path.split("/")[0] for path in listed.stdout.splitlines()}
    left = tops - FOLDERS - FILES - LOCKS
    none_of([top for top in sorted(left) if not top.startswith(".")])


def test_no_file_is_so_long_that_one_must_ask() -> None:
    none_of(
        [
            f"{file.place} has {_lines(file)} lines"
            for file in (*sources(), *suites())
            if _lines(file) > FILE_LINES
        ]
    )


def test_no_function_is_so_long_that_one_must_ask() -> None:
    long = [
        f"{file.at(node)} {node.name}"
        for file in (*sources(), *suites())
        for node in file.functions()
        if (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    ]
    none_of(long)


def test_no_file_is_named_after_nothing() -> None:
    named = [
        file.place
        for file in (*sources(), *suites())
        if file.path.stem not in GIVEN and VAGUE & set(file.path.stem.split("_"))
    ]
    none_of(named)


def test_a_package_file_holds_a_docstring_and_nothing_else() -> None:
    """But for the library's own, which leads `import mindpipe` to the Python API."""
    more = [
        file.place
        for file in sources()
        if file.path.name == "__init__.py"
        and file.module != "mindpipe"
        and not (len(file.tree.body) == 1 and ast.get_docstring(file.tree))
    ]
    none_of(more)


def test_a_module_opens_with_one_sentence() -> None:
    found = []
    for file in sources():
        first = (ast.get_docstring(file.tree) or "").split("\n")[0]
        if not first.rstrip().endswith("."):
            found.append(f"{file.place}: {first!r}")
    none_of(found)


def test_no_verb_takes_the_world() -> None:
    found = [
        file.at(argument)
        for file in sources()
        for argument in file.nodes
        if isinstance(argument, ast.arg) and argument.arg == "world"
    ]
    none_of(found)


def test_every_exception_to_a_check_says_why() -> None:
    bare = []
    for file in sources():
        for number, line in enumerate(file.text.splitlines(), 1):
            if _IGNORE.search(line) and not _REASONED_IGNORE.search(line):
                bare.append(f"{file.place}:{number}: {line.strip()}")
            if _NOQA.search(line) and not _REASONED_NOQA.search(line):
                bare.append(f"{file.place}:{number}: {line.strip()}")
    none_of(bare)


def _lines(file: Source) -> int:
    return file.text.count("\n")
