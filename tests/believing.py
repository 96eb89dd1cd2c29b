"""Observations, evidence and changes for tests, each with as little said as will do."""

import msgspec

from fakes import FixedClock
from mindpipe.context.verbs.memories import Revoker
from mindpipe.knowledge.freshness import WINDOWS
from mindpipe.knowledge.keys import SUBJECT_TYPES, canonical_key
from mindpipe.knowledge.records import (
    Change,
    Changes,
    Components,
    Evidence,
    Kind,
    Observation,
)
from mindpipe.knowledge.standing import settled
from mindpipe.wiring.chance import SeededChance

AVA = "ava"
T0 = "2026-11-01T00:00:00Z"
T1 = "2026-11-10T00:00:00Z"
T2 = "2026-11-20T00:00:00Z"
REVOKER = Revoker(FixedClock(), SeededChance(1))
_NONE = Components(
    source_count=0,
    source_diversity=0,
    support_weight=0.0,
    contradiction_weight=0.0,
    recency_weight=0.35,
    operator_confirmed_boost=0.0,
)


def evidence(ref: str = "it_1", **more: object) -> Evidence:
    """Return a piece of evidence: an item that supports, unless it is said otherwise."""
    given = {"source": "memory_item", "stance": "support", "at": T0, "learnt": T0, **more}
    return msgspec.convert({"ref": ref, **given}, Evidence)


def observation(
    id: str = "ob_1",
    *links: Evidence,
    kind: Kind = "world_fact",
    subject: str = "sarah",
    slot: str = "residence",
    now: str = T0,
    **more: object,
) -> Observation:
    """Return an observation that stands as its evidence has it; one item supports it if none."""
    subject = "self" if kind == "self_model" else subject
    subject_type = SUBJECT_TYPES[kind]
    given = {
        "id": id,
        "agent": AVA,
        "kind": kind,
        "subject_type": subject_type,
        "subject_id": subject,
        "slot": slot,
        "canonical_key": canonical_key(kind, subject_type, subject, slot),
        "value": "Berlin",
        "summary": "Sarah lives in Berlin.",
        "confidence": 0.0,
        "components": _NONE,
        "freshness": 0.0,
        "valid_from": T0,
        "learnt": T0,
        "revalidation_due_at": T0,
        "evidence": links or (evidence(),),
        **more,
    }
    made = msgspec.convert(given, Observation, from_attributes=True)
    return settled(made, now=now, windows=WINDOWS)


def changes(*changed: Change, at: str = T0) -> Changes:
    """Return changes of one agent at one instant."""
    return Changes(agent=AVA, at=at, changes=changed)


def new(made: Observation, why: str = "it was said") -> Change:
    """Return the change that makes an observation."""
    return Change(observation=made, why=why)
