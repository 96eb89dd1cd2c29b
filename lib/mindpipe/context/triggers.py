"""Why a run begins or goes on, as the event that wakes it tells."""

from collections.abc import Sequence

from mindpipe.core.events import NewEvent
from mindpipe.core.records import MOST_WHOLE
from mindpipe.inbox.records import Event
from mindpipe.trigger_runs.records import HeardMessage, ReplyWait, RunTrigger

TIMED_OUT = "wait"
"""The source of the event that tells an agent that nobody answered it."""


def trigger_of(event: Event) -> RunTrigger:
    """Return the trigger that an event is."""
    body = event.body
    if event.type == "space_message":
        return RunTrigger(
            type="space_message",
            event=event.id,
            at=event.pushed,
            space=event.space,
            sender=event.sender,
            post=_said(body, "post"),
            expects_reply=body.get("waits") is True,
            depth=depth_of(event),
        )
    if event.type == "plan":
        return RunTrigger(
            type="plan",
            event=event.id,
            at=_said(body, "window") or event.pushed,
            name=_said(body, "title") or event.source,
        )
    return RunTrigger(
        type="service",
        event=event.id,
        at=event.pushed,
        name=event.source,
        space=event.space,
        sender=event.sender,
        depth=depth_of(event),
    )


def waking(events: Sequence[Event]) -> Event:
    """Return which of the events of a fresh cycle woke the agent.

    It is the most urgent of them; of equals one whose sender waits for a reply, or the first.
    """
    return min(events, key=lambda one: (one.priority, one.body.get("waits") is not True))


def depth_of(event: Event) -> int:
    """Return how many hops from agent to agent are behind an event; 0 where it does not say."""
    return depth_of_body(event.body)


def depth_of_body(body: dict[str, object]) -> int:
    """Return the same of an event's body."""
    depth = body.get("depth", 0)
    return depth if type(depth) is int and 0 <= depth <= MOST_WHOLE else 0


def message_of(event: NewEvent | Event) -> HeardMessage | None:
    """Return the message of a space that an event tells of, or None."""
    post = _said(event.body, "post")
    if event.type != "space_message" or event.space is None or post is None:
        return None
    return HeardMessage(
        id=post, space=event.space, reply_to=_said(event.body, "reply_to"), sender=event.sender
    )


def post_of(event: Event) -> str:
    """Return the id of the message that an event tells of; its own where it names none."""
    post = event.body.get("post")
    return post if isinstance(post, str) else event.id


def time_out_of(wait: ReplyWait, *, depth: int) -> NewEvent:
    """Return the event that tells an agent, once it is due, that nobody answered its message.

    `depth` is that of the message.
    """
    return NewEvent(
        agent=wait.agent,
        type="service",
        source=TIMED_OUT,
        key=wait.id,
        due=wait.until,
        space=wait.space,
        text=f"If this reaches you, nobody answered your message {wait.post} until {wait.until}. "
        "You wait for it no longer then.",
        body={"run": wait.run, "post": wait.post, "depth": depth},
    )


def _said(body: dict[str, object], name: str) -> str | None:
    """Return a text of an event's body, or None."""
    found = body.get(name)
    return found if isinstance(found, str) else None
