"""Hold every source to the most urgent priority that it may ask for."""

from collections.abc import Sequence

from mindpipe.core.errors import UsageError
from mindpipe.core.events import Priority
from mindpipe.inbox.records import Ceiling


def parse_ceilings(text: str) -> tuple[Ceiling, ...]:
    """Read a setting like `tool:*=2 web=3` (spaces or commas between).

    Raises:
        UsageError: an entry is no `SOURCE=PRIORITY`.
    """
    return tuple(map(_parse_one, text.replace(",", " ").split()))


def _parse_one(entry: str) -> Ceiling:
    """Read one entry."""
    source, _, number = entry.rpartition("=")
    if not source or number not in {str(priority.value) for priority in Priority}:
        raise UsageError(f'inbox.ceilings: "{entry}" is no SOURCE=PRIORITY; write it like web=3.')
    return Ceiling(source=source, priority=int(number))


def ceiling_of(source: str, ceilings: Sequence[Ceiling]) -> int:
    """Return the most urgent priority of a source: its own entry, else the longest that fits."""
    best, priority = -1, int(Priority.EMERGENCY)
    for ceiling in ceilings:
        if ceiling.source == source:
            return ceiling.priority
        stem = ceiling.source.removesuffix("*")
        if stem != ceiling.source and source.startswith(stem) and len(stem) > best:
            best, priority = len(stem), ceiling.priority
    return priority
