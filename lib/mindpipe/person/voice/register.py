"""How somebody words what others word otherwise: short forms, clipped sentences, its own future.

A register is a table of patterns that are put into other words in all that somebody with such a
manner thinks, but for what it quotes. The tables are those of one language.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.person.voice.grammar import Condition, condition_of
from mindpipe.person.voice.manner import texts

_QUOTED = re.compile(r"(“[^”]*”)")


class Register(NamedTuple):
    """Whose register it is, and what it says instead of what."""

    when: Condition
    changes: tuple[tuple[re.Pattern[str], str], ...]

    def applied(self, words: str, tags: frozenset[str]) -> str:
        """Return words in this register, as they are where it is not that of somebody."""
        if not self.when.holds(tags):
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
        changes = texts({key: said for key, said in one.items() if key != "when"})
        pairs = tuple((re.compile(pattern), said) for pattern, said in changes.items())
        found.append(Register(condition_of(str(one["when"])), pairs))
    return tuple(found)
