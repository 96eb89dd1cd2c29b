"""Rows of the windows in which memory is consolidated: what each reads, and how far it has come.

A window's row is what makes its work be done once: one is open at a time for an agent, under a
lease, and each of its subjects is done in the transaction that publishes what was decided on it.
"""

from collections.abc import Iterable

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import to_json
from mindpipe.knowledge.records import ConsolidationWindow

SCHEMA = """
    CREATE TABLE consolidation_window(
        agent TEXT NOT NULL, number INTEGER NOT NULL,
        items TEXT NOT NULL CHECK(json_valid(items)),
        lessons TEXT NOT NULL CHECK(json_valid(lessons)),
        reflections TEXT NOT NULL CHECK(json_valid(reflections)),
        entities TEXT NOT NULL CHECK(json_valid(entities)),
        opened TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('claimed', 'done', 'lost')),
        attempts INTEGER NOT NULL, boot TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY(agent, number)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_open_consolidation ON consolidation_window(agent)
        WHERE state = 'claimed';
    CREATE TABLE consolidation_subject(
        agent TEXT NOT NULL, number INTEGER NOT NULL, subject TEXT NOT NULL,
        PRIMARY KEY(agent, number, subject),
        FOREIGN KEY(agent, number) REFERENCES consolidation_window(agent, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE consolidation_mark(
        agent TEXT PRIMARY KEY, item INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE consolidation_ahead(
        agent TEXT NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(agent, item)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX observation_evidence_latest ON observation_evidence(agent, observation, at);
    CREATE INDEX observation_held ON observation(agent, canonical_key)
        WHERE status IN ('active', 'stale');
    CREATE INDEX observation_by_family ON observation(
        agent, kind, subject_id, substr(slot, 1, instr(slot || '_', '_') - 1), valid_from
    ) WHERE status IN ('active', 'stale');
"""

VOICES_SCHEMA = """
    CREATE TABLE consolidation_voice(
        agent TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(agent, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO consolidation_voice
        SELECT DISTINCT agent, speaker FROM observation_evidence WHERE speaker IS NOT NULL;
"""
# See `change`.
ENDED_SCHEMA = "UPDATE consolidation_window SET items = '[]' WHERE state != 'claimed';"
_JSON = frozenset({"items", "lessons", "reflections", "entities"})
_FIELDS = ConsolidationWindow.__struct_fields__


def last(rows: Rows, agent: str) -> ConsolidationWindow | None:
    """Return the latest window of an agent, open or done."""
    found = rows.one(
        dict[str, object],
        f"SELECT {', '.join(_FIELDS)} FROM consolidation_window WHERE agent = :agent "
        "ORDER BY number DESC LIMIT 1",
        {"agent": agent},
    )
    if found is None:
        return None
    read = {name: msgspec.json.decode(str(found[name])) for name in _JSON}
    return msgspec.convert({**found, **read}, ConsolidationWindow)


def add(rows: Rows, window: ConsolidationWindow) -> None:
    """Keep a new window."""
    texts = {name: to_json(getattr(window, name)).decode() for name in _JSON}
    cells = {**msgspec.structs.asdict(window), **texts}
    rows.run(
        f"INSERT INTO consolidation_window({', '.join(_FIELDS)}) "
        f"VALUES({', '.join(f':{name}' for name in _FIELDS)})",
        cells,
    )


def change(rows: Rows, window: ConsolidationWindow, *, held: int) -> int:
    """Keep a window's state and lease if it is at its `held`th attempt still; return 0 if not.

    What an ended one has read is told by marks: SQLite reads whole rows to find one among them,
    so that a long list would make all that follows slow.
    """
    return rows.changed(
        "UPDATE consolidation_window SET state = :state, attempts = :attempts, boot = :boot, "
        "seconds = :seconds, items = CASE WHEN :state = 'claimed' THEN items ELSE '[]' END "
        "WHERE agent = :agent AND number = :number AND state = 'claimed' AND attempts = :held",
        {
            "state": window.state,
            "attempts": window.attempts,
            "boot": window.boot,
            "seconds": window.seconds,
            "agent": window.agent,
            "number": window.number,
            "held": held,
        },
    )


def mark(rows: Rows, agent: str) -> int:
    """Return the number up to which all items of an agent have been read."""
    found = rows.value(
        int, "SELECT item FROM consolidation_mark WHERE agent = :agent", {"agent": agent}
    )
    return found or 0


def move_mark(rows: Rows, agent: str, *, to: int) -> None:
    """Note up to which number all items have been read."""
    rows.run(
        "INSERT INTO consolidation_mark(agent, item) VALUES(:agent, :item) "
        "ON CONFLICT(agent) DO UPDATE SET item = :item",
        {"agent": agent, "item": to},
    )
    rows.run(
        "DELETE FROM consolidation_ahead WHERE agent = :agent AND item <= :item",
        {"agent": agent, "item": to},
    )


def ahead(rows: Rows, agent: str) -> list[int]:
    """Return the items beyond the mark that have been read already, so that no subject waits."""
    return rows.all(
        int,
        "SELECT item FROM consolidation_ahead WHERE agent = :agent ORDER BY item",
        {"agent": agent},
    )


def add_ahead(rows: Rows, agent: str, items: Iterable[int]) -> None:
    """Note items beyond the mark as read."""
    rows.run_many(
        "INSERT INTO consolidation_ahead(agent, item) VALUES(?, ?) "
        "ON CONFLICT(agent, item) DO NOTHING",
        ((agent, item) for item in items),
    )


def subjects(rows: Rows, window: ConsolidationWindow) -> frozenset[str]:
    """Return the subjects of a window that are done."""
    found = rows.all(
        str,
        "SELECT subject FROM consolidation_subject WHERE agent = :agent AND number = :number",
        {"agent": window.agent, "number": window.number},
    )
    return frozenset(found)


def add_subject(rows: Rows, window: ConsolidationWindow, subject: str) -> None:
    """Note a subject of a window as done."""
    rows.run(
        "INSERT INTO consolidation_subject(agent, number, subject) "
        "VALUES(:agent, :number, :subject)",
        {"agent": window.agent, "number": window.number, "subject": subject},
    )


def voices(rows: Rows, agent: str) -> list[str]:
    """Return who has spoken in what an agent remembers, as far as it was consolidated."""
    return rows.all(
        str, "SELECT name FROM consolidation_voice WHERE agent = :agent", {"agent": agent}
    )


def add_voices(rows: Rows, agent: str, names: Iterable[str]) -> None:
    """Note who has spoken."""
    for name in names:
        rows.run(
            "INSERT INTO consolidation_voice(agent, name) VALUES(:agent, :name) "
            "ON CONFLICT(agent, name) DO NOTHING",
            {"agent": agent, "name": name},
        )
