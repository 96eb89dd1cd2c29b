"""Why the agent is awake, as the block TRIGGER."""

from collections.abc import Iterator

from mindpipe.context.records import Block
from mindpipe.context.timeline.histories import party
from mindpipe.context.timeline.records import Occasion, Resumed, TimelineSpace
from mindpipe.context.timeline.wording import length, marked, payload, short, told

NAME = "TRIGGER"
_SHOWN = 2000
"""So many characters of a message are shown here; the message itself stands whole elsewhere."""


def block(occasion: Occasion) -> Block:
    """Return why the agent is awake."""
    lines = tuple(f"  {line}" for line in _lines(occasion))
    return Block(section="observations", title=NAME, lines=lines)


def place(where: TimelineSpace) -> str:
    """Return a space as its title and id."""
    return f"{told(where.title)} (id: {marked(where.name)})"


def _lines(occasion: Occasion) -> Iterator[str]:
    """Yield the lines of an occasion."""
    if occasion.resumed is not None:
        yield from _resumed(occasion, occasion.resumed)
        return
    yield f"type: {occasion.type}"
    if occasion.type == "space_message":
        yield from _message(occasion)
    elif occasion.type == "plan":
        yield f"plan: {told(occasion.name)} (id: {marked(occasion.subject)})"
        yield f"instruction: {told(occasion.text)}"
        yield f'scheduledAt: "{marked(occasion.at)}"'
    else:
        yield from _event(occasion)


def _message(occasion: Occasion) -> Iterator[str]:
    """Yield the lines of a message in a space."""
    if occasion.place is not None:
        yield f"space: {place(occasion.place)}"
    if occasion.sender is not None:
        yield f"sender: {party(occasion.sender)}"
    yield f"message: {told(short(occasion.text, _SHOWN))}"
    yield f"messageId: {marked(occasion.post)}"
    yield f'timestamp: "{marked(occasion.at)}"'
    yield f"senderExpectsReply: {'true' if occasion.expects_reply else 'false'}"
    yield f"chainDepth: {occasion.depth}"


def _event(occasion: Occasion) -> Iterator[str]:
    """Yield the lines of what no space and no plan brought."""
    if occasion.level is not None:
        yield f"level: {occasion.level}"
    yield f"service: {told(occasion.name)}"
    if occasion.place is not None:
        yield f"space: {place(occasion.place)}"
    if occasion.sender is not None:
        yield f"sender: {party(occasion.sender)}"
    if occasion.text:
        yield f"message: {told(short(occasion.text, _SHOWN))}"
    if occasion.payload:
        yield f"payload: {payload(occasion.payload)}"
    yield f'timestamp: "{marked(occasion.at)}"'
    if occasion.depth:
        yield f"chainDepth: {occasion.depth}"


def _resumed(occasion: Occasion, resumed: Resumed) -> Iterator[str]:
    """Yield the lines of a run that goes on: what it waited for, what came of it, why it began."""
    yield "type: resumed_wait"
    yield f"run: {marked(resumed.run)}"
    asked = told(short(resumed.asked, _SHOWN))
    yield f"waitedFor: a reply to your {asked} (messageId: {marked(resumed.post)})"
    yield f"waited: {length(round(resumed.seconds))}"
    if resumed.by is None:
        yield "outcome: timed_out (nobody replied)"
        yield f"space: {place(resumed.place)}"
        yield f"chainDepth: {occasion.depth}"
    else:
        yield "outcome: replied"
        yield from _message(occasion)
    if occasion.began is not None:
        yield "startedBy:"
        yield from (f"  {line}" for line in _lines(occasion.began))
