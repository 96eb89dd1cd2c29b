"""The steps of a life and what was said in them, in tables that end with a connection."""

from collections.abc import Collection, Mapping

from mindpipe.core.ports import Cell, Given, Rows
from mindpipe.core.records import MOST_WHOLE, Record
from mindpipe.store.changes import columns_of


class StoredStep(Record):
    """The changeset that makes a change again, and the number of the change."""

    number: int
    changeset: bytes


_STEPS = (
    "CREATE TEMP TABLE step(number INTEGER PRIMARY KEY, changeset BLOB NOT NULL)",
    "CREATE TEMP TABLE said AS SELECT *, 0 AS rewind FROM main.message WHERE 0",
    "CREATE INDEX temp.said_by_seq ON said(rewind, seq)",
    "CREATE INDEX temp.said_by_cycle ON said(rewind, cycle)",
)


def make_steps(rows: Rows) -> None:
    """Make room for steps and for what was said in them, which ends with the connection."""
    for sql in _STEPS:
        rows.run(sql)


def changes_behind(rows: Rows, *, agent: str, number: int) -> list[tuple[int, str]]:
    """Return what takes back the changes of an agent behind one, the last one first."""
    sql = "SELECT number, undo FROM change WHERE agent = :agent AND number > :number"
    named: dict[str, Cell] = {"agent": agent, "number": number}
    return list(rows.each(tuple, f"{sql} ORDER BY number DESC", named))


def keep_step(rows: Rows, number: int, changeset: bytes) -> None:
    """Keep what makes a change again."""
    rows.run(
        "INSERT INTO temp.step(number, changeset) VALUES(:number, :changeset)",
        {"number": number, "changeset": changeset},
    )


def steps_between(rows: Rows, *, after: int, upto: int) -> list[StoredStep]:
    """Return what makes the changes behind one again, up to another."""
    sql = "SELECT number, changeset FROM temp.step WHERE number > :after AND number <= :upto"
    return rows.all(StoredStep, f"{sql} ORDER BY number", {"after": after, "upto": upto})


def set_messages_aside(
    rows: Rows, *, agent: str, cycles: range, rewind: int, but: Collection[int] = ()
) -> None:
    """Take the messages of some cycles away, and keep them as said after a rewind (0: none).

    Those whose numbers are in `but` stay.
    """
    named: dict[str, Given] = {
        "agent": agent,
        "first": cycles.start,
        "stop": cycles.stop,
        "rewind": rewind,
        "but": [*but],
    }
    where = "WHERE agent = :agent AND cycle >= :first AND cycle < :stop AND number NOT IN :but"
    rows.run(f"INSERT INTO temp.said SELECT *, :rewind FROM main.message {where}", named)
    rows.run(f"DELETE FROM main.message {where}", named)


def bring_messages_back(rows: Rows, *, cycle: int, rewind: int, turn: int = MOST_WHOLE) -> None:
    """Bring the messages of a cycle back, up to those of a turn, that were said after a rewind."""
    names = ", ".join(f'"{name}"' for name in columns_of(rows, "message").all)
    rows.run(
        f"INSERT OR IGNORE INTO main.message({names}) SELECT {names} FROM temp.said "
        "WHERE rewind = :rewind AND cycle = :cycle AND turn <= :turn",
        {"cycle": cycle, "turn": turn, "rewind": rewind},
    )


def messages_behind(
    rows: Rows, *, agent: str, seq: int, upto: int, rewind: int | None = None
) -> list[dict[str, object]]:
    """Return messages behind one, up to another; of those set aside, if said after a `rewind`.

    Their numbers, which the store counts for all its agents, are left out.
    """
    names = [name for name in columns_of(rows, "message").all if name != "number"]
    picked = ", ".join(f'"{name}"' for name in names)
    where = "agent = :agent AND seq > :seq AND seq <= :upto"
    table = "main.message"
    if rewind is not None:
        table, where = "temp.said", f"rewind = :rewind AND {where}"
    sql = f"SELECT {picked} FROM {table} WHERE {where} ORDER BY seq"
    named: dict[str, Cell] = {"agent": agent, "seq": seq, "upto": upto, "rewind": rewind}
    found = rows.each(tuple, sql, named)
    return [dict(zip(names, row, strict=True)) for row in found]


def places(rows: Rows, numbers: Collection[int], *, agent: str) -> dict[int, int]:
    """Return which of some numbers are those of messages of an agent, with the place of each."""
    sql = "SELECT number, seq FROM message WHERE agent = :agent AND number IN :numbers"
    named: dict[str, Given] = {"agent": agent, "numbers": [*numbers]}
    return {int(number): int(seq) for number, seq in rows.each(tuple, sql, named)}


def number_at(rows: Rows, seq: int, *, agent: str) -> int | None:
    """Return the number of the message at a place of an agent's log, or None."""
    sql = "SELECT number FROM message WHERE agent = :agent AND seq = :seq"
    return rows.value(int, sql, {"agent": agent, "seq": seq})


def renumber(rows: Rows, numbers: Mapping[int, int]) -> None:
    """Give messages other numbers, some of which may be those of others until then."""
    aside = "UPDATE message SET number = -? WHERE number = ?"
    rows.run_many(aside, ((then, now) for now, then in numbers.items()))
    rows.run("UPDATE message SET number = -number WHERE number < 0")


def count_changes(rows: Rows, *, agent: str) -> int:
    """Return how many changes of an agent are kept."""
    sql = "SELECT count(*) FROM change WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent}) or 0


def delete_events_of_others(rows: Rows, *, agent: str) -> None:
    """Take away what an agent's cycles told others, as they were lived again.

    What rewinds keep under a name of theirs stays.
    """
    sql = "DELETE FROM event WHERE agent <> :agent AND instr(agent, '~') = 0"
    rows.run(sql, {"agent": agent})
