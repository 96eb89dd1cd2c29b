"""Rows of what is held while claims are weighed: by keys and families, with the latest evidence."""

from collections.abc import Collection, Iterable

import msgspec

from mindpipe.core.ports import Rows
from mindpipe.core.records import Record
from mindpipe.knowledge.records import Evidence
from mindpipe.knowledge.tables.columns import EVIDENCE, array, read

_HELD = "agent = :agent AND status IN ('active', 'stale')"
_FAMILY = "substr(slot, 1, instr(slot || '_', '_') - 1)"
_EVIDENCE = [name for name in EVIDENCE.split() if name not in ("agent", "observation")]


def ids_of_keys(rows: Rows, *, agent: str, keys: Collection[str]) -> list[str]:
    """Return the ids of what is held under some canonical keys."""
    return rows.all(
        str,
        f"SELECT id FROM observation WHERE {_HELD} "
        "AND canonical_key IN (SELECT value FROM json_each(:keys))",
        {"agent": agent, "keys": array(keys)},
    )


def ids_citing(rows: Rows, *, agent: str, source: str, refs: Collection[str]) -> list[str]:
    """Return the ids of all observations, ended ones too, that name some sources as evidence."""
    return rows.all(
        str,
        "SELECT DISTINCT observation FROM observation_evidence WHERE agent = :agent "
        "AND source = :source AND ref IN (SELECT value FROM json_each(:refs))",
        {"agent": agent, "source": source, "refs": array(refs)},
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
        f"UNION SELECT number {of_one} AND ref IN (SELECT value FROM json_each(:refs))) "
        "ORDER BY at, source, ref, stance",
        {"agent": agent, "observation": observation, "refs": array(refs), "limit": limit},
    )
    return tuple(msgspec.convert(read(row), Evidence) for row in found)
