"""Give a model's reply its canonical form: our call ids, the hashes of its bytes, its words."""

import hashlib
from collections.abc import Sequence

import msgspec

from mindpipe.core.messages import Message, RawReply, Role
from mindpipe.core.models import Finish, ModelReply, RequestOptions, Target
from mindpipe.core.records import to_json
from mindpipe.engine.records.journal import Turn, TurnReply
from mindpipe.engine.tools.calls import PlannedCall

MAX_PAUSES = 5
MAX_REPLY_TOKENS = 64_000


def hash_of_octets(octets: bytes) -> str:
    """Return the name under which bytes are kept."""
    return hashlib.sha256(octets).hexdigest()


def octets_of(reply: ModelReply) -> bytes:
    """Return the reply's own bytes; a model without a form of its own said its parts."""
    return reply.raw or to_json(reply.parts)


def answer_of(
    reply: ModelReply, planned: PlannedCall, *, target: Target, spans: Sequence[str]
) -> TurnReply:
    """Return the reply as the journal keeps it; `spans` are the hashes of its raw bytes."""
    raw = RawReply(
        provider=target.provider,
        api=target.api,
        model=reply.model or target.model,
        family=target.family,
        finish=reply.provider_finish,
        sha256=tuple(spans),
        ids=planned.ids,
    )
    return TurnReply(
        parts=planned.parts,
        raw=raw,
        finish=reply.finish,
        usage=reply.usage,
        model=reply.model or target.model,
    )


def paused_message(turn: Turn, last: Message) -> Message | None:
    """Return what a paused reply has said so far, to be sent back as it came, or None."""
    if not turn.spans:
        return None
    target = turn.asked.target
    return Message(
        id=f"{last.id}p",
        agent=last.agent,
        seq=last.seq + 1,
        segment=last.segment,
        cycle=turn.cycle,
        turn=turn.turn,
        role=Role.ASSISTANT,
        parts=(),
        raw=RawReply(
            provider=target.provider,
            api=target.api,
            model=target.model,
            family=target.family,
            finish="pause",
            sha256=turn.spans,
        ),
        origin="model",
    )


def wants_more_room(turn: Turn, reply: ModelReply, *, usual: int) -> RequestOptions | None:
    """Return options with a higher output limit for a reply that was cut off the first time.

    One that ended in an unknown way may have been cut.
    """
    options = turn.asked.options
    if reply.finish not in {Finish.CUT, Finish.UNKNOWN} or options.max_tokens > usual:
        return None
    raised = min(MAX_REPLY_TOKENS, options.max_tokens * 4)
    if raised <= options.max_tokens:
        return None
    return msgspec.structs.replace(options, max_tokens=raised)
