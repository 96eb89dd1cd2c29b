"""The journal of the open cycle: turns, calls and tickets, with their state machines."""

from typing import Literal

from mindpipe.core.messages import Message, RawReply, ReplyPart, ResultPart
from mindpipe.core.models import Finish, RequestOptions, Target, Usage
from mindpipe.core.records import Record
from mindpipe.core.states import State
from mindpipe.core.tools import Effect


class TurnState(State):
    """How far one turn has come."""

    ASKING = "asking"
    RECORDED = "recorded"
    FOLDED = "folded"
    ABANDONED = "abandoned"

    def successors(self) -> frozenset["TurnState"]:
        """Return the states that may follow."""
        return _TURN_SUCCESSORS[self]


_TURN_SUCCESSORS = {
    TurnState.ASKING: frozenset({TurnState.ASKING, TurnState.RECORDED, TurnState.ABANDONED}),
    TurnState.RECORDED: frozenset({TurnState.FOLDED}),
    TurnState.FOLDED: frozenset[TurnState](),
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
    CallState.STARTED: frozenset({CallState.DONE, CallState.FAILED, CallState.UNKNOWN}),
    CallState.UNKNOWN: frozenset({CallState.DONE, CallState.FAILED}),
}


class TicketState(State):
    """What became of a call whose outcome is not known."""

    OPEN = "open"
    WAS_DONE = "was_done"
    WAS_NOT_DONE = "was_not_done"
    DISMISSED = "dismissed"

    def successors(self) -> frozenset["TicketState"]:
        """Return the states that may follow: an open ticket is decided once."""
        if self is TicketState.OPEN:
            return frozenset(
                {TicketState.WAS_DONE, TicketState.WAS_NOT_DONE, TicketState.DISMISSED}
            )
        return frozenset()


class Asked(Record):
    """What a turn asks: target, options, the hash of the body, and messages not yet in history.

    The hash is empty until these very options were sent. `sources` names whose text in the request
    is not trusted, sorted; `taint` tells whether there is any. `said` are the parts of a paused
    reply so far; `anew` names why a new segment was opened for this turn.
    """

    segment: int
    target: Target
    options: RequestOptions
    request_sha256: str
    unsent: tuple[Message, ...]
    taint: bool = False
    sources: tuple[str, ...] = ()
    said: tuple[ReplyPart, ...] = ()
    anew: tuple[str, ...] = ()


class Answer(Record):
    """A recorded reply: canonical parts, where its bytes are, why it ended, what it used."""

    parts: tuple[ReplyPart, ...]
    raw: RawReply | None
    finish: Finish
    usage: Usage
    model: str


class Turn(Record):
    """One turn in the journal; `first_boot` and `first_seconds` say when it was first asked."""

    agent: str
    cycle: int
    turn: int
    state: TurnState
    attempts: int
    first_boot: str
    first_seconds: float
    asked: Asked
    answer: Answer | None = None
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


class Ticket(Record):
    """A doubt that a person has to settle: a call of which nobody knows whether it ran."""

    id: str
    agent: str
    kind: Literal["doubt", "account"]
    state: TicketState
    cycle: int
    call: str | None
    tool: str | None
    args: dict[str, object] | None
    reason: str
    created: str


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


class Limits(Record):
    """Most that one cycle may take; seconds are wall time, micros micro-dollars."""

    turns: int = 20
    calls: int = 64
    seconds: float = 1800.0
    tokens: int | None = None


class CycleReport(Record):
    """What one cycle did."""

    agent: str
    cycle: int
    outcome: str
    events: tuple[str, ...]
    turns: int
    calls: int
    model: str
    input_tokens: int
    output_tokens: int
    cost_micros: int
    milliseconds: int
    summary: str
