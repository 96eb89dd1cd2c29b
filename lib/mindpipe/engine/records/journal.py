"""The journal of the open cycle: turns, calls and tickets, with their state machines."""

import enum
from typing import Literal

import msgspec

from mindpipe.core.errors import IllegalStateError
from mindpipe.core.mcp_servers import ServerQuestion
from mindpipe.core.messages import Message, RawReply, ReplyPart, ResultPart
from mindpipe.core.models import Finish, RequestOptions, Target, Usage
from mindpipe.core.records import Record, State
from mindpipe.core.tools import Effect, ShownClaims


class TurnState(State):
    """How far one turn has come."""

    ASKING = "asking"
    RECORDED = "recorded"
    # Rows have said "folded" since the first schema.
    COMMITTED = "folded"
    ABANDONED = "abandoned"

    def successors(self) -> frozenset["TurnState"]:
        """Return the states that may follow."""
        return _TURN_SUCCESSORS[self]


_TURN_SUCCESSORS = {
    TurnState.ASKING: frozenset({TurnState.ASKING, TurnState.RECORDED, TurnState.ABANDONED}),
    TurnState.RECORDED: frozenset({TurnState.COMMITTED}),
    TurnState.COMMITTED: frozenset[TurnState](),
    TurnState.ABANDONED: frozenset[TurnState](),
}


class CallState(State):
    """How far one tool call has come; all but `planned` and `started` are answered."""

    PLANNED = "planned"
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"
    REFUSED = "refused"
    TICKETED = "ticketed"
    INVALID = "invalid"
    SKIPPED = "skipped"

    def successors(self) -> frozenset["CallState"]:
        """Return the states that may follow."""
        return _CALL_SUCCESSORS.get(self, frozenset())

    @property
    def answered(self) -> bool:
        """Tell whether a call in this state has its answer."""
        return self not in {CallState.PLANNED, CallState.STARTED}


_CALL_SUCCESSORS = {
    CallState.PLANNED: frozenset(
        {
            CallState.STARTED,
            CallState.REFUSED,
            CallState.TICKETED,
            CallState.INVALID,
            CallState.SKIPPED,
            CallState.DONE,
            CallState.FAILED,
        }
    ),
    CallState.STARTED: frozenset(
        {CallState.DONE, CallState.FAILED, CallState.UNKNOWN, CallState.TICKETED}
    ),
    CallState.UNKNOWN: frozenset({CallState.DONE, CallState.FAILED}),
}


TicketKind = Literal["approval", "delegation", "doubt", "account", "escalation"]


class TicketState(enum.StrEnum):
    """Where a ticket stands; which states may follow depends on its kind."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    RUNNING = "running"
    EXECUTED = "executed"
    FAILED = "failed"
    UNKNOWN = "unknown"
    OPEN = "open"
    WAS_DONE = "was_done"
    WAS_NOT_DONE = "was_not_done"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"


WAITING = (TicketState.PENDING, TicketState.OPEN, TicketState.UNKNOWN)
"""The states in which a ticket waits for a person."""

_APPROVAL = {
    TicketState.PENDING: frozenset(
        {
            TicketState.APPROVED,
            TicketState.DENIED,
            TicketState.EXPIRED,
            TicketState.CANCELLED,
        }
    ),
    TicketState.APPROVED: frozenset(
        {TicketState.RUNNING, TicketState.EXPIRED, TicketState.CANCELLED}
    ),
    # A run that asks for input waits again.
    TicketState.RUNNING: frozenset(
        {
            TicketState.EXECUTED,
            TicketState.FAILED,
            TicketState.UNKNOWN,
            TicketState.PENDING,
        }
    ),
    TicketState.UNKNOWN: frozenset({TicketState.EXECUTED, TicketState.FAILED}),
}
_DELEGATION = {
    TicketState.PENDING: frozenset(
        {TicketState.APPROVED, TicketState.DENIED, TicketState.EXPIRED, TicketState.RESOLVED}
    ),
    TicketState.APPROVED: frozenset({TicketState.EXPIRED, TicketState.RESOLVED}),
}
_DOUBT = {
    TicketState.OPEN: frozenset(
        {TicketState.WAS_DONE, TicketState.WAS_NOT_DONE, TicketState.DISMISSED}
    )
}
_MATTER = {TicketState.OPEN: frozenset({TicketState.RESOLVED, TicketState.DISMISSED})}
_TICKET_SUCCESSORS: dict[TicketKind, dict[TicketState, frozenset[TicketState]]] = {
    "approval": _APPROVAL,
    "delegation": _DELEGATION,
    "doubt": _DOUBT,
    "account": _MATTER,
    "escalation": _MATTER,
}


class TurnRequest(Record):
    """What a turn asks: target, options, the hash of the body, and messages not yet in history.

    The hash is empty until these very options were sent. `sources` names whose text in the request
    is not trusted, sorted; `taint` tells whether there is any. `origins` are all whose text is in
    it, the operator's apart: what is written in the turn inherits them. `said` are the parts of a
    paused reply so far; `anew` names why a new segment was opened for this turn.
    """

    segment: int
    target: Target
    options: RequestOptions
    request_sha256: str
    unsent: tuple[Message, ...]
    taint: bool = False
    sources: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    said: tuple[ReplyPart, ...] = ()
    anew: tuple[str, ...] = ()


class TurnReply(Record, omit_defaults=True):
    """A recorded reply: canonical parts, where its bytes are, why it ended, what it used.

    `milliseconds` is how long it was waited for since its turn was first asked, retries and pauses
    included; 0 where that is not known.
    """

    parts: tuple[ReplyPart, ...]
    raw: RawReply | None
    finish: Finish
    usage: Usage
    model: str
    milliseconds: int = 0


class Turn(Record):
    """One turn in the journal; `first_boot` and `first_seconds` say when it was first asked."""

    agent: str
    cycle: int
    turn: int
    state: TurnState
    attempts: int
    first_boot: str
    first_seconds: float
    asked: TurnRequest
    answer: TurnReply | None = None
    spans: tuple[str, ...] = ()


class Call(Record):
    """One tool call in the journal.

    `key` is its idempotency key, fixed for its life; `args_sha256` hashes the exact arguments.
    """

    id: str
    agent: str
    cycle: int
    turn: int
    position: int
    tool: str
    effect: Effect
    args: dict[str, object] | None
    args_sha256: str
    key: str
    state: CallState
    result: ResultPart | None = None


class RecordedAnswer(Record):
    """What a call was answered in a cycle of the life of which this is a fork; `place` counts them.

    `failed` is 1 where the call failed.
    """

    place: int
    of_cycle: int
    failed: int
    text: str


class CallTime(Record):
    """When the work of a call began and ended, in seconds since a start of the machine."""

    boot: str
    began: float
    ended: float


class TicketCause(Record, omit_defaults=True):
    """An event that the cycle of a ticket took up, whose words may have led to it.

    `sender` is who is known to have said it, `claimed` who the event only says that it is from.
    `trusted` tells whether its agent acts on its words, `woke` whether it is the one that the cycle
    is about. `text` is how it begins.
    """

    event: str
    source: str
    trusted: bool
    text: str
    sender: str | None = None
    claimed: str | None = None
    woke: bool = False


class Ticket(Record, omit_defaults=True):
    """A matter for a person: a call or a task to approve, a call that may have run, an account.

    Of a task to approve, `tool` is the worker and `args` are what it would be given.
    `tool_sha256` is the version of the tool, `sha256` hashes it with the exact arguments and must
    be given back to approve them; after `expires` the answer is no. `sources` names whose text was
    not trusted when the call was made. `decided` and `person` say when and by whom it was decided,
    `result` what came of it. `approved_args` are the arguments that this person put in place of
    `args`, and `approved_sha256` hashes them with the version of the tool. `claims`, which no
    row keeps, shows what the MCP server of its tool claims of that. `questions` are what that
    server asked for in the middle of the call, with what was answered; the last one may wait.
    `led_by`, which no row keeps either, shows whose words its cycle took up, the one that woke it
    first; it is there where one ticket is shown.
    """

    id: str
    agent: str
    kind: TicketKind
    state: TicketState
    cycle: int
    call: str | None = None
    tool: str | None = None
    args: dict[str, object] | None = None
    reason: str
    created: str
    tool_sha256: str | None = None
    sha256: str | None = None
    sources: tuple[str, ...] = ()
    expires: str | None = None
    decided: str | None = None
    person: str | None = None
    result: str | None = None
    approved_args: dict[str, object] | None = None
    approved_sha256: str | None = None
    questions: tuple[ServerQuestion, ...] = ()
    claims: ShownClaims | None = None
    led_by: tuple[TicketCause, ...] = ()

    def to_run(self) -> dict[str, object] | None:
        """Return the arguments with which its call runs: those of a person who changed them."""
        return self.args if self.approved_sha256 is None else self.approved_args

    def question(self) -> ServerQuestion | None:
        """Return what a person is asked to answer before its call runs again, if anything is."""
        waits = self.questions and self.state is TicketState.PENDING
        return self.questions[-1] if waits else None

    def answers(self) -> tuple[ServerQuestion, ...]:
        """Return the questions that have been answered."""
        return tuple(one for one in self.questions if one.fields is not None)

    def given(self) -> dict[str, object] | None:
        """Return what a person put in: an answer, or arguments in place of its own."""
        question = self.question()
        return self.approved_args if question is None else question.fields

    def successors(self) -> frozenset[TicketState]:
        """Return the states that may follow; a final one has none."""
        return _TICKET_SUCCESSORS[self.kind].get(self.state, frozenset())

    def to(self, state: TicketState, *, result: str | None = None) -> "Ticket":
        """Return the ticket after one legal step, with what came of it."""
        if state not in self.successors():
            raise IllegalStateError(
                f"a ticket ({self.kind}) cannot go from {self.state.value} to {state.value}"
            )
        return msgspec.structs.replace(self, state=state, result=result or self.result)


class Journal(Record):
    """The open cycle as rows tell it: its events, its last turn and that turn's calls."""

    agent: str
    cycle: int
    events: tuple[str, ...]
    turn: Turn | None
    calls: tuple[Call, ...] = ()
    all_calls: int = 0
    bad_turns: int = 0
    equal_failures: int = 0
    equal_answers: int = 0


class CycleLimits(Record):
    """Most that one cycle may take; seconds are wall time, micros micro-dollars."""

    turns: int = 20
    calls: int = 64
    seconds: float = 1800.0
    tokens: int | None = None


class EventChoice(Record):
    """What of an inbox one cycle may take up: so many events at most, these ids and no others.

    None leaves it to the agent's settings.
    """

    limit: int | None = None
    only: tuple[str, ...] | None = None


ANY = EventChoice()


class CycleReport(Record):
    """What one cycle did.

    `cached_tokens` of the input tokens were read from the provider's cache. `compacted` is
    the number of the last change that the cycle made of its window, null where it made none.
    """

    agent: str
    cycle: int
    outcome: str
    events: tuple[str, ...]
    turns: int
    calls: int
    model: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_micros: int
    milliseconds: int
    summary: str
    compacted: int | None = None
