"""What a statement of the tables is to each engine: its text, and its parameters in their order."""

import functools
import re
from collections.abc import Mapping
from typing import NamedTuple, cast

from mindpipe.core.ports import Cell, Given, Sql
from mindpipe.core.records import to_json

_LISTS = (list, tuple)
_LIST = re.compile(r"\bIN :(\w+)")
# What holds no mark: remarks, words, names and casts.
_PLAIN = r"""--[^\n]* | /\*.*?(?:\*/|\Z) | \b[Ee]'(?:[^'\\]|\\.|'')*' | '(?:[^']|'')*' | "[^"]*"
    | \$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$ | ::\w+"""
_NAMED = r":(?P<one>[a-z_]\w*)"
_MARK = re.compile(
    rf"{_PLAIN} | \b(?P<outside>NOT\ )?IN\ :(?P<list>\w+) | {_NAMED} | \?(?P<place>\d*)",
    re.VERBOSE | re.DOTALL,
)
_ASKED = re.compile(f"{_PLAIN} | {_NAMED}", re.VERBOSE | re.DOTALL)


class Marked(NamedTuple):
    """A statement whose parameters are `$1`, `$2` and so on, and the names of these in order."""

    text: bytes
    names: tuple[str, ...]


def sqlite_text(sql: Sql) -> str:
    """Return a statement as SQLite takes it: a list is one parameter, in JSON."""
    text = sql if isinstance(sql, str) else sql.sqlite
    return _with_lists(text) if " IN :" in text else text


@functools.lru_cache(1024)
def _with_lists(text: str) -> str:
    return _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", text)


def sqlite_values(values: Mapping[str, Given]) -> Mapping[str, Cell]:
    """Return the parameters of a statement as SQLite takes them."""
    if not any(type(given) in _LISTS for given in values.values()):
        return cast("Mapping[str, Cell]", values)
    return {
        name: to_json(given).decode() if type(given) in _LISTS else cast("Cell", given)
        for name, given in values.items()
    }


def postgres_text(sql: Sql) -> Marked:
    """Return a statement as PostgreSQL takes it."""
    return _numbered(sql if isinstance(sql, str) else sql.postgres)


def asked_text(question: str) -> Marked:
    """Return a statement that somebody typed, in which `:name` alone is a parameter."""
    names: dict[str, None] = {}

    def mark(found: re.Match[str]) -> str:
        if found["one"] is None:
            return found[0]
        names.setdefault(found["one"])
        return f"${[*names].index(found['one']) + 1}"

    return Marked(_ASKED.sub(mark, question).encode(), tuple(names))


@functools.lru_cache(2048)
def _numbered(text: str) -> Marked:
    names: list[str] = []
    places = 0

    def mark(name: str) -> str:
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    def replaced(found: re.Match[str]) -> str:
        nonlocal places
        if (listed := found["list"]) is not None:
            return f"<> ALL({mark(listed)})" if found["outside"] else f"= ANY({mark(listed)})"
        if (one := found["one"]) is not None:
            return mark(one)
        if (place := found["place"]) is not None:
            places += 1
            return f"${place or places}"
        return found[0]

    return Marked(_MARK.sub(replaced, text).encode(), tuple(names))
