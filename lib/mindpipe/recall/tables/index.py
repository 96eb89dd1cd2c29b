"""The full-text index over messages and memory: what is fed into it, how far, and what it finds.

A row of `recall_text` has no words of its own to give back: its number says whose it is, of which
feed, and which row it stands for there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.ports import NOBODY, Cell, Rows
from mindpipe.core.records import Migration, Natural, Record, to_json
from mindpipe.recall.records import EntrySource, Filters
from mindpipe.recall.tables.feeds import CONDITION, FEEDS, Feed

MIGRATIONS = (
    Migration(
        name="0023_recall",
        sql="""
        CREATE TABLE recall_agent(
            number INTEGER PRIMARY KEY CHECK(number < 1048576), agent TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE recall_mark(
            agent TEXT NOT NULL, source TEXT NOT NULL, rows INTEGER NOT NULL,
            first INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY(agent, source)
        ) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE recall_text USING fts5(
            text, content='', contentless_delete=1,
            tokenize='porter unicode61 remove_diacritics 2'
        );
        INSERT INTO recall_text(recall_text, rank) VALUES('hashsize', 16777216);
        """,
    ),
    # Rows are only ever added, and `contentless_delete` keeps SQLite before 3.43 from opening the
    # whole store. The index is empty until the next search, or `mind recall reindex`, fills it.
    Migration(
        name="0038_recall_for_all",
        sql="""
        DROP TABLE recall_text;
        CREATE VIRTUAL TABLE recall_text USING fts5(
            text, content='', tokenize='porter unicode61 remove_diacritics 2'
        );
        INSERT INTO recall_text(recall_text, rank) VALUES('hashsize', 16777216);
        DELETE FROM recall_mark;
        """,
    ),
)


_PLACES = {feed.source: place for place, feed in enumerate(FEEDS)}
_AGENT_BITS, _FEED_BITS = 43, 40
_SHOWN = (
    "kind, text, at, learnt, speaker, claimed_speaker, subject, session, "
    "coalesce(entities, '[]') AS entities, significance, coalesce(sources, '[]') AS sources"
)
_NEAR = (
    "SELECT json_group_array(rowid) FROM (SELECT rowid FROM recall_text WHERE rowid {} "
    "ORDER BY rowid {} LIMIT :reach)"
)
_RANGE = "rowid BETWEEN :first AND :last"
_MARKED = "number BETWEEN :first AND :last AND +agent = :agent"
_FOREIGN = "octet_length(concat(text, speaker, subject)) > length(concat(text, speaker, subject))"


class FeedMark(Record):
    """How much of an agent's rows of one feed is indexed, and the numbers of first and last."""

    agent: str
    source: EntrySource
    rows: Natural
    first: int
    last: int


class IndexedText(Record):
    """What a row is found by, before it is put into words."""

    number: int
    text: str
    at: str
    speaker: str | None
    subject: str | None


class Day(Record):
    """How many rows of one agent and one day (`2023-05-08`) are new, and the first and last."""

    agent: str
    day: str
    rows: Natural
    first: int
    last: int


class IndexedRow(Record):
    """A row as it stands where it is kept, or as it stood; lists are JSON."""

    number: int
    source: EntrySource
    ref: str
    kind: str
    text: str
    at: str
    learnt: str
    speaker: str | None
    claimed_speaker: str | None
    subject: str | None
    session: str | None
    entities: str
    significance: float
    sources: str
    status: str


class NeighbourNumbers(Record):
    """The numbers of the rows before and after one, nearest first, as JSON."""

    number: int
    before: str
    after: str


class DaySpan(NamedTuple):
    """A run of numbers, both ends included."""

    first: int
    last: int


class Search(NamedTuple):
    """A query as FTS5 takes it, among which rows, and how many are wanted: the newest or best."""

    query: str
    span: DaySpan
    limit: int
    newest: bool = False


def span_of(agent: int, source: EntrySource | None = None) -> DaySpan:
    """Return the numbers of all rows of an agent, or of those of one feed."""
    if source is None:
        return DaySpan(agent << _AGENT_BITS, (agent + 1 << _AGENT_BITS) - 1)
    first = (agent << _AGENT_BITS) | (_PLACES[source] << _FEED_BITS)
    return DaySpan(first, first + (1 << _FEED_BITS) - 1)


def source_of(number: int) -> EntrySource:
    """Return which feed a number is of."""
    return FEEDS[number >> _FEED_BITS & 7].source


def agent_number(rows: Rows, agent: str) -> int | None:
    """Return the number that stands for an agent in its rows, or None where it has none."""
    return rows.value(int, "SELECT number FROM recall_agent WHERE agent = :agent", {"agent": agent})


def keep_agent(rows: Rows, agent: str) -> int:
    """Return the number that stands for an agent, given now where it has none."""
    values = {"agent": agent}
    rows.run("INSERT INTO recall_agent(agent) VALUES(:agent) ON CONFLICT DO NOTHING", values)
    return agent_number(rows, agent) or 0


def upto(rows: Rows, source: EntrySource) -> int:
    """Return up to which number all rows of a feed are indexed, or 0."""
    sql = (
        "SELECT coalesce((SELECT last FROM recall_mark WHERE agent = :nobody AND source = :source),"
        " (SELECT max(last) FROM recall_mark WHERE source = :source))"
    )
    return rows.value(int, sql, {"source": source, "nobody": NOBODY}) or 0


def note_late(rows: Rows, table: str, first: int) -> None:
    """Note that rows of a table came, from a number on behind which others are indexed already.

    Those of one agent come in the order of their numbers, and those of several may not, where many
    write at once: a mark of nobody says from where they are to be looked for.
    """
    for feed in FEEDS:
        if feed.table == table:
            rows.run(
                "INSERT INTO recall_mark(agent, source, rows, first, last) "
                "SELECT :nobody, :source, 0, 0, :before WHERE :before < "
                "(SELECT max(last) FROM recall_mark WHERE source = :source) "
                "ON CONFLICT(agent, source) DO UPDATE SET last = min(last, excluded.last)",
                {"nobody": NOBODY, "source": feed.source, "before": first - 1},
            )


def forget_late(rows: Rows, source: EntrySource) -> None:
    """Note that nothing of a feed is to be looked for among what is indexed."""
    sql = "DELETE FROM recall_mark WHERE agent = :nobody AND source = :source"
    rows.run(sql, {"source": source, "nobody": NOBODY})


def newest(rows: Rows, feed: Feed) -> int:
    """Return the number of the last row that a feed has, or 0."""
    return rows.value(int, f"SELECT max(number) FROM {feed.table}") or 0


def days(rows: Rows, feed: Feed, *, after: int, limit: int) -> list[Day]:
    """Return what the next rows of a feed that are not indexed are of, agent by agent."""
    return rows.all(
        Day,
        "SELECT agent, substr(at, 1, 10) AS day, count(*) AS rows, min(number) AS first, "
        f"max(number) AS last FROM (SELECT number, agent, at FROM ({feed.rows}) AS fed "
        "WHERE number > :after AND number > coalesce((SELECT last FROM recall_mark AS mark "
        "WHERE mark.agent = fed.agent AND mark.source = :source), 0) "
        "ORDER BY number LIMIT :limit) GROUP BY agent, day ORDER BY agent",
        {"after": after, "limit": limit, "source": feed.source},
    )


def fed(rows: Rows, feed: Feed, mark: FeedMark, *, foreign: bool = False) -> Iterator[IndexedText]:
    """Yield the rows of a feed that a mark is about, in their order, or those not all ASCII."""
    return rows.each(
        IndexedText,
        f"SELECT number, text, at, speaker, subject FROM ({feed.rows}) "
        f"WHERE {_MARKED} {f'AND {_FOREIGN}' if foreign else ''} ORDER BY number",
        msgspec.structs.asdict(mark),
    )


def insert_fed(
    rows: Rows, feed: Feed, mark: FeedMark, *, base: int, words: Mapping[str, str]
) -> None:
    """Make the rows findable that a mark is about, by the words that `words` has for their days.

    They are those of `row_words` for what is all ASCII; the others, which are spelled another way
    before they are indexed, are left out. Numbers begin after `base`.
    """
    rows.run(
        "WITH day(day, words) AS MATERIALIZED (SELECT key, value FROM json_each(:words)) "
        "INSERT INTO recall_text(rowid, text) "
        "SELECT :base + number, concat_ws(' ', text, speaker, subject, words) "
        f"FROM ({feed.rows}) LEFT JOIN day ON day = substr(at, 1, 10) "
        f"WHERE {_MARKED} AND NOT {_FOREIGN} ORDER BY number",
        {
            **msgspec.structs.asdict(mark),
            "base": base,
            "words": msgspec.json.encode(words).decode(),
        },
    )


def insert(rows: Rows, texts: Iterable[tuple[int, str]]) -> None:
    """Make rows findable: (number, words) each."""
    rows.run_many("INSERT INTO recall_text(rowid, text) VALUES(?, ?)", texts)


def move_mark(rows: Rows, mark: FeedMark) -> None:
    """Add what was indexed to the mark of an agent's feed."""
    rows.run(
        "INSERT INTO recall_mark(agent, source, rows, first, last) "
        "VALUES(:agent, :source, :rows, :first, :last) ON CONFLICT DO UPDATE SET "
        "rows = rows + excluded.rows, last = excluded.last",
        msgspec.structs.asdict(mark),
    )


def marks(rows: Rows, *, agent: str) -> list[FeedMark]:
    """Return the marks of an agent."""
    return rows.all(FeedMark, "SELECT * FROM recall_mark WHERE agent = :agent", {"agent": agent})


def gaps(rows: Rows) -> int:
    """Return by how many rows the index is out with its marks."""
    sql = (
        "SELECT abs((SELECT coalesce(sum(rows), 0) FROM recall_mark)"
        " - (SELECT count(*) FROM recall_text_docsize))"
    )
    return rows.value(int, sql) or 0


def clear(rows: Rows) -> None:
    """Forget all words and marks."""
    rows.run("INSERT INTO recall_text(recall_text) VALUES('delete-all')")
    rows.run("DELETE FROM recall_mark")


def holders(rows: Rows, query: str, *, span: DaySpan, limit: int) -> tuple[int, int]:
    """Return how many rows of a span match, at most `limit`, and the number of the last of them."""
    sql = (
        "SELECT json_array(count(*), max(number)) FROM (SELECT rowid AS number FROM recall_text "
        f"WHERE recall_text MATCH :query AND {_RANGE} ORDER BY rowid LIMIT :limit)"
    )
    values = {"query": query, "limit": limit, **span._asdict()}
    count, last = msgspec.json.decode(
        rows.value(str, sql, values) or "[0, null]", type=tuple[int, int | None]
    )
    return count, last or 0


def matches(rows: Rows, search: Search, *, filters: Filters, agent: str) -> list[int]:
    """Return the numbers of the rows that match and are wanted, best or newest first."""
    values: dict[str, Cell] = {"query": search.query, "limit": search.limit}
    values |= {**search.span._asdict(), **_values(filters, agent)}
    where = f"recall_text MATCH :query AND recall_text.{_RANGE} AND {_lives()}"
    if search.newest:
        newest = f"{where} ORDER BY recall_text.rowid DESC LIMIT :limit"
        return rows.all(int, f"SELECT recall_text.rowid FROM recall_text WHERE {newest}", values)
    # What is kept of this holds no numbers, which are other ones where a life was carried to.
    first = {one.source: one.first for one in marks(rows, agent=agent)}
    values["firsts"] = to_json([first.get(feed.source, 0) for feed in FEEDS]).decode()
    found = rows.ranked(
        Ranked,
        "SELECT recall_text.rowid >> :feed_bits & 7 AS place, (recall_text.rowid & :row_bits) "
        "- (:firsts ->> (recall_text.rowid >> :feed_bits & 7)) AS nth "
        f"FROM recall_text WHERE {where} ORDER BY rank LIMIT :limit",
        {**values, "feed_bits": _FEED_BITS, "row_bits": (1 << _FEED_BITS) - 1},
    )
    own = search.span.first >> _AGENT_BITS
    begins = [span_of(own, feed.source).first + first.get(feed.source, 0) for feed in FEEDS]
    return [begins[one.place] + one.nth for one in found]


class Ranked(Record):
    """A row that was found: of which feed, and how far behind the agent's first one there."""

    place: Natural
    nth: int


class WeighedWord(NamedTuple):
    """A query as FTS5 takes it, and what each row that it finds gets for it."""

    query: str
    weight: float


def heaviest(
    rows: Rows,
    words: Sequence[WeighedWord],
    *,
    span: DaySpan,
    limit: int,
    filters: Filters,
    agent: str,
) -> list[int]:
    """Return the numbers of the wanted rows that get most from some words, of equals the newest.

    FTS5 ranks by the length of rows, too, and reads that of each row that it finds: thousands of
    places of a file that is in no cache. This reads where the words stand and nothing else.
    """
    return rows.all(
        int,
        "WITH heavy AS MATERIALIZED (SELECT found.rowid AS rowid, sum(word.value ->> 1) AS weight "
        "FROM json_each(:words) AS word CROSS JOIN recall_text AS found "
        "WHERE found.recall_text MATCH (word.value ->> 0) "
        "AND found.rowid BETWEEN :first AND :last "
        "GROUP BY found.rowid ORDER BY weight DESC, found.rowid DESC) "
        f"SELECT rowid FROM heavy AS recall_text WHERE {_lives()} LIMIT :limit",
        {
            "words": to_json(words).decode(),
            "limit": limit,
            **span._asdict(),
            **_values(filters, agent),
        },
    )


def _lives() -> str:
    """Return the condition that what a row of the index stands for is wanted."""
    cases = " ".join(
        f"WHEN {place} THEN EXISTS(SELECT 1 FROM ({feed.rows}) AS entry WHERE "
        f"number = recall_text.rowid & {(1 << _FEED_BITS) - 1} AND {CONDITION})"
        for place, feed in enumerate(FEEDS)
    )
    return f"CASE recall_text.rowid >> {_FEED_BITS} & 7 {cases} ELSE 0 END"


def _values(filters: Filters, agent: str) -> dict[str, Cell]:
    return {**msgspec.structs.asdict(filters), "agent": agent}


def beside(rows: Rows, numbers: Sequence[int], *, reach: int) -> list[NeighbourNumbers]:
    """Return what stands up to `reach` rows before and after each of some rows, of its feed."""
    before = _NEAR.format(
        f"BETWEEN one.value >> {_FEED_BITS} << {_FEED_BITS} AND one.value - 1", "DESC"
    )
    after = _NEAR.format(
        f"BETWEEN one.value + 1 AND (one.value >> {_FEED_BITS}) + 1 << {_FEED_BITS}", "ASC"
    )
    return rows.all(
        NeighbourNumbers,
        f"SELECT one.value AS number, ({before}) AS before, ({after}) AS after "
        "FROM json_each(:numbers) AS one",
        {"numbers": _list(numbers), "reach": reach},
    )


def shown(
    rows: Rows, numbers: Iterable[int], *, agent: str, filters: Filters
) -> Iterator[IndexedRow]:
    """Yield those of some rows that are wanted, as they stand or stood, feed by feed."""
    by_source: dict[EntrySource, list[int]] = {}
    for number in numbers:
        by_source.setdefault(source_of(number), []).append(number)
    for source, wanted in by_source.items():
        place = _PLACES[source]
        base = wanted[0] >> _FEED_BITS << _FEED_BITS
        yield from rows.each(
            IndexedRow,
            f"SELECT :base + number AS number, source, ref, {_SHOWN}, "
            f"{FEEDS[place].stood} AS status "
            f"FROM ({FEEDS[place].rows}) AS entry WHERE number IN "
            f"(SELECT value - :base FROM json_each(:numbers)) AND {CONDITION}",
            {"base": base, "numbers": _list(wanted), **_values(filters, agent)},
        )


def numbers_of(rows: Rows, source: EntrySource, refs: Sequence[str], *, agent: str) -> list[int]:
    """Return the numbers of some things of a feed by their ids; of an entity, of all versions."""
    number = agent_number(rows, agent)
    if number is None or not refs:
        return []
    return rows.all(
        int,
        f"SELECT :base + number FROM ({FEEDS[_PLACES[source]].rows}) WHERE agent = :agent "
        "AND ref IN (SELECT value FROM json_each(:refs))",
        {"base": span_of(number, source).first, "agent": agent, "refs": _list(refs)},
    )


def listed(rows: Rows, *, agent: str, after: int, limit: int) -> list[int]:
    """Return the numbers of an agent's rows in the index that are greater, in their order."""
    number = agent_number(rows, agent)
    if number is None:
        return []
    first, last = span_of(number)
    return rows.all(
        int,
        f"SELECT rowid FROM recall_text WHERE {_RANGE} ORDER BY rowid LIMIT :limit",
        {"first": max(first, after + 1), "last": last, "limit": limit},
    )


def _list(values: Sequence[int] | Sequence[str]) -> str:
    """Return values as a JSON list, the form in which SQL takes them."""
    return to_json(values).decode()
