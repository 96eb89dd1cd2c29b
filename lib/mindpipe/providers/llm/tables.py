"""The tables of llm's logs.db: responses, and since version 0.32 turns of threads of messages.

A file that is read is somebody else's: only what is there is asked for, in tables alone (a view of
the same name could run anything), and nothing in it is trusted to have the type that its schema
says. One that is written has the tables of version 0.31, which every later one takes on.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import apsw
import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import ToolSpec
from mindpipe.core.ports import Octets
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json

Row = dict[str, object]
_WAL = b"\x02\x02"
_ROLLBACK = b"\x01\x01"
_VERSIONS = slice(18, 20)
_READ = {
    "responses": (
        "id model prompt system response conversation_id datetime_utc resolved_model reasoning"
    ),
    "turns": (
        "id thread_id parent_message_hash tip_message_hash model resolved_model datetime_utc"
    ),
}
_OF_RESPONSE = {
    "tool_calls": "SELECT name, arguments, tool_call_id FROM tool_calls",
    "tool_results": "SELECT id, name, output, tool_call_id, {exception} FROM tool_results",
    "prompt_fragments": (
        "SELECT f.content FROM prompt_fragments AS p JOIN fragments AS f ON f.id=p.fragment_id"
    ),
    "system_fragments": (
        "SELECT f.content FROM system_fragments AS p JOIN fragments AS f ON f.id=p.fragment_id"
    ),
    "prompt_attachments": (
        "SELECT a.id, a.type, a.path, a.url FROM prompt_attachments AS p "
        "JOIN attachments AS a ON a.id=p.attachment_id"
    ),
}


class LoggedTalk(NamedTuple):
    """A conversation: its id, and the ids of what was logged of it, in their order.

    `entries` name a table, `responses` or `turns`, and a row of it.
    """

    id: str
    entries: tuple[tuple[str, str], ...]


def _opened(octets: Octets) -> apsw.Connection:
    """Return a database of these octets alone: a journal that stands beside them is not read."""
    if path := getattr(octets, "path", None):
        name = f"{Path(path).resolve().as_uri()}?mode=ro&immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        return apsw.Connection(name, flags=flags)
    whole = octets[:]
    if whole[_VERSIONS] == _WAL:
        # What is in memory has no journal.
        whole = whole[:18] + _ROLLBACK + whole[20:]
    database = apsw.Connection(":memory:")
    database.deserialize("main", whole)
    return database


class LogsDatabase:
    """A logs.db, opened for reading where it is a file, else in memory from its octets."""

    def __init__(self, octets: Octets, *, source: str) -> None:
        self._source = source
        try:
            self._database = _opened(octets)
            self._database.pragma("query_only", 1)
            self._database.pragma("trusted_schema", 0)
            self._database.pragma("cell_size_check", 1)
            names = self._all("SELECT name FROM sqlite_schema WHERE type='table'")
            self._columns = {
                str(one["name"]): {
                    str(column["name"])
                    for column in self._all(
                        "SELECT name FROM pragma_table_info(?)", [str(one["name"])]
                    )
                }
                for one in names
            }
        except apsw.Error as error:
            raise self._refusal(str(error)) from None
        if not {"responses", "turns"} & self._columns.keys():
            raise BadInputError(
                [Problem(source=source, message="no logs.db of llm: it has no table responses")]
            )

    def talks(self) -> Iterator[LoggedTalk]:
        """Yield every conversation, in the order in which they began.

        Raises:
            BadInputError: the file is damaged.
        """
        try:
            self._put_in_order()
            talks = self._database.cursor().execute(
                "SELECT talk FROM temp.entry GROUP BY talk ORDER BY min(place)"
            )
            for (talk,) in talks:
                yield LoggedTalk(str(talk), self._entries(talk))
        except apsw.Error as error:
            raise self._refusal(str(error)) from None

    def entry(self, table: str, id_: str) -> Row:
        """Return one logged call of a model, with all that belongs to it.

        Raises:
            BadInputError: the file is damaged.
        """
        try:
            return self._response(id_) if table == "responses" else self._turn(id_)
        except (apsw.Error, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._refusal(str(error)) from None

    def _put_in_order(self) -> None:
        """Write down what was logged in which conversation, in the order of time."""
        self._database.pragma("query_only", 0)
        self._database.execute(
            "CREATE TEMP TABLE entry(place INTEGER PRIMARY KEY, talk TEXT, kind TEXT, id TEXT)"
        )
        parts: list[str] = []
        if "turns" in self._columns:
            parts.append(
                "SELECT coalesce(thread_id, id) AS talk, 'turns' AS kind, id, datetime_utc "
                "FROM main.turns WHERE id IS NOT NULL"
            )
        if "responses" in self._columns:
            # For a while both were written.
            once = " AND id NOT IN (SELECT id FROM main.turns)" if parts else ""
            parts.append(
                "SELECT coalesce(conversation_id, id) AS talk, 'responses' AS kind, id, "
                f"datetime_utc FROM main.responses WHERE id IS NOT NULL{once}"
            )
        self._database.execute(
            "INSERT INTO temp.entry(talk, kind, id) SELECT talk, kind, id FROM ("
            + " UNION ALL ".join(parts)
            + ") ORDER BY datetime_utc, id"
        )
        self._database.execute("CREATE INDEX temp.entry_talk ON entry(talk, place)")
        # Where a turn ended, so that the next one is not read from the first word on.
        self._database.execute("CREATE TEMP TABLE tip(hash, talk, PRIMARY KEY(hash, talk))")
        if "turns" in self._columns:
            self._database.execute(
                "INSERT OR IGNORE INTO temp.tip SELECT tip_message_hash, coalesce(thread_id, id) "
                "FROM main.turns"
            )
        self._database.pragma("query_only", 1)

    def _entries(self, talk: object) -> tuple[tuple[str, str], ...]:
        found = self._all("SELECT kind, id FROM temp.entry WHERE talk=? ORDER BY place", [talk])
        return tuple((str(one["kind"]), str(one["id"])) for one in found)

    def _response(self, id_: str) -> Row:
        """Return a response with its fragments, calls, results and attachments."""
        row = self._row("responses", id_)
        for name, sql in _OF_RESPONSE.items():
            if name not in self._columns:
                continue
            exception = "exception" if "exception" in self._columns[name] else "NULL AS exception"
            order = '"order"' if "order" in self._columns[name] else "id"
            row[name] = self._all(
                f"{sql.replace('{exception}', exception)} WHERE response_id=? ORDER BY {order}",
                [id_],
            )
        return row

    def _turn(self, id_: str) -> Row:
        """Return a turn with the messages that it added to its thread.

        Its parent is the last message that was sent, its tip the last of the answer. What was sent
        before is there from the turns before it; where a thread begins anew, with another system
        text, only what stands behind the last answer is new.
        """
        row = self._row("turns", id_)
        talk, tip = row["thread_id"] or id_, row["tip_message_hash"]
        chain = self._all(
            "WITH RECURSIVE chain(hash, depth) AS (SELECT ?, 0 UNION "
            "SELECT m.parent_hash, depth + 1 "
            "FROM chain JOIN messages AS m ON m.hash=chain.hash "
            "WHERE NOT EXISTS (SELECT 1 FROM temp.tip AS t "
            "WHERE t.hash=m.parent_hash AND t.talk=?) AND depth < 10000) "
            "SELECT m.hash, m.role FROM chain JOIN messages AS m ON m.hash=chain.hash "
            "ORDER BY depth DESC",
            [tip, talk],
        )
        hashes = [one["hash"] for one in chain]
        parent = row["parent_message_hash"]
        sent = hashes.index(parent) + 1 if parent in hashes else 0
        new = sent
        while new and chain[new - 1]["role"] in ("user", "tool"):
            new -= 1
        first = self._all("SELECT id FROM temp.entry WHERE talk=? ORDER BY place LIMIT 1", [talk])
        if first[0]["id"] == id_:
            new = 0
        told = [one for one in chain[:new] if one["role"] == "system"]
        row["messages"] = [
            {"role": one["role"], "parts": self._parts(one["hash"])}
            for one in [*told, *chain[new:]]
        ]
        return row

    def _parts(self, message: object) -> list[Row]:
        """Return the parts of a message, with the text of the fragments that they borrow."""
        found = self._all(
            "SELECT type, text, payload FROM parts WHERE message_hash=? ORDER BY position",
            [message],
        )
        parts: list[Row] = []
        for one in found:
            payload = one["payload"]
            part = msgspec.json.decode(payload) if isinstance(payload, str) and payload else {}
            part = part if isinstance(part, dict) else {}
            if one["text"] is not None:
                part["text"] = one["text"]
            if isinstance(pieces := part.pop("text_ref", None), list):
                part["text"] = "".join(self._piece(piece) for piece in pieces)
            parts.append({**part, "type": one["type"]})
        return parts

    def _piece(self, piece: object) -> str:
        """Return a piece of a text: as it stands, or a fragment."""
        if not isinstance(piece, dict):
            return ""
        if "literal" in piece:
            return str(piece["literal"])
        found = self._all("SELECT content FROM fragments WHERE id=?", [piece.get("fragment")])
        return str(found[0]["content"]) if found else ""

    def _row(self, table: str, id_: str) -> Row:
        """Return the known columns of a row; older files have fewer."""
        names = [name for name in _READ[table].split() if name in self._columns[table]]
        found = self._all(f"SELECT {', '.join(names)} FROM {table} WHERE id=?", [id_])
        return dict.fromkeys(_READ[table].split()) | (found[0] if found else {})

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Return all rows; of a text that is none in UTF-8, what can be read."""
        cursor = self._database.cursor()
        found = cursor.execute(sql, tuple(values))
        names: tuple[str, ...] = ()
        rows: list[Row] = []
        for values_of_row in found:
            names = names or tuple(str(one[0]) for one in cursor.getdescription())
            rows.append(dict(zip(names, values_of_row, strict=True)))
        return rows

    def _refusal(self, words: str) -> BadInputError:
        words = f"no SQLite file that can be read: {words}"
        return BadInputError([Problem(source=self._source, message=words)])


# As migrations m001 to m022 of llm leave an empty file; it looks for their names.
_MIGRATIONS = (
    "m001_initial m002_id_primary_key m003_chat_id_foreign_key m004_column_order "
    "m004_drop_provider m005_debug m006_new_logs_table m007_finish_logs_table "
    "m008_reply_to_id_foreign_key m008_fix_column_order_in_logs m009_delete_logs_table_if_empty "
    "m010_create_new_log_tables m011_fts_for_responses m012_attachments_tables m013_usage "
    "m014_schemas m015_fragments_tables m016_fragments_table_pks m017_tools_tables "
    "m017_tools_plugin m018_tool_instances m019_resolved_model m020_tool_results_attachments "
    "m021_tool_results_exception m022_response_reasoning"
)
_SCHEMA = """
CREATE TABLE "_llm_migrations" ("name" TEXT PRIMARY KEY, "applied_at" TEXT);
CREATE TABLE "conversations" ("id" TEXT PRIMARY KEY, "name" TEXT, "model" TEXT);
CREATE TABLE "attachments" (
  "id" TEXT PRIMARY KEY, "type" TEXT, "path" TEXT, "url" TEXT, "content" BLOB
);
CREATE TABLE "prompt_attachments" (
  "response_id" TEXT REFERENCES "responses"("id"),
  "attachment_id" TEXT REFERENCES "attachments"("id"),
  "order" INTEGER,
  PRIMARY KEY ("response_id", "attachment_id")
);
CREATE TABLE "schemas" ("id" TEXT PRIMARY KEY, "content" TEXT);
CREATE TABLE "responses" (
  "id" TEXT PRIMARY KEY,
  "model" TEXT,
  "prompt" TEXT,
  "system" TEXT,
  "prompt_json" TEXT,
  "options_json" TEXT,
  "response" TEXT,
  "response_json" TEXT,
  "conversation_id" TEXT REFERENCES "conversations"("id"),
  "duration_ms" INTEGER,
  "datetime_utc" TEXT,
  "input_tokens" INTEGER,
  "output_tokens" INTEGER,
  "token_details" TEXT,
  "schema_id" TEXT REFERENCES "schemas"("id"),
  "resolved_model" TEXT,
  "reasoning" TEXT
);
CREATE TABLE "fragments" (
  "id" INTEGER PRIMARY KEY, "hash" TEXT, "content" TEXT, "datetime_utc" TEXT, "source" TEXT
);
CREATE TABLE "fragment_aliases" (
  "alias" TEXT PRIMARY KEY, "fragment_id" INTEGER REFERENCES "fragments"("id")
);
CREATE TABLE "prompt_fragments" (
  "response_id" TEXT REFERENCES "responses"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"),
  "order" INTEGER,
  PRIMARY KEY ("response_id", "fragment_id", "order")
);
CREATE TABLE "system_fragments" (
  "response_id" TEXT REFERENCES "responses"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"),
  "order" INTEGER,
  PRIMARY KEY ("response_id", "fragment_id", "order")
);
CREATE TABLE "tools" (
  "id" INTEGER PRIMARY KEY, "hash" TEXT, "name" TEXT, "description" TEXT, "input_schema" TEXT,
  "plugin" TEXT
);
CREATE TABLE "tool_responses" (
  "tool_id" INTEGER REFERENCES "tools"("id"),
  "response_id" TEXT REFERENCES "responses"("id"),
  PRIMARY KEY ("tool_id", "response_id")
);
CREATE TABLE "tool_calls" (
  "id" INTEGER PRIMARY KEY,
  "response_id" TEXT REFERENCES "responses"("id"),
  "tool_id" INTEGER REFERENCES "tools"("id"),
  "name" TEXT,
  "arguments" TEXT,
  "tool_call_id" TEXT
);
CREATE TABLE "tool_instances" (
  "id" INTEGER PRIMARY KEY, "plugin" TEXT, "name" TEXT, "arguments" TEXT
);
CREATE TABLE "tool_results" (
  "id" INTEGER PRIMARY KEY,
  "response_id" TEXT REFERENCES "responses"("id"),
  "tool_id" INTEGER REFERENCES "tools"("id"),
  "name" TEXT,
  "output" TEXT,
  "tool_call_id" TEXT,
  "instance_id" INTEGER REFERENCES "tool_instances"("id"),
  "exception" TEXT
);
CREATE TABLE "tool_results_attachments" (
  "tool_result_id" INTEGER REFERENCES "tool_results"("id"),
  "attachment_id" TEXT REFERENCES "attachments"("id"),
  "order" INTEGER,
  PRIMARY KEY ("tool_result_id", "attachment_id")
);
CREATE UNIQUE INDEX "idx_fragments_hash" ON "fragments" ("hash");
CREATE UNIQUE INDEX "idx_tools_hash" ON "tools" ("hash");
CREATE VIRTUAL TABLE "responses_fts" USING FTS5 ("prompt", "response", content="responses");
CREATE TRIGGER "responses_ai" AFTER INSERT ON "responses" BEGIN
  INSERT INTO "responses_fts" (rowid, "prompt", "response")
  VALUES (new.rowid, new."prompt", new."response");
END;
CREATE TRIGGER "responses_ad" AFTER DELETE ON "responses" BEGIN
  INSERT INTO "responses_fts" ("responses_fts", rowid, "prompt", "response")
  VALUES('delete', old.rowid, old."prompt", old."response");
END;
CREATE TRIGGER "responses_au" AFTER UPDATE ON "responses" BEGIN
  INSERT INTO "responses_fts" ("responses_fts", rowid, "prompt", "response")
  VALUES('delete', old.rowid, old."prompt", old."response");
  INSERT INTO "responses_fts" (rowid, "prompt", "response")
  VALUES (new.rowid, new."prompt", new."response");
END;
"""


class WrittenLogs:
    """A new logs.db at a path, of one conversation; it is whole once it is closed."""

    def __init__(self, path: Path) -> None:
        self._database = apsw.Connection(str(path))
        self._database.pragma("journal_mode", "off")
        self._database.execute("BEGIN")
        self._database.execute(_SCHEMA)
        self._database.executemany(
            "INSERT INTO _llm_migrations VALUES(?, '')",
            [(name,) for name in _MIGRATIONS.split()],
        )
        self._tools: dict[str, int] = {}

    def add_tools(self, tools: Sequence[ToolSpec]) -> None:
        """Write which tools there are."""
        for number, tool in enumerate(tools, start=1):
            described = (tool.name, tool.description, to_json(tool.input_schema).decode())
            digest = hashlib.sha256(to_json(described)).hexdigest()
            self._add("tools", (number, digest, *described, None))
            self._tools[tool.name] = number

    def add_conversation(self, id_: str, *, name: str, model: str) -> None:
        """Write what all responses belong to."""
        self._add("conversations", (id_, name, model))

    def add_response(self, row: Row) -> None:
        """Write one call of a model; every tool could be called."""
        names = ", ".join(row)
        places = ", ".join("?" for _ in row)
        self._database.execute(
            f"INSERT INTO responses({names}) VALUES({places})", tuple(row.values())
        )
        for number in self._tools.values():
            self._add("tool_responses", (number, row["id"]))

    def add_call(self, response: str, *, name: str, arguments: str, id_: str) -> None:
        """Write a tool call of a response."""
        self._add("tool_calls", (None, response, self._tools.get(name), name, arguments, id_))

    def add_result(
        self, response: str, *, name: str, output: str, id_: str, exception: str | None
    ) -> None:
        """Write a result that was sent for a response."""
        tool = self._tools.get(name)
        self._add("tool_results", (None, response, tool, name, output, id_, None, exception))

    def add_attachments(self, response: str, files: Mapping[str, tuple[str, bytes]]) -> None:
        """Write files that were sent for a response: by their SHA-256 the media type and octets."""
        for order, (sha256, (media_type, octets)) in enumerate(files.items()):
            self._add("attachments", (sha256, media_type, None, None, octets), or_ignore=True)
            self._add("prompt_attachments", (response, sha256, order))

    def close(self) -> None:
        """Write all of it."""
        self._database.execute("COMMIT")
        self._database.close()

    def _add(self, table: str, values: tuple[object, ...], *, or_ignore: bool = False) -> None:
        places = ", ".join("?" for _ in values)
        how = "INSERT OR IGNORE" if or_ignore else "INSERT"
        self._database.execute(f"{how} INTO {table} VALUES({places})", values)
