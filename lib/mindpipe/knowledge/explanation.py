"""Why something is held, and what was held at an earlier time."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.sources import attribution
from mindpipe.knowledge.confidence import (
    BASE,
    STALE_BELOW,
    Windows,
    aged,
    doubt_by,
    is_old,
    parts_of,
    settled,
    trust_of,
    window_of,
    word_of,
)
from mindpipe.knowledge.deciding.authority import authority_of, speaks, standing_in_words
from mindpipe.knowledge.records import (
    BeliefDecision,
    BeliefStatus,
    Evidence,
    Explained,
    Observation,
    ObservationFilter,
)

Texts = Mapping[tuple[str, str], str]
"""The words of each source of evidence, by (source, ref)."""


def explained(
    observation: Observation,
    *,
    texts: Texts,
    log: Mapping[str, str] | None,
    decisions: Iterable[BeliefDecision],
    windows: Windows,
) -> Iterator[Explained]:
    """Yield a line for every component, for freshness, for every piece of evidence and decision.

    `texts` are the words that the evidence names, `log` those of the messages that it quotes, by
    id; None says that there is no log to look into.
    """
    yield from _of_confidence(observation)
    window = window_of(observation, windows)
    yield Explained(
        observation=observation.id,
        part="freshness",
        name="freshness",
        value=observation.freshness,
        at=observation.last_supported_at,
        why=f"1 - age / {2 * window:g} days, less 0.2 if contradicted since"
        + (f"; below {STALE_BELOW:g} no prompt states it" if is_old(observation) else ""),
    )
    for evidence in observation.evidence:
        yield _of_evidence(observation, evidence, texts, log)
    for decision in decisions:
        if observation.id in (decision.observation, decision.made):
            yield _of_decision(observation, decision)


def _of_confidence(observation: Observation) -> Iterator[Explained]:
    """Yield the base, the components in the order of the formula, and what they come to."""
    yield Explained(observation=observation.id, part="base", name="base", points=BASE)
    for part in parts_of(observation.components):
        yield Explained(
            observation=observation.id,
            part="component",
            name=part.name,
            value=part.value,
            share=round(part.share, 6),
            points=round(part.points, 6) or 0.0,
        )
    yield Explained(
        observation=observation.id,
        part="confidence",
        name=word_of(observation.confidence),
        value=observation.confidence,
        why="the sum of all points, not below 0 and not over 1",
    )


def _of_evidence(
    observation: Observation, evidence: Evidence, texts: Texts, log: Mapping[str, str] | None
) -> Explained:
    """Return the line of a piece of evidence, down to the quoted words."""
    span = evidence.span
    subject, own = observation.subject_id, speaks(observation.evidence, observation.subject_id)
    came = attribution(None, evidence.claimed_speaker, evidence.sources)
    standing = standing_in_words(evidence, subject, own=own)
    doubts = doubt_by(evidence)
    return Explained(
        observation=observation.id,
        part="evidence",
        name=evidence.stance,
        value=evidence.weight,
        source=evidence.source,
        ref=evidence.ref,
        at=evidence.at,
        learnt=evidence.learnt,
        retracted=evidence.retracted,
        origin=evidence.origin,
        speaker=evidence.speaker,
        claimed_speaker=evidence.claimed_speaker,
        sources=evidence.sources,
        reader=evidence.reader,
        trust=trust_of(evidence),
        authority=authority_of(evidence, subject, own=own),
        why="; ".join(filter(None, (None if evidence.speaker else came, standing, doubts))) or None,
        text=texts.get((evidence.source, evidence.ref)),
        message=None if span is None else span.message,
        quote=None if span is None else span.quote,
        found=None if span is None or log is None else is_quoted(evidence, log),
    )


def is_quoted(evidence: Evidence, log: Mapping[str, str]) -> bool:
    """Tell whether the log has the words of a piece of evidence where it says that they are."""
    span = evidence.span
    return span is not None and log.get(span.message, "")[span.start : span.end] == span.quote


def _of_decision(observation: Observation, decision: BeliefDecision) -> Explained:
    """Return the line of a decision on an observation."""
    return Explained(
        observation=observation.id,
        part="decision",
        name=decision.call,
        ref=decision.id,
        at=decision.at,
        why=f"{decision.by}, {decision.state}: {decision.why} "
        f"({decision.new_weight:g} against {decision.old_weight:g}, margin {decision.margin:g})",
    )


def chosen(
    found: Iterable[Observation],
    wanted: ObservationFilter,
    *,
    now: str,
    as_of: str | None,
    windows: Windows,
) -> list[Observation]:
    """Return those observations that are wanted, as of now or of an instant, best first."""
    seen = (
        (aged(one, now=now, windows=windows) if as_of is None else believed_at(one, as_of, windows))
        for one in found
    )
    return ranked(one for one in seen if one is not None and _is_wanted(one, wanted))


def ranked(found: Iterable[Observation]) -> list[Observation]:
    """Return observations by confidence, then freshness, best first; ties by key and time."""
    return sorted(
        found, key=lambda one: (-one.confidence, -one.freshness, one.canonical_key, one.learnt)
    )


def believed_at(observation: Observation, instant: str, windows: Windows) -> Observation | None:
    """Return an observation as it was believed at an instant, or None where it was not yet."""
    if observation.learnt > instant:
        return None
    evidence = tuple(
        msgspec.structs.replace(one, retracted=None)
        if one.retracted is not None and one.retracted > instant
        else one
        for one in observation.evidence
        if _began(one) <= instant
    )
    standing = msgspec.structs.replace(observation, evidence=evidence)
    if observation.ended is not None and observation.ended > instant:
        standing = msgspec.structs.replace(
            standing, status=BeliefStatus.ACTIVE, ended=None, valid_to=None
        )
    return settled(standing, now=instant, windows=windows)


def _began(evidence: Evidence) -> str:
    """Return when a piece of evidence began to count."""
    return evidence.linked or evidence.learnt


def _is_wanted(observation: Observation, wanted: ObservationFilter) -> bool:
    """Tell whether an observation meets every condition."""
    asked: tuple[tuple[bool, bool], ...] = (
        (bool(wanted.ids), observation.id in wanted.ids),
        (bool(wanted.keys), observation.canonical_key in wanted.keys),
        (wanted.kind is not None, observation.kind == wanted.kind),
        (wanted.subject is not None, observation.subject_id == wanted.subject),
        (wanted.due is not None, observation.revalidation_due_at <= (wanted.due or "")),
        (bool(wanted.statuses), observation.status in wanted.statuses),
    )
    return all(met for given, met in asked if given)
