"""Who has a part in what happens, by the words of it: those one knows, and who acts in it."""

import re

from mindpipe.core.patterns import late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.person.mind.relations import CAPITAL, NamedOther, others_of
from mindpipe.person.records.person import PersonIdentity

_SUBJECT = late(rf"^({CAPITAL})(?: and ({CAPITAL}))?(?: {CAPITAL})* (\w+s|and)\b")
_BESIDE = late(rf"\b(?:with|beside|and|for) ((?:[A-Z]\w+ )?{CAPITAL})")
_NOBODY = frozenset(
    {"rain", "snow", "water", "smoke", "news", "work", "pain", "blood", "music", "light", "time"}
    | {"everyone", "everybody", "nobody", "somebody", "someone", "something", "nothing", "god"}
    | {"mr", "mrs", "ms", "dr", "someone's", "two", "three", "four", "five", "six", "snowflakes"}
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "christmas"}
)
_ABSENT = r"(?:'s|’s)\s+(?!bed|side|hand|bedside|room|arm|shoulder)"


def people_in(text: str, identity: PersonIdentity) -> tuple[str, ...]:
    """Return whom a text names as having a part, those whom the person knows under their names.

    Whose thing it is has no part in it, but for a bed or a hand: `you wait by Elin's bed`.
    """
    found: dict[str, int] = {}
    for other in others_of(identity):
        place = named_at(text, other)
        if place is not None and not other.gone:
            found.setdefault(other.name, place)
    for name, place in _strangers(text):
        if not any(name in known or known in name for known in found):
            found.setdefault(name, place)
    return tuple(sorted(found, key=lambda name: found[name]))


def named_at(text: str, other: NamedOther) -> int | None:
    """Return where a text names somebody as present, by a name or as `your mother`, or None."""
    *_, last = other.name.split(" ")
    named = [other.name, last] if other.name[:1].isupper() else [other.name]
    if other.role:
        named.append(f"your {other.role}")
    for name in dict.fromkeys(named):
        pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])(?!{_ABSENT})"
        if found := re.search(pattern, text, 0 if name[:1].isupper() else re.IGNORECASE):
            return found.start()
    return None


def _strangers(text: str) -> list[tuple[str, int]]:
    """Return capitalised names that act in a text, or stand beside the person, and where."""
    found: list[tuple[str, int]] = []
    if subject := _SUBJECT.match(text):
        found += [(name, subject.start(n)) for n in (1, 2) if (name := subject.group(n))]
    found += [(hit.group(1), hit.start(1)) for hit in _BESIDE.finditer(text)]
    return [(name, place) for name, place in found if _is_name(name)]


def _is_name(word: str) -> bool:
    """Tell whether a capitalised word may be the name of somebody."""
    first = word.split(" ")[0].casefold().removesuffix("'s")
    return first not in _NOBODY and first not in FUNCTION_WORDS and "'" not in word
