"""What was believed at an instant, told from observations alone: the two times of a file.

A store keeps how each observation has stood; a line of a file has only how it stands now, with the
instants at which it was learnt and ended, and at which each piece of evidence began to count. The
flags that an operator has set are taken as they are.
"""

from collections.abc import Iterable

import msgspec

from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import Evidence, Observation, Status, Wanted
from mindpipe.knowledge.standing import aged, settled


def chosen(
    found: Iterable[Observation],
    wanted: Wanted,
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
            standing, status=Status.ACTIVE, ended=None, valid_to=None
        )
    return settled(standing, now=instant, windows=windows)


def _began(evidence: Evidence) -> str:
    """Return when a piece of evidence began to count."""
    return evidence.linked or evidence.learnt


def _is_wanted(observation: Observation, wanted: Wanted) -> bool:
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
