"""The changes of a life, one by one: all taken back to where its record begins, and made again.

What a transaction made of the rows follows from taking it back: the changeset of that, inverted.
"""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import apsw

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import NOBODY, Rows
from mindpipe.core.records import MOST_WHOLE
from mindpipe.history import tables as history_tables
from mindpipe.history.verbs.log import extend_index
from mindpipe.life.rewinds import tables as rewinds
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import operations as operation_tables
from mindpipe.life.tables import steps as step_tables
from mindpipe.recall.tables import index
from mindpipe.recall.verbs import reindex
from mindpipe.store.changes import (
    MADE_ANEW,
    UNDO,
    Key,
    RowsUndone,
    Undo,
    Values,
    is_logged,
    owner,
)
from mindpipe.store.changesets import rows_heard

if TYPE_CHECKING:
    from mindpipe.store.sqlite import SqliteStore


class RowChange(NamedTuple):
    """What became of one row: `op` is what SQLite calls it; of a change the new values alone."""

    op: str
    values: Values


RowChanges = Mapping[tuple[str, Key], RowChange]
"""What became of rows, by table and key."""


class Steps:
    """The changes of one agent's life in a store of its own, which is moved through them.

    `at` is the change up to which they are made, `said` the last message that was said by then, and
    `kept` how many changes were taken back. Of those `given` were made again as they were, with
    which `given_cycles` began and so many `given_rows` changed, by table.
    """

    def __init__(self, store: "SqliteStore", *, agent: str) -> None:
        self._store, self._connection = store, store.connection
        self._agent = agent
        self.at = self.said = self.kept = self.given = self.given_cycles = 0
        self.given_rows = Counter[str]()
        self._begun: int | None = None
        self._made_anew = set[int]()
        # Of each rewind which message stood under a number, by its place in the log; and where a
        # number is another one than a replay comes to, which the chain has.
        self._places: dict[int, dict[int, int]] = {}
        self._numbers: dict[int, int] = {}
        with store.read() as rows:
            self._rewinds = {one.change: one for one in rewinds.all_of(rows, agent=agent)}
        # Rows are put where they were: that others point to them, and what follows, is there too.
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 0)

    @contextlib.contextmanager
    def _as_they_are(self) -> Iterator[Rows]:
        """Hold a transaction in which nothing follows from a change of rows."""
        with self._freely(), self._store.restoring() as rows:
            yield rows

    @contextlib.contextmanager
    def _freely(self) -> Iterator[None]:
        """Let nothing follow from a change of rows, and refuse none."""
        self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        self._connection.pragma("ignore_check_constraints", 1)
        try:
            yield
        finally:
            self._connection.pragma("ignore_check_constraints", 0)
            self._connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 1)

    def go_back(self, to: int) -> None:
        """Take back all changes behind one, and keep each, to be made again."""
        with self._as_they_are() as rows:
            step_tables.make_steps(rows)
            for number, undo in step_tables.changes_behind(rows, agent=self._agent, number=to):
                self._step_back(rows, number, UNDO.decode(undo))
                self.kept += 1
            history_tables.clear_index(rows)
            extend_index(rows, after=0)
            self.said = history_tables.end_of_log(rows, agent=self._agent).seq
        self.at = to
        self._begun = self._open_cycle()
        self.given_cycles += self._begun is not None

    def cycles(self) -> int:
        """Return how many cycles have begun by now."""
        with self._store.read() as rows:
            return history_tables.next_cycle(rows, agent=self._agent) - 1

    def is_given_cycle(self) -> bool:
        """Tell whether a cycle is open that was so when the record begins, as nothing was kept."""
        return self._begun is not None and self._open_cycle() == self._begun

    def _open_cycle(self) -> int | None:
        with self._store.read() as rows:
            found = history_tables.open_cycle(rows, agent=self._agent)
        return None if found is None else found.cycle

    def _step_back(self, rows: Rows, number: int, undo: Undo) -> None:
        if MADE_ANEW in undo:
            self._made_anew.add(number)
        if unknown := undo.keys() - tables.BY_NAME.keys() - {MADE_ANEW}:
            raise UsageError(f"a change is of {', '.join(sorted(unknown))}, which is no table")
        agent, back = self._agent, self._rewinds.get(number)
        begun = [int(str(cycle)) for _, cycle in undo["cycle"].made] if "cycle" in undo else []
        aside, but = [range(cycle, cycle + 1) for cycle in begun], list[int]()
        if back is not None:
            # What was said after it in cycles that it took up; all else comes and goes with it.
            aside = [range(back.parted + 1, MOST_WHOLE)]
            said = undo.get("message", RowsUndone())
            but = [int(str(key)) for (key,) in (*said.made, *(one for one, _ in said.changed))]
            # No cycle hangs on it, and it has rows of what came later.
            undo = {table: of for table, of in undo.items() if table != "cycle_change"}
        rewind = self._rewind_before(number)
        for cycles in aside:
            step_tables.set_messages_aside(rows, agent=agent, cycles=cycles, rewind=rewind, but=but)
        heard = is_logged if back is None else undo.__contains__
        with contextlib.closing(self.listening(heard)) as session:
            tables.take_back(rows, undo)
            if back is not None:
                said = undo.get("message", RowsUndone())
                numbers = [int(str(number)) for (number,) in said.touched()]
                self._places[number] = step_tables.places(rows, numbers, agent=agent)
            step_tables.keep_step(rows, number, apsw.Changeset.invert(session.changeset()))

    def _rewind_before(self, number: int) -> int:
        """Return the last rewind up to a change, or 0."""
        return max((one for one in self._rewinds if one <= number), default=0)

    @property
    def last_rewind(self) -> int:
        """Return the last rewind up to where the life is, or 0."""
        return self._rewind_before(self.at)

    def listening(self, heard: Callable[[str], bool] = is_logged) -> apsw.Session:
        """Return what hears changes of rows; by default of those that the log is kept of."""
        session = apsw.Session(self._connection, "main")
        session.table_filter(heard)
        session.attach()
        return session

    def bring_to(self, number: int) -> None:
        """Make all changes up to one again, as they were."""
        if number <= self.at:
            return
        with self._as_they_are() as rows:
            # Where the life went on elsewhere, its own events have the numbers of these.
            step_tables.delete_events_of_others(rows, agent=self._agent)
            said = tables.last_number(rows, "message", "number")
            steps = step_tables.steps_between(rows, after=self.at, upto=number)
            for one in steps:
                if one.number in self._rewinds:
                    # As it was there: what is left goes out of the index, in which it was.
                    for _ in reindex.catch_up(self._store):
                        pass
                with self._numbered_as_stored(rows, one.number):
                    apsw.Changeset.apply(one.changeset, self._connection)
                self._say_again(rows, one)
                if one.number in self._made_anew:
                    index.clear(rows)
                    for _ in reindex.catch_up(self._store):
                        pass
            if any(one.number in self._rewinds for one in steps):
                history_tables.clear_index(rows)
                said = 0
            extend_index(rows, after=said)
            self.said = history_tables.end_of_log(rows, agent=self._agent).seq
        self.at = number
        self.given += sum(one.number not in self._made_anew for one in steps)

    @contextlib.contextmanager
    def _numbered_as_stored(self, rows: Rows, change: int) -> Iterator[None]:
        """Let messages have the numbers that they have in this life's store, where it went back.

        Where it came in beside others, these are higher than those that they had.
        """
        for number, seq in self._places.get(change, {}).items():
            had = step_tables.number_at(rows, seq, agent=self._agent)
            if had not in {None, number}:
                self._numbers[number] = int(str(had))
        if not self._numbers or change not in self._rewinds:
            yield
            return
        step_tables.renumber(rows, {had: number for number, had in self._numbers.items()})
        yield
        step_tables.renumber(rows, self._numbers)

    def _say_again(self, rows: Rows, step: step_tables.StoredStep) -> None:
        """Bring back what was said in a transaction that committed a turn or closed a cycle."""
        rewind = self._rewind_before(step.number)
        for (table, key), change in self.changes(step.changeset).items():
            self.given_rows[table] += step.number not in self._rewinds
            if (table, change.op) == ("cycle", "INSERT") and step.number not in self._rewinds:
                self.given_cycles += 1
            state = change.values.get("state")
            if table == "cycle" and state not in {None, "open"}:
                step_tables.bring_messages_back(rows, cycle=int(str(key[1])), rewind=rewind)
            elif table == "turn" and state not in {None, "asking", "recorded"}:
                cycle, turn = int(str(key[1])), int(str(key[2]))
                step_tables.bring_messages_back(rows, cycle=cycle, turn=turn, rewind=rewind)

    def pass_over(self, number: int) -> None:
        """Go behind changes that were made anew."""
        self.at = max(self.at, number)

    def expected(self, after: int, upto: int) -> RowChanges:
        """Return what became of rows by the changes behind one, up to another."""
        with self._store.read() as rows:
            found: dict[tuple[str, Key], RowChange] = {}
            for step in step_tables.steps_between(rows, after=after, upto=upto):
                found |= self.changes(step.changeset)
            return found

    def changes(self, changeset: bytes) -> RowChanges:
        """Return what became of rows by a changeset, but of rows of other agents."""
        with self._store.read() as rows:
            return {
                (one.table, one.key): RowChange(one.op, one.new)
                for one in rows_heard(rows, changeset)
                if owner(rows, one) in {NOBODY, self._agent}
            }

    @contextlib.contextmanager
    def among_others(self, counted: operation_tables.Counted) -> Iterator[Rows]:
        """Hold a transaction beside rows of others as there were, by the highest of each table.

        So numbers that a store counts for all its agents go on where they went on then.
        """
        with self._store.restoring() as rows:
            now = operation_tables.counted(rows) if counted else {}
            missing = [one for one in counted.items() if one[1] > now[one[0]]]
            if not missing:
                yield rows
                return
            with self._freely():
                for table, number in missing:
                    operation_tables.put_placeholder(rows, table, number)
            yield rows
            with self._freely():
                for table, number in missing:
                    operation_tables.take_placeholder(rows, table, number)

    def number_as(self, rows: Rows, then: RowChanges, session: apsw.Session) -> None:
        """Give the rows that a transaction made, as it is heard, the numbers that they had then.

        They follow each other here. Of two that numbered at once each got some of the other's.
        """
        had = self._numbers_made(rows, then)
        got = self._numbers_made(rows, self.changes(session.changeset())) if had else {}
        with self._freely():
            for table, numbers in had.items():
                made = got.get(table, [])
                if len(made) == len(numbers) and made != numbers:
                    operation_tables.number_anew(rows, table, dict(zip(made, numbers, strict=True)))

    def _numbers_made(self, rows: Rows, changes: RowChanges) -> dict[str, list[int]]:
        """Return the numbers of the rows that came, in order, by table."""
        counting, found = operation_tables.counting(rows), dict[str, list[int]]()
        for (table, key), change in changes.items():
            if table in counting and change.op == "INSERT":
                found.setdefault(table, []).append(int(str(key[0])))
        return {table: sorted(numbers) for table, numbers in found.items()}
