"""Take down what an agent proposes."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.decisions import tables
from mindpipe.decisions.records import Action, Decision, DecisionState, Proposal

VersionOf = Callable[[str], str | None]
"""Return the version of a tool as its agent has it now, by the tool's name."""


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
    version_of: VersionOf,
) -> Decision:
    """Keep a proposal until it is judged: what it would run and what would undo that, by hash."""
    version, undo = version_of(proposal.tool), proposal.undo
    undo_version = None if undo is None else version_of(undo.tool)
    made = Decision(
        id=chance.new_id("d", origin.call),
        agent=agent,
        state=DecisionState.PROPOSED,
        proposal=proposal,
        sha256=hash_of_action(proposal.action(), version),
        tool_sha256=version,
        undo_sha256=None if undo is None else hash_of_action(undo, undo_version),
        undo_tool_sha256=undo_version,
        created=clock.now(),
        cycle=origin.cycle,
        call=origin.call or None,
        sources=origin.sources,
    )
    with store.write(agent) as rows:
        made = tables.placed(rows, made)
        tables.save(rows, made)
    return made


def is_as_proposed(action: Action, version: str | None, sha256: str) -> bool:
    """Tell whether an action is the one that was hashed when it was proposed."""
    return hash_of_action(action, version) == sha256


def hash_of_action(action: Action, version: str | None) -> str:
    """Return the SHA-256 of a tool's name, its version if that was kept, and exact arguments."""
    exact = msgspec.json.encode(action, order="deterministic")
    bound = exact if version is None else version.encode() + b"\x1f" + exact
    return hashlib.sha256(bound).hexdigest()
