"""The journal's rows: turns, calls, tickets, breakers, and the space an agent is in."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from mindpipe.core.messages import ResultPart
from mindpipe.core.ports import Cell, Given, Row, Rows
from mindpipe.core.records import Migration, Record, to_json
from mindpipe.core.tools import Effect
from mindpipe.engine.breaker import Breaker
from mindpipe.engine.records.journal import (
    Call,
    CallState,
    CallTime,
    RecordedAnswer,
    Ticket,
    TicketKind,
    TicketState,
    Turn,
    TurnReply,
    TurnRequest,
    TurnState,
)

MIGRATIONS = (
    Migration(
        name="0008_think",
        sql="""
        CREATE TABLE turn(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, turn INTEGER NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('asking', 'recorded', 'folded', 'abandoned')),
            attempts INTEGER NOT NULL, first_boot TEXT NOT NULL, first_seconds REAL NOT NULL,
            asked TEXT NOT NULL, answer TEXT, spans TEXT NOT NULL DEFAULT '[]',
            PRIMARY KEY(agent, cycle, turn)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE call(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            turn INTEGER NOT NULL, position INTEGER NOT NULL, tool TEXT NOT NULL,
            effect TEXT NOT NULL, args TEXT, args_sha256 TEXT NOT NULL, key TEXT NOT NULL,
            state TEXT NOT NULL, result TEXT,
            UNIQUE(agent, cycle, turn, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE ticket(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
            cycle INTEGER NOT NULL, call TEXT UNIQUE, tool TEXT, args TEXT, reason TEXT NOT NULL,
            created TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE breaker(
            model TEXT PRIMARY KEY, boot TEXT NOT NULL, body TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE place(agent TEXT PRIMARY KEY, space TEXT) STRICT, WITHOUT ROWID;
        """,
    ),
    Migration(
        name="0014_tickets",
        sql="""
        ALTER TABLE ticket ADD COLUMN tool_sha256 TEXT;
        ALTER TABLE ticket ADD COLUMN sha256 TEXT;
        ALTER TABLE ticket ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE ticket ADD COLUMN expires TEXT;
        ALTER TABLE ticket ADD COLUMN decided TEXT;
        ALTER TABLE ticket ADD COLUMN person TEXT;
        ALTER TABLE ticket ADD COLUMN result TEXT;
        CREATE INDEX ticket_state ON ticket(agent, state);
        """,
    ),
    Migration(
        name="0044_edited_tickets",
        sql="""
        ALTER TABLE ticket ADD COLUMN approved_args TEXT;
        ALTER TABLE ticket ADD COLUMN approved_sha256 TEXT;
        """,
    ),
    Migration(
        name="0056_tickets_that_ask",
        sql="ALTER TABLE ticket ADD COLUMN questions TEXT NOT NULL DEFAULT '[]';",
    ),
    Migration(name="0057_call_times", sql="ALTER TABLE call ADD COLUMN took TEXT;"),
    Migration(
        name="0065_recorded_answers",
        sql="""
        CREATE TABLE recorded_answer(
            agent TEXT NOT NULL, tool TEXT NOT NULL, args_sha256 TEXT NOT NULL,
            place INTEGER NOT NULL, of_cycle INTEGER NOT NULL, is_given INTEGER NOT NULL,
            failed INTEGER NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY(agent, tool, args_sha256, place)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)


class _TurnRow(Record):
    """A turn as its row holds it."""

    agent: str
    cycle: int
    turn: int
    state: TurnState
    attempts: int
    first_boot: str
    first_seconds: float
    asked: str
    answer: str | None
    spans: str

    def turn_of(self) -> Turn:
        """Return the record."""
        return Turn(
            agent=self.agent,
            cycle=self.cycle,
            turn=self.turn,
            state=self.state,
            attempts=self.attempts,
            first_boot=self.first_boot,
            first_seconds=self.first_seconds,
            asked=msgspec.json.decode(self.asked, type=TurnRequest),
            answer=msgspec.json.decode(self.answer, type=TurnReply) if self.answer else None,
            spans=msgspec.json.decode(self.spans, type=tuple[str, ...]),
        )


class _CallRow(Record):
    """A call as its row holds it."""

    id: str
    agent: str
    cycle: int
    turn: int
    position: int
    tool: str
    effect: Effect
    args: str | None
    args_sha256: str
    key: str
    state: CallState
    result: str | None

    def call_of(self) -> Call:
        """Return the record."""
        return Call(
            id=self.id,
            agent=self.agent,
            cycle=self.cycle,
            turn=self.turn,
            position=self.position,
            tool=self.tool,
            effect=self.effect,
            args=msgspec.json.decode(self.args, type=dict[str, object]) if self.args else None,
            args_sha256=self.args_sha256,
            key=self.key,
            state=self.state,
            result=msgspec.json.decode(self.result, type=ResultPart) if self.result else None,
        )


_TURNS = (
    "SELECT agent, cycle, turn, state, attempts, first_boot, first_seconds, asked, answer, spans "
    "FROM turn WHERE agent=:agent"
)


def last_turn(rows: Rows, *, agent: str, cycle: int) -> Turn | None:
    """Return the newest turn of a cycle."""
    row = rows.one(
        _TurnRow,
        f"{_TURNS} AND cycle=:cycle ORDER BY turn DESC LIMIT 1",
        {"agent": agent, "cycle": cycle},
    )
    return row.turn_of() if row else None


def find_turn(rows: Rows, *, agent: str, cycle: int, turn: int) -> Turn | None:
    """Return one turn."""
    row = rows.one(
        _TurnRow,
        f"{_TURNS} AND cycle=:cycle AND turn=:turn",
        {"agent": agent, "cycle": cycle, "turn": turn},
    )
    return row.turn_of() if row else None


def turns_of_cycle(rows: Rows, *, agent: str, cycle: int) -> list[Turn]:
    """Return the turns of a cycle in order."""
    return turns_between(rows, agent=agent, first=cycle, last=cycle)


def turns_between(rows: Rows, *, agent: str, first: int, last: int) -> list[Turn]:
    """Return the turns of the cycles `first` to `last`, in order."""
    found = rows.all(
        _TurnRow,
        f"{_TURNS} AND cycle BETWEEN :first AND :last ORDER BY cycle, turn",
        {"agent": agent, "first": first, "last": last},
    )
    return [row.turn_of() for row in found]


def answers(rows: Rows, *, agent: str, cycle: int) -> list[TurnReply]:
    """Return the recorded replies of a cycle in order."""
    found = rows.all(
        str,
        "SELECT answer FROM turn WHERE agent=:agent AND cycle=:cycle AND answer IS NOT NULL "
        "ORDER BY turn",
        {"agent": agent, "cycle": cycle},
    )
    return [msgspec.json.decode(answer, type=TurnReply) for answer in found]


def save_turn(rows: Rows, turn: Turn) -> None:
    """Insert a turn or replace it."""
    rows.run(
        "INSERT INTO turn VALUES(:agent, :cycle, :turn, :state, :attempts, :boot, :seconds, "
        ":asked, :answer, :spans) ON CONFLICT(agent, cycle, turn) DO UPDATE SET "
        "state=excluded.state, attempts=excluded.attempts, asked=excluded.asked, "
        "answer=excluded.answer, spans=excluded.spans",
        {
            "agent": turn.agent,
            "cycle": turn.cycle,
            "turn": turn.turn,
            "state": turn.state.value,
            "attempts": turn.attempts,
            "boot": turn.first_boot,
            "seconds": turn.first_seconds,
            "asked": to_json(turn.asked).decode(),
            "answer": to_json(turn.answer).decode() if turn.answer else None,
            "spans": to_json(turn.spans).decode(),
        },
    )


_CALL_COLUMNS = (
    "id, agent, cycle, turn, position, tool, effect, args, args_sha256, key, state, result"
)


def calls_of_turn(rows: Rows, *, agent: str, cycle: int, turn: int) -> list[Call]:
    """Return the calls of a turn in order."""
    found = rows.all(
        _CallRow,
        f"SELECT {_CALL_COLUMNS} FROM call "
        "WHERE agent=:agent AND cycle=:cycle AND turn=:turn ORDER BY position",
        {"agent": agent, "cycle": cycle, "turn": turn},
    )
    return [row.call_of() for row in found]


def calls_of_cycle(rows: Rows, *, agent: str, cycle: int) -> list[Call]:
    """Return the calls of a cycle in order."""
    return calls_between(rows, agent=agent, first=cycle, last=cycle)


def calls_between(rows: Rows, *, agent: str, first: int, last: int) -> list[Call]:
    """Return the calls of the cycles `first` to `last`, in order."""
    found = rows.all(
        _CallRow,
        f"SELECT {_CALL_COLUMNS} FROM call WHERE agent=:agent "
        "AND cycle BETWEEN :first AND :last ORDER BY cycle, turn, position",
        {"agent": agent, "first": first, "last": last},
    )
    return [row.call_of() for row in found]


def find_call(rows: Rows, call: str) -> Call | None:
    """Return one call."""
    row = rows.one(_CallRow, f"SELECT {_CALL_COLUMNS} FROM call WHERE id=:id", {"id": call})
    return row.call_of() if row else None


class _TimeRow(Record):
    """When a call was at work, as its row holds it."""

    id: str
    took: str


def times_of_calls(rows: Rows, *, agent: str, cycle: int) -> dict[str, CallTime]:
    """Return when the calls of a cycle were at work, by their ids, as far as it was measured."""
    found = rows.all(
        _TimeRow,
        "SELECT id, took FROM call WHERE agent=:agent AND cycle=:cycle AND took IS NOT NULL",
        {"agent": agent, "cycle": cycle},
    )
    return {row.id: msgspec.json.decode(row.took, type=CallTime) for row in found}


def save_call(rows: Rows, call: Call, *, took: CallTime | None = None) -> None:
    """Insert a call or change its state and result, and say when it was at work."""
    rows.run(
        f"INSERT INTO call({_CALL_COLUMNS}, took) VALUES(:id, :agent, :cycle, :turn, :position, "
        ":tool, :effect, :args, :args_sha256, :key, :state, :result, :took) "
        "ON CONFLICT(id) DO UPDATE SET state=excluded.state, result=excluded.result, "
        "took=coalesce(excluded.took, call.took)",
        {
            "id": call.id,
            "agent": call.agent,
            "cycle": call.cycle,
            "turn": call.turn,
            "position": call.position,
            "tool": call.tool,
            "effect": call.effect.value,
            "args": None if call.args is None else to_json(call.args).decode(),
            "args_sha256": call.args_sha256,
            "key": call.key,
            "state": call.state.value,
            "result": to_json(call.result).decode() if call.result else None,
            "took": None if took is None else to_json(took).decode(),
        },
    )


_FROM_RECORD = """(took IS NULL AND EXISTS(SELECT 1 FROM recorded_answer AS kept
    WHERE (kept.agent, kept.tool, kept.args_sha256) = (call.agent, call.tool, call.args_sha256)))"""
"""Tells of a call that ran nothing: it was answered by the record of another life."""
_ANSWERED = f"""
    SELECT tool, args_sha256, cycle AS of_cycle, cycle > :cycle AS is_later, turn, position,
        state = 'failed' AS failed, result ->> 'text' AS text
    FROM call WHERE agent = :agent AND state IN ('done', 'failed') AND NOT {_FROM_RECORD}
    UNION ALL
    SELECT call.tool, call.args_sha256, call.cycle, call.cycle > :cycle, turn, position,
        ticket.state = 'failed', ticket.result
    FROM ticket JOIN call ON call.id = ticket.call WHERE ticket.agent = :agent
        AND ticket.state IN ('executed', 'failed') AND ticket.result IS NOT NULL
        AND approved_sha256 IS NULL AND call.state = 'ticketed'
"""
_RECORDED_COLUMNS = "agent, tool, args_sha256, place, of_cycle, is_given, failed, text"


def answers_to_record(rows: Rows, *, agent: str, cycle: int, tools: Collection[str]) -> list[Row]:
    """Return what calls of some tools were answered that ran, in order, as a fork keeps it.

    Of each tool and arguments these are the answers after a cycle, and the last one before it,
    which counts as given.
    """
    sql = f"""SELECT :agent, tool, args_sha256, of_cycle,
            CASE WHEN is_later THEN 0 ELSE 1 END, CASE WHEN failed THEN 1 ELSE 0 END, text
        FROM (SELECT answered.*, row_number() OVER (PARTITION BY tool, args_sha256, is_later
            ORDER BY of_cycle DESC, turn DESC, position DESC) AS back FROM ({_ANSWERED}) AS answered
            WHERE tool IN :tools) AS placed
        WHERE is_later OR back = 1 ORDER BY of_cycle, turn, position"""
    if not tools:
        return []
    named: dict[str, Given] = {"agent": agent, "cycle": cycle, "tools": list(tools)}
    return list(rows.each(tuple, sql, named))


def record_answers(rows: Rows, found: Iterable[Row]) -> None:
    """Keep what calls were answered that ran in the life of which this is a fork.

    They come behind those that this life had itself as a fork.
    """
    sql = f"""INSERT INTO recorded_answer({_RECORDED_COLUMNS}) VALUES(?1, ?2, ?3, 1 + coalesce(
        (SELECT max(place) FROM recorded_answer WHERE (agent, tool, args_sha256) = (?1, ?2, ?3)),
        0), ?4, ?5, ?6, ?7)"""
    rows.run_many(sql, found)


def give_recorded_answer(rows: Rows, call: Call) -> RecordedAnswer | None:
    """Return what the same call was answered in the life of which this is a fork, if it ran there.

    That is the next answer that was not given yet, else the last one.
    """
    named: dict[str, Cell] = {
        "agent": call.agent,
        "tool": call.tool,
        "args_sha256": call.args_sha256,
    }
    where = "agent = :agent AND tool = :tool AND args_sha256 = :args_sha256"
    sql = f"""SELECT place, of_cycle, failed, text FROM recorded_answer WHERE {where}
        ORDER BY is_given, CASE is_given WHEN 1 THEN -place ELSE place END LIMIT 1"""
    found = rows.one(RecordedAnswer, sql, named)
    if found is not None:
        given = f"UPDATE recorded_answer SET is_given = 1 WHERE {where} AND place = :place"
        rows.run(given, {**named, "place": found.place})
    return found


def calls_from_record(rows: Rows, *, agent: str) -> frozenset[str]:
    """Return the ids of the calls of a fork that were answered from the record; nothing ran."""
    sql = f"SELECT id FROM call WHERE agent = :agent AND {_FROM_RECORD}"
    return frozenset(rows.all(str, sql, {"agent": agent}))


_TICKET_COLUMNS = (
    "id, agent, kind, state, cycle, call, tool, args, reason, created, tool_sha256, sha256, "
    "sources, expires, decided, person, result, approved_args, approved_sha256, questions"
)


class _TicketRow(Record):
    """A ticket as its row holds it."""

    id: str
    agent: str
    kind: TicketKind
    state: TicketState
    cycle: int
    call: str | None
    tool: str | None
    args: str | None
    reason: str
    created: str
    tool_sha256: str | None
    sha256: str | None
    sources: str
    expires: str | None
    decided: str | None
    person: str | None
    result: str | None
    approved_args: str | None
    approved_sha256: str | None
    questions: str

    def ticket_of(self) -> Ticket:
        """Return the record; arguments that are no JSON object any more are none."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        for name in ("sources", "questions"):
            fields[name] = msgspec.json.decode(fields[name])
        for name in ("args", "approved_args"):
            fields[name] = _arguments(fields[name])
        return msgspec.convert(fields, Ticket)


def _arguments(stored: str | None) -> dict[str, object] | None:
    """Return arguments as a row keeps them; None where they are no JSON object any more."""
    try:
        return msgspec.json.decode(stored, type=dict[str, object]) if stored else None
    except msgspec.DecodeError:
        return None


def tickets(
    rows: Rows, *, agent: str | None, states: Sequence[TicketState] = tuple(TicketState)
) -> list[Ticket]:
    """Return tickets of one agent or of all in some states, oldest first."""
    found = rows.all(
        _TicketRow,
        f"SELECT {_TICKET_COLUMNS} FROM ticket "
        "WHERE (CAST(:agent AS TEXT) IS NULL OR agent=:agent) "
        "AND state IN :states ORDER BY created, id",
        {"agent": agent, "states": [state.value for state in states]},
    )
    return [row.ticket_of() for row in found]


def find_ticket(rows: Rows, ticket: str) -> Ticket | None:
    """Return one ticket."""
    row = rows.one(_TicketRow, f"SELECT {_TICKET_COLUMNS} FROM ticket WHERE id=:id", {"id": ticket})
    return row.ticket_of() if row else None


def ticket_of_call(rows: Rows, call: str) -> Ticket | None:
    """Return the ticket of a call, if there is one."""
    row = rows.one(
        _TicketRow, f"SELECT {_TICKET_COLUMNS} FROM ticket WHERE call=:call", {"call": call}
    )
    return row.ticket_of() if row else None


class OpenedTicket(Record):
    """Which ticket was opened, in which cycle, and when."""

    id: str
    cycle: int
    created: str


def tickets_of_cycles(rows: Rows, *, agent: str, first: int, last: int) -> list[OpenedTicket]:
    """Return the tickets that were opened in a range of cycles, oldest first."""
    return rows.all(
        OpenedTicket,
        "SELECT id, cycle, created FROM ticket WHERE agent=:agent "
        "AND cycle BETWEEN :first AND :last ORDER BY created, id",
        {"agent": agent, "first": first, "last": last},
    )


def ticket_ids(rows: Rows) -> list[str]:
    """Return the ids of all tickets."""
    return rows.all(str, "SELECT id FROM ticket ORDER BY created, id")


def next_approved(rows: Rows, *, agent: str) -> Ticket | None:
    """Return the oldest ticket whose approved call has not ended; not one that its turn runs."""
    row = rows.one(
        _TicketRow,
        f"SELECT {_TICKET_COLUMNS} FROM ticket WHERE agent=:agent AND kind='approval' "
        "AND state IN ('approved', 'running') AND NOT EXISTS(SELECT 1 FROM call "
        "WHERE call.id=ticket.call AND call.state IN ('planned', 'started')) "
        "ORDER BY created, id LIMIT 1",
        {"agent": agent},
    )
    return row.ticket_of() if row else None


def unsettled(rows: Rows, *, agent: str, now: str) -> list[Ticket]:
    """Return the approvals whose time is over, and those that ended without being decided."""
    found = rows.all(
        _TicketRow,
        f"SELECT {_TICKET_COLUMNS} FROM ticket WHERE agent=:agent "
        "AND kind IN ('approval', 'delegation') "
        "AND (state IN ('pending', 'approved') AND expires<=:now "
        "OR state IN ('cancelled', 'unknown') AND decided IS NULL) ORDER BY created, id",
        {"agent": agent, "now": now},
    )
    return [row.ticket_of() for row in found]


def save_ticket(rows: Rows, ticket: Ticket) -> None:
    """Open a ticket, a call has one at most; or say what became of it.

    What approves it changes only with what the server of its tool asks.
    """
    rows.run(
        f"INSERT INTO ticket({_TICKET_COLUMNS}) VALUES(:id, :agent, :kind, :state, :cycle, :call, "
        ":tool, :args, :reason, :created, :tool_sha256, :sha256, :sources, :expires, :decided, "
        ":person, :result, :approved_args, :approved_sha256, :questions) "
        "ON CONFLICT(id) DO UPDATE SET "
        "state=excluded.state, decided=excluded.decided, person=excluded.person, "
        "reason=excluded.reason, sources=excluded.sources, expires=excluded.expires, "
        "sha256=CASE excluded.questions WHEN '[]' THEN ticket.sha256 ELSE excluded.sha256 END, "
        "result=excluded.result, approved_args=excluded.approved_args, "
        "approved_sha256=excluded.approved_sha256, questions=excluded.questions",
        {
            **{name: getattr(ticket, name) for name in ticket.__struct_fields__},
            "state": ticket.state.value,
            "args": None if ticket.args is None else to_json(ticket.args).decode(),
            "sources": to_json(ticket.sources).decode(),
            "questions": to_json(ticket.questions).decode(),
            "approved_args": (
                None if ticket.approved_args is None else to_json(ticket.approved_args).decode()
            ),
        },
    )


def breaker_of(rows: Rows, *, model: str, boot: str) -> Breaker:
    """Return what is held against a model since this boot."""
    body = rows.value(
        str,
        "SELECT body FROM breaker WHERE model=:model AND boot=:boot",
        {"model": model, "boot": boot},
    )
    return msgspec.json.decode(body, type=Breaker) if body else Breaker()


def save_breaker(rows: Rows, *, model: str, boot: str, breaker: Breaker) -> None:
    """Remember what is held against a model; nothing held against it leaves no row."""
    if breaker == Breaker():
        rows.run("DELETE FROM breaker WHERE model=:model", {"model": model})
        return
    rows.run(
        "INSERT INTO breaker VALUES(:model, :boot, :body) "
        "ON CONFLICT(model) DO UPDATE SET boot=excluded.boot, body=excluded.body",
        {"model": model, "boot": boot, "body": to_json(breaker).decode()},
    )


def place_of(rows: Rows, *, agent: str) -> str | None:
    """Return the space that an agent is in."""
    return rows.value(str, "SELECT space FROM place WHERE agent=:agent", {"agent": agent})


def set_place(rows: Rows, *, agent: str, space: str | None) -> None:
    """Move an agent into a space, or out of all."""
    rows.run(
        "INSERT INTO place VALUES(:agent, :space) "
        "ON CONFLICT(agent) DO UPDATE SET space=excluded.space",
        {"agent": agent, "space": space},
    )
