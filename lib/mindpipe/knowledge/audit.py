"""Whether beliefs stand on what they say they stand on."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.problems import Problem
from mindpipe.knowledge.confidence import STALE_BELOW
from mindpipe.knowledge.keys import (
    SELF,
    SUBJECT_TYPES,
    Slots,
    canonical_key,
    normal_subject,
    require_slot,
)
from mindpipe.knowledge.records import (
    BeliefStatus,
    Check,
    Evidence,
    Kind,
    KnowledgeFinding,
    Observation,
)


def finding(
    check: Check, observation: Observation, why: str, *, other: str | None = None
) -> KnowledgeFinding:
    """Return one finding at an observation; `other` is another one that it has to do with."""
    return KnowledgeFinding(
        check=check,
        observation=observation.id,
        canonical_key=observation.canonical_key,
        summary=observation.summary,
        other=other,
        why=why,
    )


ALIKE = 0.8
"""From this share of words in common on (Jaccard), two claims about one subject are much alike."""
_WORD = re.compile(r"\w+")


def audited(held: Sequence[Observation]) -> Iterator[KnowledgeFinding]:
    """Yield what is odd about observations that are active or stale, with their evidence.

    These are claims much like another on the same subject, claims of one source, contested ones,
    stale ones, and those that nothing supports any more.
    """
    yield from _near_duplicates([one for one in held if one.status is BeliefStatus.ACTIVE])
    for one in held:
        counted = one.components
        if not any(each.stance == "support" and not each.retracted for each in one.evidence):
            yield finding("orphan", one, "no evidence that counts supports it")
        elif counted.source_count == 1 and not one.operator_confirmed:
            yield finding("one_source", one, "one source supports it, and nobody confirmed it")
        if one.contested or counted.contradiction_weight > 0:
            why = f"{counted.contradiction_weight:g} against {counted.support_weight:g}"
            yield finding("contested", one, f"what contradicts it weighs {why} for it")
        if one.status is BeliefStatus.STALE or one.freshness < STALE_BELOW:
            last = one.last_supported_at or "never"
            yield finding("stale", one, f"freshness {one.freshness:g}, last supported {last}")


def _near_duplicates(active: Sequence[Observation]) -> Iterator[KnowledgeFinding]:
    """Yield each pair of claims that are much alike, the later one first.

    Two sets of words with a Jaccard index of at least t share one of the first n - ceil(t n) + 1
    words of either, rarest first (prefix filtering: Bayardo, Ma and Srikant, WWW 2007), so that
    only these are looked up.
    """
    words = [frozenset(_WORD.findall(one.summary.casefold())) for one in active]
    often = Counter(word for each in words for word in each)
    seen: dict[tuple[str, str], list[int]] = {}
    for place, own in enumerate(words):
        rarest = sorted(own, key=lambda word: (often[word], word))
        first = rarest[: len(own) - int(-(-ALIKE * len(own) // 1)) + 1]
        subject = active[place].subject_id
        near = {other for word in first for other in seen.get((subject, word), ())}
        for other in sorted(near):
            alike = len(own & words[other]) / len(own | words[other])
            if alike >= ALIKE:
                why = f"{alike:.0%} of its words are those of {active[other].canonical_key}"
                yield finding("near_duplicate", active[place], why, other=active[other].id)
        for word in first:
            seen.setdefault((subject, word), []).append(place)


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
        *_of_shape(observation),
    ]


def _of_shape(observation: Observation) -> Iterator[str]:
    """Yield what would keep it from being read again: a field that its record does not take."""
    try:
        msgspec.convert(msgspec.to_builtins(observation), Observation)
    except msgspec.ValidationError as error:
        yield str(error)


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


def unsound(found: Sequence[Observation], *, slots: Slots, source: str) -> list[Problem]:
    """Return all that is wrong with observations of a source, each by itself and beside others."""
    problems = [
        Problem(source=source, message=f"{one.id}: {fault}")
        for one in found
        for fault in faults_of(one, slots=slots)
    ]
    active: dict[str, str] = {}
    ids: set[str] = set()
    for one in found:
        if one.id in ids:
            problems.append(Problem(source=source, message=f"{one.id} stands there twice"))
        ids.add(one.id)
        if (
            one.status is BeliefStatus.ACTIVE
            and active.setdefault(one.canonical_key, one.id) != one.id
        ):
            words = f"{one.id} and {active[one.canonical_key]} are both active: {one.canonical_key}"
            problems.append(Problem(source=source, message=words))
    return problems
