"""Find the line of a TOML document on which something is said, so that a fault can name it."""

import re

# A key is bare or in quotes; dots join keys.
_KEY = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")
_DOTTED = re.compile(rf"\s*(?:{_KEY.pattern})(?:\s*\.\s*(?:{_KEY.pattern}))*\s*")


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
