"""One door each: printing, ending, files, programs, JSON, SQL, failpoints."""

import ast
import re

import pytest

from mindpipe.core.failpoints import FAILPOINTS
from support.command import ROOT
from support.source_tree import Source, dotted, none_of, sources

# These are programs of their own; the keeper also forks before it becomes another.
KEEPER, BRIDGE = "mindpipe.io.keeper", "mindpipe.io.mcp_bridge"
# This one forks what goes on as the same program.
FORKS = "mindpipe.io.forks"
ADAPTERS = ("mindpipe.io", "mindpipe.store", "mindpipe.providers")
# It opens the standard streams that were closed.
STARTUP = "mindpipe_cli.startup"
# The second cuts text that has passed the first into its exact pieces.
JSON_DOORS = ("mindpipe.core.json", "mindpipe.providers.slices")
YAML_DOOR = "mindpipe.core.yaml"
# Their formats are literals of the same file, under a name of one function.
OWN_FORMATS = ("mindpipe.history.tables", "mindpipe_cli.manual.schema_words")
OPENING = ("read_text", "read_bytes", "write_text", "write_bytes", "mkstemp", "unlink")
_SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM"
    r"|CREATE\s+(TABLE|INDEX|VIEW|VIRTUAL|UNIQUE)|\ABEGIN)\b",
    re.DOTALL,
)
_TABLE = re.compile(r"CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)")
_USED = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)")


def test_only_output_prints() -> None:
    allowed = ("mindpipe_cli.output", "mindpipe_cli.main", "mindpipe_cli.startup")
    streams = ("sys.stdout", "sys.stderr")
    found = [
        file.at(node)
        for file in sources()
        for node in file.nodes
        if _calls(node, "print") or (file.module not in allowed and dotted(node) in streams)
    ]
    none_of(found)


def test_only_main_ends_the_program() -> None:
    found = [
        file.at(node)
        for file in sources()
        if file.module != "mindpipe_cli.main"
        for node in file.nodes
        if _calls(node, "exit", "quit", "sys.exit", "SystemExit")
        or (_calls(node, "os._exit") and file.module not in (KEEPER, BRIDGE, FORKS))
    ]
    none_of(found)


def test_files_are_opened_by_adapters() -> None:
    found = [
        file.at(node)
        for file in sources()
        if not file.module.startswith((*ADAPTERS, "mindpipe_cli.output", STARTUP))
        for node in file.nodes
        if _calls(node, "open", "os.open", "io.open") or _calls_on_file(node)
    ]
    none_of(found)


def test_programs_are_started_through_one_door() -> None:
    found = [
        f"{file.place} imports {name}"
        for file in sources()
        if file.module != "mindpipe.io.programs"
        for name in _imports(file)
        if name in ("subprocess", "multiprocessing", "pty")
    ]
    found += [
        file.at(node)
        for file in sources()
        for node in file.nodes
        if _calls(node, "os.system", "os.popen")
        or (_starts_a_program(node) and file.module not in (KEEPER, FORKS))
    ]
    none_of(found)


def test_json_of_unknown_shape_comes_through_one_door() -> None:
    found = [
        file.at(node)
        for file in sources()
        if file.module not in JSON_DOORS
        for node in file.nodes
        if _calls(node, "json.loads", "json.load", "json.JSONDecoder", "orjson.loads")
    ]
    none_of(found)


def test_nothing_is_built_from_data_but_records() -> None:
    found = [
        f"{file.place} imports {name}"
        for file in sources()
        for name in _imports(file)
        if name in ("pickle", "marshal", "shelve", "ruamel", "code", "runpy", "copyreg")
        or (name == "yaml" and file.module != YAML_DOOR)
    ]
    found += [
        file.at(node)
        for file in sources()
        for node in file.nodes
        if _calls(node, "eval", "exec", "compile", "__import__")
    ]
    none_of(found)


def test_no_text_from_outside_is_a_format() -> None:
    found = [
        file.at(node)
        for file in sources()
        if file.module not in OWN_FORMATS
        for node in file.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("format", "format_map", "vformat")
        and not isinstance(node.func.value, ast.Constant)
        # A constant of the file itself is a name in capitals.
        and not dotted(getattr(node.func.value, "value", node.func.value)).strip("_").isupper()
        and dotted(node.func) != "msgspec.json.format"
    ]
    found += [
        f"{file.place} imports {name}"
        for file in sources()
        for name in _imports(file)
        if name == "string"
    ]
    none_of(found)


def test_sql_stands_in_tables() -> None:
    allowed = ("mindpipe.store", "mindpipe.store.verbs", "mindpipe.core.triggers")
    found = [
        file.at(text)
        for file in sources()
        if not file.module.startswith(allowed) and not _holds_tables(file)
        for text in file.strings()
        if _SQL.search(str(text.value))
    ]
    none_of(found)


# The index is fed from what others keep, and shows it as it stands there: nothing is kept twice.
SHOWS_OTHERS = frozenset({"mindpipe.recall.tables.feeds"})
# A life is what all domains keep of one agent; it is carried as it stands there.
CARRIES_OTHERS = frozenset(
    {
        *("mindpipe.life.tables.lives", "mindpipe.life.tables.operations"),
        *("mindpipe.life.tables.steps", "mindpipe.life.rewinds.tables"),
        "mindpipe.life.tables.redactions",
    }
)
# A migration looks there once, at whom a trusted name means.
LOOKS_AT = frozenset({("mindpipe.agents.tables", "entity")})


def test_every_table_has_one_owner() -> None:
    owners: dict[str, list[str]] = {}
    for file in sources():
        for name in _TABLE.findall(_all_strings(file)):
            owners.setdefault(name, []).append(_owner(file))
    assert {name: found for name, found in owners.items() if len(set(found)) > 1} == {}
    foreign = [
        f"{file.at(text)}: {name} belongs to {owners[name][0]}"
        for file in sources()
        if _holds_tables(file) and file.module not in SHOWS_OTHERS | CARRIES_OTHERS
        for text in file.strings()
        for name in _USED.findall(str(text.value))
        if _owner(file) not in owners.get(name, [_owner(file)])
        and (file.module, name) not in LOOKS_AT
    ]
    none_of(foreign)


def _holds_tables(file: Source) -> bool:
    """Tell whether a file is the tables.py of a domain, or one of its package of that name."""
    return "tables" in file.module.split(".")[2:]


def _owner(file: Source) -> str:
    """Return who owns the tables that a file names: its domain's tables, or the file itself."""
    return ".".join(file.module.split(".")[:3]) if _holds_tables(file) else file.module


def _is_tables(module: str) -> bool:
    """Tell whether a file is, or is part of, the tables of a domain."""
    return module.endswith(".tables") or ".tables." in module


def test_every_failpoint_is_in_the_table_and_reached() -> None:
    reached = {
        name: file.at(node)
        for file in sources()
        for node in file.nodes
        if isinstance(node, ast.Call)
        for name in _failpoints(node)
    }
    none_of(
        [
            f"{place}: no failpoint {name}"
            for name, place in reached.items()
            if name not in FAILPOINTS
        ]
    )
    none_of([f"{name} is never reached" for name in FAILPOINTS if name not in reached])


def _failpoints(node: ast.Call) -> list[str]:
    """Return the failpoints that a call names, as `reach("…")` or as `failpoint="…"`."""
    given = [word.value for word in node.keywords if word.arg == "failpoint"]
    if dotted(node.func).split(".")[-1] == "reach":
        given += node.args
    return [str(value.value) for value in given if isinstance(value, ast.Constant)]


def _calls(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in names


def _starts_a_program(node: ast.AST) -> bool:
    """Tell whether the system is asked to fork, or to become or start another program."""
    name = dotted(node.func) if isinstance(node, ast.Call) else ""
    return name.startswith(("os.exec", "os.fork", "os.spawn", "os.posix_spawn"))


def _calls_on_file(node: ast.AST) -> bool:
    """Tell whether a method is called that only paths have; output.py is the door to stdout."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr == "open":
        return all(isinstance(argument, ast.Constant) for argument in node.args)
    return node.func.attr in OPENING and dotted(node.func.value) != "output"


def _imports(file: Source) -> list[str]:
    """Return the modules that a file imports, by their first name."""
    found = []
    for node in file.nodes:
        if isinstance(node, ast.Import):
            found += [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module.split(".")[0])
    return found


def _all_strings(file: Source) -> str:
    """Return all strings of a file, those of f-strings included."""
    return "\n".join(str(text.value) for text in file.strings())


PLANTED = (
    ("test_only_output_prints", "print(1)"),
    ("test_only_output_prints", "import sys\nsys.stderr.write('x')"),
    ("test_only_main_ends_the_program", "import sys\nsys.exit(1)"),
    ("test_files_are_opened_by_adapters", "open('x')"),
    ("test_files_are_opened_by_adapters", "import os\nos.open('x', 0)"),
    ("test_files_are_opened_by_adapters", "path.read_bytes()"),
    ("test_programs_are_started_through_one_door", "import subprocess"),
    ("test_programs_are_started_through_one_door", "from multiprocessing import Process"),
    ("test_programs_are_started_through_one_door", "import os\nos.system('x')"),
    ("test_programs_are_started_through_one_door", "import os\nos.popen('x')"),
    ("test_json_of_unknown_shape_comes_through_one_door", "import json\njson.loads('1')"),
    ("test_json_of_unknown_shape_comes_through_one_door", "import orjson\norjson.loads('1')"),
    ("test_nothing_is_built_from_data_but_records", "import pickle"),
    ("test_nothing_is_built_from_data_but_records", "from yaml import load"),
    ("test_nothing_is_built_from_data_but_records", "eval('1')"),
    ("test_nothing_is_built_from_data_but_records", "exec('1')"),
    ("test_no_text_from_outside_is_a_format", "words.format(1)"),
    ("test_no_text_from_outside_is_a_format", "import string"),
    ("test_sql_stands_in_tables", "sql = 'SELECT a FROM b'"),
)


@pytest.mark.parametrize(("name", "text"), PLANTED)
def test_a_planted_violation_is_caught(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ROOT / "lib" / "mindpipe" / "core" / "planted.py"
    planted = Source(path, "mindpipe.core.planted", text, ast.parse(text))
    monkeypatch.setitem(globals(), "sources", lambda: (planted,))
    with pytest.raises(AssertionError, match=r"planted\.py"):
        globals()[name]()
