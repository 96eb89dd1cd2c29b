"""Who says what: an event speaks for its sender and its space only where it can be known to."""

from collections.abc import Iterable

from mindpipe.context.triggers import post_of
from mindpipe.core.ports import Store
from mindpipe.core.sources import (
    SaidBy,
    claims_of,
    joined,
    of_others,
    source_name,
    space_source,
    untrusted,
)
from mindpipe.inbox.records import Event
from mindpipe.spaces import verbs as spaces

CLAIMED_SENDER = "claimed_sender"
CLAIMED_SPACE = "claimed_space"
CLAIMED_SOURCES = "claimed_sources"


class ClaimingEvent(Event, kw_only=True):
    """An event that only says who sent it, in its body; `whole` is its source with that sender."""

    whole: str | None = None

    def origins(self) -> tuple[str, ...]:
        """Return whose words it holds, as of any event: trust is given to the whole source."""
        said = joined(self.sources, () if self.whole is None else (self.whole,))
        return () if self.cleared else of_others(said, self.agent)


def known(store: Store, event: Event, *, trust: tuple[str, ...]) -> Event:
    """Return an event with the sender and space that are known, and what it only says of itself.

    What is said in a space of this store is a post there; of all else the sender is known where
    somebody vouches for the source. Else whoever writes a line could speak as anybody.
    """
    claims = claims_of(event.sources)
    named = event.sender is not None or event.space is not None or event.type == "space_message"
    if not named and not claims:
        return event
    if not untrusted(event.origins(), trust) or _is_post(store, event):
        return event
    says = {
        CLAIMED_SENDER: event.sender,
        CLAIMED_SPACE: event.space,
        CLAIMED_SOURCES: list(claims) or None,
    }
    fields = {
        **{name: getattr(event, name) for name in Event.__struct_fields__},
        "type": "service" if event.type == "space_message" else event.type,
        "sender": None,
        "space": None,
        "body": {**event.body, **{name: it for name, it in says.items() if it is not None}},
    }
    return ClaimingEvent(**fields, whole=source_name(event.source, event.sender))


def said_by(store: Store, event: Event, *, trust: tuple[str, ...]) -> SaidBy:
    """Return who is known to have sent an event, as he is shown, or who it says that it is."""
    found = known(store, event, trust=trust)
    if found.sender is None:
        return SaidBy(None, event.sender)
    entity = spaces.entity(store, name=found.sender)
    return SaidBy(entity.title if entity else found.sender, None)


def _is_post(store: Store, event: Event) -> bool:
    """Tell whether an event tells of a message that its sender said in its space.

    Only the space tells of it: an old message that comes again by mail is words of the mail.
    """
    if event.type != "space_message" or event.source != space_source(event.space or ""):
        return False
    post = spaces.find_post(store, post=post_of(event))
    return post is not None and (post.space, post.sender, post.text) == (
        event.space,
        event.sender,
        event.text,
    )


def asker_of(store: Store, events: Iterable[Event], *, trust: tuple[str, ...]) -> str | None:
    """Return who alone says what some events say, None where several do, or nobody knows who."""
    names = {said_by(store, one, trust=trust).known for one in events if one.text}
    return names.pop() if len(names) == 1 else None
