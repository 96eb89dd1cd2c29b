"""What a row is by its words: a mere question, a time, a standing wish, a quotation."""

import functools
import re

_WHEN = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|since|recently|soon|weekend"
    r"|(?:day|week|month|year)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:1[89]|20)\d\d)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:always|never|prefer|preference|would rather|i'd rather|from now on|whenever|every time"
    r"|make sure|please (?:include|provide|use|keep|remember))\b",
    re.IGNORECASE,
)
_SHORT = 200


def is_mere_question(text: str) -> bool:
    """Tell whether a text asks and says little else: it ends so, within some 200 characters."""
    return text.rstrip().endswith("?") and len(text) <= _SHORT


@functools.lru_cache(maxsize=4096)
def tells_when(text: str) -> bool:
    """Tell whether a text has words of time."""
    return _WHEN.search(text) is not None


@functools.lru_cache(maxsize=4096)
def wishes_always(text: str) -> bool:
    """Tell whether a text says what somebody always wants, or never, or rather."""
    return _STANDING.search(text) is not None
