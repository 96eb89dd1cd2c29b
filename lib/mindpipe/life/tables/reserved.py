"""Numbers that are set aside for the rows of a life that comes to where others write meanwhile."""

from collections.abc import Mapping

from mindpipe.core.ports import NOBODY, Cell, Pair, Rows
from mindpipe.core.records import Record
from mindpipe.life.tables.lives import last_number
from mindpipe.store.changes import hold_log, leave_numbers

_IN_A_ROW = frozenset({"event", "message", "memory_item"})
"""Tables of which all take their numbers many in a row, and none between."""
_TAKE = Pair(
    sqlite="SELECT 0",
    postgres="SELECT take_numbers(:table, :column, :count, CAST(0 AS BIGINT))",
)
_TAKE_EACH = Pair(
    sqlite="SELECT 0 AS first, 0 AS last",
    postgres="SELECT min(one) AS first, max(one) AS last FROM "
    "(SELECT next_number(:table, :column) AS one FROM generate_series(1, :count)) AS taken",
)
_FEW = 1000
"""So many numbers are taken one by one, and mostly follow each other."""
BETWEEN = 1 << 16
"""So many are left out before more of them, as others may take some while a row of them is."""


class _Stretch(Record):
    first: int
    last: int


def reserve_numbers(rows: Rows, table: str, column: str, *, count: int) -> int:
    """Return a number behind which an open transaction may give so many to rows of a table.

    On a server, where others take theirs at the same time, nobody else gets these.
    """
    if not count:
        return last_number(rows, table, column)
    named: dict[str, Cell] = {"table": table, "column": column}
    between = 0 if table in _IN_A_ROW else BETWEEN
    if between and count <= _FEW:
        found = rows.one(_Stretch, _TAKE_EACH, {**named, "count": count})
        if found is not None and found.last - found.first < count:
            return found.first - 1
    return (rows.value(int, _TAKE, {**named, "count": count + between}) or 1) - 1 + between


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
