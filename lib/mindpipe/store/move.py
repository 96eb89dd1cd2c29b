"""The move of a whole store: from a file to a server, back, or to another of its kind.

Rows go as they are, table by table in the order in which they refer to each other, so many in one
transaction, and within a table in the order of its key: what is there already tells where to go on.
What is made anew from other rows stays. From its first step on nothing is written where the store
was, and until its last nothing where it comes to be, so that whoever is killed goes on with it.
"""

import contextlib
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Literal

import msgspec

from mindpipe.core.errors import (
    InputOutputError,
    MindError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UnavailableError,
    UnfitRowError,
    UsageError,
)
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Chance, Clock, Pair, Row, Rows
from mindpipe.store import place, recovery_log
from mindpipe.store.access import make_file, open_where
from mindpipe.store.address import Address, Where, where_of
from mindpipe.store.anchors import Anchors, anchors_of
from mindpipe.store.backup import already_there
from mindpipe.store.changes import columns_of, is_made_anew, listed
from mindpipe.store.engine import EngineStore
from mindpipe.store.move_mark import (
    TABLE,
    MoveMark,
    called,
    forget_mark,
    mark_of,
    name_of,
    put_mark,
)
from mindpipe.store.records import MovedRows
from mindpipe.store.recovery_log import RecoveryPassage
from mindpipe.store.scratch import scratch_store

Advance = Callable[[int, int], None]
"""Is told how many rows are done, and how many there are."""

ROWS_AT_ONCE = 20_000
BYTES_AT_ONCE = 64 << 20
"""So many rows, or bytes in them, go in one transaction; a kill costs no more than these."""

_TABLES = Pair(
    sqlite="SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
    "AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name",
    # What is unlogged is the engine's own.
    postgres="SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p' "
    "AND relnamespace = to_regnamespace(current_schema()) ORDER BY relname",
)
_LINKS = (
    'SELECT held.name, link."table" FROM pragma_table_list AS held, '
    "pragma_foreign_key_list(held.name) AS link WHERE held.schema = 'main'"
)
_WORDS = "SELECT name FROM pragma_table_info(:table) WHERE type = 'TEXT' ORDER BY cid"
_INDEXED = (
    "SELECT known.name, part.name FROM pragma_index_list(:table) AS known, "
    "pragma_index_info(known.name) AS part, pragma_table_info(:table) AS held "
    "WHERE held.name = part.name AND held.type = 'TEXT' ORDER BY known.name, part.seqno"
)
_LONG_BYTES = 2500
"""A server's index takes so much in any case: a third of a page, without what it adds."""
_SHOWN_OF_CELL = 40
_HELD = (
    "SELECT agent FROM agent_lease WHERE owner IS NOT NULL AND boot = :boot AND seconds > :seconds "
    "ORDER BY agent LIMIT 1"
)
_STORE = "SELECT id, generation, created FROM store"
_RESTORED = "SELECT max(restored) FROM restoration"
_SHOWN = 3

Finish = Callable[[EngineStore, Rows], None]
"""Does in an open transaction of the target what is to be made anew there."""


class Move:
    """The move of one store from where it is to `target`.

    `finish` does in the target, in the transaction that opens it, what is to be made anew there.
    `strangers` are, once it has moved, the tables that stayed: this program did not make them.
    """

    def __init__(
        self, source: Where, target: Where, clock: Clock, chance: Chance, *, finish: Finish
    ) -> None:
        if name_of(source) == name_of(target):
            raise UsageError(f"{called(source)} is there already; name another place (--to).")
        self._source, self._target = source, target
        self._clock, self._chance, self._finish = clock, chance, finish
        self.strangers: list[str] = []

    def would_move(self) -> list[MovedRows]:
        """Return how many rows of each table would be moved, and write nothing.

        Raises:
            MindError: it could not be moved; see `run`.
        """
        with (
            contextlib.closing(open_where(self._source, moving=True)) as source,
            source.read() as rows,
        ):
            mark = mark_of(rows)
            if mark is None or _is_here(mark):
                self._require_leaving(rows)
            else:
                self._require_mine(mark)
            counts = [(table, _count(rows, table)) for table in _tables()]
        return [MovedRows(what="table", name=name, rows=count) for name, count in counts if count]

    def run(self, advance: Advance) -> list[MovedRows]:
        """Move it, or go on with it; return the rows of each table and log, and their hashes.

        Raises:
            NothingToDoError: it has moved there already.
            RefusedError: it moves or has moved to another place, or something is in the target.
            TemporaryError: somebody thinks for one of its agents.
            UnfitRowError: a text in it is none that the target can keep; nothing was moved.
            InputOutputError: what came is not what was there, or a disk is full.
        """
        with contextlib.closing(open_where(self._source, moving=True)) as source:
            mark = self._left(source)
            with contextlib.closing(self._entered(source, mark)) as target:
                return self._through(source, target, mark, advance)

    def cancel(self) -> bool:
        """Let it stay where it is, and take away what has come to the target.

        Returns whether that could be reached; this can be done again when it can.

        Raises:
            NothingToDoError: it does not move.
            RefusedError: it moves to another place, or has moved.
        """
        with contextlib.closing(open_where(self._source, moving=True)) as source:
            mark, moved = self._stays(source)
            reach("move.after_staying")
            try:
                # Only now, as a move that goes on beside this could take it for whole.
                if _is_half_at(self._target, mark):
                    _remove(self._target)
                elif not moved:
                    raise NothingToDoError(f"{called(self._source)} does not move.")
            except TemporaryError:
                return False
            with source.moving() as rows:
                if mark_of(rows) == mark:
                    forget_mark(rows)
        return True

    def _stays(self, source: EngineStore) -> tuple[MoveMark, bool]:
        """Return the mark of a store that stays where it is, and whether it moved until now.

        By the mark is found again what came to the target until that is taken away.
        """
        with source.moving() as rows:
            mark = mark_of(rows)
            if mark is None:
                raise NothingToDoError(f"{called(self._source)} does not move.")
            if _is_here(mark):
                return mark, False
            self._require_mine(mark)
            if mark.state != "leaving":
                raise RefusedError(
                    f"{called(self._source)} moved to {mark.other}; move it back from there, to a "
                    "new place."
                )
            mark = msgspec.structs.replace(mark, state="arrived")
            put_mark(rows, mark)
        return mark, True

    def _left(self, source: EngineStore) -> MoveMark:
        """Return the mark of the store that moves, which is only read from then on."""
        with source.read() as rows:
            if _is_here(mark_of(rows)):
                self._require_leaving(rows)
        with source.moving() as rows:
            mark = mark_of(rows)
            if mark is None or _is_here(mark):
                self._require_idle(rows)
                mark = MoveMark(
                    id=self._chance.new_id("mv", name_of(self._target)),
                    state="leaving",
                    other=name_of(self._target),
                    at=self._clock.now(),
                )
                put_mark(rows, mark)
        reach("move.after_leaving")
        self._require_mine(mark)
        return mark

    def _require_mine(self, mark: MoveMark) -> None:
        """Require that the store moves to the target, if it does."""
        if mark.other != name_of(self._target):
            words = "moved" if mark.state == "left" else "is moving"
            raise RefusedError(f"{called(self._source)} {words} to {mark.other}; name that (--to).")

    def _require_leaving(self, rows: Rows) -> None:
        """Require that a move can begin: the target is free, and can keep all that there is."""
        self._require_idle(rows)
        if (before := mark_of(rows)) is not None and _is_left_behind(before):
            raise RefusedError(
                f"what came of the move of {called(self._source)} that was given up is in "
                f"{before.other} still; take it away with --cancel."
            )
        _require_free(self._target)
        if not isinstance(self._target, Path) and isinstance(self._source, Path):
            _require_texts(rows)
            _require_indexed(rows, self._target)

    def _require_idle(self, rows: Rows) -> None:
        now = self._clock.boot()
        held = rows.value(str, _HELD, {"boot": now.boot, "seconds": now.seconds})
        if held is not None:
            raise TemporaryError(
                f"somebody thinks for {held} in {called(self._source)}. Stop its workers, then "
                "move it."
            )

    def _entered(self, source: EngineStore, mark: MoveMark) -> EngineStore:
        """Return the target, made where it is not there yet, with the mark of this move."""
        there = _mark_at(self._target, mark)
        if mark.state == "left" and (there is None or there.state != "arriving"):
            raise self._already(mark)
        if there is None:
            _require_free(self._target)
            self._make(source, mark)
            reach("move.after_arriving")
        return open_where(self._target, moving=True)

    def _make(self, source: EngineStore, mark: MoveMark) -> None:
        """Make the target: an empty store that is the same one, and is not to be used yet."""
        with source.read() as rows:
            identity = next(rows.each(tuple, _STORE))
            restored = rows.value(str, _RESTORED)
        arriving = self._arriving(mark, state="arriving")

        def begin(made: EngineStore) -> None:
            with made.write() as rows:
                rows.run("DELETE FROM store")
                rows.run_many(
                    "INSERT INTO store(id, generation, created) VALUES(?, ?, ?)", [identity]
                )
                put_mark(rows, arriving)

        if isinstance(self._target, Path):
            if restored is not None:
                # Somebody has looked at it since, else it would be in RECOVERY and could not move.
                why = f"moved from {name_of(self._source)}"
                recovery_log.note(
                    self._target,
                    RecoveryPassage(at=mark.at, state="left", cause="restore", why=why),
                )
            make_file(self._target, self._clock, self._chance, begin=begin)
            return
        from mindpipe.store.postgres.schema import make_schema

        make_schema(self._target, self._clock, self._chance, begin=begin)

    def _arriving(self, mark: MoveMark, *, state: Literal["arriving", "arrived"]) -> MoveMark:
        """Return the mark of the target."""
        return MoveMark(id=mark.id, state=state, other=name_of(self._source), at=mark.at)

    def _through(
        self, source: EngineStore, target: EngineStore, mark: MoveMark, advance: Advance
    ) -> list[MovedRows]:
        """Bring all rows over, hold both ends against each other, and open the target."""
        tables = _tables()
        with source.read() as rows:
            counts = {table: _count(rows, table) for table in tables}
            known = {*tables, TABLE}
            self.strangers = [name for name in rows.all(str, _TABLES) if _is_foreign(name, known)]
        steps = _Steps(advance, counts)
        for table, at_once in tables.items():
            self._bring(source, target, mark, table, at_once=at_once, steps=steps)
        reach("move.after_rows")
        found = _compared(_told(source, tables, steps), _told(target, tables, steps))
        self._close(source, mark)
        reach("move.after_left")
        with target.moving() as rows:
            there = mark_of(rows)
            # Who moved it beside this has opened it already, and somebody may live there.
            if there is not None and there.state == "arriving":
                self._finish(target, rows)
                put_mark(rows, self._arriving(mark, state="arrived"))
        reach("move.after_arrived")
        return found

    def _bring(
        self,
        source: EngineStore,
        target: EngineStore,
        mark: MoveMark,
        table: str,
        *,
        at_once: int | None,
        steps: "_Steps",
    ) -> None:
        """Bring the rows of a table over that are not there yet.

        Raises:
            NothingToDoError: somebody moved it beside this, and has opened the target.
        """
        with target.read() as rows:
            keys = columns_of(rows, table).key
            downwards = ", ".join(f'"{name}" DESC' for name in keys)
            asked = f'SELECT {listed(keys)} FROM "{table}" ORDER BY {downwards} LIMIT 1'
            last: Row | None = next(rows.each(tuple, asked), None)
            steps.took(_count(rows, table))
        with source.read(), contextlib.closing(source.rows_behind(table, last)) as found:
            while (first := next(found, None)) is not None:
                with target.moving() as rows:
                    # Where it has been opened since, rows may have been changed or taken away.
                    if mark_of(rows) != self._arriving(mark, state="arriving"):
                        raise self._already(mark)
                    target.take_rows(table, _portion(first, found, at_once, steps))
                reach("move.mid")

    def _already(self, mark: MoveMark) -> NothingToDoError:
        return NothingToDoError(
            f"{called(self._source)} moved to {mark.other} at {mark.at} already."
        )

    def _close(self, source: EngineStore, mark: MoveMark) -> None:
        """Write down for good that the store has gone, unless that was given up meanwhile."""
        with source.moving() as rows:
            now = mark_of(rows)
            if now is None or now.id != mark.id or _is_here(now):
                raise RefusedError(f"the move of {called(self._source)} was given up.")
            put_mark(rows, msgspec.structs.replace(now, state="left"))


class _Steps:
    """How far a move is: each row is brought, and read once more at either end."""

    def __init__(self, advance: Advance, counts: dict[str, int]) -> None:
        self._advance, self._counts = advance, counts
        self._all, self._done = 3 * sum(counts.values()), 0

    def took(self, rows: int) -> None:
        """Hear that so many rows more are done."""
        self._done += rows
        self._advance(self._done, self._all)

    def read(self, table: str) -> None:
        """Hear that a table was read at one end."""
        self.took(self._counts[table])


def _mark_at(where: Where, mark: MoveMark) -> MoveMark | None:
    """Return the mark of a place where it is the store of a move on its way, or None."""
    try:
        target = open_where(where, moving=True)
    except UnavailableError:
        return None
    with contextlib.closing(target), target.read() as rows:
        found = mark_of(rows)
    return found if found is not None and found.id == mark.id else None


def _is_half_at(where: Where, mark: MoveMark) -> bool:
    """Tell whether a place has what a move brought that did not end."""
    there = _mark_at(where, mark)
    return there is not None and there.state == "arriving"


def _is_left_behind(mark: MoveMark) -> bool:
    """Tell whether what a move that was given up brought is there still, as far as can be seen."""
    with contextlib.suppress(MindError):
        return _is_half_at(where_of(mark.other), mark)
    return False


def _is_here(mark: MoveMark | None) -> bool:
    """Tell whether a store with this mark is where it has always been, or has come to."""
    return mark is None or mark.state == "arrived"


def _tables() -> dict[str, int | None]:
    """Return the tables of the schema whose rows move, those first to which others refer.

    Each with how many rows go in one transaction; all of them (None) where they refer to each
    other.
    """
    with contextlib.closing(scratch_store()) as made, made.read() as rows:
        names = [name for name in rows.all(str, _TABLES) if _is_foreign(name, {TABLE})]
        links = defaultdict[str, set[str]](set)
        for held, meant in rows.each(tuple, _LINKS):
            links[str(held)].add(str(meant))
    order = TopologicalSorter({name: sorted(links[name] - {name}) for name in names})
    return {name: None if name in links[name] else ROWS_AT_ONCE for name in order.static_order()}


def _is_foreign(name: str, known: set[str]) -> bool:
    """Tell whether a table is none of those, nor one that is made anew from others."""
    return name not in known and not is_made_anew(name)


def _count(rows: Rows, table: str) -> int:
    return rows.value(int, f'SELECT count(*) FROM "{table}"') or 0


def _require_free(target: Where) -> None:
    """Require that nothing is where a store is to come.

    Raises:
        RefusedError: something is.
    """
    if isinstance(target, Path):
        place.check_folder(target.absolute())
        if target.exists() or target.is_symlink():
            raise already_there(target)
        return
    from mindpipe.store.postgres.schema import require_empty

    require_empty(target)


def _require_texts(rows: Rows) -> None:
    """Require that a server can keep every text of a file: it takes none with NUL in it.

    Raises:
        UnfitRowError: one is there.
    """
    for table in _tables():
        names = rows.all(str, _WORDS, {"table": table})
        held = " OR ".join(f'instr("{name}", char(0))' for name in names)
        found = rows.value(int, f'SELECT count(*) FROM "{table}" WHERE {held or 0}')
        if found:
            raise UnfitRowError(
                f"a server keeps no NUL in a text, and {found} of the rows of {table} have one. "
                "Nothing was moved; take them out, or stay with a file."
            )


def _require_indexed(rows: Rows, target: Address) -> None:
    """Require that a server can find every row of a file by its words: an index takes no long ones.

    Raises:
        UnfitRowError: it cannot; the row is named.
    """
    from mindpipe.store.postgres.schema import index_takes

    for table in _tables():
        found = defaultdict[str, list[str]](list)
        for index, name in rows.each(tuple, _INDEXED, {"table": table}):
            found[str(index)].append(str(name))
        for names in found.values():
            length = " + ".join(f'coalesce(octet_length("{name}"), 0)' for name in names)
            asked = f'SELECT {listed(names)} FROM "{table}" WHERE {length} > {_LONG_BYTES}'
            long = next(
                (row for row in rows.each(tuple, asked) if not index_takes(target, row)), None
            )
            if long is not None:
                said = ", ".join(str(cell)[:_SHOWN_OF_CELL] for cell in long)
                raise UnfitRowError(
                    f"a server finds no row by so long a text as a row of {table} has in "
                    f"{', '.join(names)} ({said}…). Nothing was moved; take it out, or stay with a "
                    "file."
                )


def _remove(target: Where) -> None:
    """Take away what is half there."""
    if isinstance(target, Path):
        log, reserve = recovery_log.log_of(target), place.reserve_of(target)
        for path in (target, Path(f"{target}-wal"), Path(f"{target}-shm"), log, reserve):
            path.unlink(missing_ok=True)
        return
    from mindpipe.store.postgres.schema import remove_store

    remove_store(target)


def _portion(first: Row, rest: Iterator[Row], at_once: int | None, steps: _Steps) -> Iterator[Row]:
    """Yield the rows that go in one transaction."""
    count = size = 0
    for row in itertools.chain((first,), rest):
        yield row
        count += 1
        size += sum([len(cell) for cell in row if isinstance(cell, (str, bytes))])
        if at_once is not None and (count >= at_once or size >= BYTES_AT_ONCE):
            break
    steps.took(count)


def _told(store: EngineStore, tables: Iterable[str], steps: _Steps) -> Anchors:
    """Return all anchors of one end."""
    told: Anchors = {}
    for table, found in anchors_of(store, tables):
        told |= found
        steps.read(table)
    return told


def _compared(source: Anchors, target: Anchors) -> list[MovedRows]:
    """Return what both ends have, but for what is empty.

    Raises:
        InputOutputError: they have not the same.
    """
    if other := [name for name in source | target if source.get(name) != target.get(name)]:
        words = ", ".join(" ".join(name) for name in other[:_SHOWN])
        raise InputOutputError(
            f"what came is not what was there ({words}). Nothing is lost: give it up with "
            "--cancel, and look over both places with mind store check."
        )
    return [
        MovedRows(
            what=what, name=name, rows=one.rows, source=one.sha256, target=target[what, name].sha256
        )
        for (what, name), one in source.items()
        if one.rows
    ]
