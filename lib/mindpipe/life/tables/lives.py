"""Which rows of a store are one life, in the order in which they can be put into another store."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.events import NewEvent
from mindpipe.core.ports import NOBODY, Cell, Pair, Row, Rows
from mindpipe.core.records import MOST_WHOLE, Record, to_json
from mindpipe.life.records import LifePart
from mindpipe.store.changes import (
    UNDO,
    Columns,
    Key,
    RowsUndone,
    Undo,
    Values,
    columns_of,
    last_change,
    note_undo,
)

IN_SPACES = "(SELECT space FROM member WHERE entity = :agent)"
"""The spaces that an agent is in."""


_OWN = "agent = :agent"
_OTHERS = "agent < :agent OR agent > :agent OR agent IS NULL"


_SAID = "agent = :agent AND cycle <= :cycle"


_PERSON = "person = :agent"


_BEGUN = f"{_OWN} AND after < :change"


_BESIDE = """(EXISTS(SELECT 1 FROM event WHERE id = ? AND agent = ?)
    OR EXISTS(SELECT 1 FROM call WHERE id = ? AND agent = ?)
    OR EXISTS(SELECT 1 FROM post WHERE id = ? AND space IN
        (SELECT space FROM member WHERE entity = ?)))
    AND NOT EXISTS(SELECT 1 FROM attachment WHERE (owner, place) = (?, ?))"""


_ATTACHED = f"""owner IN (SELECT id FROM event WHERE agent = :agent
    UNION SELECT id FROM call WHERE agent = :agent
    UNION SELECT id FROM post WHERE space IN {IN_SPACES})"""


_BLOBS = f"""sha256 IN (
    SELECT value FROM json_each(:hashes)
    UNION ALL SELECT source FROM message WHERE {_SAID}
    UNION ALL SELECT part.value ->> 'sha256' FROM message, json_each(parts) AS part
        WHERE {_SAID} AND substr(part.value, 1, 1) = '{{'
    UNION ALL SELECT span.value FROM message, json_each(raw ->> 'sha256') AS span WHERE {_SAID}
    UNION ALL SELECT span.value FROM turn, json_each(spans) AS span WHERE {_SAID}
    UNION ALL SELECT heard.value FROM operation JOIN operation_part ON operation.number = operation,
        json_each(blobs) AS heard WHERE {_OWN} AND operation_part.number <= :change
    UNION ALL SELECT span.value FROM turn, json_each(answer ->> '$.raw.sha256') AS span
        WHERE {_SAID})"""


class LifeTable(NamedTuple):
    """A table of which some rows are of one life: the part they are of, and which they are."""

    name: str
    part: LifePart | None = None
    whose: str = _OWN


# Rows that others point to stand before them where that can be.
TABLES = (
    LifeTable("agent", None, "name = :agent"),
    LifeTable("goal"),
    LifeTable("note"),
    LifeTable("place"),
    LifeTable(
        "entity",
        "spaces",
        f"""name = :agent
        OR name IN (SELECT entity FROM member WHERE space IN {IN_SPACES})
        OR name IN (SELECT sender FROM post WHERE space IN {IN_SPACES})""",
    ),
    LifeTable("space", "spaces", f"name IN {IN_SPACES}"),
    LifeTable("member", "spaces", f"space IN {IN_SPACES}"),
    # What others have not let out yet is theirs.
    LifeTable("post", "spaces", f"space IN {IN_SPACES} AND (state = 'visible' OR sender = :agent)"),
    LifeTable("event", "inbox"),
    LifeTable("plan", "plans"),
    LifeTable("plan_count", "plans"),
    *(
        LifeTable(name, "plans", "plan IN (SELECT id FROM plan WHERE agent = :agent)")
        for name in ("plan_window", "plan_outcome")
    ),
    LifeTable("segment"),
    LifeTable("segment_left_out"),
    LifeTable("cycle"),
    LifeTable("cycle_source"),
    LifeTable("cycle_shown"),
    LifeTable("message", None, _SAID),
    LifeTable("carried"),
    LifeTable("redaction"),
    LifeTable("call_id"),
    LifeTable("turn"),
    LifeTable("call"),
    LifeTable("recorded_answer", "record"),
    LifeTable("attachment", "inbox", _ATTACHED),
    LifeTable("compaction"),
    LifeTable("import"),
    LifeTable("blob", None, _BLOBS),
    LifeTable("clearance"),
    LifeTable("agent_run"),
    LifeTable("agent_run_cycle"),
    LifeTable("run_wait"),
    LifeTable("ticket", "tickets"),
    LifeTable("ledger", "spending"),
    *(
        LifeTable(name, "loop")
        for name in (
            *("iteration", "mode_change", "session", "concern", "attention_turn", "familiar"),
            *("iteration_reflection", "pattern", "decision", "escalation", "task", "alert"),
        )
    ),
    *(
        LifeTable(name, "memory")
        for name in (
            *("memory_item", "reflection", "lesson", "lesson_outcome", "memory_entity"),
            *("relation", "extraction_mark"),
        )
    ),
    *(
        LifeTable(name, "beliefs")
        for name in (
            *("observation", "observation_standing", "observation_evidence"),
            *("observation_decision", "item_mark", "consolidation_window"),
            *("consolidation_subject", "consolidation_mark", "consolidation_ahead"),
            "consolidation_voice",
        )
    ),
    LifeTable("person", None, "id = :agent"),
    *(
        LifeTable(name, None, _PERSON)
        for name in (
            *("person_version", "person_state", "person_event", "person_memory", "thought"),
            *("person_failure", "person_observation", "person_chart", "person_tick"),
        )
    ),
    LifeTable("change", "changes"),
    LifeTable("cycle_change", "changes"),
    LifeTable(
        "operation_setup", "record", f"sha256 IN (SELECT setup FROM operation WHERE {_BEGUN})"
    ),
    LifeTable("operation", "record", _BEGUN),
    LifeTable(
        "operation_part",
        "record",
        f"operation IN (SELECT number FROM operation WHERE {_OWN}) AND number <= :change",
    ),
    LifeTable("rewind", "changes"),
)


BY_NAME: Mapping[str, LifeTable] = {table.name: table for table in TABLES}


SHARED = frozenset({"entity", "space", "member", "post", "blob", "attachment", "operation_setup"})
"""Tables whose rows others may have too: what is there already stays as it is."""


POINTERS = {
    "segment": "head_sha256",
    "compaction": "window",
    "import": "envelope_sha256",
    "attachment": "sha256",
}
"""Columns that hold the hash of a blob."""


CHANGES = frozenset({"change", "cycle_change", "rewind"})
"""Tables whose rows say which change they are of, by its number."""


STAYS = frozenset(
    {
        # This file's own, and this machine's.
        *("store", "migration", "restoration", "size_sample", "breaker", "run", "agent_lease"),
        *("observed", "observed_mark", "next_look", "store_move"),
        # Made anew from the rows above.
        *("recall_agent", "recall_mark", "vector", "vector_block", "vector_loose", "vector_model"),
    }
)
"""Tables of which nothing goes along."""


_LIMITS = {
    "change": "number <= :change",
    "operation": "after < :change",
    "operation_part": "number <= :change AND operation IN (SELECT number FROM main.operation)",
}


def copy_from_parent(
    rows: Rows, *, agent: str, cycle: int, change: int, later: Mapping[str, int]
) -> None:
    """Copy from the parent what a life needs as far as a cycle, the octets under hashes excepted.

    Rows of others come along where a table does not say whose they are; what the life changed since
    comes as it is now, and the log of the parent takes it back. Of some tables it is known from
    which number on all rows came `later`.
    """
    values: dict[str, Cell] = {"agent": agent, "cycle": cycle, "change": change, "nobody": NOBODY}
    for table in TABLES:
        if table.name == "blob":
            continue
        names = columns_of(rows, table.name).all
        # Where others say whose a row is, they may not be here yet.
        whose = [table.whose if "SELECT" not in table.whose else "TRUE"]
        if "agent" in names:
            # With what rewinds left under a name of theirs, and changes of what nobody owns.
            whose = ["(agent IN (:agent, :nobody) OR agent GLOB :agent || '~*')"]
        if "cycle" in names:
            whose.append("(cycle IS NULL OR cycle <= :cycle)")
        if table.name in later:
            whose.append(f"{columns_of(rows, table.name).key[0]} < {later[table.name]}")
        whose.append(_LIMITS.get(table.name, "TRUE"))
        picked = ", ".join(f'"{name}"' for name in names)
        rows.run(
            f'INSERT INTO main."{table.name}"({picked}) SELECT {picked} FROM parent."{table.name}" '
            f"WHERE {' AND '.join(whose)}",
            values,
        )


def keep_alone(
    rows: Rows, *, agent: str, cycle: int, change: int, hashes: Collection[str], parent: bool
) -> None:
    """Take out of a whole store what is not of one life, as far as a cycle and a change.

    Where rows were taken out, only those octets stay to which the life points, or some `hashes`;
    they come from the `parent` where there is one.
    """
    values: dict[str, Cell] = {"agent": agent, "cycle": cycle, "change": change}
    out = 0
    # What says of others whose they are comes first in the list, and goes last.
    for table in reversed(TABLES):
        if table.name != "blob":
            # An index finds few rows of others where it is not asked for a truth of each row.
            others = _OTHERS if table.whose == _OWN else f"({table.whose}) IS NOT TRUE"
            out += rows.changed(f'DELETE FROM "{table.name}" WHERE {others}', values)
    if parent or out or change != MOST_WHOLE:
        pointers = " UNION ".join(
            f'SELECT "{column}" FROM {table} WHERE "{column}" IS NOT NULL'
            for table, column in POINTERS.items()
        )
        values["hashes"] = to_json([*rows.all(str, pointers), *hashes]).decode()
        whose = BY_NAME["blob"].whose
        if parent:
            rows.run(f"INSERT INTO main.blob SELECT * FROM parent.blob WHERE {whose}", values)
        else:
            rows.run(f"DELETE FROM blob WHERE ({whose}) IS NOT TRUE", values)
    for name in sorted(STAYS - {"migration", "store", "recall_mark"}):
        rows.run(f"DELETE FROM {name}")


def quiet_spaces(rows: Rows, *, agent: str) -> set[str]:
    """Return the spaces of an agent in which nobody spoke, came or went since its last change."""
    found = set(spaces_of(rows, agent))
    since = last_change(rows, agent=agent) or 0
    for undo in undone_since(rows, agent=agent, number=since):
        of = UNDO.decode(undo)
        posts, members = of.get("post", RowsUndone()), of.get("member", RowsUndone())
        spoken = posts.touched()
        moved = (*members.made, *(key for key, _ in members.gone))
        found -= {str(key[0]) for key in (*spoken, *moved)}
    return found


_QUIET = (
    "DELETE FROM attachment WHERE owner IN (SELECT id FROM post WHERE space IN :spaces)",
    "DELETE FROM post WHERE space IN :spaces",
    "DELETE FROM member WHERE entity = :agent AND space IN :spaces",
    "DELETE FROM space WHERE name IN :spaces",
)


def take_out(rows: Rows, *, agent: str, spaces: Collection[str]) -> None:
    """Take a life out of a store with some spaces, but for all else that others may have too.

    Who else is in these spaces stays so. Triggers are to be off, and links followed at the end of
    the transaction.
    """
    values: dict[str, Cell] = {"agent": agent, "cycle": MOST_WHOLE, "change": MOST_WHOLE}
    for table in reversed(TABLES):
        if table.name not in SHARED:
            rows.run(f'DELETE FROM "{table.name}" WHERE {table.whose}', values)
    for sql in _QUIET:
        rows.run(sql, {"agent": agent, "spaces": [*spaces]})


class LifeEnd(Record):
    """How far a life had come that left: the hashes of its last message, and of its first one.

    Of a person it is the last tick.
    """

    message: str | None
    first: str | None
    tick: int | None
    t_us: int | None


_SPOKEN_IN = (
    "SELECT space FROM member WHERE entity = :agent "
    "UNION SELECT space FROM post WHERE sender = :agent"
)
_HOLD_EVENTS = Pair(
    sqlite="SELECT 0",
    postgres="SELECT count(*) FROM "
    "(SELECT 1 FROM event WHERE agent = :agent ORDER BY seq FOR UPDATE) AS held",
)


def hold_life(rows: Rows, *, agent: str, spaces: Iterable[str] = ()) -> None:
    """Let nobody else change what is of a life, whose agent is held, nor `spaces`, till the end.

    That is what others change who hold it and not the agent: spaces, tasks that they work on, with
    their tickets, what they push, and events one by one.
    """
    rows.hold("space", *spaces, *rows.all(str, _SPOKEN_IN, {"agent": agent}))
    rows.hold("task", *open_tasks(rows, agent))
    rows.hold("inbox", agent)
    rows.hold("row", agent)
    rows.value(int, _HOLD_EVENTS, {"agent": agent})


def end_of_life(rows: Rows, *, agent: str) -> LifeEnd:
    """Return how far a life has come here."""
    sql = """SELECT (SELECT sha256 FROM message WHERE agent = :agent
            ORDER BY seq DESC LIMIT 1) AS message,
        (SELECT sha256 FROM message WHERE agent = :agent ORDER BY seq LIMIT 1) AS first, tick, t_us
        FROM (SELECT 1) AS here LEFT JOIN person_tick ON person = :agent
        ORDER BY tick DESC NULLS LAST LIMIT 1"""
    found = rows.one(LifeEnd, sql, {"agent": agent})
    assert found is not None
    return found


def goes_on_from(rows: Rows, *, agent: str, end: LifeEnd) -> bool:
    """Tell whether a life has what was its end, be it among what it left as it went back."""
    values: dict[str, Cell] = {"agent": agent, "tick": end.tick, "t_us": end.t_us}
    lived = "SELECT 1 FROM person_tick WHERE person = :agent AND (tick, t_us) = (:tick, :t_us)"
    goes_on = end.message is None or not is_unheard(rows, agent=agent, sha256=end.message)
    return goes_on and (end.tick is None or rows.value(int, lived, values) is not None)


def begins_as(rows: Rows, *, agent: str, end: LifeEnd) -> bool:
    """Tell whether a life began with the first message of one that left."""
    return end.first is not None and not is_unheard(rows, agent=agent, sha256=end.first)


def is_unheard(rows: Rows, *, agent: str, sha256: str) -> bool:
    """Tell whether no message of a life has a hash, be it among what it left as it went back."""
    sql = "SELECT 1 FROM message WHERE agent = :agent AND sha256 = :sha256"
    said = rows.value(int, sql, {"agent": agent, "sha256": sha256})
    return said is None and sha256 not in hashes_left(rows, agent=agent)


def own_change(rows: Rows, *, number: int, agent: str, undo: str) -> None:
    """Let a change of what nobody owns be one of an agent, which takes so much back."""
    sql = "UPDATE change SET agent = :agent, undo = :undo WHERE number = :number"
    rows.run(sql, {"number": number, "agent": agent, "undo": undo})


def share_of_messages(rows: Rows, *, agent: str, cycle: int) -> float:
    """Return which share of all messages of a store are an agent's, up to a cycle: 0 to 1."""
    sql = f"""SELECT CAST((SELECT count(*) FROM message WHERE {_SAID}) AS DOUBLE PRECISION)
        / (SELECT nullif(count(*), 0) FROM message)"""
    return rows.value(float, sql, {"agent": agent, "cycle": cycle}) or 0.0


def went_back(rows: Rows, *, agent: str, since: int) -> bool:
    """Tell whether a life has gone back after a change."""
    sql = "SELECT EXISTS(SELECT 1 FROM rewind WHERE agent = :agent AND number > :since)"
    return bool(rows.value(bool, sql, {"agent": agent, "since": since}))


def has_others(rows: Rows, *, agent: str) -> bool:
    """Tell whether others live or speak in a store than an agent and who is in its spaces."""
    sql = f"""SELECT EXISTS(SELECT 1 FROM agent WHERE name != :agent)
        OR EXISTS(SELECT 1 FROM post WHERE space NOT IN {IN_SPACES})"""
    return bool(rows.value(bool, sql, {"agent": agent}))


def numbers_left(rows: Rows, *, agent: str) -> list[int]:
    """Return the numbers of messages that rewinds left under another name, without words."""
    return rows.all(int, "SELECT number FROM message WHERE agent != :agent", {"agent": agent})


def cut_off(rows: Rows, *, agent: str, cycle: int, change: int, last_said: int | None) -> None:
    """Take away what says itself that it came after a cycle and the change that ended it.

    Of messages it may be told by a number, too: that of the last one that may have been.
    """
    said = "DELETE FROM message WHERE agent = :agent AND (cycle > :cycle OR number > :last)"
    rows.run(said, {"agent": agent, "cycle": cycle, "last": last_said})
    for table in sorted(CHANGES):
        rows.run(f"DELETE FROM {table} WHERE number > :change", {"change": change})


def without(parts: Collection[LifePart]) -> list[LifeTable]:
    """Return the tables of all other parts of a life."""
    return [table for table in TABLES if table.part is None or table.part not in parts]


def last_number(rows: Rows, table: str, column: str) -> int:
    """Return the highest number in a table, or 0."""
    return rows.value(int, f'SELECT max("{column}") FROM "{table}"') or 0


def numbered(rows: Rows) -> dict[str, str]:
    """Return the tables of a life whose rows are numbered for all agents, each with its column."""
    return {
        table.name: column
        for table in TABLES
        if (column := columns_of(rows, table.name).number) is not None
    }


def rows_of(
    rows: Rows,
    table: LifeTable,
    columns: Columns,
    *,
    agent: str,
    cycle: int = MOST_WHOLE,
    change: int = MOST_WHOLE,
    hashes: Collection[str] = (),
) -> Iterator[Row]:
    """Yield the rows of a life in one table, in the order of its key.

    Of rows that say of which cycle they are, those of a later one than `cycle` are left out, and of
    the record those after `change`. Of blobs those are there to which a message, a turn or the
    record points, and those of some `hashes`.
    """
    order = ", ".join(f'"{name}"' for name in columns.key)
    picked = ", ".join(f'"{name}"' for name in columns.all)
    whose = f"({table.whose}) AND (cycle IS NULL OR cycle <= :cycle)"
    if table.name == "message" or "cycle" not in columns.all:
        whose = table.whose
    sql = f'SELECT {picked} FROM "{table.name}" WHERE {whose} ORDER BY {order}'
    values: dict[str, Cell] = {
        "agent": agent,
        "cycle": cycle,
        "change": change,
        "hashes": to_json(hashes).decode(),
    }
    return rows.each(tuple, sql, values)


def end_of_cycle(rows: Rows, *, agent: str, cycle: int) -> int | None:
    """Return the number of the change that closed a cycle, or None where that is not known."""
    sql = "SELECT number FROM cycle_change WHERE agent = :agent AND cycle = :cycle"
    return rows.value(int, sql, {"agent": agent, "cycle": cycle})


def ends_of_cycles(rows: Rows, *, agent: str) -> list[tuple[int, int]]:
    """Return the cycles of which the end is known, each with the change that closed it."""
    sql = "SELECT cycle, number FROM cycle_change WHERE agent = :agent ORDER BY cycle"
    return [(int(cycle), int(number)) for cycle, number in rows.each(tuple, sql, {"agent": agent})]


def undo_of(rows: Rows, *, agent: str, number: int) -> str | None:
    """Return what takes a change of an agent back, or None."""
    sql = "SELECT undo FROM change WHERE agent = :agent AND number = :number"
    return rows.value(str, sql, {"agent": agent, "number": number})


def cycles_with_turns(rows: Rows, *, agent: str, after: int) -> list[int]:
    """Return the cycles after one that have ended and were lived here, turn by turn."""
    sql = (
        "SELECT cycle FROM cycle WHERE agent = :agent AND cycle > :after AND state != 'open' "
        "AND cycle IN (SELECT cycle FROM turn WHERE agent = :agent) ORDER BY cycle"
    )
    return rows.all(int, sql, {"agent": agent, "after": after})


def first_known_cycle(rows: Rows, *, agent: str) -> int | None:
    """Return the first cycle of which the end is known, or None."""
    return next_known_cycle(rows, agent=agent, cycle=0)


def last_known_cycle(rows: Rows, *, agent: str) -> int | None:
    """Return the last cycle of which the end is known, or None."""
    sql = "SELECT max(cycle) FROM cycle_change WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent})


def next_known_cycle(rows: Rows, *, agent: str, cycle: int) -> int | None:
    """Return the first cycle after another one of which the end is known, or None."""
    sql = "SELECT min(cycle) FROM cycle_change WHERE agent = :agent AND cycle > :cycle"
    return rows.value(int, sql, {"agent": agent, "cycle": cycle})


Log = Literal["change", "parent.change"]
"""A log of changes: that of a store, or that of the one from which a fork is copied."""


def undone_since(rows: Rows, *, agent: str, number: int, log: Log = "change") -> Iterator[str]:
    """Yield what takes back the later changes of an agent and of what nobody owns, oldest first."""
    sql = (
        f"SELECT undo FROM {log} WHERE agent IN (:agent, :nobody) AND number > :number "
        "ORDER BY number"
    )
    return rows.each(str, sql, {"agent": agent, "nobody": NOBODY, "number": number})


def cells_of_agent(rows: Rows, agent: str) -> Values:
    """Return the row of an agent, by column."""
    names = columns_of(rows, "agent").all
    sql = f"SELECT {', '.join(names)} FROM agent WHERE name = :agent"
    return rows.one(Values, sql, {"agent": agent}) or {}


def note_change_of_agent(rows: Rows, *, agent: str, before: Values) -> None:
    """Keep in the log that the row of an agent was another one before, if it was."""
    now = cells_of_agent(rows, agent)
    changed: Values = {name: cell for name, cell in before.items() if cell != now[name]}
    if not changed:
        return
    note_undo(rows, agent, {"agent": RowsUndone(changed=[((agent,), changed)])})


_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def hashes_left(rows: Rows, *, agent: str) -> set[str]:
    """Return the hashes in what the rewinds of an agent left, under some of which are octets."""
    sql = (
        "SELECT undo FROM change WHERE agent = :agent "
        "AND number IN (SELECT number FROM rewind WHERE agent = :agent)"
    )
    return {sha for undo in rows.each(str, sql, {"agent": agent}) for sha in _HASH.findall(undo)}


def changes_for(rows: Rows, *, agent: str, upto: int) -> Iterator[Row]:
    """Yield the changes of an agent and of what nobody owns, up to one, as they are stored."""
    sql = (
        "SELECT number, agent, undo FROM change WHERE agent IN (:agent, :nobody) "
        "AND number <= :upto ORDER BY number"
    )
    return rows.each(tuple, sql, {"agent": agent, "nobody": NOBODY, "upto": upto})


def changes_of_nobody(rows: Rows) -> list[Row]:
    """Return the changes of what nobody owns, as they are stored."""
    sql = "SELECT number, agent, undo FROM change WHERE agent = :nobody ORDER BY number"
    return list(rows.each(tuple, sql, {"nobody": NOBODY}))


_OF_LIFE = {
    "space": f":first IN {IN_SPACES}",
    "member": f":first IN {IN_SPACES}",
    "post": f":first IN {IN_SPACES}",
    "entity": f"EXISTS(SELECT 1 FROM member WHERE entity = :first AND space IN {IN_SPACES})",
    "attachment": """EXISTS(SELECT 1 FROM event WHERE id = :first AND agent = :agent)
        OR EXISTS(SELECT 1 FROM call WHERE id = :first AND agent = :agent)
        OR EXISTS(SELECT 1 FROM post WHERE id = :first AND space IN
            (SELECT space FROM member WHERE entity = :agent))""",
}
"""What says of a row that nobody owns that it is of a life too, by the first column of its key."""


def part_of_life(rows: Rows, table: str, of: RowsUndone, *, agent: str) -> RowsUndone | None:
    """Return what of a change of rows that nobody owns is of a life, or None."""
    where = _OF_LIFE.get(table)
    if where is None:
        return None

    def is_of_life(key: Key) -> bool:
        named: dict[str, Cell] = {"first": key[0], "agent": agent}
        return bool(rows.value(bool, f"SELECT {where}", named))

    made = [key for key in of.made if is_of_life(key)]
    changed = [(key, values) for key, values in of.changed if is_of_life(key)]
    gone = [(key, _unsaid(values, agent)) for key, values in of.gone if is_of_life(key)]
    found = RowsUndone(made=made, changed=changed, gone=gone)
    return found if made or changed or gone else None


def _unsaid(values: Values, agent: str) -> Values:
    """Return a row that is gone, without what others said in it, which is nowhere else either."""
    is_theirs = "text" in values and values.get("sender") != agent
    return {**values, "text": ""} if is_theirs else values


def upto(found: Iterator[Row], columns: Columns, *, number: int) -> Iterator[Row]:
    """Yield the rows of a table of changes up to one of them."""
    place = columns.all.index("number")
    return (row for row in found if int(str(row[place])) <= number)


def insert(
    rows: Rows, table: str, names: Sequence[str], found: Iterable[Row], *, agent: str
) -> None:
    """Put rows into a table, files only beside what they go along with."""
    picked = ", ".join(f'"{name}"' for name in names)
    marks = ", ".join("?" * len(names))
    sql = f'INSERT INTO "{table}"({picked}) VALUES({marks})'
    if table in SHARED:
        sql += f" ON CONFLICT({', '.join(columns_of(rows, table).key)}) DO NOTHING"
    if table == "attachment":
        # Its trigger refuses one that is there already, as at a post of a space that came back to.
        sql = f"INSERT INTO attachment({picked}) SELECT {marks} WHERE {_BESIDE}"
        found = ((*row, *(row[0], agent) * 3, *row[:2]) for row in found)
    rows.run_many(sql, found)


_LEFT = (
    "UPDATE ticket SET state = 'pending', decided = NULL, person = NULL, approved_args = NULL, "
    "approved_sha256 = NULL WHERE agent = :agent AND state = 'approved'",
    "UPDATE decision SET state = 'expired', body = json_set(body, '$.state', 'expired') "
    "WHERE agent = :agent AND state IN ('decided', 'approved')",
    "UPDATE task SET state = 'failed', body = json_set(body, '$.state', 'failed', "
    "'$.worker', NULL, '$.error', 'left to the life of which this is a fork') "
    "WHERE agent = :agent AND state NOT IN ('done', 'failed')",
)


def leave_to_the_other(rows: Rows, *, agent: str) -> None:
    """Let a fork do nothing that was approved or given out before it: the other life does it.

    Approved tickets wait for a person again; decisions that would run have expired, and tasks that
    others work on have failed here.
    """
    for sql in _LEFT:
        rows.run(sql, {"agent": agent})


def count(rows: Rows, table: LifeTable, *, agent: str) -> int:
    """Return how many rows of a life a table has."""
    sql = f'SELECT count(*) FROM "{table.name}" WHERE {table.whose}'
    every: dict[str, Cell] = {
        "agent": agent,
        "cycle": MOST_WHOLE,
        "change": MOST_WHOLE,
        "hashes": "[]",
    }
    return rows.value(int, sql, every) or 0


def follow_links_at_the_end(rows: Rows) -> None:
    """Let rows come in any order: what they point to has to be there when the transaction ends."""
    rows.run(_LINKS_LATER)


_LINKS_LATER = Pair(
    sqlite="PRAGMA defer_foreign_keys = ON", postgres="SET CONSTRAINTS ALL DEFERRED"
)


def spaces_of(rows: Rows, agent: str) -> list[str]:
    """Return the spaces that an agent is in."""
    sql = "SELECT space FROM member WHERE entity = :agent ORDER BY space"
    return rows.all(str, sql, {"agent": agent})


def space_names(rows: Rows) -> list[str]:
    """Return the names of all spaces."""
    return rows.all(str, "SELECT name FROM space")


def open_tasks(rows: Rows, agent: str) -> list[str]:
    """Return the tasks that others work on for an agent."""
    sql = "SELECT id FROM task WHERE agent = :agent AND state NOT IN ('done', 'failed') ORDER BY id"
    return rows.all(str, sql, {"agent": agent})


def take_back(rows: Rows, undo: Undo) -> None:
    """Take back what one transaction did to the rows of one agent.

    Triggers are to be off, and links followed at the end of the transaction.
    """
    for table, of in undo.items():
        if not (of.made or of.changed or of.gone):
            continue
        columns = columns_of(rows, table)
        where = " AND ".join(f'"{name}" = ?' for name in columns.key)
        rows.run_many(f'DELETE FROM "{table}" WHERE {where}', of.made)
        picked = ", ".join(f'"{name}"' for name in columns.all)
        marks = ", ".join("?" * len(columns.all))
        back = [values for _, values in of.gone]
        # What only one row may have goes from one to another: none may be there in between.
        named = " AND ".join(f'"{name}" = :{name}' for name in columns.key)
        for key, values in of.changed:
            keyed = dict(zip(columns.key, key, strict=True))
            sql = f'DELETE FROM "{table}" WHERE {named} RETURNING {picked}'
            found = list(rows.each(tuple, sql, keyed))
            back += ({**dict(zip(columns.all, row, strict=True)), **values} for row in found)
            if not found and len(values) == len(columns.all):
                back.append(values)
        rows.run_many(
            f'INSERT INTO "{table}"({picked}) VALUES({marks})',
            [[values.get(name) for name in columns.all] for values in back],
        )


class EventSource(Record):
    """An event by its id, where it came from, and its type."""

    id: str
    source: str
    type: str


class HeardSource(Record):
    """A cycle, and a source of which it took words in."""

    cycle: int
    source: str


def heard_sources(rows: Rows, *, agent: str) -> list[HeardSource]:
    """Return whose words each cycle took in."""
    sql = "SELECT cycle, source FROM cycle_source WHERE agent = :agent"
    return rows.all(HeardSource, sql, {"agent": agent})


def told_sources(rows: Rows, *, agent: str) -> list[HeardSource]:
    """Return from where the events of each cycle came, trusted or not."""
    sql = (
        "SELECT cycle.cycle, event.source FROM cycle, json_each(events) AS told "
        "JOIN event ON event.id = told.value WHERE cycle.agent = :agent AND event.agent = :agent"
    )
    return rows.all(HeardSource, sql, {"agent": agent})


def event_sources(rows: Rows, *, agent: str) -> list[EventSource]:
    """Return where each event of an agent came from."""
    sql = "SELECT id, source, type FROM event WHERE agent = :agent"
    return rows.all(EventSource, sql, {"agent": agent})


def events_from_outside(rows: Rows, *, agent: str) -> list[tuple[str, NewEvent]]:
    """Return what came to an agent from services and observers, with its id, in order."""
    sql = """SELECT id, agent, type, source, key, coalesce(asked, priority) AS priority, due, space,
            sender, text, coalesce(body, '{}') AS body, coalesce(sources, '[]') AS sources
        FROM event WHERE agent = :agent AND type IN ('service', 'observation') ORDER BY seq"""
    return [
        (str(row.pop("id")), msgspec.convert({**row, **_decoded(row)}, NewEvent))
        for row in rows.all(dict[str, object], sql, {"agent": agent})
    ]


def _decoded(row: dict[str, object]) -> dict[str, object]:
    """Return what of an event is kept as JSON."""
    return {name: msgspec.json.decode(str(row[name])) for name in ("body", "sources")}


def delete_events(rows: Rows, ids: Sequence[str], *, agent: str) -> None:
    """Take events of an agent away."""
    sql = "DELETE FROM event WHERE id = ? AND agent = ?"
    rows.run_many(sql, ((one, agent) for one in ids))
