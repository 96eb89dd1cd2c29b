"""A build in which a reply enters history as soon as it is there, before its calls are answered."""

import msgspec

from mindpipe.core.messages import Message
from mindpipe.core.models import ModelReply, ModelRequest
from mindpipe.engine.cycle import commit, model_call
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.cycle.next_step import CommitTurn
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call, Turn
from mindpipe.history.verbs import log

_record = model_call._record
_messages_of = commit.messages_of


def _record_and_append(
    deps: Dependencies, work: OpenCycle, turn: Turn, request: ModelRequest, reply: ModelReply
) -> Turn:
    made = _record(deps, work, turn, request, reply)
    if made.answer is not None and made.answer.parts:
        with holding(deps, work):
            half = _messages_of(deps, work, made, [], CommitTurn(last=False))
            log.append(deps.store, deps.models.tokens, messages=half)
    return made


def _messages_but_the_reply(
    deps: Dependencies, work: OpenCycle, turn: Turn, calls: list[Call], step: CommitTurn
) -> list[Message]:
    asked = msgspec.structs.replace(turn.asked, unsent=())
    bare = msgspec.structs.replace(turn, asked=asked, answer=None)
    return _messages_of(deps, work, bare, calls, step)


PATCHES = (
    (model_call, "_record", _record_and_append),
    (commit, "messages_of", _messages_but_the_reply),
    (log, "_check", lambda _rows, _head, _messages: None),
)
