"""Read TOML so that what is wrong in it can be named with its line."""

import re
import tomllib

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem

# A key is bare or in quotes; dots join keys.
_KEY = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")
_DOTTED = re.compile(rf"\s*(?:{_KEY.pattern})(?:\s*\.\s*(?:{_KEY.pattern}))*\s*")


def toml_tables(octets: bytes, *, source: str) -> dict[str, object]:
    """Return the tables of a TOML document; raises BadInputError."""
    try:
        return tomllib.loads(octets.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError([Problem(source=source, message=f"not TOML: {error}")]) from None


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
