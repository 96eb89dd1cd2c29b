"""What an agent proposes to do, how that is judged, and what became of it."""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Natural, Record, State

DecisionType = Literal["automatic", "suggested", "escalate", "gather"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
KindName = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_.-]{0,63}(?!\n)$")]
POLICY = "policy"
"""Who decides where no person has to."""


class Action(Record):
    """One call of one of the agent's tools."""

    tool: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    arguments: dict[str, object] = {}


class Proposal(Record, omit_defaults=True):
    """What an agent would do: a tool with its arguments, how sure it is, and how to undo it.

    `kind` names what sort of action it is, by which people set thresholds. `confidence` and
    `importance` are 0-1.
    """

    kind: KindName
    tool: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    arguments: dict[str, object] = {}
    confidence: Share
    importance: Share = 0.5
    reason: str = ""
    undo: Action | None = None

    def action(self) -> Action:
        """Return what would be done."""
        return Action(tool=self.tool, arguments=self.arguments)


class Judged(Record, omit_defaults=True):
    """How a proposal is judged, and why.

    An automatic one is done at once. A suggested one waits for a person, an escalated one too, and
    the person is called; for `gather` the agent has to know more. `threshold` is the confidence
    from which its kind is automatic. What names its undo is `undoable`.
    """

    proposal: Proposal
    type: DecisionType
    threshold: Share
    why: str
    undoable: bool = False


class DecisionState(State):
    """How far a decision has come; only `approved` lets its action run, and only once."""

    PROPOSED = "proposed"
    DECIDED = "decided"
    RETURNED = "returned"
    WAITING = "waiting"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    APPLIED = "applied"
    FAILED = "failed"
    UNKNOWN = "unknown"
    UNDOING = "undoing"
    UNDONE = "undone"

    def successors(self) -> frozenset["DecisionState"]:
        """Return the states that may follow."""
        return _SUCCESSORS.get(self, frozenset())


_SUCCESSORS = {
    DecisionState.PROPOSED: frozenset({DecisionState.DECIDED, DecisionState.RETURNED}),
    DecisionState.DECIDED: frozenset({DecisionState.APPROVED, DecisionState.WAITING}),
    DecisionState.WAITING: frozenset(
        {DecisionState.APPROVED, DecisionState.REJECTED, DecisionState.EXPIRED}
    ),
    DecisionState.APPROVED: frozenset(
        {
            DecisionState.APPLIED,
            DecisionState.FAILED,
            DecisionState.UNKNOWN,
            DecisionState.REJECTED,
            DecisionState.EXPIRED,
        }
    ),
    DecisionState.UNKNOWN: frozenset({DecisionState.APPLIED, DecisionState.FAILED}),
    DecisionState.APPLIED: frozenset({DecisionState.UNDOING}),
    DecisionState.UNDOING: frozenset({DecisionState.UNDONE, DecisionState.APPLIED}),
}
UNSETTLED = (
    DecisionState.PROPOSED,
    DecisionState.DECIDED,
    DecisionState.WAITING,
    DecisionState.APPROVED,
    DecisionState.UNKNOWN,
    DecisionState.UNDOING,
)
"""The states in which something is still to come."""


class Decision(Record, omit_defaults=True):
    """A proposal in the store, with what was decided and what came of it.

    `sha256` hashes the tool, its version `tool_sha256` (None in rows of before it was kept) and the
    arguments as they were proposed; `action` is what was approved, which differs from the proposal
    where `edited` names who changed it. `ticket` is the approval ticket by which the action runs.
    `sources` names whose text the agent had read. `undoes` is the decision whose action this one
    takes back. `undo_sha256` and `undo_tool_sha256` are of what would take this one's back, and
    `undo_why` is why policy would not let that run unasked. `decided` and `person` say when and by
    whom (or `policy`), `note` in which words, `result` what came of it. `place` counts from 0 those
    of its agent that were proposed at the same instant.
    """

    id: str
    agent: str
    state: DecisionState
    proposal: Proposal
    sha256: str
    created: str
    cycle: Natural = 0
    call: str | None = None
    sources: tuple[str, ...] = ()
    type: DecisionType | None = None
    why: str | None = None
    undoable: bool = False
    expires: str | None = None
    decided: str | None = None
    person: str | None = None
    note: str | None = None
    action: Action | None = None
    edited: str | None = None
    ticket: str | None = None
    result: str | None = None
    undoes: str | None = None
    undo_sha256: str | None = None
    tool_sha256: str | None = None
    undo_tool_sha256: str | None = None
    undo_why: str | None = None
    place: Natural = 0

    def to(self, state: DecisionState, **changes: object) -> "Decision":
        """Return the decision after one legal step, with what else changed."""
        return msgspec.structs.replace(self, state=self.state.to(state), **changes)


class EscalationState(State):
    """How far a call for a person has come; one that may have been made is not made again."""

    WAITING = "waiting"
    CALLING = "calling"
    CALLED = "called"
    UNKNOWN = "unknown"
    QUIET = "quiet"

    def successors(self) -> frozenset["EscalationState"]:
        """Return the states that may follow."""
        return _ESCALATION_SUCCESSORS.get(self, frozenset())


_ESCALATION_SUCCESSORS = {
    EscalationState.WAITING: frozenset({EscalationState.CALLING, EscalationState.QUIET}),
    EscalationState.CALLING: frozenset(
        {EscalationState.CALLED, EscalationState.WAITING, EscalationState.UNKNOWN}
    ),
}


class Escalation(Record, omit_defaults=True):
    """One call for a person, made once per key by the program of `decisions.escalate`.

    `about` is the decision or task, `text` says what it is. A call that failed is tried again at
    `due`, and `ticket` is what it left for a person to find.
    """

    key: str
    agent: str
    state: EscalationState
    about: str
    text: str
    created: str
    attempts: Natural = 0
    due: str | None = None
    ticket: str | None = None
    error: str | None = None
