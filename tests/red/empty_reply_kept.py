"""A build that stores an empty reply as an assistant message, and checks nothing on the way."""

from collections.abc import Iterator, Sequence

from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.history.records import Breach, LogHead
from mindpipe.history.verbs import log
from mindpipe.think import decide
from mindpipe.think.means import Means
from mindpipe.think.records import Call, Turn
from mindpipe.think.verbs import fold, request

_messages_of = fold.messages_of


def _with_empty(means: Means, turn: Turn, calls: list[Call], step: decide.Fold) -> list[Message]:
    made = _messages_of(means, turn, calls, step)
    if turn.answer is not None and not turn.answer.parts:
        writer = fold._Writer(means, turn, made[-1].seq, taint=False)
        writer.add(Role.ASSISTANT, (TextPart(text=""),), turn.turn)
        made += writer.made
    return made


def _none(_head: LogHead, _messages: Sequence[Message]) -> Iterator[Breach]:
    return iter(())


PATCHES = (
    (decide, "_word_for_nothing", lambda _turn: None),
    (fold, "messages_of", _with_empty),
    (log, "breaches", _none),
    (request, "validate", lambda _request: None),
)
