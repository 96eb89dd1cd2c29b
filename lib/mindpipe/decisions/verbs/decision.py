"""The human's queue: see what waits, approve or reject it once, take back what was done."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.owned import owned
from mindpipe.core.ports import NOBODY, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.text import did_you_mean, is_hash
from mindpipe.decisions import tables
from mindpipe.decisions.records import UNSETTLED, Action, Decision, DecisionState
from mindpipe.decisions.verbs.proposal import hash_of_action, is_as_proposed
from mindpipe.decisions.wording import event_of

OpenTicket = Callable[[Rows, Decision], str]
"""Open the approved ticket by which a decision's action runs once, and return its id."""


class Approval(NamedTuple):
    """Who approves, in which words, under which hash, and with which other arguments if any."""

    person: str
    note: str | None = None
    sha256: str | None = None
    arguments: dict[str, object] | None = None


def list_(
    store: Store, clock: Clock, *, agent: str | None = None, every: bool = False
) -> list[Decision]:
    """Return what waits for a person, and what was done and can be undone; or every decision."""
    with store.read() as rows:
        found = tables.list_(rows, agent=agent)
    shown = [_shown(one, clock.now()) for one in found]
    return [one for one in shown if every or _concerns_a_person(one)]


def show(store: Store, clock: Clock, *, decision: str) -> Decision:
    """Return one decision; raises UsageError with the nearest id."""
    with store.read() as rows:
        return _shown(_find(rows, decision), clock.now())


def approve(
    store: Store, clock: Clock, open_ticket: OpenTicket, *, decision: str, approval: Approval
) -> Decision:
    """Let a proposal's action run, once, with its arguments or with those that are given.

    Raises:
        RefusedError: decided before, too late, another hash, or what was proposed was changed.
        UsageError: there is no such decision, or the given arguments do not fit the tool.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _open(rows, clock, decision, DecisionState.APPROVED))
        if not is_hash(approval.sha256, found.sha256):
            raise _not_the_hash(f"of {found.id}", found.id)
        made = approved(rows, clock, open_ticket, decision=found, approval=approval)
        reach("decision.before_commit")
    reach("decision.after_commit")
    return made


def approved(
    rows: Rows, clock: Clock, open_ticket: OpenTicket, *, decision: Decision, approval: Approval
) -> Decision:
    """Save a decision as approved, with the ticket by which it runs, inside the transaction.

    Raises:
        RefusedError: what was proposed was changed, or can never be done.
    """
    action, edited = decision.proposal.action(), None
    if not is_as_proposed(action, decision.tool_sha256, decision.sha256):
        raise RefusedError(
            f"the arguments of {decision.id} are not those that were proposed; reject it."
        )
    if approval.arguments is not None:
        other = Action(tool=action.tool, arguments=approval.arguments)
        if hash_of_action(other, decision.tool_sha256) != decision.sha256:
            action, edited = other, approval.person
    made = decision.to(
        DecisionState.APPROVED,
        decided=clock.now(),
        person=approval.person,
        note=approval.note,
        action=action,
        edited=edited,
    )
    made = msgspec.structs.replace(made, ticket=open_ticket(rows, made))
    tables.save(rows, made)
    return made


def reject(
    store: Store, clock: Clock, deliver: Deliver, *, decision: str, person: str, note: str | None
) -> Decision:
    """Let a proposal never run; its agent hears of it.

    Raises:
        RefusedError: decided before, or too late.
        UsageError: there is no such decision.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _open(rows, clock, decision, DecisionState.REJECTED))
        made = found.to(DecisionState.REJECTED, decided=clock.now(), person=person, note=note)
        tables.save(rows, made)
        deliver([event_of(made)])
        reach("decision.before_commit")
    reach("decision.after_commit")
    return made


def undo(
    store: Store,
    clock: Clock,
    chance: Chance,
    open_ticket: OpenTicket,
    *,
    decision: str,
    approval: Approval,
) -> Decision:
    """Let what takes an action back run, once; return the decision that does so.

    Raises:
        RefusedError: it was not done, is being undone, names nothing that undoes it, or the hash
            is not that of what undoes it.
        UsageError: there is no such decision.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _find(rows, decision))
        undoing = found.proposal.undo
        if DecisionState.UNDOING not in found.state.successors():
            raise RefusedError(f"{decision} is {found.state.value}; only what was done is undone.")
        if undoing is None:
            raise RefusedError(f"{decision} names nothing that would undo it; do it by hand.")
        sha256 = hash_of_action(undoing, found.undo_tool_sha256)
        if not is_hash(approval.sha256, sha256):
            raise _not_the_hash(f"of what undoes {decision}", decision)
        if not is_as_proposed(undoing, found.undo_tool_sha256, found.undo_sha256 or sha256):
            raise RefusedError(f"what undoes {decision} is not what was proposed; undo it by hand.")
        tables.save(rows, found.to(DecisionState.UNDOING))
        back = _taking_back(found, undoing, clock, id_=chance.new_id("d", found.id, "undo"))
        back = tables.placed(rows, back)
        made = approved(rows, clock, open_ticket, decision=back, approval=approval)
        reach("decision.before_commit")
    reach("decision.after_commit")
    return made


def lapse(store: Store, clock: Clock, deliver: Deliver, *, agent: str) -> list[Decision]:
    """Let an agent's proposals expire whose time is over, and tell it."""
    with store.read() as rows:
        if not _late(rows, agent, clock.now()):
            return []
    with store.write(agent) as rows:
        made = [
            one.to(DecisionState.EXPIRED, decided=clock.now())
            for one in _late(rows, agent, clock.now())
        ]
        for one in made:
            tables.save(rows, one)
            deliver([event_of(one)])
    return made


def as_of(decision: Decision, now: str) -> Decision:
    """Return a decision as it is now: expired where nobody answered in time."""
    waits = decision.state is DecisionState.WAITING
    late = waits and decision.expires is not None and decision.expires <= now
    return decision.to(DecisionState.EXPIRED) if late else decision


def _shown(decision: Decision, now: str) -> Decision:
    """Return a decision as a person sees it now, with the hash of what would undo it."""
    undo = decision.proposal.undo
    sha256 = None if undo is None else hash_of_action(undo, decision.undo_tool_sha256)
    # Decisions of before may be kept as undoable though they name nothing that undoes them.
    return msgspec.structs.replace(
        as_of(decision, now), undoable=undo is not None, undo_sha256=sha256
    )


def _late(rows: Rows, agent: str, now: str) -> list[Decision]:
    """Return what nobody answered in time."""
    waiting = tables.list_(rows, agent=agent, states=(DecisionState.WAITING,))
    return [one for one in waiting if as_of(one, now) is not one]


def _concerns_a_person(decision: Decision) -> bool:
    """Tell whether something is still to come, or was done and can be undone."""
    can_be_undone = DecisionState.UNDOING in decision.state.successors() and decision.undoable
    return decision.state in UNSETTLED or can_be_undone


def _find(rows: Rows, decision: str) -> Decision:
    """Return one decision; raises UsageError with the nearest id."""
    found = tables.find(rows, decision)
    if found is None:
        near = did_you_mean(decision, tables.ids(rows))
        raise UsageError(f'no decision "{decision}"; {near}mind decision list shows them.')
    return found


def _open(rows: Rows, clock: Clock, decision: str, state: DecisionState) -> Decision:
    """Return a decision that a person may decide so; raises RefusedError if it is not."""
    found = as_of(_find(rows, decision), clock.now())
    if found.state is DecisionState.EXPIRED:
        raise RefusedError(f"{decision} expired at {found.expires}, which counts as rejected.")
    if found.state is not DecisionState.WAITING or state not in found.state.successors():
        raise RefusedError(f"{decision} is {found.state.value}; {_why_not(found.state)}.")
    return found


def _why_not(state: DecisionState) -> str:
    """Say why a person cannot decide now."""
    if state is DecisionState.PROPOSED:
        return "mind decide judges it first"
    if state is DecisionState.DECIDED:
        return "mind act does it or puts it into the queue"
    return "a decision is made once"


def _not_the_hash(what: str, decision: str) -> RefusedError:
    """Return that a person has not seen what would run."""
    return RefusedError(f"that is not the hash {what}. Read mind decision show {decision}.")


def _taking_back(found: Decision, undo: Action, clock: Clock, *, id_: str) -> Decision:
    """Return the decision that takes another one back, which waits for its approval."""
    proposal = msgspec.structs.replace(
        found.proposal, tool=undo.tool, arguments=undo.arguments, undo=None
    )
    return Decision(
        id=id_,
        agent=found.agent,
        state=DecisionState.WAITING,
        proposal=proposal,
        sha256=hash_of_action(undo, found.undo_tool_sha256),
        tool_sha256=found.undo_tool_sha256,
        created=clock.now(),
        cycle=found.cycle,
        sources=found.sources,
        type="suggested",
        why=f"undoes {found.id}",
        expires=later(clock.now(), seconds=86400.0),
        undoes=found.id,
    )
