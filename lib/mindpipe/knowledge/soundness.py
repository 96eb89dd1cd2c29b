"""The hard invariants of one observation, checked before it is kept; the schema holds them too."""

from collections.abc import Iterator

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.keys import (
    SELF,
    SUBJECT_TYPES,
    Slots,
    canonical_key,
    normal_subject,
    require_slot,
)
from mindpipe.knowledge.records import Evidence, Kind, Observation

OBSERVATION_PREFIX = "ob_"
PERSONAL: frozenset[Kind] = frozenset({"operator_preference", "self_model"})
"""Kinds that nothing quarantined may support."""
NO_EVIDENCE = frozenset({"agent", "recalled"})
"""Origins of what the model said itself, and of what memory put into a prompt."""


def faults_of(observation: Observation, *, slots: Slots) -> list[str]:
    """Return what is wrong with an observation, a line each; nothing where it is sound."""
    named = observation.id.startswith(OBSERVATION_PREFIX)
    return [
        *([] if named else [f"the id of an observation begins with {OBSERVATION_PREFIX}"]),
        *_of_key(observation, slots),
        *_of_times(observation),
        *_of_links(observation),
    ]


def faults_of_evidence(evidence: Evidence, *, kind: Kind) -> Iterator[str]:
    """Yield what is wrong with one piece of evidence for an observation of a kind."""
    name = f"evidence {evidence.ref}"
    if evidence.ref.startswith(OBSERVATION_PREFIX):
        yield f"{name} is an observation; only items, lessons, reflections and entities are cited"
    if evidence.origin in NO_EVIDENCE:
        yield f"{name} is of origin {evidence.origin}, which is never evidence"
    if evidence.stance == "support" and evidence.sources and kind in PERSONAL:
        yield f"{name} is quarantined ({', '.join(evidence.sources)}) and supports no {kind}"


def _of_key(observation: Observation, slots: Slots) -> Iterator[str]:
    """Yield what is wrong with subject, slot and key."""
    kind, subject_type = observation.kind, observation.subject_type
    allowed = {SUBJECT_TYPES[kind]} | ({"agent"} if kind == "relationship_fact" else set())
    if subject_type not in allowed:
        yield f"the subject of a {kind} is of type {SUBJECT_TYPES[kind]}, not {subject_type}"
    if kind == "self_model" and observation.subject_id != SELF:
        yield f'the subject of a self_model is "{SELF}", not "{observation.subject_id}"'
    try:
        if observation.subject_id != normal_subject(observation.subject_id):
            yield f'subject_id "{observation.subject_id}" is not normal'
        require_slot(slots, kind, observation.slot)
    except UsageError as error:
        yield str(error).removesuffix(".")
    key = canonical_key(kind, subject_type, observation.subject_id, observation.slot)
    if observation.canonical_key != key:
        yield f'canonical_key is "{observation.canonical_key}", code makes "{key}"'


def _of_times(observation: Observation) -> Iterator[str]:
    """Yield where its times contradict each other."""
    if observation.valid_to is not None and observation.valid_to < observation.valid_from:
        yield f"valid_to {observation.valid_to} is before valid_from {observation.valid_from}"
    if observation.ended is not None and observation.ended < observation.learnt:
        yield f"ended {observation.ended} is before learnt {observation.learnt}"


def _of_links(observation: Observation) -> Iterator[str]:
    """Yield what is wrong with its evidence and its one link to another observation."""
    if observation.supersedes_observation_id == observation.id:
        yield "it supersedes itself"
    if not any(one.stance == "support" for one in observation.evidence):
        yield "nothing supports it"
    if observation.sources and observation.kind in PERSONAL:
        yield f"{observation.kind} is never made from untrusted sources"
    said = {source for one in _supports(observation) for source in one.sources}
    if said - set(observation.sources) and "more:sources" not in observation.sources:
        yield "it names not all sources of its support"
    for evidence in observation.evidence:
        yield from faults_of_evidence(evidence, kind=observation.kind)


def _supports(observation: Observation) -> Iterator[Evidence]:
    """Yield the evidence for an observation."""
    return (one for one in observation.evidence if one.stance == "support")
