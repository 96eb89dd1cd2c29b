"""Let an agent's model write a summary of old cycles: bounded, reserved, settled, tried once."""

from typing import NamedTuple

import msgspec

from mindpipe.compaction import prompts
from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.models import (
    FaultClass,
    ModelFault,
    ModelReply,
    ModelRequest,
    TextReply,
    TextRequest,
    Write,
)
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.cycle.model_call import check_breaker, note_failure, note_success, settlement
from mindpipe.engine.cycle.request import validate
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.providers.usage import believed
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import NewLedgerEntry

PURPOSE = "compact"
SECONDS = 300.0
"""How long a model may take to write one summary."""


class _Call(NamedTuple):
    """One call of a model: its entry in the ledger, and what is sent."""

    entry: str
    request: ModelRequest


def writer(deps: Dependencies, work: OpenCycle) -> Write:
    """Return what asks the model of a worker that holds an agent.

    The call is entered in the ledger as turn 0 of the cycle `work.cycle`, and held against all caps
    but those of thinking.
    """

    def write(question: TextRequest) -> TextReply:
        try:
            call = _reserve(deps, work, _request(deps, question))
            return prompts.written_of(_send(deps, work, call))
        except (RefusedError, UnavailableError, ModelFault) as fault:
            return TextReply(text="", fault=f"the model cannot be asked: {str(fault).rstrip('.')}")

    return write


def _request(deps: Dependencies, question: TextRequest) -> ModelRequest:
    """Return the request of one prompt."""
    check_breaker(deps)
    request = make_request(
        prompts.conversation_of(question),
        deps.models.model.target,
        prompts.options_of(question),
        RenderOptions(),
        SECONDS,
    )
    validate(request)
    return request


def _reserve(deps: Dependencies, work: OpenCycle, request: ModelRequest) -> _Call:
    """Reserve the most that a call can cost; an earlier one that broke off counts in full."""
    name, cycle = work.agent.name, work.cycle
    with holding(deps, work):
        spending.lose_open(deps.store, agent=name, cycle=cycle)
        before = spending.cycle_entries(deps.store, agent=name, cycle=cycle)
        attempt = 1 + sum(entry.turn == 0 for entry in before)
        entry = NewLedgerEntry(
            id=f"{name}/{cycle}/0/{attempt}",
            agent=name,
            cycle=cycle,
            turn=0,
            attempt=attempt,
            purpose=PURPOSE,
            model=request.target.label(),
            micros=deps.models.prices.at_most(request),
        )
        caps = msgspec.structs.replace(deps.models.caps, purpose_day=None)
        spending.reserve(deps.store, deps.clock, entry=entry, caps=caps)
    return _Call(entry.id, request)


def _send(deps: Dependencies, work: OpenCycle, call: _Call) -> ModelReply:
    """Send one request and settle it; no transaction is open meanwhile."""
    try:
        reply = deps.models.model.reply(call.request)
    except UnavailableError:
        with holding(deps, work):
            spending.void(deps.store, entry_id=call.entry)
        raise
    except ModelFault as fault:
        with holding(deps, work) as rows:
            if fault.fault is FaultClass.TRANSIENT:
                note_failure(deps, rows, fault, alone=True)
            end = spending.lose if fault.sent else spending.void
            end(deps.store, entry_id=call.entry)
        raise
    reply = believed(reply, call.request, tell=deps.holder.tell)
    settled = settlement(deps, entry=call.entry, request=call.request, reply=reply)
    with holding(deps, work) as rows:
        note_success(deps, rows)
        spending.settle(deps.store, settlement=settled)
    return reply
