"""Hold an observation against what it stands on: sources, the log, its key, its confidence."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mindpipe.knowledge.audit import faults_of as audit_faults_of
from mindpipe.knowledge.audit import finding
from mindpipe.knowledge.confidence import components_of
from mindpipe.knowledge.explanation import is_quoted
from mindpipe.knowledge.keys import Slots
from mindpipe.knowledge.records import Evidence, KnowledgeFinding, Observation
from mindpipe.memory.records import QuotedSpan

_COUNTED = ("source_count", "source_diversity", "support_weight", "contradiction_weight")
_TOLERANCE = 1e-6


class EvidenceOrigin(NamedTuple):
    """A source of evidence as memory has it: its words, its span, and when it was taken back."""

    text: str
    span: QuotedSpan | None = None
    retracted: str | None = None


Origins = Mapping[tuple[str, str], EvidenceOrigin]
"""The sources that are there, by (source, ref)."""


def faults_of(
    observation: Observation, sources: Origins, log: Mapping[str, str], *, slots: Slots
) -> Iterator[KnowledgeFinding]:
    """Yield all that is wrong with an observation that is kept.

    `sources` are those that are there, `log` the words of the messages that are quoted, by id.
    """
    for fault in audit_faults_of(observation, slots=slots):
        yield finding("key", observation, fault)
    for evidence in observation.evidence:
        if (evidence.source, evidence.ref) not in sources:
            yield finding("link", observation, f"there is no {evidence.source} {evidence.ref}")
        yield from _of_quote(observation, evidence, sources, log)
    components = components_of(
        observation.evidence,
        now=observation.learnt,
        confirmed=observation.operator_confirmed,
        reinforced=observation.reinforced,
    )
    for name in _COUNTED:
        kept, counted = getattr(observation.components, name), getattr(components, name)
        if abs(kept - counted) > _TOLERANCE:
            why = f"{name} is kept as {kept:g}, its evidence has {counted:g}"
            yield finding("confidence", observation, why)


def _of_quote(
    observation: Observation, evidence: Evidence, sources: Origins, log: Mapping[str, str]
) -> Iterator[KnowledgeFinding]:
    """Yield what is wrong with the quoted words of a piece of evidence."""
    span = evidence.span
    if span is None:
        return
    origin = sources.get((evidence.source, evidence.ref))
    place = f"characters {span.start} to {span.end} of message {span.message}"
    if span.message not in log:
        yield finding("quote", observation, f"{evidence.ref} quotes {span.message}, not in the log")
    elif not is_quoted(evidence, log):
        yield finding("quote", observation, f"{evidence.ref}: {place} are not what it quotes")
    if origin is not None and origin.span is not None and not origin.span.holds(span):
        yield finding(
            "quote", observation, f"{evidence.ref} itself quotes other words than {place}"
        )


def lost(observation: Observation, sources: Origins) -> Iterator[KnowledgeFinding]:
    """Yield evidence that counts although its source is not there, or was taken back."""
    for evidence in observation.evidence:
        origin = sources.get((evidence.source, evidence.ref))
        if origin is None:
            why = f"there is no {evidence.source} {evidence.ref}"
            yield finding("orphan", observation, why)
        elif origin.retracted is not None:
            why = f"{evidence.ref} was taken back {origin.retracted}; revalidate it"
            yield finding("orphan", observation, why)
