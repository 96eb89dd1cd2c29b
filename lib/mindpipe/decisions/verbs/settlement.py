"""Approve what is automatic, and put everything else that was judged into the human's queue."""

from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.core.errors import RefusedError
from mindpipe.core.events import OPERATOR
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.decisions import tables
from mindpipe.decisions.records import POLICY, Decision, DecisionState
from mindpipe.decisions.verbs import escalation
from mindpipe.decisions.verbs.decide import Held
from mindpipe.decisions.verbs.decision import Approval, OpenTicket, approved, as_of

_RUNNING = (DecisionState.APPROVED, DecisionState.UNKNOWN)


def settle(
    store: Store, clock: Clock, open_ticket: OpenTicket, *, agent: str, held: Held
) -> Iterator[Decision]:
    """Approve or queue what was judged for an agent, oldest first, and yield each when it is saved.

    What policy holds by now is not approved. An escalated one wants a person to be called.
    """
    with store.read() as rows:
        judged = tables.list_(rows, agent=agent, states=(DecisionState.DECIDED,))
    for one in judged:
        with store.write(agent) as rows:
            found = tables.find(rows, one.id)
            if found is None or found.state is not DecisionState.DECIDED:
                continue
            made = _moved(rows, clock, open_ticket, found, held(found, found.proposal.action()))
            reach("settle.before_commit")
        reach("settle.after_commit")
        yield made


def admit(store: Store, clock: Clock, open_ticket: OpenTicket, *, agent: str) -> None:
    """Give its ticket to each decision of an agent that a person approved where no store was.

    Where the time for that is over, it waits until it expires.

    Raises:
        RefusedError: what was proposed was changed, or can never be done.
    """
    with store.write(agent) as rows:
        for one in tables.list_(rows, agent=agent, states=(DecisionState.APPROVED,)):
            waiting = msgspec.structs.replace(one, state=DecisionState.WAITING)
            if one.ticket is not None:
                continue
            if as_of(waiting, clock.now()) is waiting:
                approval = Approval(person=one.person or OPERATOR, note=one.note)
                approved(rows, clock, open_ticket, decision=waiting, approval=approval)
            else:
                tables.save(rows, waiting)


def is_due(store: Store, *, agent: str) -> bool:
    """Tell whether something of an agent's is to be judged, approved or queued."""
    states = (DecisionState.PROPOSED, DecisionState.DECIDED)
    with store.read() as rows:
        return bool(tables.list_(rows, agent=agent, states=states))


def under_way(store: Store, *, agent: str) -> list[Decision]:
    """Return the decisions of an agent that are approved and have not ended."""
    with store.read() as rows:
        return tables.list_(rows, agent=agent, states=_RUNNING)


def ended(store: Store, before: Sequence[Decision]) -> list[Decision]:
    """Return those of some decisions whose state has changed since, as they are now."""
    with store.read() as rows:
        now = [tables.find(rows, one.id) for one in before]
    return [
        new
        for old, new in zip(before, now, strict=True)
        if new is not None and new.state is not old.state
    ]


def _moved(
    rows: Rows, clock: Clock, open_ticket: OpenTicket, found: Decision, held: str | None
) -> Decision:
    """Return a decision as it is approved by policy or waits, and saved so."""
    why = held
    if found.type == "automatic" and held is None:
        try:
            return approved(
                rows, clock, open_ticket, decision=found, approval=Approval(person=POLICY)
            )
        except RefusedError as refusal:
            why = str(refusal)
    suggested = "suggested" if found.type == "automatic" else found.type
    made = found.to(DecisionState.WAITING, type=suggested, why=why or found.why)
    tables.save(rows, made)
    if made.type == "escalate":
        escalation.raise_(
            rows,
            clock,
            agent=made.agent,
            key=made.id,
            about=made.id,
            text=_text_of(made),
        )
    return made


def _text_of(decision: Decision) -> str:
    """Say in a line what a person is called about."""
    asked = decision.proposal
    return f"{asked.tool} ({asked.kind}): {asked.reason}".rstrip(": ")
