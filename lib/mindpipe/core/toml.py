"""The one door for TOML: what a file of settings or of tools says, on which line, or its faults."""

import re

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import MAX_DEPTH, depth_of_value
from mindpipe.core.problems import Problem

# A key is bare or in quotes; dots join keys.
_KEY = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")
_DOTTED = re.compile(rf"\s*(?:{_KEY.pattern})(?:\s*\.\s*(?:{_KEY.pattern}))*\s*")


def load_toml(octets: bytes, *, source: str) -> dict[str, object]:
    """Return the tables of a TOML document, nested at most as deep as JSON may be.

    Raises:
        BadInputError: bad encoding, too deep, a number too long, or no TOML.
    """
    import tomllib

    words = f"nested deeper than {MAX_DEPTH} levels"
    try:
        tables = tomllib.loads(octets.decode("utf-8"))
        if depth_of_value(tables, limit=MAX_DEPTH) <= MAX_DEPTH:
            return tables
    except RecursionError:
        pass
    except ValueError as error:
        # A number with too many digits is a plain ValueError, with advice for programmers.
        is_number = str(error).startswith("Exceeds the limit")
        words = f"not TOML: {'a number is too long' if is_number else error}"
    raise BadInputError([Problem(source=source, message=words)])


def line_of(octets: bytes, name: str) -> int | None:
    """Return the line (from 1) that says a dotted name, or as much of its beginning as any does."""
    best, found = 0, None
    table = ""
    for number, row in enumerate(octets.decode("utf-8", "replace").splitlines(), 1):
        bare = row.strip()
        if header := _name(bare.strip("[]").partition("]")[0]) if bare.startswith("[") else "":
            table = said = header
        elif key := _name(bare.partition("=")[0]) if "=" in bare else "":
            said = f"{table}.{key}" if table else key
        else:
            continue
        if len(said) > best and (name == said or name.startswith(f"{said}.")):
            best, found = len(said), number
    return found


def _name(text: str) -> str:
    """Return dotted keys as one name without quotes; empty where the text is none."""
    if not _DOTTED.fullmatch(text):
        return ""
    return ".".join("".join(parts) for parts in _KEY.findall(text))
