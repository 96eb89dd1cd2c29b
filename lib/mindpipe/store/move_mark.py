"""The mark of a store that moves: whether it is here, on its way, or somewhere else.

A store is in two places while it moves, and in no moment can it be written in both: the one that it
leaves is marked before a row is copied, and the one to which it comes is opened last.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mindpipe.core.errors import RefusedError, TemporaryError
from mindpipe.core.ports import Row, Rows
from mindpipe.core.records import Migration, Record
from mindpipe.store.address import Where

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore

MIGRATIONS = (
    Migration(
        name="0067_moves",
        sql="""
    CREATE TABLE store_move(
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL CHECK(state IN ('leaving', 'left', 'arriving', 'arrived')),
        other TEXT NOT NULL, at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
        postgres="""
    CREATE TABLE store_move(
        id TEXT COLLATE "C" PRIMARY KEY,
        state TEXT COLLATE "C" NOT NULL
            CHECK(state IN ('leaving', 'left', 'arriving', 'arrived')),
        other TEXT COLLATE "C" NOT NULL,
        at TEXT COLLATE "C" NOT NULL
    );
    -- Who works in the store is only to read where it went.
    DO $$ BEGIN
        IF EXISTS(SELECT FROM pg_roles WHERE rolname = current_schema() || '_worker') THEN
            EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON store_move FROM %I',
                current_schema() || '_worker');
        END IF;
    END $$;
    """,
    ),
)
TABLE = "store_move"

MoveState = Literal["leaving", "left", "arriving", "arrived"]
_MARK = "SELECT id, state, other, at FROM store_move"
AWAY = "SELECT state, other, at FROM store_move WHERE state <> 'arrived'"
"""Gives a row where a store is not, or not yet, to be written here."""
STAYS = "DELETE FROM store_move"
"""Lets a store, or a copy of one, be where it is."""


class MoveMark(Record):
    """One move, as one of its two ends has it: the end that it leaves, or to which it comes.

    `id` is the same at both, `other` says where the other end is, `at` when it began.
    """

    id: str
    state: MoveState
    other: str
    at: str


def mark_of(rows: Rows) -> MoveMark | None:
    """Return the mark of the last move, or None where a store never moved."""
    return rows.one(MoveMark, _MARK)


def put_mark(rows: Rows, mark: MoveMark) -> None:
    """Put a mark in the place of any other."""
    forget_mark(rows)
    rows.run_many(
        "INSERT INTO store_move(id, state, other, at) VALUES(?, ?, ?, ?)",
        [(mark.id, mark.state, mark.other, mark.at)],
    )


def forget_mark(rows: Rows) -> None:
    """Let a store be where it is."""
    rows.run(STAYS)


def name_of(where: Where) -> str:
    """Return the name under which anybody on this machine finds a store."""
    return str(where.absolute() if isinstance(where, Path) else where)


def heed(store: "EngineStore", away: Row | None, *, moving: bool) -> None:
    """Let a store that was opened be only read where it has moved; `away` is what `AWAY` found.

    Who is `moving` it does with it what is to be done.

    Raises:
        TemporaryError: it is not all here yet, so that nobody else may even read it.
    """
    if moving:
        return
    try:
        require_here(away, store.where)
    except RefusedError as error:
        store.leave(error)


def require_here(away: Row | None, where: Where) -> None:
    """Require that a store is to be written here; `away` is what `AWAY` found.

    Raises:
        RefusedError: it has moved, or is about to.
        TemporaryError: it is not all here yet.
    """
    if away is None:
        return
    state, other, at = map(str, away)
    if state == "arriving":
        raise TemporaryError(
            f"{called(where)} is not whole yet: it has been moving here from {other} since {at}. "
            "Go on with that: mind store move."
        )
    if state == "leaving":
        raise RefusedError(
            f"{called(where)} has been moving to {other} since {at}, and is only read. Go on with "
            "that: mind store move, or give it up with --cancel."
        )
    raise RefusedError(
        f"{called(where)} moved to {other} at {at}, and is only read. Do it there: --store, or "
        "MIND_STORE."
    )


def require_not_left(store: "EngineStore") -> None:
    """Require that an open store, which is only read meanwhile, has not moved since.

    Raises:
        RefusedError: it has. One that is about to may still stay.
    """
    with store.read() as rows:
        away: Row | None = next(rows.each(tuple, AWAY), None)
    if away is not None and away[0] == "left":
        require_here(away, store.where)


def called(where: Where) -> str:
    """Return how a store is called in a sentence."""
    return where.name if isinstance(where, Path) else f"schema {where.schema}"
