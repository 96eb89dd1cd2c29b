"""Whether messages may follow a log's end: rules H1 to H9 and H13, decided on the messages."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.history.records import LogHead, RuleBreach

_FITTING: dict[Role, tuple[type, ...]] = {
    Role.USER: (TextPart, FilePart),
    Role.NOTE: (TextPart, FilePart),
    Role.ASSISTANT: (TextPart, ThinkingPart, CallPart, OpaquePart, FilePart),
    Role.TOOL: (ResultPart, FilePart),
}
_MISFIT = {Role.USER: "H2", Role.NOTE: "H2", Role.ASSISTANT: "H3", Role.TOOL: "H4"}


_OWN = frozenset({"operator", "program"})


class _Place:
    """Where a log stands while messages are added to it in thought."""

    def __init__(self, head: LogHead) -> None:
        self.agent = head.agent
        self.seq = head.seq
        self.segment = head.segment
        self.cycle = head.cycle
        self.turn = head.turn
        self.answered = head.answered
        self.role = head.role
        self.calls: tuple[CallPart, ...] = ()
        self.ids: set[str] = set()

    def move(self, message: Message) -> None:
        """Stand behind a message."""
        self.seq = message.seq
        self.segment = message.segment
        self.cycle = message.cycle
        self.turn = message.turn
        self.role = message.role
        self.calls = calls_of(message) if message.role is Role.ASSISTANT else ()
        self.ids.update(call.id for call in self.calls)
        if message.role is not Role.NOTE:
            self.answered = message.turn


class Legality:
    """Judges messages one after the other, as they would follow a log's end.

    That cycles and segments exist, and that call ids are new to the agent, is for the store to say.
    """

    def __init__(self, head: LogHead) -> None:
        self._place = _Place(head)
        self._has_begun = False

    def breaches_of(self, message: Message) -> Iterator[RuleBreach]:
        """Yield every rule that the next message breaks."""
        for rule, what in _faults(self._place, message):
            yield RuleBreach(rule=rule, seq=message.seq, what=what)
        self._place.move(message)
        self._has_begun = True

    def end(self) -> Iterator[RuleBreach]:
        """Yield the rule that is broken where no message follows."""
        place = self._place
        if self._has_begun and (place.calls or place.role is Role.USER):
            what = "calls are not answered" if place.calls else "nobody answers the opening message"
            yield RuleBreach(rule="H3" if place.calls else "H10", seq=place.seq, what=what)


def breaches(head: LogHead, messages: Iterable[Message]) -> Iterator[RuleBreach]:
    """Yield every rule that the messages break if they follow the log's end, in order."""
    legality = Legality(head)
    for message in messages:
        yield from legality.breaches_of(message)
    yield from legality.end()


def _faults(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Yield (rule, what is wrong) for one message at its place."""
    yield from _numbers(place, message)
    if place.calls and message.role is not Role.TOOL:
        yield "H3", f"a {message.role} message stands before the results of the calls"
    yield from _ORDER[message.role](place, message)
    yield from _content(message)


def _numbers(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Check H1: one agent, no gaps, nothing goes back."""
    if message.agent != place.agent:
        yield "H1", f"it belongs to {message.agent}, the log to {place.agent}"
    if message.seq != place.seq + 1:
        yield "H1", f"seq {message.seq} follows {place.seq}"
    if message.segment < place.segment:
        yield "H1", f"segment goes back from {place.segment} to {message.segment}"
    if (message.cycle, message.turn) < (place.cycle, place.turn):
        yield "H1", "cycle and turn go back"


def _inside(place: _Place, message: Message, *roles: Role) -> Iterator[tuple[str, str]]:
    """Check that a message goes on with the cycle it says, behind one of these roles."""
    if message.cycle != place.cycle:
        yield "H2", f"cycle {message.cycle} does not begin with a user message"
    elif place.role not in roles:
        yield "H2", f"a {message.role} message may not follow {place.role or 'nothing'}"


def _user(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Check that a user message opens a new cycle behind a closed one."""
    if message.cycle <= place.cycle or message.turn != 0:
        yield "H2", "a user message stands only at turn 0 of a new cycle"
    if place.role not in {None, Role.ASSISTANT}:
        yield "H6", f"cycle {place.cycle} does not end with an assistant message"


def _note(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Check that a note follows the opening, results or another note."""
    yield from _inside(place, message, Role.USER, Role.TOOL, Role.NOTE)
    if message.turn > place.answered + 1:
        yield "H1", f"a note of turn {message.turn} follows turn {place.answered}"


def _assistant(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Check that a reply begins the next turn, with new call ids."""
    yield from _inside(place, message, Role.USER, Role.TOOL, Role.NOTE)
    if message.cycle == place.cycle and message.turn != place.answered + 1:
        yield "H2", f"turn {message.turn} follows turn {place.answered}"
    ids = [call.id for call in calls_of(message)]
    for one in sorted({one for one in ids if ids.count(one) > 1 or one in place.ids}):
        yield "H5", f"the call id {one} is used twice"


def _tool(place: _Place, message: Message) -> Iterator[tuple[str, str]]:
    """Check that results answer the calls just before, one each, in order."""
    if not place.calls:
        yield "H3", "results stand behind a message without calls"
        return
    if (message.cycle, message.turn) != (place.cycle, place.turn):
        yield "H3", "results belong to the turn of their calls"
    asked = [call.id for call in place.calls]
    answered = [part.call for part in message.parts if isinstance(part, ResultPart)]
    if strangers := [one for one in answered if one not in asked]:
        yield "H5", f"a result names {strangers[0]}, which the message before does not call"
    elif answered != asked:
        yield "H4", "there is not exactly one result per call, in their order"


_ORDER = {Role.USER: _user, Role.NOTE: _note, Role.ASSISTANT: _assistant, Role.TOOL: _tool}


def _content(message: Message) -> Iterator[tuple[str, str]]:
    """Check what a message holds, by itself."""
    if not message.parts:
        yield "H7", "the message is empty"
    for part in message.parts:
        if not isinstance(part, _FITTING[message.role]):
            kind = type(part).__struct_config__.tag
            yield _MISFIT[message.role], f"a {message.role} message holds no {kind}"
        if isinstance(part, TextPart) and is_blank(part.text):
            yield "H7", "a text is blank"
        if isinstance(part, CallPart) and (part.args is None) != (part.invalid is not None):
            yield "H8", f"the call {part.id} has arguments, or is invalid, not both"
        if _unclean(part):
            yield "H13", "a text holds NUL or a lone surrogate"
    yield from _raw(message)


def _raw(message: Message) -> Iterator[tuple[str, str]]:
    """Check H9: raw bytes are there exactly where a model spoke."""
    if message.raw is None:
        if message.role is Role.ASSISTANT and message.origin == "model" and not message.synthetic:
            yield "H9", "the message came from a model but has no raw bytes"
        elif any(_lives_in_raw(part) for part in message.parts):
            yield "H9", "thinking or opaque content lives in raw bytes, which are missing"
    elif message.role is not Role.ASSISTANT or message.synthetic or message.origin in _OWN:
        yield "H9", "only a model's own reply has raw bytes"
    elif not message.raw.sha256:
        yield "H9", "the raw reply names no bytes"


def _lives_in_raw(part: Part) -> bool:
    """Tell whether a part means nothing without the raw bytes of its reply."""
    return isinstance(part, OpaquePart) or (isinstance(part, ThinkingPart) and part.raw)


def _unclean(part: Part) -> bool:
    """Tell whether any string in a part holds NUL or a lone surrogate."""
    try:
        octets = to_json(part)
    except UnicodeEncodeError:
        return True
    # An escaped backslash before u0000 looks the same in JSON: only then look closer.
    return b"\\u0000" in octets and _holds_nul(msgspec.to_builtins(part))


def _holds_nul(value: object) -> bool:
    """Tell whether any string of a JSON value holds NUL."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(_holds_nul(one) for pair in value.items() for one in pair)
    return isinstance(value, list | tuple) and any(map(_holds_nul, value))
