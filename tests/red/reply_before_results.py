"""A build in which a reply enters history as soon as it is there, before its calls are answered."""

import msgspec

from mindpipe.core.messages import Message
from mindpipe.core.models import ModelReply, ModelRequest
from mindpipe.history.verbs import log
from mindpipe.think.decide import Fold
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, Turn
from mindpipe.think.verbs import asking, fold
from mindpipe.think.verbs.journal import holding

_record = asking._record
_messages_of = fold.messages_of


def _record_and_append(
    means: Means, work: Work, turn: Turn, request: ModelRequest, reply: ModelReply
) -> Turn:
    made = _record(means, work, turn, request, reply)
    if made.answer is not None and made.answer.parts:
        with holding(means, work):
            half = _messages_of(means, work, made, [], Fold(last=False))
            log.append(means.store, means.tokens, messages=half)
    return made


def _messages_but_the_reply(
    means: Means, work: Work, turn: Turn, calls: list[Call], step: Fold
) -> list[Message]:
    asked = msgspec.structs.replace(turn.asked, unsent=())
    bare = msgspec.structs.replace(turn, asked=asked, answer=None)
    return _messages_of(means, work, bare, calls, step)


PATCHES = (
    (asking, "_record", _record_and_append),
    (fold, "messages_of", _messages_but_the_reply),
    (log, "_check", lambda _rows, _head, _messages: None),
)
