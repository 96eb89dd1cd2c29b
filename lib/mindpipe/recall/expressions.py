"""Which words of a question pick the rows, and which only weigh them: what a search may cost.

A word costs as many rows as hold it, each of which is weighed. So the rare words pick, as many of
them as fit a budget; the others count in the rows that are picked. Where few rows are kept all
words pick.
"""

from collections.abc import Mapping
from typing import NamedTuple

BUDGET = 20_000
"""So many rows are weighed for a question, or those of its rarest word."""


class Expression(NamedTuple):
    """A query as FTS5 takes it, and the words that its last phrases look for, in their order.

    `wide` says that even its rarest word is held by more rows than may be weighed.
    """

    text: str
    words: tuple[str, ...]
    wide: bool = False


def expression_of(holders: Mapping[str, int], *, budget: int = BUDGET) -> Expression | None:
    """Return the query for words of which it is known how many rows hold each; None for none."""
    rare_first = sorted((word for word, count in holders.items() if count), key=holders.__getitem__)
    if not rare_first:
        return None
    picking: list[str] = []
    spent = 0
    for word in rare_first:
        spent += holders[word]
        if picking and spent > budget:
            break
        picking.append(word)
    wide = holders[picking[0]] > budget
    anyhow = _any(rare_first)
    if len(picking) == len(rare_first):
        return Expression(anyhow, tuple(rare_first), wide=wide)
    return Expression(f"({_any(picking)}) AND ({anyhow})", tuple(rare_first), wide=wide)


def quoted(word: str) -> str:
    """Return a word as FTS5 takes it, whatever characters it has."""
    return '"' + word.replace('"', '""') + '"'


def _any(words: list[str]) -> str:
    """Return the query for any of some words."""
    return " OR ".join(map(quoted, words))
