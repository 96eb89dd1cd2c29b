"""Regular expressions that are compiled when they are first used, not when the program starts."""

import re
from collections.abc import Callable
from functools import cache, partial

LatePattern = Callable[[], re.Pattern[str]]
"""What gives a pattern, compiled when it is first asked for."""


def late(words: str, flags: re.RegexFlag = re.NOFLAG) -> LatePattern:
    """Return what gives a pattern, compiled at its first call and kept."""
    return cache(partial(re.compile, words, flags))
