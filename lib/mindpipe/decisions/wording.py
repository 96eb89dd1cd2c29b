"""What an agent hears of its proposals."""

from collections.abc import Collection

from mindpipe.core.events import NewEvent, Priority
from mindpipe.core.sources import joined
from mindpipe.decisions.records import POLICY, Decision, DecisionState

SOURCE = "decision"
_MOST_CHARACTERS = 1 << 17
_WORDS = {
    DecisionState.RETURNED: "was not done: {why}. Find out more before you propose it again.",
    DecisionState.REJECTED: "was rejected. Nothing has run. {result}",
    DecisionState.EXPIRED: "was not approved in time. Nothing has run.",
    DecisionState.APPLIED: "was done. Output: {result}",
    DecisionState.FAILED: "failed: {result}",
    DecisionState.UNKNOWN: "was interrupted. It is not known whether it ran. {result}",
    DecisionState.UNDONE: "was done and is undone again. {result}",
}


def event_of(decision: Decision, *, sources: Collection[str] = ()) -> NewEvent:
    """Return the event by which an agent hears what became of a proposal, one per state.

    `sources` names whose text in the outcome is not trusted.
    """
    asked = decision.action or decision.proposal.action()
    words = _WORDS[decision.state].format(why=decision.why, result=_result(decision))
    by_person = decision.person not in (None, POLICY)
    body: dict[str, object] = {"decision": decision.id, "state": decision.state.value}
    if decision.edited is not None:
        body["arguments"] = asked.arguments
    return NewEvent(
        type="decision",
        agent=decision.agent,
        source=SOURCE,
        key=f"{decision.id}:{decision.state.value}",
        priority=(Priority.CRITICAL if by_person else Priority.NORMAL).value,
        text=f"Decision {decision.id}: {asked.tool} ({decision.proposal.kind}) {words}".rstrip(),
        sources=joined(sources),
        body=body,
    )


def _result(decision: Decision) -> str:
    """Return what came of it or what a person said, as long as an event may be."""
    text = decision.result or decision.note or ""
    if len(text) <= _MOST_CHARACTERS:
        return text
    return f"{text[:_MOST_CHARACTERS]} [cut: mind decision show {decision.id} has all]"
