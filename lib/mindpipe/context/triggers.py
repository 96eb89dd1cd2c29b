"""Why a run begins, as the event that begins it tells."""

from mindpipe.core.numbers import MOST_WHOLE
from mindpipe.inbox.records import Event
from mindpipe.runs.records import Trigger


def trigger_of(event: Event) -> Trigger:
    """Return the trigger that an event is."""
    body = event.body
    if event.type == "space_message":
        return Trigger(
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
        return Trigger(
            type="plan",
            event=event.id,
            at=_said(body, "window") or event.pushed,
            name=_said(body, "title") or event.source,
        )
    return Trigger(
        type="service",
        event=event.id,
        at=event.pushed,
        name=event.source,
        space=event.space,
        sender=event.sender,
        depth=depth_of(event),
    )


def depth_of(event: Event) -> int:
    """Return how many hops from agent to agent are behind an event; 0 where it does not say."""
    depth = event.body.get("depth", 0)
    return depth if type(depth) is int and 0 <= depth <= MOST_WHOLE else 0


def _said(body: dict[str, object], name: str) -> str | None:
    """Return a text of an event's body, or None."""
    found = body.get(name)
    return found if isinstance(found, str) else None
