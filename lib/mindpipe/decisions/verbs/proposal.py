"""Take down what an agent proposes."""

import hashlib
from typing import NamedTuple

import msgspec

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.decisions import tables
from mindpipe.decisions.records import Action, Decision, DecisionState, Proposal


class ProposalOrigin(NamedTuple):
    """Where a proposal comes from: cycle, call, and whose text the agent had read."""

    cycle: int
    call: str
    sources: tuple[str, ...]


def propose(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    proposal: Proposal,
    origin: ProposalOrigin,
) -> Decision:
    """Keep a proposal until it is judged."""
    made = Decision(
        id=chance.new_id("d", origin.call),
        agent=agent,
        state=DecisionState.PROPOSED,
        proposal=proposal,
        sha256=hash_of_action(proposal.action()),
        created=clock.now(),
        cycle=origin.cycle,
        call=origin.call or None,
        sources=origin.sources,
    )
    with store.write() as rows:
        tables.save(rows, made)
    return made


def hash_of_action(action: Action) -> str:
    """Return the SHA-256 of a tool's name and exact arguments."""
    return hashlib.sha256(msgspec.json.encode(action, order="deterministic")).hexdigest()
