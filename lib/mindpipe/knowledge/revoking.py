"""What is believed under one key once the words of a source no longer count.

A claim that was made with these words is ended. Where other support carries it, it is made anew
without them; else what it had replaced, or what these words had refuted, is believed again.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.sources import MORE, covers
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.records import Change, Decision, Evidence, Observation, Status
from mindpipe.knowledge.standing import settled

BY = "revoke"
HELD = (Status.ACTIVE, Status.STALE)


class Revocation(NamedTuple):
    """Whose words no longer count, since when, and how what is made anew is called."""

    source: str
    now: str
    windows: Windows
    new_id: Callable[[str, str], str]

    def means(self, sources: Sequence[str]) -> bool:
        """Tell whether it means, or may mean, one of some sources."""
        return any(one == MORE or covers(self.source, one) for one in sources)


class Aftermath(NamedTuple):
    """What changes under one key, and the decision that says so where a claim is ended."""

    changes: tuple[Change, ...] = ()
    decision: Decision | None = None


def aftermath(under: Sequence[Observation], revocation: Revocation) -> Aftermath:
    """Return what changes among all observations of one key, oldest first.

    Evidence that no longer counts is marked as retracted at `revocation.now` already.
    """
    current = next((one for one in under if one.status in HELD), None)
    if current is None:
        again = _to_believe_again(under, revocation)
        return Aftermath() if again is None else _again(again, under[-1], revocation)
    counted = _counting(current)
    if not revocation.means(current.sources) and _supports(counted):
        return Aftermath((_resettled(current, revocation),))
    gone = settled(
        msgspec.structs.replace(
            current, status=Status.INVALIDATED, ended=revocation.now, contested=False
        ),
        now=revocation.now,
        windows=revocation.windows,
    )
    why = f"words of {revocation.source} no longer count"
    ended = Change(observation=gone, expected=current.version, why=why)
    kept = [one for one in _supports(counted) if one.value in (None, current.value)]
    again = current if kept else _to_believe_again(under, revocation)
    if again is None:
        return Aftermath((ended,), _decision(current, None, why, revocation))
    made = _again(again, current, revocation)
    return Aftermath((ended, *made.changes), made.decision)


def _resettled(held: Observation, revocation: Revocation) -> Change:
    """Return an observation that stays, with what follows from the evidence that is left."""
    left = settled(held, now=revocation.now, windows=revocation.windows)
    contested = held.contested and left.components.contradiction_weight > 0
    return Change(
        observation=msgspec.structs.replace(left, contested=contested),
        expected=held.version,
        why=f"evidence from {revocation.source} no longer counts",
    )


def _to_believe_again(under: Sequence[Observation], revocation: Revocation) -> Observation | None:
    """Return what the revoked words had replaced or refuted, if it still has support.

    Going back in time, claims of the same words are passed over. A claim that was refuted is
    believed again only if words against it were revoked and none of those left weigh as much.
    """
    for one in reversed([each for each in under if each.status not in HELD]):
        if revocation.means(one.sources):
            continue
        counted = _counting(one)
        support, against = (
            sum(each.weight for each in counted if each.stance == stance)
            for stance in ("support", "contradict")
        )
        freed = any(
            each.stance == "contradict" and each.retracted == revocation.now
            for each in one.evidence
        )
        replaced = one.status is Status.SUPERSEDED and one is not under[-1]
        return one if support > against and (replaced or freed) else None
    return None


def _again(kept: Observation, before: Observation, revocation: Revocation) -> Aftermath:
    """Return a claim made anew of the evidence that counts, in the place of what came before."""
    made = settled(
        msgspec.structs.replace(
            kept,
            id=revocation.new_id("ob", before.id),
            evidence=tuple(
                msgspec.structs.replace(one, linked=revocation.now) for one in _counting(kept)
            ),
            status=Status.ACTIVE,
            contested=False,
            learnt=revocation.now,
            ended=None,
            valid_to=None,
            sources=(),
            supersedes_observation_id=before.id,
        ),
        now=revocation.now,
        windows=revocation.windows,
    )
    why = f"without words of {revocation.source} this is what is left to believe"
    change = Change(observation=made, why=why)
    return Aftermath((change,), _decision(before, made, why, revocation))


def _decision(
    before: Observation, made: Observation | None, why: str, revocation: Revocation
) -> Decision:
    """Return the decision that a claim is retracted, and what is made in its place."""
    return Decision(
        id=revocation.new_id("de", before.id),
        agent=before.agent,
        call="retract",
        canonical_key=before.canonical_key,
        observation=before.id,
        made=None if made is None else made.id,
        old_value=before.value,
        new_value="" if made is None else made.value,
        old_weight=before.components.support_weight,
        new_weight=0.0 if made is None else made.components.support_weight,
        at=revocation.now,
        by=BY,
        why=why,
    )


def _counting(observation: Observation) -> tuple[Evidence, ...]:
    """Return the evidence that still counts."""
    return tuple(one for one in observation.evidence if one.retracted is None)


def _supports(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the evidence for a claim."""
    return [one for one in evidence if one.stance == "support"]
