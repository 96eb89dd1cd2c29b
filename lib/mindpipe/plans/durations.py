"""Durations as people write them: 90s, 15m, 2h, 3d, 1w, or several in a row as 1h30m."""

import re

from mindpipe.core.errors import UsageError

LONGEST = 3650 * 86_400
_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_WHOLE = re.compile(r"(?:[0-9]{1,10}[wdhms])+")
_PIECE = re.compile(r"([0-9]+)([wdhms])")


def parse_duration(text: str) -> int:
    """Return a duration in seconds, from 1 second to 3650 days.

    Raises:
        UsageError: the text is no duration, or out of that range.
    """
    if not _WHOLE.fullmatch(text):
        raise UsageError(f'"{text}" is no duration; write it like 90s, 15m, 2h or 3d.')
    seconds = sum(int(count) * _UNITS[unit] for count, unit in _PIECE.findall(text))
    if not 0 < seconds <= LONGEST:
        raise UsageError(f'"{text}" is out of range; a duration lasts from 1s to 3650d.')
    return seconds
