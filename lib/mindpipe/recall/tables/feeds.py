"""What is fed into the index: the tables whose rows can be found, each shown as entries.

One literal table. Nothing is copied from them, so that what is archived, retracted or superseded
after it was indexed is known the moment it is.
"""

from typing import NamedTuple

from mindpipe.recall.records import EntrySource


class Feed(NamedTuple):
    """A table whose rows can be found, and the statement that shows them as entries.

    `aside` is since when a row is archived, ended or replaced, or what the program noted for one
    prompt or recalled for it, `retracted` since when it is taken
    back; `stood` is the status of a row at `:as_of`, of its columns. A message's words are read
    from its parts elsewhere.
    """

    source: EntrySource
    table: str
    rows: str
    stood: str = "CASE WHEN aside > :as_of THEN 'active' ELSE status END"


_NEWER = (
    "FROM memory_entity AS newer WHERE newer.agent = memory_entity.agent "
    "AND newer.id = memory_entity.id AND newer.version > memory_entity.version "
    "AND newer.retracted IS NULL"
)
_RELATIONS = (
    "coalesce((SELECT ' (' || string_agg(said, ',' ORDER BY place) || ')' FROM ("
    "SELECT replace(type, '_', ' ') || ' ' || replace(target, '-', ' ') AS said, "
    "min(number) AS place FROM relation AS edge "
    "WHERE edge.agent = memory_entity.agent AND edge.source = memory_entity.id "
    "AND edge.learnt <= memory_entity.learnt "
    "AND edge.retracted IS NULL AND edge.until IS NULL AND NOT EXISTS(SELECT 1 FROM relation AS "
    "ended WHERE ended.agent = edge.agent AND ended.source = edge.source AND ended.type = edge.type"
    " AND ended.target = edge.target AND ended.since IS NOT DISTINCT FROM edge.since "
    "AND ended.until IS NOT NULL "
    "AND ended.retracted IS NULL AND ended.learnt <= memory_entity.learnt) "
    "GROUP BY said) AS edges HAVING count(*) > 0), '')"
)
_TOLD_AGAIN = (
    "role = 'tool' AND EXISTS(SELECT 1 FROM message AS asking, json_each(asking.parts) AS part "
    "WHERE asking.agent = message.agent AND asking.cycle = message.cycle "
    "AND asking.role = 'assistant' AND part.value ->> 'id' = message.parts ->> 0 ->> 'call' "
    "AND part.value ->> 'tool' = 'recall')"
)
_USUAL = "CAST(5 AS DOUBLE PRECISION) AS significance"
# The place of a feed here is part of its rows' numbers: new ones are only ever added at the end.
FEEDS = (
    Feed(
        "item",
        "memory_item",
        "SELECT number, 'item' AS source, agent, id AS ref, kind, text, at, learnt, speaker, "
        "claimed_speaker, subject, session, entities, significance, sources, "
        "archived AS aside, retracted, "
        "CASE WHEN archived IS NULL THEN 'active' ELSE 'archived' END AS status FROM memory_item",
    ),
    Feed(
        "message",
        "message",
        "SELECT number, 'message' AS source, agent, id AS ref, role AS kind, parts AS text, "
        "at, at AS learnt, role AS speaker, NULL AS claimed_speaker, "
        "NULL AS subject, substr(at, 1, 10) AS session, "
        f"NULL AS entities, {_USUAL}, CASE WHEN taint = 1 THEN "
        "'[\"history\"]' END AS sources, CASE WHEN (role = 'note' AND origin = 'program') "
        f"OR {_TOLD_AGAIN} THEN at END AS aside, "
        "NULL AS retracted, 'active' AS status FROM message",
    ),
    Feed(
        "reflection",
        "reflection",
        "SELECT number, 'reflection' AS source, agent, id AS ref, '' AS kind, body ->> "
        "'text' AS text, until AS at, learnt, NULL AS speaker, "
        "NULL AS claimed_speaker, "
        "NULL AS subject, NULL AS "
        f"session, NULL AS entities, {_USUAL}, body ->> 'sources' AS sources, NULL "
        "AS aside, retracted, 'active' AS status FROM reflection",
    ),
    Feed(
        "lesson",
        "lesson",
        "SELECT number, 'lesson' AS source, agent, id AS ref, '' AS kind, coalesce((body ->> "
        "'when') || ': ', '') || (body ->> 'text') AS text, learnt AS at, learnt, NULL AS "
        "speaker, NULL AS claimed_speaker, "
        f"body ->> 'subject' AS subject, NULL AS session, NULL AS entities, {_USUAL}, "
        "body ->> 'sources' AS sources, NULL AS aside, retracted, 'active' AS status FROM lesson",
    ),
    Feed(
        "entity",
        "memory_entity",
        "SELECT number, 'entity' AS source, agent, id AS ref, "
        "coalesce(body ->> 'type', 'thing') AS kind, (body ->> 'name') "
        "|| coalesce((SELECT ' (' || string_agg(value, ', ') || ')' "
        "FROM json_each(body ->> 'aliases') HAVING count(*) > 0), '') "
        f"|| coalesce(': ' || nullif(body ->> 'profile', ''), '') || {_RELATIONS} AS text, "
        "learnt AS at, learnt, NULL AS speaker, NULL AS claimed_speaker, "
        "body ->> 'name' AS subject, NULL AS session, "
        "(SELECT json_group_array(value) FROM (SELECT body ->> 'name' AS value UNION ALL "
        f"SELECT value FROM json_each(body ->> 'aliases')) AS named) AS entities, {_USUAL}, "
        f"body ->> 'sources' AS sources, (SELECT min(learnt) {_NEWER}) AS aside, retracted, "
        f"CASE WHEN EXISTS(SELECT 1 {_NEWER}) THEN 'superseded' ELSE 'active' END AS status "
        "FROM memory_entity",
    ),
    Feed(
        "observation",
        "observation",
        "SELECT number, 'observation' AS source, agent, id AS ref, kind, summary || "
        "coalesce(' ' || nullif(detail, ''), '') AS text, valid_from AS at, learnt, NULL AS "
        "speaker, NULL AS claimed_speaker, "
        "subject_id AS subject, NULL AS session, NULL AS entities, 10 * confidence "
        "AS significance, sources, ended AS aside, NULL AS retracted, status FROM observation",
        stood="coalesce((SELECT standing ->> 'status' FROM observation_standing AS stood WHERE "
        "stood.agent = entry.agent AND stood.observation = entry.ref AND recorded <= :as_of "
        "ORDER BY stood.version DESC LIMIT 1), "
        "CASE WHEN aside > :as_of THEN 'active' ELSE status END)",
    ),
)
# Each is true where nothing is asked for; NULL compares as neither. What is put behind the agent
# keeps SQLite from walking through all rows of one: they are asked for by their numbers.
_WANTED = (
    "agent || '' = :agent",
    "(CAST(:as_of AS TEXT) IS NULL OR learnt <= :as_of)",
    "(retracted IS NULL OR retracted > :as_of)",
    "(:history = 1 OR aside IS NULL OR aside > :as_of)",
    "(CAST(:since AS TEXT) IS NULL OR at >= :since)",
    "(CAST(:until AS TEXT) IS NULL OR at < :until)",
    "(CAST(:kind AS TEXT) IS NULL OR :kind IN (kind, source))",
    "(CAST(:speaker AS TEXT) IS NULL OR lower(speaker) = lower(:speaker) "
    "OR (source = 'observation' AND subject = :about))",
    "(CAST(:subject AS TEXT) IS NULL OR lower(subject) = lower(:subject))",
    "(:trusted = 0 OR coalesce(sources, '[]') = '[]')",
)
CONDITION = " AND ".join(_WANTED)
"""Holds for the entries that `Filters`, as parameters, ask for."""
