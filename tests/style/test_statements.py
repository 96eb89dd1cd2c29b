"""The statements of tables are what SQLite and PostgreSQL both take, or a pair of texts."""

import ast
import re
from collections.abc import Iterator

from support.source_tree import Source, dotted, none_of, sources

_ONE_ENGINE = re.compile(
    r"INSERT OR \w+|REPLACE INTO|\biif\(|\bGLOB\b|\bLIMIT -1\b|\browid\b|\bPRAGMA\b|\bpragma_\w+"
    r"|\bON CONFLICT DO\b|\bIN \(SELECT value FROM json_each\(:|(?<!\w):\w+ IS N"
    r"|\bIS (?:NOT )?:|::\w+|\bstrftime\(|\bto_char\("
)
"""Words of a statement that only one engine takes, or that name no index or type to a server."""
_OF_FILES = ("mindpipe.life.tables.", "mindpipe.providers.llm.tables", "mindpipe.recall.tables.")
"""Tables that lie in a file, or are copied from file to file, wherever the store is."""


def test_a_statement_says_nothing_that_one_engine_alone_takes() -> None:
    none_of(
        [
            f"{source.at(said)}: {found[0]}"
            for source in sources()
            if _has_tables(source) and not f"{source.module}.".startswith(_OF_FILES)
            for said in _statements(source)
            if (found := _ONE_ENGINE.search(str(said.value)))
        ]
    )


def _has_tables(source: Source) -> bool:
    return "tables" in source.module.split(".")


def _statements(source: Source) -> Iterator[ast.Constant]:
    """Yield the strings of a file but for migrations, which a file alone has, and pairs."""
    apart = {
        id(node)
        for call in source.nodes
        if isinstance(call, ast.Call) and dotted(call.func) in ("Migration", "Pair")
        for node in ast.walk(call)
    }
    for said in source.strings():
        if id(said) not in apart:
            yield said
