"""Observations and their evidence as rows."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator

import msgspec

from mindpipe.core.ports import Cell, Given, Pair, Rows
from mindpipe.core.records import Record, to_json
from mindpipe.knowledge.records import (
    BeliefMark,
    Denial,
    Evidence,
    Observation,
    ObservationFilter,
    RecordedStanding,
    Stood,
)

CLAIM = (
    "number agent id kind subject_type subject_id slot canonical_key value summary detail tags "
    "valid_from learnt supersedes_observation_id"
)
STANDING = (
    "confidence components freshness status contested pinned operator_confirmed valid_to ended "
    "last_supported_at contradicted_at reinforced revalidation_due_at sources version"
)
EVIDENCE = (
    "agent observation source ref stance weight at learnt origin sources span value linked "
    "retracted"
)
SAID_BY = "speaker claimed_speaker trusted vouched"
"""Columns of evidence that came later; in rows from before all are NULL: nobody noted it then."""
READ_BY = "reader meant"
"""Who read evidence from words, and how these were meant; NULL in rows from before, too."""
DECISION = (
    "agent id call canonical_key observation made old_value new_value old_weight new_weight margin "
    "evidence at by why state proposal answered answered_by"
)
LOGGED = "number agent observation version recorded by why standing"
ANSWER = frozenset({"made", "state", "answered", "answered_by"})
JSON = frozenset(
    {"tags", "components", "sources", "trusted", "evidence", "span", "proposal", "standing"}
)


def cells(record: msgspec.Struct, names: Iterable[str]) -> dict[str, Cell]:
    """Return those of some fields that a record has, as a row keeps them."""
    return {name: _cell(name, getattr(record, name)) for name in names if hasattr(record, name)}


def _cell(name: str, value: object) -> Cell:
    """Return a field as a row keeps it."""
    if value is not None and name in JSON:
        return to_json(value).decode()
    return value  # type: ignore[return-value]  # the others are plain


def read(row: dict[str, object]) -> dict[str, object]:
    """Return a row whose columns of JSON are values again."""
    return {
        name: msgspec.json.decode(str(value)) if value is not None and name in JSON else value
        for name, value in row.items()
    }


def array(values: Iterable[str]) -> str:
    """Return texts as a JSON array, which one parameter holds whole."""
    return to_json(list(values)).decode()


def inserted(table: str, names: Iterable[str]) -> str:
    """Return the SQL that adds a row to a table by named parameters."""
    listed = list(names)
    marks = ", ".join(f":{name}" for name in listed)
    return f"INSERT INTO {table}({', '.join(listed)}) VALUES({marks})"


_FLAGS = frozenset({"contested", "pinned", "operator_confirmed"})
_CLAIMED = [name for name in CLAIM.split() if name != "number"]
_STOOD = STANDING.split()
_NOW = ", ".join(f"o.{name}" for name in _STOOD)
_CLAIM_COLUMNS = ", ".join(f"o.{name}" for name in _CLAIMED)
_AS_OF = (
    "JOIN observation_standing s ON s.agent = o.agent AND s.observation = o.id AND s.number = "
    "(SELECT max(number) FROM observation_standing WHERE agent = o.agent AND observation = o.id "
    "AND recorded <= :as_of)"
)


def insert(rows: Rows, observation: Observation) -> None:
    """Add an observation without its evidence."""
    names = [*_CLAIMED, *_STOOD]
    rows.run(inserted("observation", names), cells(observation, names))


def update(rows: Rows, observation: Observation, *, expected: int) -> int:
    """Change how an observation stands; return 0 if it has another version than expected."""
    changes = ", ".join(f"{name} = :{name}" for name in _STOOD)
    return rows.changed(
        f"UPDATE observation SET {changes} WHERE agent = :agent AND id = :id "
        "AND version = :expected",
        {**cells(observation, ["agent", "id", *_STOOD]), "expected": expected},
    )


def successions(
    rows: Rows, *, agent: str, refs: Collection[str], as_of: str | None
) -> Iterator[BeliefMark]:
    """Yield which observation replaced which, of those that one of some ids names."""
    return rows.each(
        BeliefMark,
        "SELECT 'supersedes' AS relation, supersedes_observation_id AS old, id AS new, "
        "learnt AS at FROM observation WHERE number IN ("
        # An OR of the two would walk through all that was ever replaced.
        "SELECT number FROM observation WHERE agent = :agent AND id IN :refs "
        "UNION ALL SELECT number FROM observation WHERE agent = :agent "
        "AND supersedes_observation_id IN :refs) "
        "AND supersedes_observation_id IS NOT NULL "
        "AND (CAST(:as_of AS TEXT) IS NULL OR learnt <= :as_of) ORDER BY number",
        {"agent": agent, "refs": [*refs], "as_of": as_of},
    )


def log_standing(rows: Rows, observation: Observation, *, at: str, by: str, why: str) -> None:
    """Note how an observation stands from an instant on, who had it so and why."""
    standing = {name: getattr(observation, name) for name in _STOOD}
    rows.run(
        inserted("observation_standing", LOGGED.split()[1:]),
        {
            "agent": observation.agent,
            "observation": observation.id,
            "version": observation.version,
            "recorded": at,
            "by": by,
            "why": why,
            "standing": to_json(standing).decode(),
        },
    )


def insert_evidence(rows: Rows, observation: Observation, *, at: str) -> None:
    """Link an observation to its evidence, passing over what is linked already."""
    names = [*EVIDENCE.split(), *SAID_BY.split(), *READ_BY.split()]
    columns = [*names, "kind"]
    for evidence in observation.evidence:
        own = cells(evidence, [name for name in names if name not in ("agent", "observation")])
        owner: dict[str, Cell] = {
            "agent": observation.agent,
            "observation": observation.id,
            "kind": observation.kind,
            "linked": evidence.linked or at,
        }
        rows.run(
            f"{inserted('observation_evidence', columns)} "
            "ON CONFLICT(agent, observation, source, ref, stance) DO NOTHING",
            {**own, **owner},
        )


def quarantined(rows: Rows, *, agent: str) -> list[Evidence]:
    """Return the evidence of an agent that counts and was written under untrusted words."""
    found = rows.all(
        dict[str, object],
        "SELECT source, ref, stance, at, learnt, sources FROM observation_evidence "
        "WHERE agent = :agent AND sources != '[]' AND retracted IS NULL",
        {"agent": agent},
    )
    return [msgspec.convert(read(row), Evidence) for row in found]


def _evidence(row: dict[str, object]) -> Evidence:
    """Return a piece of evidence with all its columns."""
    read_again = read(row)
    vouched = read_again["vouched"]
    read_again["vouched"] = None if vouched is None else bool(vouched)
    read_again["trusted"] = read_again["trusted"] or ()
    return msgspec.convert(read_again, Evidence)


def retract_evidence(
    rows: Rows, *, agent: str, source: str, refs: Collection[str], at: str
) -> list[str]:
    """Let evidence no longer count; return the observations that it counted for, by id."""
    found = rows.all(
        str,
        "UPDATE observation_evidence SET retracted = :at WHERE agent = :agent "
        "AND source = :source AND ref IN :refs AND retracted IS NULL RETURNING observation",
        {"agent": agent, "source": source, "refs": [*refs], "at": at},
    )
    return sorted(set(found))


def retract_from(rows: Rows, observation: Observation, evidence: Evidence, *, at: str) -> None:
    """Let one piece of evidence no longer count for or against one observation."""
    rows.run(
        "UPDATE observation_evidence SET retracted = :at WHERE agent = :agent "
        "AND observation = :observation AND source = :source AND ref = :ref AND stance = :stance "
        "AND retracted IS NULL",
        {
            "at": at,
            "agent": observation.agent,
            "observation": observation.id,
            "source": evidence.source,
            "ref": evidence.ref,
            "stance": evidence.stance,
        },
    )


def find(rows: Rows, wanted: ObservationFilter, *, as_of: str | None = None) -> list[Observation]:
    """Return observations without evidence as they stand, or stood at `as_of`, oldest first."""
    standing, join = _NOW, ""
    if as_of is not None:
        standing, join = "s.standing AS standing", _AS_OF
    values: dict[str, Given] = {
        name: [*value] if isinstance(value, tuple) else value
        for name, value in msgspec.structs.asdict(wanted).items()
    }
    found = rows.all(
        dict[str, object],
        f"SELECT {_CLAIM_COLUMNS}, {standing} FROM observation o {join} "
        f"WHERE {_condition(wanted)} ORDER BY o.number",
        {**values, "as_of": as_of},
    )
    observed = [_observation(read(row)) for row in found]
    return [one for one in observed if not wanted.statuses or one.status in wanted.statuses]


def _observation(row: dict[str, object]) -> Observation:
    """Return a claim and how it stands, by columns or as one of them, as one record."""
    if "standing" in row:
        standing = msgspec.convert(row.pop("standing"), dict[str, object])
        return msgspec.convert({**row, **standing}, Observation)
    return msgspec.convert({**row, **{name: bool(row[name]) for name in _FLAGS}}, Observation)


def _condition(wanted: ObservationFilter) -> str:
    """Return the condition for what is wanted; statuses are looked at where they are read."""
    conditions = {
        "ids": "o.id IN :ids",
        "keys": "o.canonical_key IN :keys",
        "kind": "o.kind = :kind",
        "subject": "o.subject_id = :subject",
        "due": "o.revalidation_due_at <= :due",
    }
    asked = [words for name, words in conditions.items() if getattr(wanted, name)]
    return " AND ".join(["o.agent = :agent", *asked])


def evidence_of(
    rows: Rows, *, agent: str, observation: str, as_of: str | None = None
) -> tuple[Evidence, ...]:
    """Return the evidence of an observation by time, as it is linked or was at `as_of`."""
    found = rows.all(
        dict[str, object],
        "SELECT source, ref, stance, weight, at, learnt, origin, speaker, claimed_speaker, "
        "sources, trusted, vouched, span, value, reader, meant, linked, "
        "CASE WHEN CAST(:as_of AS TEXT) IS NULL OR retracted <= :as_of THEN retracted END "
        "AS retracted FROM observation_evidence WHERE agent = :agent "
        "AND observation = :observation AND (CAST(:as_of AS TEXT) IS NULL OR linked <= :as_of) "
        "ORDER BY at, source, ref, stance",
        {"agent": agent, "observation": observation, "as_of": as_of},
    )
    return tuple(map(_evidence, found))


_NAME = (
    "lower(rtrim(substr(value, 1, min(instr(value || ',', ','), instr(value || '(', '(')) - 1)))"
)
_KIND = "lower(substr(value, instr(value, '(') + 1, length(value) - instr(value, '(') - 1))"
VALUES_SCHEMA = f"""
    CREATE INDEX observation_named ON observation(agent, {_NAME})
        WHERE status = 'active' AND value != '';
    CREATE INDEX observation_kinded ON observation(agent, {_KIND})
        WHERE status = 'active' AND instr(value, '(') > 0;
    CREATE INDEX observation_denied ON observation(agent, subject_id, slot)
        WHERE status = 'active' AND supersedes_observation_id IS NOT NULL
        AND substr(value, 1, 4) = 'not ';
"""
_MOST_WORDS = 12
"""A value of more words is a quotation, and named by nobody."""


def has_value_in(rows: Rows, *, agent: str, text: str) -> bool:
    """Tell whether a text names what is held somewhere.

    Of "Bremen, Germany" that is Bremen alone, of "Rex (dog)" either.
    """
    names = [run.translate(_LOWER) for run in _runs(text)]
    found = rows.value(bool, _HAS_VALUE, {"agent": agent, "names": names})
    return bool(found)


_LOWER = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}
"""The letters to which the store's `lower` gives another one."""


def _has_value(name: str) -> str:
    """Return the statement that looks for a value by its name or its kind."""
    return (
        "SELECT EXISTS(SELECT 1 FROM observation WHERE agent = :agent AND status = 'active' "
        f"AND value != '' AND {name} IN :names "
        "UNION ALL SELECT 1 FROM observation WHERE agent = :agent AND status = 'active' "
        f"AND instr(value, '(') > 0 AND {_KIND} IN :names)"
    )


# The index is by these words, of which each engine has one its own.
_HAS_VALUE = Pair(sqlite=_has_value(_NAME), postgres=_has_value(_NAME.replace("min(", "least(")))


def _runs(text: str) -> list[str]:
    """Return all that a text says in a few words side by side, as it is spelled there."""
    tokens = {*re.finditer(r"[^\W_]+", text), *re.finditer(r"\S+", text)}
    begins = sorted({one.start() for one in tokens})
    ends = sorted({one.end() for one in tokens})
    runs: dict[str, None] = {}
    for begin in begins:
        first = bisect_right(ends, begin)
        runs |= dict.fromkeys(text[begin:end] for end in ends[first : first + 2 * _MOST_WORDS])
    return list(runs)


class DeniedSlot(Record):
    """A slot of somebody in which a value is held not to be so that was believed before.

    `at` is when that was said last.
    """

    subject_id: str
    slot: str
    at: str


def denied_slots(rows: Rows, *, agent: str) -> list[DeniedSlot]:
    """Return where something believed was denied, and nothing has taken its place."""
    return rows.all(
        DeniedSlot,
        "SELECT subject_id, slot, max(coalesce(last_supported_at, learnt)) AS at FROM observation "
        "WHERE agent = :agent AND status = 'active' AND supersedes_observation_id IS NOT NULL "
        "AND substr(value, 1, 4) = 'not ' GROUP BY subject_id, slot",
        {"agent": agent},
    )


def denials(rows: Rows, *, agent: str, ids: Collection[str]) -> list[Denial]:
    """Return who said first of each of some observations that what it supersedes is not so."""
    return rows.all(
        Denial,
        "SELECT observation, speaker, at, message FROM (SELECT observation, speaker, at, "
        "span ->> 'message' AS message, "
        "row_number() OVER (PARTITION BY observation ORDER BY at, number) AS place "
        "FROM observation_evidence WHERE agent = :agent AND observation IN :ids "
        "AND meant = 'denied' AND stance = 'support' AND retracted IS NULL) AS said "
        "WHERE place = 1 ORDER BY observation",
        {"agent": agent, "ids": [*ids]},
    )


class Backing(Record):
    """An item that supports an observation, both by their ids."""

    observation: str
    item: str


def backing(rows: Rows, *, agent: str, refs: Collection[str], as_of: str | None) -> list[Backing]:
    """Return the items that support some observations, as they count or did, newest first."""
    return rows.all(
        Backing,
        "SELECT observation, ref AS item FROM observation_evidence WHERE agent = :agent "
        "AND observation IN :refs AND source = 'memory_item' AND stance = 'support' "
        "AND (CAST(:as_of AS TEXT) IS NULL OR linked <= :as_of) "
        "AND (retracted IS NULL OR retracted > :as_of) ORDER BY at DESC, ref",
        {"agent": agent, "refs": [*refs], "as_of": as_of},
    )


def stood(rows: Rows, *, agent: str, observation: str, as_of: str | None) -> list[Stood]:
    """Return how an observation has stood, oldest first."""
    found = rows.all(
        dict[str, object],
        "SELECT observation, version, recorded AS at, by, why, standing "
        "FROM observation_standing WHERE agent = :agent AND observation = :observation "
        "AND (CAST(:as_of AS TEXT) IS NULL OR recorded <= :as_of) ORDER BY number",
        {"agent": agent, "observation": observation, "as_of": as_of},
    )
    return [_stood(read(row)) for row in found]


def standings(rows: Rows, *, agent: str, observation: str) -> list[RecordedStanding]:
    """Return how an observation has stood, all of it and without evidence, oldest first."""
    found = rows.all(
        dict[str, object],
        f"SELECT s.version AS kept, s.recorded AS recorded, s.by AS by, {_CLAIM_COLUMNS}, "
        "s.standing AS standing FROM observation o JOIN observation_standing s "
        "ON s.agent = o.agent AND s.observation = o.id "
        "WHERE o.agent = :agent AND o.id = :observation ORDER BY s.number",
        {"agent": agent, "observation": observation},
    )
    return [
        RecordedStanding(
            version=int(str(row.pop("kept"))),
            recorded=str(row.pop("recorded")),
            by=str(row.pop("by")),
            stood=_observation(read(row)),
        )
        for row in found
    ]


def _stood(row: dict[str, object]) -> Stood:
    """Return one line of how an observation has stood."""
    kept = {name: value for name, value in row.items() if name != "standing"}
    standing = msgspec.convert(row["standing"], dict[str, object])
    names = set(Stood.__struct_fields__) - set(kept)
    return msgspec.convert(
        {**kept, **{name: value for name, value in standing.items() if name in names}}, Stood
    )


_HELD = "agent = :agent AND status IN ('active', 'stale')"
_FAMILY = "substr(slot, 1, instr(slot || '_', '_') - 1)"
_EVIDENCE = [
    name
    for name in (*EVIDENCE.split(), *SAID_BY.split(), *READ_BY.split())
    if name not in ("agent", "observation")
]


def ids_of_keys(rows: Rows, *, agent: str, keys: Collection[str]) -> list[str]:
    """Return the ids of what is held under some canonical keys."""
    return rows.all(
        str,
        f"SELECT id FROM observation WHERE {_HELD} AND canonical_key IN :keys",
        {"agent": agent, "keys": [*keys]},
    )


_TIMED = "(slot = 'age' OR slot LIKE 'plan.%' OR valid_to IS NOT NULL)"
TIMED_SCHEMA = f"""
    CREATE INDEX observation_timed ON observation(agent, subject_id)
        WHERE status IN ('active', 'stale') AND {_TIMED};
"""


class DueBelief(Record):
    """What is held that the days have overtaken."""

    id: str
    subject_id: str


def due(
    rows: Rows, *, agent: str, now: str, grown: str, subject: str | None = None
) -> list[DueBelief]:
    """Return what the days have overtaken by `now`.

    That is a plan whose day has come since it was looked at last, what was said to hold until one,
    and an age that was last told by `grown`. What an operator stands for stays as it is.
    """
    of_one = "" if subject is None else "AND subject_id = :subject "
    sql = Pair(_due(_WITH_DAY.sqlite, of_one), _due(_WITH_DAY.postgres, of_one))
    values = {"agent": agent, "now": now, "grown": grown, "subject": subject}
    return rows.all(DueBelief, sql, values)


_WITH_DAY = Pair(
    sqlite="value GLOB '* from [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'",
    postgres="value ~ ' from [0-9]{4}-[0-9]{2}-[0-9]{2}$'",
)


def _due(with_day: str, of_one: str) -> str:
    """Return the statement for what the days have overtaken, of one subject or of all."""
    return (
        f"SELECT id, subject_id FROM observation WHERE {_HELD} AND {_TIMED} "
        "AND pinned = 0 AND operator_confirmed = 0 AND "
        "((valid_to <= :now AND slot NOT LIKE 'plan.%') "
        "OR (slot = 'age' AND status = 'active' AND last_supported_at <= :grown) "
        f"OR (slot LIKE 'plan.%' AND valid_to IS NULL AND {with_day} "
        # By no index: the one of ids has all that is held, that of timed beliefs few.
        f"AND substr(value, -10) || 'T00:00:00Z' <= :now)) {of_one}ORDER BY id || ''"
    )


def ids_of_word(rows: Rows, *, agent: str, kind: str, subject: str, word: str) -> list[str]:
    """Return the ids of what is held of a subject under one word of slots, whatever the topic."""
    return rows.all(
        str,
        f"SELECT id FROM observation WHERE {_HELD} AND kind = :kind AND subject_id = :subject "
        "AND substr(slot, 1, instr(slot || '.', '.') - 1) = :word",
        {"agent": agent, "kind": kind, "subject": subject, "word": word},
    )


def ids_named(
    rows: Rows, *, agent: str, kind: str, subject: str, word: str, stems: Collection[str]
) -> list[str]:
    """Return the ids of the figures of a subject of whose topic all of some stems are.

    What a project is held to have in the slot of that name is such a figure too.
    """
    return rows.all(
        str,
        f"SELECT id FROM observation WHERE {_HELD} AND kind = :kind AND subject_id = :subject "
        "AND substr(slot, 1, instr(slot || '.', '.') - 1) IN (:word, 'count', 'metric') "
        "AND NOT EXISTS (SELECT 1 FROM json_each(:stems) AS one "
        "WHERE one.value NOT IN (SELECT value FROM json_each(observation.tags))) "
        f"UNION ALL SELECT id FROM observation WHERE {_HELD} AND kind = 'project_state' "
        "AND :word IN ('date', 'count', 'metric') "
        "AND EXISTS (SELECT 1 FROM json_each(:stems) AS one WHERE instr(slot, one.value) = 1)",
        {"agent": agent, "kind": kind, "subject": subject, "word": word, "stems": array(stems)},
    )


def ids_citing(rows: Rows, *, agent: str, source: str, refs: Collection[str]) -> list[str]:
    """Return the ids of all observations, ended ones too, that name some sources as evidence."""
    return rows.all(
        str,
        "SELECT DISTINCT observation FROM observation_evidence WHERE agent = :agent "
        "AND source = :source AND ref IN :refs",
        {"agent": agent, "source": source, "refs": [*refs]},
    )


class Topic(Record):
    """What tells an observation of a family from others: its slot and the stems of its words."""

    id: str
    slot: str
    tags: tuple[str, ...]


def topics_of_family(
    rows: Rows, *, agent: str, kind: str, subject: str, family: str, limit: int
) -> list[Topic]:
    """Return the topics of what is held in one family of slots, the latest first.

    A family is the part of a slot before its first underscore.
    """
    found = rows.all(
        dict[str, object],
        f"SELECT id, slot, tags FROM observation WHERE {_HELD} AND kind = :kind "
        f"AND subject_id = :subject AND {_FAMILY} = :family "
        "ORDER BY valid_from DESC, id DESC LIMIT :limit",
        {"agent": agent, "kind": kind, "subject": subject, "family": family, "limit": limit},
    )
    return [msgspec.convert(read(row), Topic) for row in found]


def latest_evidence(
    rows: Rows, *, agent: str, observation: str, refs: Iterable[str], limit: int
) -> tuple[Evidence, ...]:
    """Return the latest evidence of an observation, and what it has of some sources, by time."""
    columns = ", ".join(_EVIDENCE)
    of_one = "FROM observation_evidence WHERE agent = :agent AND observation = :observation"
    found = rows.all(
        dict[str, object],
        f"SELECT {columns} {of_one} AND number IN ("
        f"SELECT * FROM (SELECT number {of_one} ORDER BY at DESC, number DESC LIMIT :limit) "
        f"AS latest UNION SELECT number {of_one} AND ref IN :refs) "
        "ORDER BY at, source, ref, stance",
        {"agent": agent, "observation": observation, "refs": [*refs], "limit": limit},
    )
    return tuple(map(_evidence, found))
