"""Rows of agents, goals, notes and the lease on each agent."""

import functools
from typing import cast

import msgspec

from mindpipe.agents.missing import unknown_agent
from mindpipe.agents.records import Agent, Goal, Lease, Note
from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, to_json
from mindpipe.core.sources import stored_sources, with_sources
from mindpipe.core.text import safe_name

MIGRATIONS = (
    Migration(
        name="0002_agents",
        sql="""
    CREATE TABLE agent(
        name TEXT PRIMARY KEY,
        entity TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        goals_made INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE goal(
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL REFERENCES agent(name),
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('active', 'long-term', 'done', 'dropped')),
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        UNIQUE(agent, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE note(
        agent TEXT NOT NULL REFERENCES agent(name),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        updated TEXT NOT NULL,
        PRIMARY KEY(agent, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE agent_lease(
        agent TEXT PRIMARY KEY REFERENCES agent(name),
        epoch INTEGER NOT NULL,
        owner TEXT,
        boot TEXT NOT NULL,
        seconds REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    ),
    Migration(
        name="0009_agent_sources",
        sql="""
    ALTER TABLE goal ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE note ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
    """,
    ),
    Migration(
        name="0037_goal_priority",
        sql="ALTER TABLE goal ADD COLUMN priority INTEGER CHECK(priority BETWEEN 1 AND 9);",
    ),
    # A plain name meant a source and whoever spoke so in spaces: who does is named as such beside.
    Migration(
        name="0050_trusted_speakers",
        sql="""
    UPDATE agent SET body = json_set(body, '$.trust', json((
        SELECT json_group_array(name) FROM (
            SELECT key AS place, 0 AS part, value AS name FROM json_each(agent.body, '$.trust')
            UNION ALL
            SELECT key, 1, '@' || value FROM json_each(agent.body, '$.trust')
            WHERE value IN (SELECT name FROM entity)
            ORDER BY place, part
        )
    )))
    WHERE EXISTS (
        SELECT 1 FROM json_each(agent.body, '$.trust') JOIN entity ON entity.name = value
    );
    """,
    ),
)

_GOAL = "SELECT id, agent, text, state, priority, created, updated, sources FROM goal"
_NOTE = "SELECT agent, key, value, updated, sources FROM note"


def put_agent(rows: Rows, agent: Agent) -> None:
    """Keep an agent, new or changed."""
    rows.run(
        "INSERT INTO agent(name, entity, body) VALUES(:name, :entity, :body)"
        " ON CONFLICT(name) DO UPDATE SET entity = excluded.entity, body = excluded.body",
        {"name": agent.name, "entity": agent.entity, "body": to_json(agent).decode()},
    )


def find_agent(rows: Rows, name: str) -> Agent | None:
    """Return one agent, or None."""
    body = rows.value(str, "SELECT body FROM agent WHERE name = :name", {"name": name})
    return None if body is None else _agent(body)


@functools.lru_cache(maxsize=64)
def _agent(body: str) -> Agent:
    """Return the agent that a row holds; a cycle asks for it often, and it seldom changes."""
    return msgspec.json.decode(body, type=Agent)


def require_agent(rows: Rows, name: str) -> Agent:
    """Return one agent; raises UsageError with the nearest name."""
    found = find_agent(rows, safe_name(name))
    if found is None:
        raise unknown_agent(name, agent_names(rows))
    return found


def all_agents(rows: Rows) -> list[Agent]:
    """Return all agents by name."""
    bodies = rows.all(str, "SELECT body FROM agent ORDER BY name")
    return [msgspec.json.decode(body, type=Agent) for body in bodies]


def agent_names(rows: Rows) -> list[str]:
    """Return the names of all agents."""
    return rows.all(str, "SELECT name FROM agent ORDER BY name")


def next_goal_number(rows: Rows, agent: str) -> int:
    """Return the number of the agent's next goal; no number is ever given twice."""
    values = {"agent": agent}
    rows.run("UPDATE agent SET goals_made = goals_made + 1 WHERE name = :agent", values)
    return rows.value(int, "SELECT goals_made FROM agent WHERE name = :agent", values) or 0


def add_goal(rows: Rows, goal: Goal, *, number: int) -> None:
    """Keep a new goal."""
    rows.run(
        "INSERT INTO goal(id, agent, number, text, state, priority, created, updated, sources)"
        " VALUES(:id, :agent, :number, :text, :state, :priority, :created, :updated, :sources)",
        {**_cells(goal), "number": number},
    )


def update_goal(rows: Rows, goal: Goal) -> None:
    """Keep a goal's changed text, state, priority and sources."""
    rows.run(
        "UPDATE goal SET text = :text, state = :state, priority = :priority, updated = :updated,"
        " sources = :sources WHERE id = :id",
        _cells(goal),
    )


def find_goal(rows: Rows, agent: str, goal: str) -> Goal | None:
    """Return one goal of an agent, or None."""
    sql = f"{_GOAL} WHERE agent = :agent AND id = :goal"
    found = rows.one(dict[str, object], sql, {"agent": agent, "goal": goal})
    return None if found is None else msgspec.convert(with_sources(found), Goal)


def goals_of(rows: Rows, agent: str) -> list[Goal]:
    """Return an agent's goals in the order in which they were made."""
    sql = f"{_GOAL} WHERE agent = :agent ORDER BY number"
    found = rows.all(dict[str, object], sql, {"agent": agent})
    return [msgspec.convert(with_sources(row), Goal) for row in found]


def delete_goal(rows: Rows, goal: str) -> None:
    """Forget a goal."""
    rows.run("DELETE FROM goal WHERE id = :goal", {"goal": goal})


def put_note(rows: Rows, note: Note) -> None:
    """Keep a note in the place of any other under its key."""
    rows.run(
        "INSERT INTO note(agent, key, value, updated, sources)"
        " VALUES(:agent, :key, :value, :updated, :sources) ON CONFLICT(agent, key) DO UPDATE SET"
        " value = excluded.value, updated = excluded.updated, sources = excluded.sources",
        _cells(note),
    )


def find_note(rows: Rows, agent: str, key: str) -> Note | None:
    """Return one note of an agent, or None."""
    sql = f"{_NOTE} WHERE agent = :agent AND key = :key"
    found = rows.one(dict[str, object], sql, {"agent": agent, "key": key})
    return None if found is None else msgspec.convert(with_sources(found), Note)


def notes_of(rows: Rows, agent: str) -> list[Note]:
    """Return an agent's notes by key."""
    sql = f"{_NOTE} WHERE agent = :agent ORDER BY key"
    found = rows.all(dict[str, object], sql, {"agent": agent})
    return [msgspec.convert(with_sources(row), Note) for row in found]


def delete_note(rows: Rows, note: Note) -> None:
    """Forget a note."""
    rows.run(
        "DELETE FROM note WHERE agent = :agent AND key = :key",
        {"agent": note.agent, "key": note.key},
    )


def find_lease(rows: Rows, agent: str) -> Lease:
    """Return the lease on an agent, a free one where nobody ever held it."""
    found = rows.one(
        Lease,
        "SELECT agent, epoch, owner, boot, seconds FROM agent_lease WHERE agent = :agent",
        {"agent": agent},
    )
    return found or Lease(agent=agent)


def put_lease(rows: Rows, lease: Lease) -> None:
    """Keep the lease on an agent."""
    rows.run(
        "INSERT INTO agent_lease(agent, epoch, owner, boot, seconds)"
        " VALUES(:agent, :epoch, :owner, :boot, :seconds)"
        " ON CONFLICT(agent) DO UPDATE SET epoch = excluded.epoch, owner = excluded.owner,"
        " boot = excluded.boot, seconds = excluded.seconds",
        _cells(lease),
    )


def free_other_boots(rows: Rows, *, boot: str) -> int:
    """Free agents whose holder ended with the machine; return how many there were."""
    return rows.changed(
        "UPDATE agent_lease SET owner = NULL, boot = '', seconds = 0"
        " WHERE owner IS NOT NULL AND boot <> :boot",
        {"boot": boot},
    )


def _cells(record: Goal | Note | Lease) -> dict[str, Cell]:
    """Return a record's fields as named parameters."""
    cells: dict[str, object] = msgspec.structs.asdict(record)
    if not isinstance(record, Lease):
        cells["sources"] = stored_sources(record.sources)
    return cast("dict[str, Cell]", cells)
