"""Let an agent's model write a summary of old cycles: bounded, reserved, settled, tried once."""

from typing import NamedTuple

import msgspec

from mindpipe.compaction import ask
from mindpipe.compaction.task import Question, Write, Written
from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import make_request
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import NewEntry
from mindpipe.think.means import Means, Work
from mindpipe.think.verbs.breakers import check_breaker, note_failure, note_success
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.request import validate
from mindpipe.think.verbs.settling import settlement

PURPOSE = "compact"
SECONDS = 300.0
"""How long a model may take to write one summary."""


class _Call(NamedTuple):
    """One call of a model: its entry in the ledger, and what is sent."""

    entry: str
    request: ModelRequest


def writer(means: Means, work: Work) -> Write:
    """Return what asks the model of a worker that holds an agent.

    The call is entered in the ledger as turn 0 of the cycle `work.cycle`, and held against all caps
    but those of thinking.
    """

    def write(question: Question) -> Written:
        try:
            call = _reserve(means, work, _request(means, question))
            return ask.written_of(_send(means, work, call))
        except (RefusedError, UnavailableError, ModelFault) as fault:
            return Written(text="", fault=f"the model cannot be asked: {str(fault).rstrip('.')}")

    return write


def _request(means: Means, question: Question) -> ModelRequest:
    """Return the request of one prompt."""
    check_breaker(means)
    request = make_request(
        ask.conversation_of(question),
        means.model.target,
        ask.options_of(question),
        RenderOptions(),
        SECONDS,
    )
    validate(request)
    return request


def _reserve(means: Means, work: Work, request: ModelRequest) -> _Call:
    """Reserve the most that a call can cost; an earlier one that broke off counts in full."""
    name, cycle = work.agent.name, work.cycle
    with holding(means, work):
        spending.lose_open(means.store, agent=name, cycle=cycle)
        before = spending.cycle_entries(means.store, agent=name, cycle=cycle)
        attempt = 1 + sum(entry.turn == 0 for entry in before)
        entry = NewEntry(
            id=f"{name}/{cycle}/0/{attempt}",
            agent=name,
            cycle=cycle,
            turn=0,
            attempt=attempt,
            purpose=PURPOSE,
            model=request.target.label(),
            micros=means.prices.at_most(request),
        )
        caps = msgspec.structs.replace(means.caps, purpose_day=None)
        spending.reserve(means.store, means.clock, entry=entry, caps=caps)
    return _Call(entry.id, request)


def _send(means: Means, work: Work, call: _Call) -> ModelReply:
    """Send one request and settle it; no transaction is open meanwhile."""
    try:
        reply = means.model.reply(call.request)
    except UnavailableError:
        with holding(means, work):
            spending.void(means.store, entry_id=call.entry)
        raise
    except ModelFault as fault:
        with holding(means, work) as rows:
            if fault.fault is FaultClass.TRANSIENT:
                note_failure(means, rows, fault, alone=True)
            end = spending.lose if fault.sent else spending.void
            end(means.store, entry_id=call.entry)
        raise
    settled = settlement(means, entry=call.entry, request=call.request, reply=reply)
    with holding(means, work) as rows:
        note_success(means, rows)
        spending.settle(means.store, settlement=settled)
    return reply
