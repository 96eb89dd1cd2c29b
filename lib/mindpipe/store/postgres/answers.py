"""What a server answered in a transaction since it was last told something, to be read again.

Many a verb asks what another one did a moment before; on the way to a server that is dear. In a
transaction that only reads nothing can be another meanwhile. In one that writes, what others commit
in between is seen as if it came later; who waits for them takes a lock, and asks anew after it.
What is told to a table of what an agent has alone makes only that otherwise.
"""

import functools
import re
from collections.abc import Iterator, Sequence

from mindpipe.core.ports import Given, Row
from mindpipe.store.postgres.messages import SentStatement

_FEW = 20
_LARGEST = 1 << 18
_MOST = 200
_QUESTION = re.compile(rb"\s*SELECT\b.*\bFROM\b", re.DOTALL)
# What changes something, or is another each time.
_NONE = re.compile(
    rb"\b(?:\w*_numbers?|last_change|give_back|random|nextval|setval|clock_timestamp|now|pg_\w+)\("
    rb"|\bFOR (?:UPDATE|SHARE)\b"
)


_Key = tuple[bytes, *tuple[object, ...]]
OWN = frozenset(
    {
        *(b"agent_lease", b"agent_run", b"agent_run_cycle", b"cycle", b"cycle_source"),
        *(b"ledger", b"memory_item", b"message", b"segment", b"turn"),
    }
)
"""Tables of whose rows each is written only by who holds its agent, and waits for nobody then."""
_TOLD = re.compile(rb"\s*(?:INSERT INTO|UPDATE|DELETE FROM) \"?(\w+)")


@functools.lru_cache(2048)
def own_table(told: bytes) -> bytes | None:
    """Return the table of `OWN` to which a statement tells something, and to no other."""
    found = _TOLD.match(told)
    return found[1] if found is not None and found[1] in OWN else None


@functools.lru_cache(8192)
def names(question: bytes, table: bytes) -> bool:
    """Tell whether a question names a table."""
    return re.search(rb"\b%s\b" % table, question) is not None


@functools.lru_cache(2048)
def is_question(text: bytes) -> bool:
    """Tell whether a statement only asks for rows."""
    return _QUESTION.match(text) is not None and _NONE.search(text) is None


class FoundRows:
    """The rows that a question found, from the first one on; `names` are those of its columns."""

    def __init__(self, names: tuple[str, ...], rows: Sequence[Row]) -> None:
        self.names = names
        self._rows = iter(rows)

    def fetchone(self) -> Row | None:
        """Return the next row, or None."""
        return next(self._rows, None)

    def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        return list(self._rows)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are left."""
        return self._rows


class Answers:
    """What was answered since something was told; a few rows each, and no large ones."""

    def __init__(self) -> None:
        self._found: dict[_Key, tuple[tuple[str, ...], list[Row]]] = {}

    def forget(self, told: bytes = b"") -> None:
        """Forget what may be otherwise from here on, once something was told."""
        table = own_table(told)
        if table is None:
            self._found = {}
        else:
            self._found = {key: it for key, it in self._found.items() if not names(key[0], table)}

    def find(self, text: bytes, given: Sequence[Given]) -> FoundRows | None:
        """Return what this question found, if it was asked with the same values."""
        found = self._found.get(_key(text, given))
        return None if found is None else FoundRows(*found)

    def keep(self, text: bytes, given: Sequence[Given], asked: SentStatement) -> FoundRows | None:
        """Keep what a question found and return it; None where that is too much."""
        if asked.rowcount > _FEW or len(self._found) >= _MOST:
            return None
        names, rows = asked.names, asked.fetchall()
        if sum(len(cell) for row in rows for cell in row if isinstance(cell, (str, bytes))) < (
            _LARGEST
        ):
            self._found[_key(text, given)] = names, rows
        return FoundRows(names, rows)


def _key(text: bytes, given: Sequence[Given]) -> _Key:
    """Return what tells a question from others: 1 and 1.0 are two."""
    return text, *((type(one), tuple(one) if isinstance(one, list) else one) for one in given)
