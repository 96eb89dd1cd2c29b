"""The history's rows: messages and their chain, cycles, segments, blobs, imports and the index."""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

import msgspec

from mindpipe.core.messages import FilePart
from mindpipe.core.ports import Cell, Given, Pair, Rows
from mindpipe.core.records import Migration, Record, to_json
from mindpipe.core.triggers import not_replaced
from mindpipe.history.records import (
    CarriedRows,
    Cycle,
    CycleSource,
    CycleTokens,
    LogEnd,
    LogHead,
    Match,
    MessageRow,
    OctetRow,
    Redaction,
    SegmentRow,
    StoredImport,
)


def _added_only(table: str, actions: Iterable[str]) -> str:
    """Return triggers that refuse to change a row of a table."""
    return "".join(
        f"CREATE TRIGGER {table}_{action} BEFORE {action} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END;"
        for action in actions
    )


_APPEND_ONLY = "".join(
    _added_only(table, actions)
    for table, actions in (
        ("message", ("UPDATE", "DELETE")),
        ("segment", ("UPDATE", "DELETE")),
        ("call_id", ("UPDATE", "DELETE")),
        ("import", ("UPDATE", "DELETE")),
        ("blob", ("UPDATE",)),
    )
)
MIGRATIONS = (
    Migration(
        name="0006_history",
        sql=f"""
        CREATE TABLE message(
            number INTEGER PRIMARY KEY,
            agent TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
            segment INTEGER NOT NULL, cycle INTEGER NOT NULL, turn INTEGER NOT NULL,
            role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool', 'note')),
            parts TEXT NOT NULL, raw TEXT, origin TEXT NOT NULL,
            taint INTEGER NOT NULL, synthetic INTEGER NOT NULL, at TEXT NOT NULL,
            tokens INTEGER NOT NULL, tokenizer TEXT NOT NULL, source TEXT, sha256 TEXT NOT NULL,
            UNIQUE(agent, seq), UNIQUE(agent, id)
        ) STRICT;
        CREATE INDEX message_by_cycle ON message(agent, cycle, seq);
        CREATE TABLE call_id(
            agent TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY(agent, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cycle(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('open', 'closed', 'failed')), outcome TEXT,
            trigger TEXT NOT NULL, events TEXT NOT NULL, model TEXT NOT NULL,
            input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
            cost_micros INTEGER NOT NULL DEFAULT 0, milliseconds INTEGER NOT NULL DEFAULT 0,
            opened TEXT NOT NULL, closed TEXT, epoch INTEGER NOT NULL DEFAULT 0, reason TEXT,
            PRIMARY KEY(agent, cycle)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX one_open_cycle ON cycle(agent) WHERE state='open';
        CREATE TABLE segment(
            agent TEXT NOT NULL, segment INTEGER NOT NULL, head_sha256 TEXT NOT NULL,
            target TEXT NOT NULL, first_cycle INTEGER NOT NULL, raw_from_cycle INTEGER NOT NULL,
            reason TEXT NOT NULL, opened TEXT NOT NULL, sha256 TEXT NOT NULL,
            PRIMARY KEY(agent, segment)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE blob(sha256 TEXT PRIMARY KEY, octets BLOB NOT NULL) STRICT;
        CREATE TABLE import(
            agent TEXT NOT NULL, id TEXT NOT NULL, format TEXT NOT NULL, name TEXT NOT NULL,
            document_sha256 TEXT NOT NULL, position INTEGER NOT NULL,
            envelope_sha256 TEXT NOT NULL, segment INTEGER NOT NULL,
            first_cycle INTEGER NOT NULL, last_cycle INTEGER NOT NULL,
            first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY(agent, id), UNIQUE(agent, format, document_sha256, position)
        ) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE message_text USING fts5(
            text, content='', tokenize='unicode61 remove_diacritics 2'
        );
        {_APPEND_ONLY}
        """,
    ),
    Migration(
        name="0018_cached_tokens",
        sql="ALTER TABLE cycle ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;",
    ),
    Migration(
        name="0046_history_not_replaced",
        sql="".join(
            (
                not_replaced("message", "number", "agent seq", "agent id"),
                not_replaced("segment", "agent segment"),
                not_replaced("call_id", "agent id"),
                not_replaced("import", "agent id", "agent format document_sha256 position"),
                not_replaced("blob", "sha256", "rowid", silently=True),
            )
        ),
    ),
    Migration(
        name="0055_attachments",
        sql=f"""
        CREATE TABLE attachment(
            owner TEXT NOT NULL, place INTEGER NOT NULL CHECK(place >= 1), sha256 TEXT NOT NULL,
            media_type TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL, pages INTEGER NOT NULL,
            PRIMARY KEY(owner, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attachment_blob ON attachment(sha256);
        {_added_only("attachment", ("UPDATE",))}
        {not_replaced("attachment", "owner place")}
        """,
    ),
    Migration(
        name="0059_carried",
        sql="""
        CREATE TABLE carried(
            agent TEXT NOT NULL, upto INTEGER NOT NULL, moved INTEGER NOT NULL CHECK(moved >= 0),
            PRIMARY KEY(agent, upto)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
    Migration(
        name="0063_redactions",
        sql="""
        CREATE TABLE redaction(
            agent TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
            cycle INTEGER NOT NULL, rows INTEGER NOT NULL,
            messages TEXT NOT NULL CHECK(json_valid(messages)),
            segments TEXT NOT NULL CHECK(json_valid(segments)),
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
)

_MESSAGE = ", ".join(MessageRow.__struct_fields__)
_MESSAGE_MARKS = ", ".join("?" * len(MessageRow.__struct_fields__))
_CYCLE = ", ".join(Cycle.__struct_fields__)
_CYCLE_CHANGES = ", ".join(
    f"{name}=:{name}" for name in Cycle.__struct_fields__ if name not in {"agent", "cycle"}
)
_TEXTS = msgspec.json.Decoder(tuple[str, ...])
_NUMBERS = msgspec.json.Decoder(tuple[int, ...])
_SEGMENT = ", ".join(SegmentRow.__struct_fields__)
_IMPORT = ", ".join(StoredImport.__struct_fields__)
_FILE = ", ".join(FilePart.__struct_fields__)
_NEVER = (1 << 63) - 1
# Words are found by what each engine has for it: by FTS5, or by the text search of a server, which
# ranks by how often and how near to each other they stand, whatever else is said in the store.
_INSERT_TEXT = Pair(
    sqlite="INSERT INTO message_text(rowid, text) VALUES(?, ?)",
    postgres="INSERT INTO message_text(number, words) VALUES(?, words_of(?))",
)
_DELETE_TEXT = Pair(
    sqlite="INSERT INTO message_text(message_text, rowid, text) VALUES('delete', ?, ?)",
    postgres="DELETE FROM message_text WHERE number = ? AND CAST(? AS TEXT) IS NOT NULL",
)
_CLEAR_INDEX = Pair(
    sqlite="INSERT INTO message_text(message_text) VALUES('delete-all')",
    postgres="DELETE FROM message_text",
)
_MATCHES = Pair(
    sqlite="SELECT m.seq AS seq, -t.rank AS weight FROM message_text AS t "
    "JOIN message AS m ON m.number=t.rowid WHERE t.message_text MATCH :query "
    "AND m.agent=:agent ORDER BY t.rank, t.rowid DESC LIMIT :limit",
    postgres="SELECT m.seq AS seq, CAST(ts_rank(t.words, sought, 1) AS DOUBLE PRECISION) AS weight "
    "FROM words_sought(:query) AS sought JOIN message_text AS t ON t.words @@ sought "
    "JOIN message AS m ON m.number=t.number WHERE m.agent=:agent "
    "ORDER BY weight DESC, t.number DESC LIMIT :limit",
)
_HOLDING = Pair(
    sqlite="SELECT DISTINCT cycle FROM (SELECT m.cycle AS cycle FROM message_text AS t "
    "JOIN message AS m ON m.number=t.rowid WHERE t.message_text MATCH :query "
    "AND m.agent=:agent AND m.role != 'note' ORDER BY t.rowid DESC LIMIT :limit)",
    postgres="SELECT DISTINCT cycle FROM (SELECT m.cycle AS cycle FROM words_sought(:query) "
    "AS sought JOIN message_text AS t ON t.words @@ sought JOIN message AS m ON m.number=t.number "
    "WHERE m.agent=:agent AND m.role != 'note' ORDER BY t.number DESC LIMIT :limit) AS held "
    "ORDER BY cycle",
)
_TEXT = frozenset({"agent", "id", "role", "parts", "raw", "origin", "at", "tokenizer", "source"})


def _octet_page(octets: str) -> str:
    """Return the statement that reads rows as octets, with what makes octets of a text."""
    columns = ", ".join(
        f"{octets.format(f'm.{name}')} AS {name}" if name in _TEXT | {"sha256"} else f"m.{name}"
        for name in MessageRow.__struct_fields__
    )
    return (
        f"SELECT {columns}, (SELECT {octets.format('s.sha256')} FROM segment AS s WHERE "
        "s.agent=m.agent AND s.segment=m.segment) AS segment_sha256 FROM message AS m "
        "WHERE m.number IN (SELECT number FROM message WHERE agent=:agent AND seq > :after "
        "ORDER BY seq LIMIT :limit) ORDER BY m.seq"
    )


_OCTET_PAGE = Pair(
    sqlite=_octet_page("CAST({} AS BLOB)"), postgres=_octet_page("convert_to({}, 'UTF8')")
)


def log_head(rows: Rows, *, agent: str) -> LogHead:
    """Return where an agent's log ends."""
    found = rows.one(
        LogHead,
        "SELECT agent, seq, segment, cycle, turn, role, sha256, "
        "coalesce((SELECT max(turn) FROM message AS spoken WHERE spoken.agent=last.agent "
        "AND spoken.cycle=last.cycle AND spoken.role != 'note'), 0) AS answered "
        "FROM message AS last WHERE agent=:agent ORDER BY seq DESC LIMIT 1",
        {"agent": agent},
    )
    return found or LogHead(agent=agent)


def end_of_log(rows: Rows, *, agent: str, cycle: int | None = None) -> LogEnd:
    """Return where an agent's log ends, or ended with a cycle."""
    # The sign keeps SQLite from sorting all of the log by the index of its cycles.
    found = rows.one(
        LogEnd,
        "SELECT seq, sha256 FROM message WHERE agent=:agent AND +cycle <= :cycle "
        "ORDER BY seq DESC LIMIT 1",
        {"agent": agent, "cycle": _NEVER if cycle is None else cycle},
    )
    return found or LogEnd()


_TAKE = Pair(
    sqlite="SELECT coalesce(max(number), 0) + 1 FROM message",
    postgres="SELECT take_numbers('message', 'number', :count, 0)",
)


def take_numbers(rows: Rows, *, count: int) -> int:
    """Return the first of so many numbers in a row that the next messages of an agent get."""
    return rows.value(int, _TAKE, {"count": count}) or 1


def insert_messages(rows: Rows, messages: Iterable[MessageRow]) -> None:
    """Add rows to the log."""
    rows.run_many(
        f"INSERT INTO message({_MESSAGE}) VALUES({_MESSAGE_MARKS})",
        map(msgspec.structs.astuple, messages),
    )


def insert_text(rows: Rows, texts: Iterable[tuple[int, str]]) -> None:
    """Make messages findable: (number, text) each."""
    rows.run_many(_INSERT_TEXT, texts)


def delete_text(rows: Rows, texts: Iterable[tuple[int, str]]) -> None:
    """Let messages be found no more: (number, text) each, as they were put in."""
    rows.run_many(_DELETE_TEXT, texts)


def carried(rows: Rows, *, agent: str) -> list[CarriedRows]:
    """Return what of an agent's log came from another store, oldest first."""
    sql = "SELECT upto, moved FROM carried WHERE agent=:agent ORDER BY upto"
    return rows.all(CarriedRows, sql, {"agent": agent})


def insert_carried(rows: Rows, *, agent: str, one: CarriedRows) -> None:
    """Note that the log up to some row came from another store; what was noted before stands."""
    rows.run(
        "INSERT INTO carried(agent, upto, moved) VALUES(:agent, :upto, :moved) "
        "ON CONFLICT(agent, upto) DO NOTHING",
        {"agent": agent, **msgspec.structs.asdict(one)},
    )


def redactions(rows: Rows, *, agent: str) -> list[Redaction]:
    """Return what was taken out of an agent's life, in order."""
    sql = (
        "SELECT agent, number, at, cycle, rows, messages, segments FROM redaction "
        "WHERE agent = :agent ORDER BY number"
    )
    found = rows.all(dict[str, object], sql, {"agent": agent})
    return [
        msgspec.convert(
            {
                **row,
                "messages": _TEXTS.decode(str(row["messages"])),
                "segments": _NUMBERS.decode(str(row["segments"])),
            },
            Redaction,
        )
        for row in found
    ]


def insert_redaction(rows: Rows, one: Redaction) -> None:
    """Keep what was taken out of a life."""
    rows.run(
        "INSERT INTO redaction(agent, number, at, cycle, rows, messages, segments) "
        "VALUES(:agent, :number, :at, :cycle, :rows, :messages, :segments)",
        {
            **msgspec.structs.asdict(one),
            "messages": to_json(one.messages).decode(),
            "segments": to_json(one.segments).decode(),
        },
    )


def count_index_gaps(rows: Rows) -> int:
    """Return how many messages have no entry in the index, or entries no message."""
    return rows.value(int, Pair(_gaps("rowid"), _gaps("number"))) or 0


def _gaps(number: str) -> str:
    """Return what counts the messages without an entry, and the entries without a message."""
    return (
        f"SELECT count(*) FROM (SELECT number FROM message EXCEPT SELECT {number} FROM message_text"
        f" UNION ALL SELECT * FROM (SELECT {number} FROM message_text EXCEPT "
        "SELECT number FROM message) AS gone) AS gaps"
    )


def clear_index(rows: Rows) -> None:
    """Forget the words of all messages."""
    rows.run(_CLEAR_INDEX)


_FORGET_TEXTS = Pair(
    # What words it had would have to be said of each; of all it is forgotten at once.
    sqlite=_CLEAR_INDEX.sqlite,
    postgres="DELETE FROM message_text "
    "WHERE number IN (SELECT number FROM message WHERE agent IN :agents)",
)


def forget_texts(rows: Rows, *, agents: Iterable[str]) -> None:
    """Forget the words of the messages of some agents; in a file those of all."""
    rows.run(_FORGET_TEXTS, {"agents": [*agents]})


def numbered_parts(
    rows: Rows, *, after: int, agent: str | None = None
) -> Iterator[tuple[int, str]]:
    """Yield the number and the parts, as JSON, of messages of an agent or all, in their order."""
    sql = "SELECT number, parts FROM message WHERE number > :after ORDER BY number"
    values: dict[str, Cell] = {"after": after}
    if agent is not None:
        sql = sql.replace("ORDER", "AND agent = :agent ORDER")
        values["agent"] = agent
    for number, parts in rows.each(tuple, sql, values):
        yield int(str(number)), str(parts)


def insert_calls(rows: Rows, *, agent: str, ids: Iterable[str]) -> None:
    """Remember call ids as used."""
    rows.run_many("INSERT INTO call_id(agent, id) VALUES(?, ?)", ((agent, one) for one in ids))


def used_ids(
    rows: Rows, *, table: Literal["message", "call_id"], agent: str, ids: Collection[str]
) -> list[str]:
    """Return those of some ids that the agent's log already has, for messages or for calls."""
    return rows.all(
        str,
        f"SELECT id FROM {table} WHERE agent=:agent AND id IN :ids",
        {"agent": agent, "ids": [*ids]},
    )


def page(rows: Rows, *, agent: str, after: int, until: int | None, limit: int) -> list[MessageRow]:
    """Return the messages whose seq is over `after` and not over `until`, oldest first."""
    return rows.all(
        MessageRow,
        f"SELECT {_MESSAGE} FROM message WHERE agent=:agent AND seq > :after "
        "AND (CAST(:until AS BIGINT) IS NULL OR seq <= :until) ORDER BY seq LIMIT :limit",
        {"agent": agent, "after": after, "until": until, "limit": limit},
    )


def from_cycle(rows: Rows, *, agent: str, cycle: int, until: int | None = None) -> list[MessageRow]:
    """Return all messages from a cycle on, up to `until`; what lies outside is not touched."""
    return rows.all(
        MessageRow,
        f"SELECT {_MESSAGE} FROM message "
        "WHERE agent=:agent AND cycle BETWEEN :cycle AND :until ORDER BY cycle, seq",
        {"agent": agent, "cycle": cycle, "until": _NEVER if until is None else until},
    )


def message_by_id(rows: Rows, *, agent: str, id: str) -> MessageRow | None:
    """Return one message, or None."""
    sql = f"SELECT {_MESSAGE} FROM message WHERE agent=:agent AND id=:id"
    return rows.one(MessageRow, sql, {"agent": agent, "id": id})


def seqs_of_cycle(rows: Rows, *, agent: str, cycle: int) -> tuple[int, int] | None:
    """Return the first and last seq of a cycle's messages, or None where it has none."""
    sql = "SELECT {}(seq) FROM message WHERE agent=:agent AND cycle=:cycle"
    values: dict[str, Cell] = {"agent": agent, "cycle": cycle}
    first = rows.value(int, sql.format("min"), values)
    last = rows.value(int, sql.format("max"), values)
    return None if first is None or last is None else (first, last)


def first_link(rows: Rows, *, agent: str, cycle: int) -> str | None:
    """Return the hash of a cycle's first message in the chain, or None where it has none."""
    return rows.value(
        str,
        "SELECT sha256 FROM message WHERE agent=:agent AND cycle=:cycle ORDER BY seq LIMIT 1",
        {"agent": agent, "cycle": cycle},
    )


def octet_page(rows: Rows, *, agent: str, after: int, limit: int) -> list[OctetRow]:
    """Return rows as octets, each with the hash of its segment's row.

    The index only finds them: a cell that is read from it is not the one that may be damaged.
    """
    return rows.all(
        OctetRow,
        _OCTET_PAGE,
        {"agent": agent, "after": after, "limit": limit},
    )


def matches(rows: Rows, *, agent: str, query: str, limit: int) -> list[Match]:
    """Return which of an agent's messages match an FTS5 query, best first."""
    return rows.ranked(
        Match,
        _MATCHES,
        {"agent": agent, "query": query, "limit": limit},
    )


def cycles_holding(rows: Rows, *, agent: str, query: str, limit: int) -> list[int]:
    """Return the cycles in which something was said that matches an FTS5 query.

    What the program noted itself does not count. Of more than `limit` messages the newest do.
    """
    return rows.all(
        int,
        _HOLDING,
        {"agent": agent, "query": query, "limit": limit},
    )


def cycles_tokens(rows: Rows, *, agent: str, since: int) -> list[CycleTokens]:
    """Return the tokens of every cycle from `since` on, oldest first."""
    return rows.all(
        CycleTokens,
        "SELECT cycle, CAST(sum(tokens) AS BIGINT) AS tokens FROM message "
        "WHERE agent=:agent AND cycle >= :since GROUP BY cycle ORDER BY cycle",
        {"agent": agent, "since": since},
    )


def insert_cycle(rows: Rows, cycle: Cycle) -> None:
    """Add a cycle."""
    _insert(rows, "cycle", _cycle_values(cycle))


def _cycle_values(cycle: Cycle) -> dict[str, Cell]:
    return {**msgspec.structs.asdict(cycle), "events": to_json(cycle.events).decode()}


def next_cycle(rows: Rows, *, agent: str) -> int:
    """Return the number that an agent's next cycle gets."""
    last = rows.value(int, "SELECT max(cycle) FROM cycle WHERE agent=:agent", {"agent": agent})
    return (last or 0) + 1


def cycle_page(rows: Rows, *, agent: str, after: int, limit: int) -> list[Cycle]:
    """Return the cycles numbered over `after`, oldest first."""
    sql = f"SELECT {_CYCLE} FROM cycle WHERE agent=:agent AND cycle > :after"
    values: dict[str, Cell] = {"agent": agent, "after": after, "limit": limit}
    found = rows.all(dict[str, object], f"{sql} ORDER BY cycle LIMIT :limit", values)
    return [_cycle(row) for row in found]


def open_cycle(rows: Rows, *, agent: str) -> Cycle | None:
    """Return the cycle that is open; its index holds open cycles alone."""
    sql = f"SELECT {_CYCLE} FROM cycle WHERE agent=:agent AND state='open'"
    found = rows.one(dict[str, object], sql, {"agent": agent})
    return None if found is None else _cycle(found)


def _cycle(row: dict[str, object]) -> Cycle:
    """Return a cycle from its row."""
    return msgspec.convert({**row, "events": _TEXTS.decode(str(row["events"]))}, Cycle)


def find_cycle(rows: Rows, *, agent: str, cycle: int) -> Cycle | None:
    """Return one cycle."""
    found = cycle_page(rows, agent=agent, after=cycle - 1, limit=1)
    return found[0] if found and found[0].cycle == cycle else None


def cycle_of(rows: Rows, *, agent: str, message: str) -> int | None:
    """Return the cycle of a message, by its id."""
    return rows.one(
        int,
        "SELECT cycle FROM message WHERE agent = :agent AND id = :message",
        {"agent": agent, "message": message},
    )


def tainted_cycles(rows: Rows, *, agent: str, first: int, last: int) -> list[CycleSource]:
    """Return the cycles of a range with tainted lines, each with what these were imported from."""
    return rows.all(
        CycleSource,
        "SELECT DISTINCT cycle, coalesce((SELECT format FROM import AS i WHERE i.agent=m.agent "
        "AND m.cycle BETWEEN i.first_cycle AND i.last_cycle ORDER BY i.id LIMIT 1), '') AS source "
        "FROM message AS m WHERE agent=:agent AND cycle BETWEEN :first AND :last AND taint = 1 "
        "ORDER BY 1",
        {"agent": agent, "first": first, "last": last},
    )


def known_cycles(rows: Rows, *, agent: str, first: int, last: int) -> set[int]:
    """Return the numbers of the cycles in a range to which messages may be added."""
    return set(
        rows.all(
            int,
            "SELECT cycle FROM cycle WHERE agent=:agent AND cycle BETWEEN :first AND :last "
            "AND (state='open' OR outcome='imported')",
            {"agent": agent, "first": first, "last": last},
        )
    )


def update_cycle(rows: Rows, cycle: Cycle) -> None:
    """Write everything that may change in a cycle."""
    rows.run(
        f"UPDATE cycle SET {_CYCLE_CHANGES} WHERE agent=:agent AND cycle=:cycle",
        _cycle_values(cycle),
    )


def last_segment(rows: Rows, *, agent: str) -> SegmentRow | None:
    """Return an agent's newest segment."""
    newest = f"SELECT {_SEGMENT} FROM segment WHERE agent=:agent ORDER BY segment DESC LIMIT 1"
    return rows.one(SegmentRow, newest, {"agent": agent})


def segments(rows: Rows, *, agent: str) -> list[SegmentRow]:
    """Return all segments of an agent, oldest first."""
    sql = f"SELECT {_SEGMENT} FROM segment WHERE agent=:agent ORDER BY segment"
    return rows.all(SegmentRow, sql, {"agent": agent})


def numbered_segment(rows: Rows, *, agent: str, number: int) -> SegmentRow | None:
    """Return one segment of an agent, or None."""
    sql = f"SELECT {_SEGMENT} FROM segment WHERE agent=:agent AND segment=:number"
    return rows.one(SegmentRow, sql, {"agent": agent, "number": number})


def insert_blobs(rows: Rows, blobs: Iterable[tuple[str, bytes]]) -> None:
    """Keep octets under their SHA-256; those that are there already stay."""
    # Who inserts one waits for whoever has inserted the same and is not through.
    sql = "INSERT INTO blob(sha256, octets) VALUES(?, ?) ON CONFLICT(sha256) DO NOTHING"
    rows.run_last(sql, dict(blobs).items())


def blob(rows: Rows, *, sha256: str) -> bytes | None:
    """Return the octets under one hash."""
    return rows.value(bytes, "SELECT octets FROM blob WHERE sha256=:sha256", {"sha256": sha256})


class _Blob(Record):
    sha256: str
    octets: bytes


class _Source(Record):
    seq: int
    octets: bytes


def blobs(rows: Rows, *, shas: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (hash, octets) for those of some hashes that are kept."""
    found = rows.each(
        _Blob,
        "SELECT sha256, octets FROM blob WHERE sha256 IN :shas",
        {"shas": [*shas]},
    )
    return ((one.sha256, one.octets) for one in found)


def insert_attachments(rows: Rows, owner: str, files: Iterable[FilePart]) -> None:
    """Note which files go along with an event or post, in their order."""
    rows.run_many(
        f"INSERT INTO attachment(owner, place, {_FILE}) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((owner, place, *msgspec.structs.astuple(one)) for place, one in enumerate(files, 1)),
    )


def attachments(rows: Rows, *, owners: Collection[str]) -> list[tuple[str, FilePart]]:
    """Return the files that go along with some events and posts, with whose each is, in order."""
    found = rows.all(
        dict[str, object],
        f"SELECT owner, {_FILE} FROM attachment WHERE owner IN :owners ORDER BY owner, place",
        {"owners": [*owners]},
    )
    return [(str(row.pop("owner")), msgspec.convert(row, FilePart)) for row in found]


def insert(rows: Rows, row: SegmentRow | StoredImport) -> None:
    """Add a segment, or remember an imported document."""
    table = "segment" if isinstance(row, SegmentRow) else "import"
    _insert(rows, table, msgspec.structs.asdict(row))


def imports(rows: Rows, *, agent: str) -> list[StoredImport]:
    """Return an agent's imported documents, oldest first."""
    sql = f"SELECT {_IMPORT} FROM import WHERE agent=:agent ORDER BY first_seq, id"
    return rows.all(StoredImport, sql, {"agent": agent})


def sources(rows: Rows, *, stored: StoredImport) -> Iterator[bytes]:
    """Yield the kept sources of an import's messages, in their order, one at a time."""
    after = stored.first_seq - 1
    while found := rows.one(
        _Source,
        "SELECT seq, octets FROM message JOIN blob ON blob.sha256=message.source "
        "WHERE agent=:agent AND seq > :after AND seq <= :last_seq ORDER BY seq LIMIT 1",
        {"agent": stored.agent, "after": after, "last_seq": stored.last_seq},
    ):
        yield found.octets
        after = found.seq


def known_blobs(rows: Rows, *, shas: Collection[str]) -> set[str]:
    """Return those of some hashes under which octets are kept."""
    there: dict[str, Given] = {"shas": [*shas]}
    return set(rows.all(str, "SELECT sha256 FROM blob WHERE sha256 IN :shas", there))


def _insert(rows: Rows, table: str, values: dict[str, Cell]) -> None:
    """Add one row whose columns are the names of its values."""
    marks = ", ".join(f":{name}" for name in values)
    rows.run(f"INSERT INTO {table}({', '.join(values)}) VALUES({marks})", values)
