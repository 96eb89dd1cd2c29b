"""Keep a decision in step with the ticket by which its action runs, and tell its agent."""

from collections.abc import Collection
from typing import NamedTuple

from mindpipe.core.ports import Deliver, Rows
from mindpipe.core.sources import joined
from mindpipe.decisions import tables
from mindpipe.decisions.records import Decision, DecisionState
from mindpipe.decisions.wording import event_of


class RunOutcome(NamedTuple):
    """What came of a run: the state it brings, in words, and whose text is in these."""

    state: DecisionState
    result: str | None = None
    sources: Collection[str] = ()


def follow(rows: Rows, deliver: Deliver, *, ticket: str, outcome: RunOutcome) -> None:
    """Say of a ticket's decision, if it is one's, what came of it, inside the transaction."""
    found = tables.of_ticket(rows, ticket)
    if found is None or outcome.state not in found.state.successors():
        return
    made = found.to(outcome.state, result=outcome.result)
    tables.save(rows, made)
    deliver([event_of(made, sources=joined(made.sources, outcome.sources))])
    if made.undoes is not None:
        _take_back(rows, deliver, made)


def _take_back(rows: Rows, deliver: Deliver, undoing: Decision) -> None:
    """Say of a decision that it was taken back, or that it was not."""
    found = tables.find(rows, undoing.undoes or "")
    if found is None or undoing.state is DecisionState.UNKNOWN:
        return
    done = undoing.state is DecisionState.APPLIED
    made = found.to(DecisionState.UNDONE if done else DecisionState.APPLIED)
    tables.save(rows, made)
    if done:
        deliver([event_of(made, sources=made.sources)])
