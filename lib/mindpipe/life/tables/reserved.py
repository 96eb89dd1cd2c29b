"""Numbers that are set aside for the rows of a life that comes to where others write meanwhile."""

from collections.abc import Mapping

from mindpipe.core.ports import NOBODY, Cell, Pair, Rows
from mindpipe.life.tables.lives import last_number
from mindpipe.store.changes import hold_log, leave_numbers

_IN_A_ROW = frozenset({"event", "message", "memory_item"})
"""Tables of which all take their numbers many in a row, and none between."""
_BETWEEN = 1 << 16
"""So many numbers of the others are left out, as some may be taken one by one meanwhile."""
_TAKE = Pair(
    sqlite="SELECT 0",
    postgres="SELECT take_numbers(:table, :column, :count, CAST(0 AS BIGINT))",
)


def reserve_numbers(rows: Rows, table: str, column: str, *, count: int) -> int:
    """Return a number behind which an open transaction may give so many to rows of a table.

    On a server, where others take theirs at the same time, nobody else gets these.
    """
    between = 0 if table in _IN_A_ROW else _BETWEEN
    named: dict[str, Cell] = {"table": table, "column": column, "count": count + between}
    first = rows.value(int, _TAKE, named) if count else None
    return first - 1 + between if first else last_number(rows, table, column)


_STANDS_FOR = (
    "INSERT INTO operation(number, agent, after, setup, body) VALUES(:number, :nobody, 0, '', '{}')"
)


def end_of_log(rows: Rows) -> dict[str, int]:
    """Return the numbers of the last change and operation; nobody else writes one from here on."""
    return {"change": hold_log(rows), "operation": last_number(rows, "operation", "number")}


def reserve_log(rows: Rows, count: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of the log behind which so many changes and operations can come later.

    What others write is numbered behind these: an operation of nobody has the number that follows.
    """
    change = leave_numbers(rows, count.get("change", 0))
    last = last_number(rows, "operation", "number")
    if some := count.get("operation"):
        rows.run(_STANDS_FOR, {"number": last + some + 1, "nobody": NOBODY})
    return {"change": change, "operation": last}


def forget_reserved(rows: Rows, log: Mapping[str, int], count: Mapping[str, int]) -> None:
    """Take away the operation of nobody with which numbers were reserved."""
    number = log["operation"] + count.get("operation", 0) + 1
    sql = "DELETE FROM operation WHERE number = :number AND agent = :nobody"
    rows.run(sql, {"number": number, "nobody": NOBODY})
