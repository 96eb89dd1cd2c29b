"""The one door for names that become rows, file names or identifiers."""

import re
from collections.abc import Iterable

from mindpipe.core.errors import UnsafeNameError

MAX_NAME_LENGTH = 64
_SAFE = re.compile(r"[a-z0-9_][a-z0-9_.-]*")


def safe_name(name: str) -> str:
    """Return the name unchanged if it is 1-64 characters of a-z, 0-9, _, - and (not first) dots.

    Raises:
        UnsafeNameError: anything else, before a file or row is touched.
    """
    if len(name) > MAX_NAME_LENGTH:
        raise UnsafeNameError(
            f'"{name[:24]}…" is {len(name)} characters long; a name has at most {MAX_NAME_LENGTH}.'
        )
    if not _SAFE.fullmatch(name) or ".." in name:
        raise UnsafeNameError(f'"{name}" may only use a-z, 0-9, _ and -.')
    return name


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name as a question with a space behind it, or nothing."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
