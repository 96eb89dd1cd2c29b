"""Rows of observations, of how each has stood, and of the evidence that each stands on."""

from collections.abc import Collection, Iterator

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import to_json
from mindpipe.knowledge.records import Evidence, Mark, Observation, Stood, Wanted
from mindpipe.knowledge.tables.columns import (
    CLAIM,
    EVIDENCE,
    JSON,
    LOGGED,
    STANDING,
    array,
    cells,
    inserted,
    read,
)

_FLAGS = frozenset({"contested", "pinned", "operator_confirmed"})
_CLAIMED = [name for name in CLAIM.split() if name != "number"]
_STOOD = STANDING.split()
_NOW = "json_object({})".format(
    ", ".join(
        f"'{name}', "
        + (f"json({name})" if name in JSON else f"iif({name}, json('true'), json('false'))")
        if name in JSON | _FLAGS
        else f"'{name}', {name}"
        for name in _STOOD
    )
)
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
    return rows.run(
        f"UPDATE observation SET {changes} WHERE agent = :agent AND id = :id "
        "AND version = :expected",
        {**cells(observation, ["agent", "id", *_STOOD]), "expected": expected},
    )


def successions(
    rows: Rows, *, agent: str, refs: Collection[str], as_of: str | None
) -> Iterator[Mark]:
    """Yield which observation replaced which, of those that one of some ids names."""
    return rows.each(
        Mark,
        "SELECT 'supersedes' AS relation, supersedes_observation_id AS old, id AS new, "
        "learnt AS at FROM observation WHERE agent = :agent "
        "AND supersedes_observation_id IS NOT NULL "
        "AND (id IN (SELECT value FROM json_each(:refs)) "
        "OR supersedes_observation_id IN (SELECT value FROM json_each(:refs))) "
        "AND (:as_of IS NULL OR learnt <= :as_of) ORDER BY number",
        {"agent": agent, "refs": array(refs), "as_of": as_of},
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
    names = EVIDENCE.split()
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


def retract_evidence(
    rows: Rows, *, agent: str, source: str, refs: Collection[str], at: str
) -> list[str]:
    """Let evidence no longer count; return the observations that it counted for, by id."""
    found = rows.all(
        str,
        "UPDATE observation_evidence SET retracted = :at WHERE agent = :agent "
        "AND source = :source AND ref IN (SELECT value FROM json_each(:refs)) "
        "AND retracted IS NULL RETURNING observation",
        {"agent": agent, "source": source, "refs": array(refs), "at": at},
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


def find(rows: Rows, wanted: Wanted, *, as_of: str | None = None) -> list[Observation]:
    """Return observations without evidence as they stand, or stood at `as_of`, oldest first."""
    standing = _NOW if as_of is None else "s.standing"
    join = "" if as_of is None else _AS_OF
    found = rows.all(
        dict[str, object],
        f"SELECT {_CLAIM_COLUMNS}, {standing} AS standing FROM observation o {join} "
        f"WHERE {_condition(wanted)} ORDER BY o.number",
        {
            **{
                name: array(value) if isinstance(value, tuple) else value
                for name, value in msgspec.structs.asdict(wanted).items()
            },
            "as_of": as_of,
        },
    )
    observed = [_observation(read(row)) for row in found]
    return [one for one in observed if not wanted.statuses or one.status in wanted.statuses]


def _observation(row: dict[str, object]) -> Observation:
    """Return a claim and how it stands as one record."""
    standing = msgspec.convert(row.pop("standing"), dict[str, object])
    return msgspec.convert({**row, **standing}, Observation)


def _condition(wanted: Wanted) -> str:
    """Return the condition for what is wanted; statuses are looked at where they are read."""
    conditions = {
        "ids": "o.id IN (SELECT value FROM json_each(:ids))",
        "keys": "o.canonical_key IN (SELECT value FROM json_each(:keys))",
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
        "SELECT source, ref, stance, weight, at, learnt, origin, sources, span, value, linked, "
        "iif(:as_of IS NULL OR retracted <= :as_of, retracted, NULL) AS retracted "
        "FROM observation_evidence WHERE agent = :agent AND observation = :observation "
        "AND (:as_of IS NULL OR linked <= :as_of) ORDER BY at, source, ref, stance",
        {"agent": agent, "observation": observation, "as_of": as_of},
    )
    return tuple(msgspec.convert(read(row), Evidence) for row in found)


def stood(rows: Rows, *, agent: str, observation: str, as_of: str | None) -> list[Stood]:
    """Return how an observation has stood, oldest first."""
    found = rows.all(
        dict[str, object],
        "SELECT observation, version, recorded AS at, by, why, standing "
        "FROM observation_standing WHERE agent = :agent AND observation = :observation "
        "AND (:as_of IS NULL OR recorded <= :as_of) ORDER BY number",
        {"agent": agent, "observation": observation, "as_of": as_of},
    )
    return [_stood(read(row)) for row in found]


def _stood(row: dict[str, object]) -> Stood:
    """Return one line of how an observation has stood."""
    kept = {name: value for name, value in row.items() if name != "standing"}
    standing = msgspec.convert(row["standing"], dict[str, object])
    names = set(Stood.__struct_fields__) - set(kept)
    return msgspec.convert(
        {**kept, **{name: value for name, value in standing.items() if name in names}}, Stood
    )
