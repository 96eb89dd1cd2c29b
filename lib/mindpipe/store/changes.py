"""The log of changes: for each agent, what would take back what a transaction did to its rows.

A row of `change` holds what a transaction made of one agent's rows in JSON: by table, the keys of
the rows that it made, the old values of the columns that it changed, and the rows that it took
away, whole. So the rows of any earlier moment follow from those of now.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.missing import moved_away
from mindpipe.core.ports import NOBODY, Given, Pair, Rows, Sql
from mindpipe.core.records import Migration, Record, to_json
from mindpipe.store.holding import Holding

MIGRATIONS = (
    Migration(
        name="0058_changes",
        sql="""
    CREATE TABLE change(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
        undo TEXT NOT NULL CHECK(json_valid(undo))
    ) STRICT;
    CREATE INDEX change_of ON change(agent, number);
    CREATE TABLE cycle_change(
        agent TEXT NOT NULL, cycle INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY(agent, cycle)
    ) STRICT, WITHOUT ROWID;
    """,
    ),
    Migration(
        name="0070_heard_by_a_replica",
        sql="",
        postgres="ALTER SEQUENCE heard_number_seq SET LOGGED;",
    ),
)

_ASIDE = frozenset(
    {
        # Only ever added, and each says of which cycle or hash it is.
        *("message", "blob", "carried", "redaction"),
        # Persons keep a row for each state and version of theirs.
        *("person", "person_version", "person_state", "person_event", "person_memory"),
        *("person_failure", "person_observation", "person_chart", "person_tick", "thought"),
        # True of this file and machine, and of no life.
        *("agent_lease", "breaker", "observed", "observed_mark", "run", "size_sample"),
        "next_look",
        *("change", "cycle_change", "rewind", "migration", "restoration", "store", "store_move"),
        # Each says after which change it came.
        *("operation", "operation_part", "operation_setup"),
    }
)
_REWOUND = frozenset({"message", "carried", "cycle_change"})
"""What is only ever added to, and taken away where a life goes back."""
MADE_ANEW = "recall_text"
"""The name under which it is told, without rows, that the index was made anew; no table is it."""
_DERIVED = ("message_text", "recall_", "vector")
"""What is made anew from other rows: the tables whose names begin so."""

_COLUMNS = Pair(
    sqlite="SELECT :table, name, pk, type FROM pragma_table_info(:table) ORDER BY cid",
    # Of all tables, as each question is a way to the server and back.
    postgres="SELECT relname, attname, coalesce(array_position(indkey::int2[], attnum) + 1, 0), "
    "CASE atttypid WHEN 'bigint'::regtype THEN 'INTEGER' "
    "WHEN 'double precision'::regtype THEN 'REAL' END FROM pg_class "
    "JOIN pg_attribute ON attrelid = pg_class.oid "
    "LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary "
    "WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) "
    "AND relkind = 'r' AND attnum > 0 AND attgenerated = '' AND NOT attisdropped "
    "ORDER BY relname, attnum",
)

# Whoever asks a server for the last number writes the next one, and holds the log for it.
_NOTED = Pair(
    sqlite="INSERT INTO change(number, agent, undo) VALUES("
    "(SELECT coalesce(max(number), 0) + 1 FROM change), :agent, :undo)",
    postgres="INSERT INTO change(number, agent, undo) VALUES(last_change() + 1, :agent, :undo)",
)
_CLOSES = (
    "INSERT INTO cycle_change(agent, cycle, number) VALUES(:agent, :cycle, "
    "(SELECT max(number) FROM change WHERE agent = :agent)) "
    "ON CONFLICT(agent, cycle) DO UPDATE SET number = excluded.number"
)
_AWAY = (
    "SELECT name, body ->> '$.away' FROM agent WHERE name IN :names "
    "AND body ->> '$.away' IS NOT NULL ORDER BY name"
)

_OF_A_PLAN = frozenset({"plan_window", "plan_outcome"})
_CYCLE, _OPEN = "cycle", "open"

Plain = None | int | float | str
"""A cell of a table of the log, none of which keeps octets."""
Key = tuple[Plain, ...]
Values = dict[str, Plain]


def left_by_rewind(name: str) -> bool:
    """Tell whether a name is that under which a rewind left rows: an agent's, and its number."""
    return "~" in name


class RowsUndone(Record, omit_defaults=True):
    """What takes back a transaction in one table.

    `made` are the keys of the rows that it made, `changed` keys each with the old values of the
    columns that it changed, `gone` keys each with all values of a row that it took away.
    """

    made: list[Key] = []
    changed: list[tuple[Key, Values]] = []
    gone: list[tuple[Key, Values]] = []

    def touched(self) -> list[Key]:
        """Return the keys of all rows that it touches."""
        return [*self.made, *(key for key, _ in (*self.changed, *self.gone))]


Undo = dict[str, RowsUndone]
"""What takes back a transaction, by table."""
UNDO = msgspec.json.Decoder(Undo)
"""Reads what the log holds of a transaction."""
_BODY = msgspec.json.Decoder(dict[str, object])


class Columns(NamedTuple):
    """The columns of a table that are stored, and those of its key, in the key's order.

    `fractions` are those that hold floats; `number` is the key where it is one whole number, by
    which the rows of all agents are numbered together.
    """

    all: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    fractions: frozenset[str] = frozenset()
    number: str | None = None


def is_logged(table: str) -> bool:
    """Tell whether the log keeps the changes of a table."""
    return table not in _ASIDE and not is_made_anew(table)


def is_made_anew(table: str) -> bool:
    """Tell whether what a table holds is made anew from other rows."""
    return table.startswith(_DERIVED)


def listed(names: Sequence[str]) -> str:
    """Return the names of columns as a statement lists them."""
    return ", ".join(f'"{name}"' for name in names)


_KNOWN: dict[str, Columns] = {}
"""What tables consist of: the same in every store that may be written, which has our schema."""


def columns_of(rows: Rows, table: str) -> Columns:
    """Return what a table consists of."""
    if table not in _KNOWN:
        told: dict[str, list[_Column]] = {table: []}
        for of_table, *column in rows.each(tuple, _COLUMNS, {"table": table}):
            told.setdefault(of_table, []).append(_Column(*column))
        _KNOWN.update((name, _columns(of)) for name, of in told.items())
    return _KNOWN[table]


class _Column(NamedTuple):
    """A column: its place in the key, from 1 on, 0 where it is none of it, and its type."""

    name: str
    place: int
    type: str | None


def _columns(told: Sequence[_Column]) -> Columns:
    key = sorted((one for one in told if one.place), key=lambda one: one.place)
    return Columns(
        all=tuple(one.name for one in told),
        key=tuple(one.name for one in key),
        fractions=frozenset(one.name for one in told if one.type == "REAL"),
        number=key[0].name if [one.type for one in key] == ["INTEGER"] else None,
    )


class RowHeard(NamedTuple):
    """What became of one row in a changeset: its key, and the cells that it had and has.

    `op` is what SQLite calls it. Of a change only what changed is in `new`.
    """

    table: str
    columns: Columns
    op: str
    key: Key
    old: Values
    new: Values


class Hearing(Protocol):
    """Hear what the transactions of one connection change."""

    def begin(self, is_heard: Callable[[str], bool]) -> None:
        """Listen from here on to the tables that are to be heard."""
        ...

    def forget(self) -> None:
        """Stop listening; the transaction is taken back."""
        ...

    def heard(self) -> list[RowHeard]:
        """Stop listening, and return what became of each row between begin and end."""
        ...


def owner(rows: Rows, one: RowHeard) -> str:
    """Return whose row it is, as far as the store still says so, or `NOBODY`."""
    table, columns, key = one.table, one.columns, one.key
    if table in _OF_A_PLAN:
        return _owner(rows, "SELECT agent FROM plan WHERE id = :id", {"id": key[0]})
    column = "name" if table == "agent" else "agent"
    if column in one.new or column in one.old:
        return str({**one.new, **one.old}[column])
    if column not in columns.all:
        return NOBODY
    marks = " AND ".join(f"{name} = :{name}" for name in columns.key)
    sql = f'SELECT {column} FROM "{table}" WHERE {marks}'
    return _owner(rows, sql, dict(zip(columns.key, key, strict=True)))


def _owner(rows: Rows, sql: str, values: Values) -> str:
    return rows.value(str, sql, values) or NOBODY


def last_change(rows: Rows, *, agent: str) -> int | None:
    """Return the number of the last change of an agent, or None where none is kept."""
    sql = "SELECT max(number) FROM change WHERE agent = :agent"
    return rows.value(int, sql, {"agent": agent})


LAST = "SELECT max(number) FROM change"
"""Asks for the number of the last change of all."""


def last_of_all(rows: Rows) -> int:
    """Return the number of the last change, 0 where there is none."""
    return rows.value(int, LAST) or 0


_HOLD_LOG = Pair(
    sqlite="SELECT coalesce(max(number), 0) FROM change", postgres="SELECT last_change()"
)


def hold_log(rows: Rows) -> int:
    """Return the number of the last change; nobody else writes one until the transaction ends."""
    return rows.value(int, _HOLD_LOG) or 0


def leave_numbers(rows: Rows, count: int) -> int:
    """Return the number of the last change, behind which so many can come later.

    What is written then is numbered behind these: a change of nobody has the number that follows.
    """
    last = hold_log(rows)
    if count:
        sql = "INSERT INTO change(number, agent, undo) VALUES(:number, :nobody, '{}')"
        rows.run(sql, {"number": last + count + 1, "nobody": NOBODY})
    return last


def note_undo(rows: Rows, agent: str, undo: Undo) -> None:
    """Write a change of an agent, as far as it is known, into the log."""
    rows.run(_NOTED, {"agent": agent, "undo": to_json(undo).decode()})


def note_made_anew(rows: Rows, agent: str) -> None:
    """Note in the log of an agent that the index was made anew.

    What stood in it of rows that are gone, and by which words, is forgotten with that: a life is
    recalled by other ranks from there on.
    """
    note_undo(rows, agent, {MADE_ANEW: RowsUndone()})


def note_all_made_anew(rows: Rows) -> None:
    """Note in the log of every agent that lives here that the index was made anew."""
    for agent in agent_tables.all_agents(rows):
        if agent.away is None:
            note_made_anew(rows, agent.name)


class ChangesWritten(NamedTuple):
    """What a transaction wrote into the log: how many changes, and whose inboxes got something.

    `first` is the least number of the rows that it made in each table whose rows are numbered for
    all agents.
    """

    changes: int
    pushed_to: list[str]
    first: dict[str, int]


def _first_made(undone: Mapping[str, Undo]) -> dict[str, int]:
    first: dict[str, int] = {}
    for undo in undone.values():
        for table, of in undo.items():
            numbers = [key[0] for key in of.made if len(key) == 1 and isinstance(key[0], int)]
            if numbers:
                first[table] = min(*numbers, first.get(table, numbers[0]))
    return first


def _touched(of: RowsUndone) -> tuple[bool, list[str]]:
    return not (of.changed or of.gone), [str(key[0]) for key in of.touched()]


class ChangeLog:
    """Note down what each transaction of one connection changes; see the module's docstring.

    Where a life goes back, all changes are those of the agent `rewound`, what was said included.
    """

    def __init__(self, hearing: Hearing, rows: Rows, *, rewound: str | None = None) -> None:
        self._hearing = hearing
        self._rows = rows
        self._rewound = rewound

    def begin(self) -> None:
        """Listen from here on."""
        self._hearing.begin(self._is_heard)

    def _is_heard(self, table: str) -> bool:
        return is_logged(table) or (self._rewound is not None and table in _REWOUND)

    def forget(self) -> None:
        """Stop listening; the transaction is taken back."""
        self._hearing.forget()

    def write(
        self, held: Holding, ahead: Iterable[tuple[Sql, Mapping[str, Given]]] = ()
    ) -> ChangesWritten | None:
        """Write what was heard, as the last thing that the open transaction does.

        What is asked `ahead` is asked after it.

        Others wait from here on until it has ended, so that their changes are numbered behind: it
        counts as if all of it had been done now.
        """
        heard = self._hearing.heard()
        if not heard:
            return None
        undone, closed = self._undone(heard)
        for agent, undo in undone.items():
            held.require_owner(agent, {table: _touched(of) for table, of in undo.items()})
        for agent, undo in sorted(undone.items()):
            note_undo(self._rows, agent, undo)
            if agent in closed:
                self._rows.run(_CLOSES, {"agent": agent, "cycle": closed[agent]})
        # With one message, as others wait for the log by now.
        for question, values in ahead:
            self._rows.ahead(question, values)
        self._require_here(undone)
        got = [name for name, undo in undone.items() if "event" in undo and undo["event"].made]
        return ChangesWritten(changes=len(undone), pushed_to=got, first=_first_made(undone))

    def _require_here(self, undone: Mapping[str, Undo]) -> None:
        """Refuse changes of a life that goes on in another store."""
        before = {
            agent: str(changed[0][1]["body"])
            for agent, undo in undone.items()
            if "agent" in undo and (changed := undo["agent"].changed) and "body" in changed[0][1]
        }
        for agent, body in before.items():
            if (since := _BODY.decode(body).get("away")) is not None:
                raise moved_away(agent, str(since))
        others = [agent for agent in undone if agent not in before]
        for agent, since in self._rows.each(tuple, _AWAY, {"names": others}) if others else ():
            raise moved_away(str(agent), str(since))

    def _undone(self, heard: Sequence[RowHeard]) -> tuple[dict[str, Undo], dict[str, int]]:
        """Return what takes the changes back, by agent, and the last cycle that they closed.

        Of several that end together, as imported ones do, nothing was ever as the first left it.
        """
        undone: dict[str, Undo] = defaultdict(dict)
        closed: dict[str, int] = {}
        plans_gone = {
            one.key[0]: str(one.old["agent"])
            for one in heard
            if one.table == "plan" and one.op == "DELETE"
        }
        for one in heard:
            table, _, op, key, old, new = one
            agent = self._rewound or owner(self._rows, one)
            if not agent and table in _OF_A_PLAN:
                agent = plans_gone.get(key[0], NOBODY)
            of = undone[agent].setdefault(table, RowsUndone())
            match op:
                case "INSERT":
                    of.made.append(key)
                case "DELETE":
                    of.gone.append((key, old))
                case _:
                    before = {name: old[name] for name in new}
                    is_left = self._rewound is not None and before.get("agent") == self._rewound
                    if is_left or table in _REWOUND - {"message"}:
                        # What is left under another name goes along with nobody, and what a rewind
                        # changes of a life's ends is cut off before it is put back.
                        before = {**self._now(one), **before}
                    of.changed.append((key, before))
            if self._rewound is None and table == _CYCLE and new.get("state", _OPEN) != _OPEN:
                closed[agent] = max(closed.get(agent, 0), int(str(key[1])))
        return undone, closed

    def _now(self, one: RowHeard) -> Values:
        """Return a row as it is."""
        names = one.columns.all
        picked = ", ".join(f'"{name}"' for name in names)
        marks = " AND ".join(f'"{name}" = :{name}' for name in one.columns.key)
        keyed = dict(zip(one.columns.key, one.key, strict=True))
        sql = f'SELECT {picked} FROM "{one.table}" WHERE {marks}'
        (row,) = self._rows.each(tuple, sql, keyed)
        return dict(zip(names, row, strict=True))
