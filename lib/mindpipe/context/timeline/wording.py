"""Words of others as a timeline shows them, and lengths of time: nothing in them can pass for ours.

A text is one JSON string on one line; what it shares with the marks of a timeline is escaped in it,
so that each mark stands in a prompt exactly as often as the program wrote it. A name stands bare
only where it is letters, digits, blanks, dots and dashes, and is no word of ours.
"""

import json
import re

from mindpipe.context.prompt import escaped, quoted
from mindpipe.core.text import counted

_MARKS = re.compile(
    r"←|\[(?=\s*(?:seen|new|active|msg\s*:|sent because|auto-set|created via|earlier))",
    re.IGNORECASE,
)
_NAME = re.compile(r"\w(?:[\w .'’-]*[\w.])?")
_ID = re.compile(r"[\w.:-]+")
_OURS = frozenset({"you", "none", "nobody", "seen", "new", "trigger", "resume", "this run"})
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_UNITS = ((604_800, "week"), (_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"), (1, "second"))


def told(text: str) -> str:
    """Return words of somebody as one JSON string without a mark of ours."""
    return unmarked(quoted(text))


def payload(body: dict[str, object]) -> str:
    """Return what a service sent as JSON on one line, without a mark of ours."""
    return unmarked(escaped(json.dumps(body, ensure_ascii=False)))


def named(title: str) -> str:
    """Return a name as it stands; as a JSON string if it could pass for what stands around it."""
    plain = _NAME.fullmatch(title) and title.casefold() not in _OURS
    return title if plain else told(title)


def marked(id: str) -> str:
    """Return an id or an instant; as a JSON string if it has characters that none of ours has."""
    return id if _ID.fullmatch(id) else told(id)


def short(text: str, most: int) -> str:
    """Return the first `most` characters of a text, with a mark where some are left out."""
    return text if len(text) <= most else f"{text[:most]}…"


def until(seconds: float) -> str:
    """Return how far off something is: "in 17h 53m", or "due now"."""
    whole = int(seconds)
    return f"in {length(whole)}" if whole > 0 else "due now"


def length(seconds: int) -> str:
    """Return a length of time by its two largest units: 45s, 5m 00s, 17h 53m, 3d 04h."""
    if seconds < _MINUTE:
        return f"{seconds}s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE}m {seconds % _MINUTE:02}s"
    if seconds < _DAY:
        return f"{seconds // _HOUR}h {seconds % _HOUR // _MINUTE:02}m"
    return f"{seconds // _DAY}d {seconds % _DAY // _HOUR:02}h"


def span(seconds: int) -> str:
    """Return a length of time in one unit, as somebody asks for it: "2 hours", "90 minutes"."""
    size, unit = next(one for one in _UNITS if seconds % one[0] == 0)
    return counted(seconds // size, unit)


def unmarked(octets: str) -> str:
    """Return words in JSON strings with the first character of all that is like a mark escaped."""
    return _MARKS.sub(lambda found: f"\\u{ord(found[0]):04x}", octets)
