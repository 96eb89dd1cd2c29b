"""Rows of events: the only SQL of the inbox."""

import functools
from collections.abc import Mapping, Sequence
from itertools import chain

import msgspec

from mindpipe.core.events import Priority
from mindpipe.core.instants import deadline
from mindpipe.core.ports import BootTime, Cell, Given, Pair, Rows, Sql
from mindpipe.core.records import Migration, Record, to_json
from mindpipe.core.sources import with_sources
from mindpipe.inbox.content import seq_of
from mindpipe.inbox.ordering import WaitingEvent
from mindpipe.inbox.records import MAX_ATTEMPTS, Event, EventState

# The key's index covers only events that have one, the other index only open events, so that
# neither costs a push without a key more than one short entry.
MIGRATIONS = (
    Migration(
        name="0003_inbox",
        sql="""
    CREATE TABLE event(
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        agent TEXT NOT NULL,
        type TEXT NOT NULL,
        source TEXT NOT NULL,
        key TEXT,
        priority INTEGER NOT NULL,
        asked INTEGER,
        due TEXT,
        space TEXT,
        sender TEXT,
        text TEXT,
        body TEXT,
        lossy INTEGER NOT NULL DEFAULT 0,
        original TEXT,
        pushed TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'ready',
        attempts INTEGER NOT NULL DEFAULT 0,
        epoch INTEGER NOT NULL DEFAULT 0,
        owner TEXT,
        lease_boot TEXT,
        lease_seconds REAL,
        retry_boot TEXT,
        retry_seconds REAL,
        retry_at TEXT,
        outcome TEXT,
        reason TEXT
    ) STRICT;
    CREATE INDEX event_open ON event(agent, priority) WHERE state IN ('ready', 'leased');
    CREATE UNIQUE INDEX event_key ON event(agent, source, key) WHERE key IS NOT NULL;
    """,
    ),
    Migration(
        name="0010_event_sources",
        sql="""
    ALTER TABLE event ADD COLUMN sources TEXT;
    ALTER TABLE event ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0;
    """,
    ),
    Migration(
        name="0069_open_in_order",
        # Entries of a file's index are in the order of the rows; a server's are not, and it reads
        # all of them for one row where it remembers that they were few. So that only who names the
        # priority is led to them. Those of a drained inbox are in the way until they are vacuumed.
        sql="",
        postgres="""
    DROP INDEX event_open;
    CREATE INDEX event_open ON event(agent, priority, seq)
        WHERE priority >= 0 AND state IN ('ready', 'leased');
    ALTER TABLE event
        SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
    """,
    ),
)

# Rows per statement: the cost of running a statement is shared by this many events.
_GROUP = 50
_COLUMNS = (
    "seq",
    "id",
    "agent",
    "type",
    "source",
    "key",
    "priority",
    "asked",
    "due",
    "space",
    "sender",
    "text",
    "body",
    "lossy",
    "original",
    "pushed",
    "sources",
)
_SHOWN = ", ".join(
    (*_COLUMNS, "state", "attempts", "epoch", "owner", "outcome", "reason", "cleared")
)
OPEN = "state IN ('ready', 'leased')"
OPEN_OF = f"agent = :agent AND priority >= 0 AND {OPEN}"
"""The open events of an agent, by their index; see `0069_open_in_order`."""
# Another boot id means that the machine was down for longer than any lease or delay.
CLAIMABLE = """(
    (state = 'ready' AND (due IS NULL OR due <= :now) AND (
        retry_at IS NULL OR retry_at <= :now OR retry_boot <> :boot OR retry_seconds <= :seconds))
    OR (state = 'leased' AND (lease_boot <> :boot OR lease_seconds <= :seconds))
)"""


def of_each(text: str, priorities: Sequence[int]) -> Pair:
    """Return a statement `text` of <open> events of each of some priorities, which end <in order>.

    A server is asked for a range of one, and for the order of the index of open events, which no
    other has: it would follow another one where it remembers that nearly all rows were open.
    """
    asked = text.replace("<open>", f"agent = :agent AND <priority> AND {OPEN}")
    asked = asked.replace("<in order>", "ORDER BY priority, seq")

    def of(one: str) -> str:
        named = (one.replace("<it>", f"{int(priority)}") for priority in priorities)
        return " UNION ALL ".join(asked.replace("<priority>", each) for each in named)

    return Pair(sqlite=of("priority = <it>"), postgres=of("priority BETWEEN <it> AND <it>"))


_HEAD = f"""SELECT * FROM (SELECT seq, epoch, priority, pushed, attempts, due FROM event
    WHERE <open> AND seq > :after AND {CLAIMABLE} <in order> LIMIT :limit) AS head"""
_NUMBERS = of_each(
    """SELECT coalesce((SELECT seq FROM event WHERE <open> ORDER BY priority DESC, seq DESC LIMIT 1)
    - (SELECT seq FROM event WHERE <open> <in order> LIMIT 1) + 1, 0) AS numbers""",
    tuple(Priority),
)
_FEW = 100
"""So many are counted one by one: no more is read than for the first and the last of all."""
_HEADS = of_each(_HEAD, tuple(Priority))
_HEAD_OF = {priority: of_each(_HEAD, (priority,)) for priority in Priority}
_KEY_IS_THERE = "ON CONFLICT(agent, source, key) WHERE key IS NOT NULL DO NOTHING"
_FREE = "owner = NULL, lease_boot = NULL, lease_seconds = NULL"
_HELD = "WHERE seq = :seq AND state = 'leased' AND epoch = :epoch"
_LEASES = (
    "UPDATE event SET state = 'leased', epoch = epoch + 1, attempts = attempts + 1,"
    " owner = :owner, lease_boot = :until_boot, lease_seconds = :until,"
    " retry_boot = NULL, retry_seconds = NULL, retry_at = NULL WHERE seq"
)
_LEASE_ADOPTED = f"{_LEASES} IN :seqs AND {OPEN} RETURNING {_SHOWN}"
LEASE = Pair(
    sqlite=_LEASE_ADOPTED,
    postgres=f"{_LEASES} IN (SELECT seq FROM event WHERE seq IN :seqs AND {OPEN} AND {CLAIMABLE}"
    f" FOR UPDATE SKIP LOCKED) RETURNING {_SHOWN}",
)


class ClockPair(Record):
    """Now, on the wall clock and on the one since boot."""

    wall: str
    boot: BootTime

    def values(self) -> dict[str, Cell]:
        """Return the parameters of what depends on the time."""
        return {"now": self.wall, "boot": self.boot.boot, "seconds": self.boot.seconds}


class EventClaim(Record):
    """Who takes events, and for how many seconds."""

    owner: str
    seconds: float


class EventReturn(Record):
    """An event given back: its attempts, when it is due again on both clocks, and why."""

    attempts: int
    reason: str
    boot: BootTime | None = None
    wall: str | None = None


def last_seq(rows: Rows) -> int:
    """Return the number of the newest event, or 0."""
    return rows.value(int, "SELECT max(seq) FROM event") or 0


_TAKE = Pair(
    sqlite="SELECT max(coalesce((SELECT max(seq) FROM event), 0), :taken) + 1",
    postgres="SELECT take_numbers('event', 'seq', :count, :taken)",
)
_GIVE_BACK = Pair(sqlite="SELECT 0", postgres="SELECT give_back('event', 'seq', :used, :last)")


def take_seqs(rows: Rows, *, count: int, taken: int) -> int:
    """Return the first of so many numbers in a row that nobody else gets, all behind `taken`.

    In a file they are free until they are used; there `taken` says what this transaction took.
    """
    found = rows.value(int, _TAKE, {"count": count, "taken": taken})
    return found or taken + 1


def give_back_seqs(rows: Rows, *, used: int, last: int) -> None:
    """Let others take the numbers behind `used` up to `last`, which are not needed."""
    rows.value(int, _GIVE_BACK, {"used": used, "last": last})


def arrived(rows: Rows, *, agent: str, after: int) -> int:
    """Return how many events of an agent came after a number; it reads these alone."""
    sql = "SELECT count(*) FROM event WHERE seq > :after AND agent = :agent"
    return rows.value(int, sql, {"agent": agent, "after": after}) or 0


def add_events(rows: Rows, *, same: Mapping[str, Cell], each: Mapping[str, Sequence[Cell]]) -> None:
    """Insert events: cells they share, and columns; one whose key is there is passed over."""
    shared = tuple(name for name in _COLUMNS if name in same)
    own = tuple(name for name in _COLUMNS if name in each)
    head = tuple(same[name] for name in shared)
    filled = list(zip(*(each[name] for name in own), strict=True))
    whole = len(filled) - len(filled) % _GROUP
    groups = (
        (*head, *chain.from_iterable(filled[at : at + _GROUP])) for at in range(0, whole, _GROUP)
    )
    if whole:
        rows.run_many(_insertion(shared, own, _GROUP), groups)
    if whole < len(filled):
        one_by_one = ((*head, *row) for row in filled[whole:])
        rows.run_many(_insertion(shared, own, 1), one_by_one)


@functools.cache
def _insertion(shared: tuple[str, ...], own: tuple[str, ...], events: int) -> str:
    """Return the statement that inserts so many events, with shared cells bound only once."""
    head = [f"?{number}" for number in range(1, len(shared) + 1)]
    rows = [
        ", ".join(head + [f"?{first + place}" for place in range(len(own))])
        for first in range(len(shared) + 1, len(shared) + 1 + events * len(own), len(own))
    ]
    columns = ", ".join((*shared, *own))
    # Nothing but a key that is there is passed over: a row that breaks another rule is an error.
    return f"INSERT INTO event({columns}) VALUES ({'), ('.join(rows)}) {_KEY_IS_THERE}"


def missing_seqs(rows: Rows, *, first: int, last: int) -> list[int]:
    """Return which of the numbers from first to last no event has: its key was there already."""
    span = {"first": first, "last": last}
    where = "FROM event WHERE seq BETWEEN :first AND :last"
    if rows.value(int, f"SELECT count(*) {where}", span) == last - first + 1:
        return []
    there = set(rows.all(int, f"SELECT seq {where}", span))
    return [seq for seq in range(first, last + 1) if seq not in there]


def _events(rows: Rows, sql: Sql, values: Mapping[str, Given]) -> list[Event]:
    """Return the events that a statement names."""
    return [_event(row) for row in rows.all(dict[str, object], sql, values)]


def _event(row: dict[str, object]) -> Event:
    """Return a row as an event."""
    body = row["body"]
    row["body"] = {} if body is None else msgspec.json.decode(str(body))
    return msgspec.convert(with_sources(row), Event, strict=False)


def find_event(rows: Rows, event_id: str) -> Event | None:
    """Return one event, or None."""
    seq = seq_of(event_id)
    if seq is None:
        return None
    sql = f"SELECT {_SHOWN} FROM event WHERE id = :id"
    values: dict[str, Given] = {"id": event_id, "seq": seq}
    found = _events(rows, f"{sql} AND seq = :seq", values) or _events(rows, sql, values)
    return found[0] if found else None


def seqs_of(rows: Rows, ids: Sequence[str]) -> list[int]:
    """Return the numbers of those of some events that there are, in order.

    An id ends in the number; but of a life that came from another store the numbers moved.
    """
    numbers = {one: seq for one in ids if (seq := seq_of(one)) is not None}
    values: dict[str, Given] = {"ids": list(numbers), "seqs": list(numbers.values())}
    sql = "SELECT seq FROM event WHERE id IN :ids"
    found = rows.all(int, f"{sql} AND seq IN :seqs ORDER BY seq", values)
    return found if len(found) == len(numbers) else rows.all(int, f"{sql} ORDER BY seq", values)


def find_key(rows: Rows, *, agent: str, source: str, key: str) -> Event | None:
    """Return the event that was pushed under a key, or under none with the key as its id."""
    found = _events(
        rows,
        f"SELECT {_SHOWN} FROM event WHERE agent = :agent AND source = :source AND key = :key",
        {"agent": agent, "source": source, "key": key},
    )
    if found:
        return found[0]
    same = find_event(rows, key)
    keyless = same is not None and same.key is None
    return same if same and keyless and (same.agent, same.source) == (agent, source) else None


def events_at(rows: Rows, seqs: Sequence[int]) -> list[Event]:
    """Return the events of these numbers in order of arrival."""
    sql = f"SELECT {_SHOWN} FROM event WHERE seq IN :seqs ORDER BY seq"
    return _events(rows, sql, {"seqs": list(seqs)})


def events_after(rows: Rows, *, agent: str, after: int, sources: Sequence[str]) -> list[Event]:
    """Return an agent's events of some sources that came after a number, in order of arrival."""
    return _events(
        rows,
        f"SELECT {_SHOWN} FROM event WHERE seq > :after AND agent = :agent"
        " AND source IN :sources ORDER BY seq",
        {"agent": agent, "after": after, "sources": list(sources)},
    )


def put_event(rows: Rows, event: Event) -> None:
    """Insert an event as it stands, with its number and state."""
    fields = msgspec.structs.asdict(event)
    fields.pop("files")
    fields |= {
        "state": event.state.value,
        "body": to_json(event.body).decode() if event.body else None,
        "sources": to_json(event.sources).decode() if event.sources else None,
    }
    columns = _SHOWN.split(", ")
    marks = ", ".join(f":{name}" for name in columns)
    rows.run(f"INSERT INTO event({_SHOWN}) VALUES({marks})", fields)


def list_events(
    rows: Rows, *, agent: str, states: Sequence[EventState], limit: int, offset: int
) -> list[Event]:
    """Return an agent's events in some states, most urgent first, then in order of arrival."""
    return _events(
        rows,
        f"SELECT {_SHOWN} FROM event WHERE agent = :agent AND state IN :states"
        " ORDER BY priority, seq LIMIT :limit OFFSET :offset",
        {
            "agent": agent,
            "states": [state.value for state in states],
            "limit": limit,
            "offset": offset,
        },
    )


def count_open(rows: Rows, *, agent: str, most: int) -> int:
    """Return how many open events an agent has, counting no further than `most`."""
    # In the order of their index, else a server that goes by an old plan reads the whole table.
    first = f"SELECT 1 FROM event WHERE {OPEN_OF} ORDER BY priority, seq LIMIT :most"
    sql = f"SELECT count(*) FROM ({first}) AS first"
    return rows.value(int, sql, {"agent": agent, "most": most}) or 0


def has_room(rows: Rows, *, agent: str, most: int) -> bool:
    """Tell whether an agent has no more open events than `most`, as far as that is seen at once.

    It reads a few rows, however many wait: of each priority there are no more events than numbers
    from its first to its last.
    """
    if (few := count_open(rows, agent=agent, most=_FEW)) < _FEW:
        return few <= most
    return sum(rows.all(int, _NUMBERS, {"agent": agent})) <= most


def count_open_of(rows: Rows, *, agent: str, source: str) -> int:
    """Return how many open events of one source an agent has."""
    sql = f"SELECT count(*) FROM event WHERE {OPEN_OF} AND source = :source"
    return rows.value(int, sql, {"agent": agent, "source": source}) or 0


def heads(
    rows: Rows, *, agent: str, now: ClockPair, limit: int, after: int = 0
) -> list[WaitingEvent]:
    """Return, of each priority, the first `limit` events behind `after` that may be claimed now."""
    values = {"agent": agent, "limit": limit, "after": after, **now.values()}
    return rows.all(WaitingEvent, _HEADS, values)


def head_of(
    rows: Rows, *, agent: str, now: ClockPair, priority: int, limit: int
) -> list[WaitingEvent]:
    """Return the first `limit` events of one priority that may be claimed now."""
    values = {"agent": agent, "limit": limit, "after": 0, **now.values()}
    return rows.all(WaitingEvent, _HEAD_OF[Priority(priority)], values)


def among(rows: Rows, *, agent: str, now: ClockPair, ids: Sequence[str]) -> list[WaitingEvent]:
    """Return those of some events that may be claimed now."""
    return rows.all(
        WaitingEvent,
        "SELECT seq, epoch, priority, pushed, attempts, due FROM event"
        " WHERE seq IN :seqs AND agent = :agent"
        f" AND id IN :ids AND {OPEN} AND {CLAIMABLE} ORDER BY seq",
        {"agent": agent, "ids": list(ids), "seqs": seqs_of(rows, ids), **now.values()},
    )


def oldest(
    rows: Rows, *, agent: str, now: ClockPair, limit: int, after: int = 0
) -> list[WaitingEvent]:
    """Return the first `limit` events behind `after` that may be claimed now, the oldest first."""
    found = heads(rows, agent=agent, now=now, limit=limit, after=after)
    return sorted(found, key=lambda one: one.seq)[:limit]


def is_due(rows: Rows, event: Event, *, now: ClockPair) -> bool:
    """Tell whether one event may be claimed now."""
    sql = f"SELECT count(*) FROM event WHERE seq = :seq AND {CLAIMABLE}"
    return rows.value(int, sql, {"seq": event.seq, **now.values()}) == 1


def lease(
    rows: Rows, seqs: Sequence[int], *, claim: EventClaim, now: ClockPair, adopts: bool = False
) -> list[Event]:
    """Let an owner hold open events: new epoch, one attempt more; return them by arrival.

    Those that somebody else takes at the same time, or has taken, are not among them; who `adopts`
    takes what is held.
    """
    until = deadline(now.boot, seconds=claim.seconds)
    found = _events(
        rows,
        _LEASE_ADOPTED if adopts else LEASE,
        {
            "owner": claim.owner,
            "until_boot": until.boot,
            "until": until.seconds,
            "seqs": list(seqs),
            **now.values(),
        },
    )
    return sorted(found, key=lambda event: event.seq)


def extend(rows: Rows, event: Event, *, until: BootTime) -> Event | None:
    """Move the deadline of a held event; return it as it is then, or None if it was not held."""
    values = {"boot": until.boot, "until": until.seconds, **_held(event)}
    return _changed(rows, "lease_boot = :boot, lease_seconds = :until", values)


def finish(rows: Rows, event: Event, *, outcome: str) -> Event | None:
    """Make a held event done; return it as it is then, or None if it was not held any more."""
    values = {"outcome": outcome, **_held(event)}
    return _changed(rows, f"state = 'done', outcome = :outcome, {_FREE}", values)


def put_back(rows: Rows, event: Event, waiting: EventReturn) -> Event | None:
    """Make a held event ready again, perhaps later; return it so, or None if it was not held."""
    values: dict[str, Cell] = {
        "attempts": waiting.attempts,
        "reason": waiting.reason,
        "boot": waiting.boot.boot if waiting.boot else None,
        "seconds": waiting.boot.seconds if waiting.boot else None,
        "at": waiting.wall,
        **_held(event),
    }
    put = (
        "state = 'ready', attempts = :attempts, reason = :reason,"
        f" retry_boot = :boot, retry_seconds = :seconds, retry_at = :at, {_FREE}"
    )
    return _changed(rows, put, values)


def _changed(rows: Rows, put: str, values: Mapping[str, Cell]) -> Event | None:
    """Change an event that is still held as it is said to be; return it as it is then."""
    found = _events(rows, f"UPDATE event SET {put} {_HELD} RETURNING {_SHOWN}", values)
    return found[0] if found else None


def free_other_boots(rows: Rows, *, boot: str) -> int:
    """Make events ready whose holder ended with the machine; return how many there were."""
    return rows.changed(
        f"UPDATE event SET state = 'ready', {_FREE} WHERE state = 'leased' AND lease_boot <> :boot",
        {"boot": boot},
    )


def bury(rows: Rows, event: Event, *, reason: str) -> bool:
    """Make an open event dead; tell whether it was still as it is said to be."""
    sql = (
        f"UPDATE event SET state = 'dead', reason = :reason, {_FREE} WHERE seq = :seq "
        f"AND epoch = :epoch AND state = :state AND {OPEN}"
    )
    values = {"reason": reason, "state": event.state.value, **_held(event)}
    return rows.changed(sql, values) == 1


def use_up(rows: Rows, seqs: Sequence[int], *, words: str) -> None:
    """Make open events dead because nothing came of them, with the last reason that was given."""
    rows.run(
        "UPDATE event SET state = 'dead', reason = :words || coalesce('; last: ' || reason, ''),"
        f" {_FREE} WHERE seq IN :seqs AND {OPEN} AND attempts >= :most",
        {"words": words, "seqs": list(seqs), "most": MAX_ATTEMPTS},
    )


def revive(rows: Rows, seqs: Sequence[int]) -> None:
    """Make dead events ready, with all attempts before them."""
    rows.run(
        "UPDATE event SET state = 'ready', attempts = 0, reason = NULL, retry_at = NULL"
        " WHERE seq IN :seqs AND state = 'dead'",
        {"seqs": list(seqs)},
    )


def clear(rows: Rows, event: Event) -> None:
    """Mark an event as one that the operator vouches for."""
    rows.run("UPDATE event SET cleared = 1 WHERE seq = :seq", {"seq": event.seq})


def cleared_keys(
    rows: Rows, *, agent: str, sources: Sequence[str], keys: Sequence[str]
) -> list[str]:
    """Return under which of some keys events of some sources rest that the operator vouches for."""
    return rows.all(
        str,
        "SELECT key FROM event WHERE agent = :agent AND cleared = 1 "
        "AND source IN :sources AND key IN :keys",
        {"agent": agent, "sources": list(sources), "keys": list(keys)},
    )


def _held(event: Event) -> dict[str, Cell]:
    """Return the parameters that name an event under its epoch."""
    return {"seq": event.seq, "epoch": event.epoch}
