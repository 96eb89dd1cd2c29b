"""How somebody words what others word otherwise: short forms, clipped sentences, its own future.

A register is a table of patterns that are put into other words in all that somebody with such a
manner thinks, but for what it quotes. One with a `share` is that of so many of all persons, who say
`someone` where the others say `somebody`. The tables are those of one language.
"""

import re
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.person.voice.grammar import Condition, condition_of, mixed
from mindpipe.person.voice.manner import texts

_QUOTED = re.compile(r"(“[^”]*”)")


class Register(NamedTuple):
    """Whose register it is (by manner, and which share of all), and what it says instead."""

    when: Condition
    share: float
    mark: int
    changes: tuple[tuple[re.Pattern[str], str], ...]

    def applied(self, words: str, tags: frozenset[str], idiolect: int | None) -> str:
        """Return words in this register, as they are where it is not that of somebody."""
        if not self.when.holds(tags):
            return words
        if self.share < 1.0 and mixed(self.mark, idiolect or 0) >= self.share * 2**32:
            return words
        pieces = _QUOTED.split(words)
        pieces[::2] = map(self._changed, pieces[::2])
        return "".join(pieces)

    def _changed(self, words: str) -> str:
        """Return words outside of quotes with all changes made."""
        for pattern, instead in self.changes:
            words = pattern.sub(instead, words)
        return words


def registers_of(table: Mapping[str, object]) -> tuple[Register, ...]:
    """Return the registers of a language, in the order in which they are applied.

    Raises:
        ValueError: one has another shape.
    """
    found: list[Register] = []
    for name, one in table.items():
        if not isinstance(one, Mapping) or "when" not in one:
            raise ValueError(f"{name}: expected when, and what is said instead of what")
        changes = texts({key: said for key, said in one.items() if key not in ("when", "share")})
        pairs = tuple((re.compile(pattern), said) for pattern, said in changes.items())
        when, share = condition_of(str(one["when"])), float(str(one.get("share", 1.0)))
        found.append(Register(when, share, zlib.crc32(name.encode()), pairs))
    return tuple(found)
