"""Count what a reader of the code meets: sizes, and the way of a push and of a cycle through it.

`structure.py --tree PATH` measures another tree with that tree's own `.venv`, so that a state
before and one after can be compared. Only the names of the packages, mindpipe and mindpipe_cli, and
of the tables event and message are taken for granted.

Sizes are those of the Python files in `lib` and `cli`. A line of code is one that holds more than
blanks, a comment or a docstring. A name used twice is one of classes in more than one module.
Comments are those that say something to a reader, not to a linter.

A push is one `mind inbox push`; a cycle is one `mind think` whose model, a program, asks for one
tool call and ends. Of each:

- hops to the row: how many functions of ours are under way when the row of the event, or of a
  message, is inserted;
- functions and files on the way to all rows: those that are under way at any statement that writes;
- functions and files run: all functions with a name that were called, at import too, and where they
  stand;
- modules loaded, at the end;
- import time: the time of each module's own body by `-X importtime`, summed for ours and for those
  of others without the standard library; the median of interleaved runs.

Start-up is what the benchmark of that name measures (`tests/bench/startup.py`).
"""

import argparse
import ast
import io
import json
import os
import re
import statistics
import sys
import tempfile
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import startup
from figures import Figure, table
from measuring import MIND, PYTHON, Command, mind, progress, spend

PART = "structure"
HERE = Path(__file__).resolve().parent
TREE = HERE.parents[1]
OWN = ("mindpipe", "mindpipe_cli")
_QUIET = ("# noqa", "# type:", "# pragma", "# fmt:")
_SILENT = frozenset(
    {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT),
        *(tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER),
    }
)
_IMPORTED = re.compile(rb"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")


def figures(folder: Path, *, rounds: int, tree: Path = TREE) -> Iterator[Figure]:
    """Yield the sizes of a tree, and the way of one push and one cycle through it."""
    for what, value in _sizes(tree).items():
        yield Figure(part="size", what=what, value=value, unit="")
    commands = _commands(folder)
    for name, (row, command) in commands.items():
        progress(f"{PART}: {name} traced")
        for what, value in _traced(command, tree, row).items():
            yield Figure(part=name, what=what, value=value, unit="")
    yield from _imports({name: command for name, (_, command) in commands.items()}, rounds)


def _imports(commands: Mapping[str, Command], rounds: int) -> Iterator[Figure]:
    """Yield the import times of commands that run in turns with the reference."""
    folder = next(iter(commands.values())).folder
    reference = Command(argv=[PYTHON, "-c", "pass"], folder=folder)
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    passed = []
    for turn in range(rounds + 1):
        progress(f"{PART}: turn {turn} of {rounds}")
        once = spend(reference)
        times = {name: _import_times(command) for name, command in commands.items()}
        if turn:
            passed.append(once.seconds)
            for name, pair in times.items():
                spent[name].append(pair)
    base = statistics.median(passed)
    for name, runs in spent.items():
        for whose, seconds in zip(("own", "others'"), zip(*runs, strict=True), strict=True):
            value = statistics.median(seconds)
            what, shown = f"import time, {whose}", f"{value / base:.2f} x pass"
            yield Figure(part=name, what=what, value=value * 1000, unit="ms", beside=shown)


def _sizes(tree: Path) -> dict[str, float]:
    """Return counts of the Python files in `lib` and `cli`."""
    files = sorted(path for part in ("lib", "cli") for path in (tree / part).rglob("*.py"))
    lines = code = classes = functions = comments = 0
    modules: dict[str, set[Path]] = defaultdict(set)
    for path in files:
        text = path.read_text()
        parsed = ast.parse(text)
        silent = _docstring_lines(parsed)
        full: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in _SILENT:
                full.update(range(token.start[0], token.end[0] + 1))
            comments += token.type == tokenize.COMMENT and not token.string.startswith(_QUIET)
        lines += len(text.splitlines())
        code += len(full - silent)
        for node in ast.walk(parsed):
            functions += isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if isinstance(node, ast.ClassDef):
                classes += 1
                modules[node.name].add(path)
    return {
        "files": len(files),
        "lines": lines,
        "lines of code": code,
        "classes": classes,
        "functions": functions,
        "class names used twice": sum(len(places) > 1 for places in modules.values()),
        "comments per 100 lines": 100 * comments / lines if lines else 0,
    }


def _docstring_lines(parsed: ast.Module) -> set[int]:
    """Return the lines of texts that stand alone: docstrings, and those of constants."""
    return {
        line
        for node in ast.walk(parsed)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def _commands(folder: Path) -> dict[str, tuple[str, Command]]:
    """Return what is measured, each with the table whose row it is for."""
    mind(folder, "init", "--agent", "ava")
    line = folder / "event.jsonl"
    line.write_text('{"text":"hello"}\n')
    push = Command(argv=[MIND, "inbox", "push", "--agent", "ava"], folder=folder, stdin=line)
    return {"push": ("event", push), "cycle": ("message", startup.cycle(folder))}


def _traced(command: Command, tree: Path, row: str) -> dict[str, int]:
    """Return what ran of a tree; raises RuntimeError if the row is not written."""
    report = command.folder / "report.json"
    report.unlink(missing_ok=True)
    traced = [PYTHON, "-P", str(HERE / "traced.py"), str(report), str(tree), row]
    spend(replace(command, argv=[*traced, *command.argv[1:]]))
    found: dict[str, int] = json.loads(report.read_text())
    if not found["hops to the row"]:
        raise RuntimeError(f"{' '.join(command.argv)} wrote no row of the table {row}")
    return found


def _import_times(command: Command) -> tuple[float, float]:
    """Return the seconds that modules of ours, and those of others, took by themselves."""
    spend(replace(command, argv=[PYTHON, "-X", "importtime", *command.argv]))
    own = others = 0
    for microseconds, name in _IMPORTED.findall((command.folder / "stderr").read_bytes()):
        package = name.decode().partition(".")[0]
        if package in OWN:
            own += int(microseconds)
        elif package not in sys.stdlib_module_names:
            others += int(microseconds)
    return own / 1e6, others / 1e6


def main(arguments: Sequence[str]) -> None:
    """Measure a tree and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tree", type=Path, default=TREE, help="a tree with its own .venv")
    parser.add_argument("--rounds", type=int, default=11, metavar="N", help="turns [11]")
    parser.add_argument("--no-startup", action="store_true", help="leave out start-up ratios")
    parser.add_argument("--json", action="store_true", help="one figure per line, as JSON")
    wish = parser.parse_args(arguments)
    tree = wish.tree.resolve()
    python = tree / ".venv" / "bin" / "python"
    if not python.exists():
        parser.error(f"{tree} has no .venv; make one there, e.g. by make setup")
    if python != Path(sys.executable):
        # All that measures finds the program beside the interpreter that runs it.
        os.execv(python, [str(python), __file__, *arguments])
    with tempfile.TemporaryDirectory(prefix="structure-") as name:
        found = list(_all(Path(name), tree, wish.rounds, startup_too=not wish.no_startup))
    progress("")
    if wish.json:
        sys.stdout.writelines(f"{json.dumps(one.record())}\n" for one in found)
    else:
        sys.stdout.write(table(found))


def _all(folder: Path, tree: Path, rounds: int, *, startup_too: bool) -> Iterator[Figure]:
    """Yield every figure."""
    for part in ("ways", "startup"):
        (folder / part).mkdir(mode=0o700)
    yield from figures(folder / "ways", rounds=rounds, tree=tree)
    if startup_too:
        yield from startup.figures(folder / "startup", rounds=rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
