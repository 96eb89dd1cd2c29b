"""How an observation stands at an instant: what follows from its evidence, and what time does."""

import msgspec

from mindpipe.core.sources import joined
from mindpipe.knowledge.confidence import components_of, confidence_of, recency
from mindpipe.knowledge.freshness import Windows, due_at, freshness_of
from mindpipe.knowledge.records import Evidence, Observation


def settled(observation: Observation, *, now: str, windows: Windows) -> Observation:
    """Return an observation with all that follows from its evidence as of `now`.

    These are components, confidence, freshness, when it was last supported and contradicted, when
    it is due, and its untrusted sources, to which those of its support are joined. Its status is
    for others to decide. Evidence is put into one order, so that the order given is no matter.
    """
    evidence = tuple(sorted(observation.evidence, key=_place))
    counted = [one for one in evidence if one.retracted is None]
    supports = [one for one in counted if one.stance == "support"]
    last = max((one.at for one in supports), default=None)
    against = max((one.at for one in counted if one.stance == "contradict"), default=None)
    made = msgspec.structs.replace(
        observation,
        evidence=evidence,
        components=components_of(
            counted,
            now=now,
            confirmed=observation.operator_confirmed,
            reinforced=observation.reinforced,
        ),
        last_supported_at=last,
        contradicted_at=against,
        revalidation_due_at=due_at(last or observation.learnt, window=windows[observation.kind]),
        sources=joined(observation.sources, *(one.sources for one in supports)),
    )
    return aged(made, now=now, windows=windows)


def aged(observation: Observation, *, now: str, windows: Windows) -> Observation:
    """Return an observation with its confidence and freshness as of `now`, evidence unchanged."""
    components = msgspec.structs.replace(
        observation.components, recency_weight=recency(observation.last_supported_at, now=now)
    )
    return msgspec.structs.replace(
        observation,
        components=components,
        confidence=confidence_of(components),
        freshness=freshness_of(
            observation.last_supported_at,
            contradicted_at=observation.contradicted_at,
            now=now,
            window=windows[observation.kind],
        ),
    )


def _place(evidence: Evidence) -> tuple[str, str, str, str]:
    """Return where a piece of evidence stands among others: by time, then by what it is."""
    return (evidence.at, evidence.source, evidence.ref, evidence.stance)
