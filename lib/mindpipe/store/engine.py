"""A store, whichever engine keeps it: transactions, the log of changes, and who hears of them."""

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Literal

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Pair, Rows
from mindpipe.core.redaction import Redactor
from mindpipe.store.address import Where
from mindpipe.store.changes import ChangeLog, Hearing
from mindpipe.store.rows import EngineRows, Scored, Search, TransactionListener

Kind = Literal["writes", "reads"]
_LINKS_LAST = Pair(sqlite="PRAGMA defer_foreign_keys = ON", postgres="SET CONSTRAINTS ALL DEFERRED")


class EngineStore:
    """One open store; one instance belongs to one thread.

    `refusal` is raised for every transaction that may write. `changed` tells whether a transaction
    of its was committed that changed something. `listener` hears of its transactions. `redactor`
    knows the secrets that are not to be kept in it.
    """

    def __init__(
        self, rows: EngineRows, hearing: Hearing | None, *, refusal: MindError | None = None
    ) -> None:
        self._rows = rows
        self._hearing = hearing
        self._log = None if hearing is None else ChangeLog(hearing, rows)
        self._refusal = refusal
        self.changed = False
        self.listener: TransactionListener | None = None
        self.redactor = Redactor()

    @property
    def where(self) -> Where:
        """Return where it is, by which it can be opened again."""
        raise NotImplementedError

    def stamp(self) -> str:
        """Return words that differ once another connection has committed something."""
        raise NotImplementedError

    def refuse(self, refusal: MindError) -> None:
        """Let nothing be written through this connection from now on."""
        self._refusal = refusal

    @property
    def lasts(self) -> bool:
        """Tell whether anything of it is left when the process ends."""
        return self._hearing is not None

    def _transaction(
        self, kind: Kind, log: ChangeLog | None, redactor: Redactor | None = None
    ) -> AbstractContextManager[Rows]:
        """Join the open transaction, or hold one from its begin to commit or rollback."""
        raise NotImplementedError

    def unguarded(self) -> AbstractContextManager[None]:
        """Let no trigger refuse what becomes of rows that only ever stay."""
        raise NotImplementedError

    def write_anew(self) -> None:
        """Write all anew, so that nothing is left of what was changed or taken away."""
        raise NotImplementedError

    def close(self) -> None:
        """Close it."""
        raise NotImplementedError

    @property
    def searched(self) -> "EngineStore":
        """Return where words are searched: the store itself, or a file that mirrors it."""
        return self

    def search_by(self, search: Search | None, scored: Scored | None = None) -> None:
        """Let this stand between statements that rank by the words of all agents and their rows.

        `scored` is told what was ranked, and how.
        """
        self._rows.search, self._rows.heed = search, scored

    @property
    def takes_nothing(self) -> bool:
        """Tell whether it can only be read."""
        return self._refusal is not None

    @property
    def identity(self) -> str:
        """Return the id given at `mind init`."""
        with self.read() as rows:
            return rows.value(str, "SELECT id FROM store") or ""

    def read(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        return self._transaction("reads", None)

    def write(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that may write."""
        self._require_taking()
        return self._transaction("writes", self._log, self.redactor)

    def restoring(self) -> AbstractContextManager[Rows]:
        """Open a transaction for rows that bring their own log of changes."""
        self._require_taking()
        return self._transaction("writes", None)

    @contextlib.contextmanager
    def rewinding(self, agent: str) -> Iterator[Rows]:
        """Hold a transaction in which the rows of an agent are put back to what they were.

        No trigger refuses that, and links are followed as it ends. The log keeps what was left.
        """
        self._require_taking()
        log = None
        if self._hearing is not None:
            log = ChangeLog(self._hearing, self._rows, rewound=agent)
        with self.unguarded(), self._transaction("writes", log) as rows:
            rows.run(_LINKS_LAST)
            yield rows

    @contextlib.contextmanager
    def redacting(self) -> Iterator[Rows]:
        """Hold a transaction in which rows that only ever stay are changed for good.

        No trigger refuses that, links are followed as it ends, and no log keeps what was there.
        """
        with self.unguarded(), self.restoring() as rows:
            rows.run(_LINKS_LAST)
            yield rows

    def _require_taking(self) -> None:
        if self._refusal is not None:
            raise self._refusal
