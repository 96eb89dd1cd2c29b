"""What a person's answer to a queued supersession does."""

import msgspec

from mindpipe.core.errors import RefusedError
from mindpipe.knowledge.freshness import Windows
from mindpipe.knowledge.operator import replaced_by
from mindpipe.knowledge.records import (
    Change,
    Changes,
    Decision,
    Evidence,
    Mark,
    Observation,
    Status,
)
from mindpipe.knowledge.standing import settled


def approved(
    decision: Decision, held: Observation | None, *, by: str, now: str, windows: Windows
) -> Changes:
    """Return the changes by which what was proposed takes the place of what is held.

    `held` is what stands under the key now, with its evidence; None where nothing does.

    Raises:
        RefusedError: the decision proposes nothing, or it was made on another observation.
    """
    proposal = decision.proposal
    if proposal is None:
        raise RefusedError(f"{decision.id} proposes no observation; deny it.")
    if (held.id if held else None) != decision.observation:
        now_held = held.id if held else "nothing"
        raise RefusedError(
            f"{decision.id} was made on {decision.observation}, but {now_held} is held under "
            f"{decision.canonical_key} now; deny it and consolidate again."
        )
    changes: list[Change] = []
    if held is not None:
        gone = msgspec.structs.replace(
            held,
            status=held.status.to(Status.SUPERSEDED),
            ended=now,
            contested=False,
            valid_to=max(proposal.valid_from, held.valid_from),
        )
        changes.append(_change(gone, held.version, f"{by} approved {decision.id}", now, windows))
    made = msgspec.structs.replace(
        proposal,
        learnt=now,
        status=Status.ACTIVE,
        ended=None,
        supersedes_observation_id=(held.id if held else None),
    )
    changes.append(_change(made, 0, f"{by} approved {decision.id}", now, windows))
    marks = () if held is None else _marks(decision, held, by=by, now=now)
    return Changes(agent=decision.agent or "", at=now, by=by, changes=tuple(changes), marks=marks)


def _marks(decision: Decision, held: Observation, *, by: str, now: str) -> tuple[Mark, ...]:
    """Return the marks that the items which led to a decision supersede what they replace."""
    proposal = decision.proposal
    items = (
        {one.ref for one in proposal.evidence if one.source == "memory_item"} if proposal else ()
    )
    return tuple(
        mark
        for ref in decision.evidence
        if ref in items
        for mark in replaced_by(held, ref, by=by, now=now)
    )


def denied(
    decision: Decision, held: Observation | None, *, by: str, now: str, windows: Windows
) -> Changes:
    """Return the changes by which what is held stays, and what led to the proposal counts no more.

    The evidence is kept, as retracted. It stays contested where other evidence is against it.
    """
    no_more = refused(decision, held)
    if held is None or held.id != decision.observation or not (held.contested or no_more):
        return Changes(agent=decision.agent or "", at=now, by=by)
    evidence = tuple(
        msgspec.structs.replace(one, retracted=now) if one in no_more else one
        for one in held.evidence
    )
    contested = held.contested and any(_counts_against(one) for one in evidence)
    kept = msgspec.structs.replace(held, contested=contested, evidence=evidence)
    change = _change(kept, held.version, f"{by} denied {decision.id}", now, windows)
    return Changes(agent=decision.agent or "", at=now, by=by, changes=(change,))


def refused(decision: Decision, held: Observation | None) -> tuple[Evidence, ...]:
    """Return the evidence against what is held that counts no more once a decision is denied."""
    if held is None or held.id != decision.observation:
        return ()
    return tuple(
        one for one in held.evidence if one.ref in decision.evidence and _counts_against(one)
    )


def _counts_against(evidence: Evidence) -> bool:
    """Tell whether a piece of evidence contradicts and was not taken back."""
    return evidence.stance == "contradict" and evidence.retracted is None


def _change(made: Observation, expected: int, why: str, now: str, windows: Windows) -> Change:
    """Return one change, settled."""
    return Change(observation=settled(made, now=now, windows=windows), expected=expected, why=why)
