"""Every word of mind-glossary(7) is carried by something that exists under that name."""

import ast
import re
from collections.abc import Mapping

from mindpipe_cli.commands import every_command
from mindpipe_cli.manual.glossary_manual import GLOSSARY, Entry
from mindpipe_cli.schema import RECORDS, schema_of
from support.command import ROOT, Mind, looked_into
from support.source_tree import none_of, sources


def test_every_word_is_carried_by_what_exists(mind: Mind) -> None:
    mind("init")
    with looked_into(mind.folder) as store:
        tables = {name for (name,) in store.execute("SELECT name FROM sqlite_master")}
    there = {
        "class": {
            node.name for file in sources() for node in file.nodes if isinstance(node, ast.ClassDef)
        },
        "table": tables,
        "field": {f"{name}.{field}" for name in RECORDS for field in fields(name)},
        "command": {" ".join(["mind", *words]) for words in every_command()},
        "make": set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)),
        "file": {file.path.name for file in sources()},
    }
    none_of([f"{one.word}: no {one.kind} {one.carrier}" for one in GLOSSARY if lost(one, there)])


def lost(entry: Entry, there: Mapping[str, set[str]]) -> bool:
    if entry.kind == "folder":
        return not (ROOT / entry.carrier).is_dir()
    return entry.carrier not in there[entry.kind]


def fields(record: str) -> set[str]:
    """Return the names of the fields of a record."""
    schema = schema_of(record)
    reference = str(schema.get("$ref", "")).rpartition("/")[2]
    parts = schema.get("$defs", {})
    assert isinstance(parts, Mapping)
    found = parts[reference] if reference else schema
    return set(found.get("properties", {}))


def test_every_word_has_one_meaning_and_stands_where_one_looks() -> None:
    words = [one.word for one in GLOSSARY]
    assert words == sorted(set(words), key=str.casefold)
    assert {one.word for one in GLOSSARY if not one.meaning.endswith(".")} == set()
