"""A store, whichever engine keeps it: transactions, the log of changes, and who hears of them."""

import contextlib
import functools
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol

from mindpipe.core.errors import MindError, StoreBusyError, UsageError
from mindpipe.core.ports import NOBODY, Pair, Row, Rows
from mindpipe.core.redaction import Redactor
from mindpipe.store.address import Where
from mindpipe.store.changes import ChangeLog, ChangesWritten, Hearing
from mindpipe.store.holding import Holding
from mindpipe.store.rows import EngineRows, Scored, Search, TransactionListener

_LINKS_LAST = Pair(sqlite="PRAGMA defer_foreign_keys = ON", postgres="SET CONSTRAINTS ALL DEFERRED")


class TransactionSteps(Protocol):
    """How one transaction of an engine begins and ends; each step raises the engine's errors."""

    def begin(self, asked: Sequence[str], began: Callable[[], None]) -> None:
        """Begin it, at the latest with what it asks or tells first, and call `began` then.

        These questions are asked by that, and may come along.
        """
        ...

    def ends(self, *, is_logged: bool) -> None:
        """Hear that it is about to end: nothing is written any more but the log, if one is kept."""
        ...

    def commit(self) -> bool:
        """Commit it, and tell whether it changed something."""
        ...

    def tell(self, agents: Sequence[str]) -> None:
        """Hint, once it is kept, that the inboxes of some agents got something."""
        ...

    def roll_back(self) -> None:
        """Take back what it did, if it is open still."""
        ...


class EngineStore:
    """One open store; one instance belongs to one thread.

    `refusal` is raised for every transaction that may write. `changed` tells whether a transaction
    of its was committed that changed something. `listener` hears of its transactions. `redactor`
    knows the secrets that are not to be kept in it. `is_mirrored` tells that words are searched in
    a file that mirrors it, not in the store itself.
    """

    is_mirrored = False

    def __init__(
        self, rows: EngineRows, hearing: Hearing | None, *, refusal: MindError | None = None
    ) -> None:
        self._rows = rows
        self._hearing = hearing
        self._log = None if hearing is None else ChangeLog(hearing, rows)
        self._refusal = refusal
        self._away: MindError | None = None
        self._identity = ""
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

    def leave(self, refusal: MindError) -> None:
        """Let nothing be written through this connection but what moves the store."""
        self._away = refusal

    @property
    def lasts(self) -> bool:
        """Tell whether anything of it is left when the process ends."""
        return self._hearing is not None

    def there_since(self) -> float:
        """Return since when it could be reached, in seconds of its clock, as far as is known."""
        return -math.inf

    def _is_under_way(self) -> bool:
        """Tell whether a transaction is open."""
        raise NotImplementedError

    def steps(self, held: Holding | None) -> TransactionSteps:
        """Return how a transaction begins and ends: one that may write what is held, or reads."""
        raise NotImplementedError

    def raise_ours(self, error: BaseException) -> None:
        """Raise our error for one of the engine's; return where it is none."""
        raise NotImplementedError

    def raise_known(self, error: BaseException) -> None:
        """Raise our error for one of the engine's, or for octets that no engine takes as a text."""
        if isinstance(error, UnicodeEncodeError):
            raise UsageError("a name or a text is none: it is not UTF-8.") from None
        self.raise_ours(error)

    def _transaction(
        self, held: Holding | None, log: ChangeLog | None, redactor: Redactor | None = None
    ) -> AbstractContextManager[Rows]:
        """Join the open transaction, or hold one from its begin to commit or rollback."""
        if self._is_under_way():
            return _Joined(self._rows, self.raise_known)
        return _Transaction(self, self._rows, held, log, redactor)

    def unguarded(self) -> AbstractContextManager[None]:
        """Let no trigger refuse what becomes of rows that only ever stay."""
        raise NotImplementedError

    def rows_behind(self, table: str, key: Row | None) -> Generator[Row]:
        """Yield the rows of a table in the order of its key, from behind one on, as they come.

        It is asked for in an open transaction, which stays open for as long as they are read.
        """
        raise NotImplementedError

    def take_rows(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table as they are, in the open transaction.

        No trigger hears or refuses them; what they refer to must be there.
        """
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
        return self._refusal is not None or self._away is not None

    @property
    def identity(self) -> str:
        """Return the id given at `mind init`, which stays; only a move or an import brings one."""
        if not self._identity:
            with self.read() as rows:
                self._identity = rows.value(str, "SELECT id FROM store") or ""
        return self._identity

    def read(self) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that sees one consistent state."""
        return self._transaction(None, None)

    def write(self, *of: str) -> AbstractContextManager[Rows]:
        """Open, or join, a transaction that may write: all, or what is of these.

        Raises:
            AssertionError: one is open that holds others.
        """
        self.require_taking()
        if self._rows.held is not None:
            self._rows.held.require(of)
        return self._transaction(Holding(of), self._log, self.redactor)

    def restoring(self, *of: str) -> AbstractContextManager[Rows]:
        """Open a transaction for rows that bring their own log of changes: all, or of these."""
        self.require_taking()
        self._identity = ""
        return self._transaction(Holding(of), None)

    @contextlib.contextmanager
    def rewinding(self, agent: str) -> Iterator[Rows]:
        """Hold a transaction, and in it an agent, whose rows are put back to what they were.

        No trigger refuses that, and links are followed as it ends. The log keeps what was left.
        """
        self.require_taking()
        log = None
        if self._hearing is not None:
            log = ChangeLog(self._hearing, self._rows, rewound=agent)
        with self.unguarded(), self._transaction(Holding((agent,)), log) as rows:
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

    def moving(self) -> AbstractContextManager[Rows]:
        """Open a transaction of the store's move, which writes where nobody else may any more."""
        if self._refusal is not None:
            raise self._refusal
        self._identity = ""
        return self._transaction(Holding((), moves=True), None)

    def noting(self) -> AbstractContextManager[Rows]:
        """Open a transaction for what only this process writes, and of which no log is kept.

        It also goes on while somebody holds the whole store for long, where many write.
        """
        self.require_taking()
        return self._transaction(Holding((NOBODY,), waits=False), None)

    def require_taking(self) -> None:
        """Raise what refuses that anything is written, where something does."""
        refusal = self._refusal or self._away
        if refusal is not None:
            raise refusal


class _Joined:
    """A block in a transaction that is open already."""

    def __init__(self, rows: Rows, raise_known: Callable[[BaseException], None]) -> None:
        self._rows, self._raise_known = rows, raise_known

    def __enter__(self) -> Rows:
        """Give what runs SQL."""
        return self._rows

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave commit and rollback to the block that began."""
        if error is not None:
            self._raise_known(error)


class _Transaction:
    """A block that is a transaction, from `begin` to commit or rollback."""

    def __init__(
        self,
        store: EngineStore,
        rows: EngineRows,
        held: Holding | None,
        log: ChangeLog | None,
        redactor: Redactor | None,
    ) -> None:
        self._store = store
        self._rows = rows
        self._held = held
        self._steps: TransactionSteps | None = None
        self._log = log
        self._redactor = redactor

    def __enter__(self) -> Rows:
        """Begin, and give what runs SQL."""
        try:
            listener, writes = self._store.listener, self._log is not None
            asked = () if listener is None else listener.asks(writes=writes)
            self._steps = self._store.steps(self._held)
            self._rows.held = self._held
            if listener is None:
                self._steps.begin(asked, lambda: None)
            else:
                began = functools.partial(listener.began, self._rows, writes=writes)
                self._steps.begin(asked, began)
            if self._log is not None:
                self._log.begin()
            self._rows.redactor = self._redactor
        except BaseException as error:
            self._end(error)
            raise
        return self._rows

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, or roll back what an error ended."""
        self._rows.redactor = None
        if error is not None:
            self._end(error)
            return
        written: ChangesWritten | None = None
        assert self._steps is not None
        try:
            self._steps.ends(is_logged=self._log is not None)
            if self._log is not None and self._held is not None:
                listener = self._store.listener
                ahead = () if listener is None else listener.asks_last()
                written = self._log.write(self._held, ahead)
                if listener is not None and written is not None:
                    listener.ends(self._rows, written)
            changed = self._steps.commit()
        except BaseException as fault:
            self._end(fault)
            raise
        self._rows.held = None
        if changed:
            self._store.changed = True
        if written is not None and written.pushed_to:
            self._steps.tell(written.pushed_to)

    def _end(self, error: BaseException) -> None:
        """Roll back, and raise an error of the engine in our words; say so where it is lost."""
        try:
            self._roll_back(error)
            if isinstance(error, StoreBusyError):
                raise error
        except StoreBusyError as lost:
            if self._store.listener is not None:
                self._store.listener.lost(lost)
            raise

    def _roll_back(self, error: BaseException) -> None:
        self._rows.held = None
        try:
            if self._log is not None:
                self._log.forget()
            if self._steps is not None:
                self._steps.roll_back()
        except Exception as fault:
            self._store.raise_known(fault)
            raise
        self._store.raise_known(error)
