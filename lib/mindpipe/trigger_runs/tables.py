"""Rows of trigger runs, of the cycles they were lived in, of what those showed, and of waits."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from mindpipe.core.ports import Cell, Given, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.trigger_runs.records import ReplyWait, TriggerRun, TriggerRunState

# A wait that has ended still leads to its run until the event that ended it is worked off.
MIGRATIONS = (
    Migration(
        name="0027_runs",
        sql="""
        CREATE TABLE agent_run(
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK(state IN ('running', 'waiting_reply', 'done', 'failed', 'cancelled')),
            trigger TEXT NOT NULL, event TEXT NOT NULL, depth INTEGER NOT NULL CHECK(depth >= 0),
            began TEXT NOT NULL, ended TEXT, reason TEXT
        ) STRICT;
        CREATE INDEX agent_run_live ON agent_run(agent, event)
            WHERE state IN ('running', 'waiting_reply');
        CREATE TABLE agent_run_cycle(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, run TEXT NOT NULL REFERENCES agent_run(id),
            PRIMARY KEY(agent, cycle)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX agent_run_cycle_by_run ON agent_run_cycle(run, cycle);
        CREATE TABLE cycle_shown(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, post TEXT NOT NULL,
            PRIMARY KEY(agent, cycle, post)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE run_wait(
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            run TEXT NOT NULL REFERENCES agent_run(id), agent TEXT NOT NULL, space TEXT NOT NULL,
            post TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('open', 'replied', 'timed_out', 'cancelled')),
            by TEXT, ended TEXT, CHECK((state = 'open') = (ended IS NULL))
        ) STRICT;
        CREATE INDEX run_wait_by_run ON run_wait(run);
        CREATE UNIQUE INDEX run_wait_open ON run_wait(run) WHERE state = 'open';
        CREATE INDEX run_wait_in ON run_wait(agent, space) WHERE state = 'open';
        CREATE INDEX run_wait_for ON run_wait(post);
        CREATE INDEX run_wait_by ON run_wait(agent, by) WHERE by IS NOT NULL;
        """,
    ),
    # A wait that was open before then ended at any message, and still does.
    Migration(
        name="0039_waits",
        sql="""
        ALTER TABLE run_wait ADD COLUMN whom TEXT;
        ALTER TABLE run_wait ADD COLUMN anybody INTEGER NOT NULL DEFAULT 1
            CHECK(anybody IN (0, 1));
        """,
    ),
)

_RUN = "id, agent, state, trigger, depth, began, ended, reason"
_WAIT = "id, run, agent, space, post, since, until, whom, anybody, state, by, ended"
_LIVE = "state IN ('running', 'waiting_reply')"


def insert_run(rows: Rows, run: TriggerRun, *, event: str) -> None:
    """Add a run, which is found again by the first event that it took up."""
    rows.run(
        "INSERT INTO agent_run(id, agent, state, trigger, event, depth, began) "
        "VALUES(:id, :agent, :state, :trigger, :event, :depth, :began)",
        {
            "id": run.id,
            "agent": run.agent,
            "state": run.state.value,
            "trigger": to_json(run.trigger).decode(),
            "event": event,
            "depth": run.depth,
            "began": run.began,
        },
    )


def count_runs(rows: Rows) -> int:
    """Return the number of the newest run, or 0."""
    return rows.value(int, "SELECT max(seq) FROM agent_run") or 0


def save_run(rows: Rows, run: TriggerRun) -> None:
    """Write how a run stands."""
    rows.run(
        "UPDATE agent_run SET state = :state, depth = :depth, ended = :ended, reason = :reason "
        "WHERE id = :id",
        {
            "id": run.id,
            "state": run.state.value,
            "depth": run.depth,
            "ended": run.ended,
            "reason": run.reason,
        },
    )


def add_cycle(rows: Rows, *, agent: str, cycle: int, run: str) -> None:
    """Note that a cycle belongs to a run."""
    rows.run(
        "INSERT INTO agent_run_cycle(agent, cycle, run) VALUES(:agent, :cycle, :run)",
        {"agent": agent, "cycle": cycle, "run": run},
    )


def add_shown(rows: Rows, *, agent: str, cycle: int, posts: Iterable[str]) -> None:
    """Note that a cycle showed its agent some messages and all before them."""
    rows.run_many(
        "INSERT INTO cycle_shown(agent, cycle, post) VALUES(?1, ?2, ?3) "
        "ON CONFLICT(agent, cycle, post) DO NOTHING",
        ((agent, cycle, post) for post in posts),
    )


def shown(rows: Rows, *, agent: str, cycle: int) -> list[str]:
    """Return the messages that were noted so."""
    return rows.all(
        str,
        "SELECT post FROM cycle_shown WHERE agent = :agent AND cycle = :cycle",
        {"agent": agent, "cycle": cycle},
    )


def find_run(rows: Rows, run_id: str) -> TriggerRun | None:
    """Return one run."""
    return _one(rows, "id = :id", {"id": run_id})


def run_of_cycle(rows: Rows, *, agent: str, cycle: int) -> TriggerRun | None:
    """Return the run that a cycle belongs to."""
    where = "id = (SELECT run FROM agent_run_cycle WHERE agent = :agent AND cycle = :cycle)"
    return _one(rows, where, {"agent": agent, "cycle": cycle})


def live_run_of(rows: Rows, *, agent: str, event: str) -> TriggerRun | None:
    """Return the run that an event triggered, if it has not ended."""
    where = f"agent = :agent AND event = :event AND {_LIVE}"
    return _one(rows, where, {"agent": agent, "event": event})


def live_run_woken(rows: Rows, *, agent: str, by: str) -> TriggerRun | None:
    """Return the run whose wait a message ended, if the run has not ended."""
    where = (
        "id IN (SELECT run FROM run_wait WHERE agent = :agent AND by = :by AND state = 'replied') "
        f"AND {_LIVE}"
    )
    return _one(rows, where, {"agent": agent, "by": by})


def runs(
    rows: Rows, *, agent: str | None, states: Collection[TriggerRunState], limit: int, offset: int
) -> list[TriggerRun]:
    """Return the newest runs of one agent or of all that are in some states, newest first."""
    where = (
        "(CAST(:agent AS TEXT) IS NULL OR agent = :agent) AND state IN :states "
        "ORDER BY seq DESC LIMIT :limit OFFSET :offset"
    )
    values: dict[str, Given] = {
        "agent": agent,
        "states": sorted(state.value for state in states),
        "limit": limit,
        "offset": offset,
    }
    return _runs(rows, where, values)


def ids_of_runs(rows: Rows) -> list[str]:
    """Return the ids of all runs that have not ended."""
    return rows.all(str, f"SELECT id FROM agent_run WHERE {_LIVE} ORDER BY seq")


def _one(rows: Rows, where: str, values: Mapping[str, Cell]) -> TriggerRun | None:
    """Return the one run of which a condition holds."""
    found = _runs(rows, where, values)
    return found[0] if found else None


def _runs(rows: Rows, where: str, values: Mapping[str, Given]) -> list[TriggerRun]:
    """Return the runs of which a condition holds, with their cycles and waits."""
    found = rows.all(dict[str, object], f"SELECT {_RUN} FROM agent_run WHERE {where}", values)
    return [_whole(rows, row) for row in found]


def _whole(rows: Rows, row: dict[str, object]) -> TriggerRun:
    """Return a run from its row, its cycles and its waits."""
    of_run: dict[str, Cell] = {"run": str(row["id"])}
    cycles = rows.all(
        int, "SELECT cycle FROM agent_run_cycle WHERE run = :run ORDER BY cycle", of_run
    )
    waits = rows.all(
        ReplyWait, f"SELECT {_WAIT} FROM run_wait WHERE run = :run ORDER BY seq", of_run
    )
    trigger = msgspec.json.decode(str(row["trigger"]))
    return msgspec.convert(
        {**row, "trigger": trigger, "cycles": cycles, "waits": waits}, TriggerRun
    )


def insert_wait(rows: Rows, wait: ReplyWait) -> None:
    """Add a wait."""
    values: dict[str, Cell] = {
        **msgspec.structs.asdict(wait),
        "state": wait.state.value,
    }
    marks = ", ".join(f":{name}" for name in ReplyWait.__struct_fields__)
    rows.run(
        f"INSERT INTO run_wait({', '.join(ReplyWait.__struct_fields__)}) VALUES({marks})", values
    )


def end_wait(rows: Rows, wait: ReplyWait) -> bool:
    """Write how an open wait ended; tell whether it was still open."""
    sql = (
        "UPDATE run_wait SET state = :state, by = :by, ended = :ended "
        "WHERE id = :id AND state = 'open'"
    )
    values = {"id": wait.id, "state": wait.state.value, "by": wait.by, "ended": wait.ended}
    return rows.changed(sql, values) == 1


def newest_waits(rows: Rows, *, agent: str, limit: int) -> list[ReplyWait]:
    """Return the newest waits of an agent, the oldest of them first."""
    return rows.all(
        ReplyWait,
        f"SELECT {_WAIT} FROM run_wait WHERE agent = :agent ORDER BY seq DESC LIMIT :limit",
        {"agent": agent, "limit": limit},
    )[::-1]


def find_wait(rows: Rows, wait_id: str) -> ReplyWait | None:
    """Return one wait."""
    return rows.one(ReplyWait, f"SELECT {_WAIT} FROM run_wait WHERE id = :id", {"id": wait_id})


def is_waited_on(rows: Rows, post: str) -> bool:
    """Tell whether any agent ever waited for a reply to a message."""
    found = rows.value(int, "SELECT 1 FROM run_wait WHERE post = :post LIMIT 1", {"post": post})
    return found is not None


def open_wait_on(rows: Rows, *, agent: str, post: str) -> ReplyWait | None:
    """Return the open wait of an agent for a reply to a message."""
    return rows.one(
        ReplyWait,
        f"SELECT {_WAIT} FROM run_wait WHERE post = :post AND agent = :agent AND state = 'open'",
        {"agent": agent, "post": post},
    )


def timed_out_on(rows: Rows, *, agent: str, post: str) -> ReplyWait | None:
    """Return the wait of an agent for a reply to a message that came to nothing."""
    return rows.one(
        ReplyWait,
        f"SELECT {_WAIT} FROM run_wait WHERE post = :post AND agent = :agent "
        "AND state = 'timed_out'",
        {"agent": agent, "post": post},
    )


def oldest_wait_in(rows: Rows, *, agent: str, space: str, sender: str | None) -> ReplyWait | None:
    """Return the oldest open wait of an agent in a space that a message of the sender ends."""
    return rows.one(
        ReplyWait,
        f"SELECT {_WAIT} FROM run_wait WHERE agent = :agent AND space = :space "
        "AND (anybody = 1 OR whom = :sender) AND state = 'open' ORDER BY seq LIMIT 1",
        {"agent": agent, "space": space, "sender": sender},
    )
