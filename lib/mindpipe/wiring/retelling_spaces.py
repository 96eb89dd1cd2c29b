"""Say again in spaces what a life in the timeline style heard and said there, as history tells."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.context.timeline.wording import named
from mindpipe.context.turning import heard
from mindpipe.core.errors import UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.messages import CallPart, Message, ResultPart, Role, text_of
from mindpipe.core.ports import Store
from mindpipe.core.sources import HISTORY
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost
from mindpipe.wiring.chance import SystemChance
from mindpipe.wiring.clock import StandingClock


class _Said(NamedTuple):
    """One message of a space."""

    space: str
    post: NewPost


def retell(store: Store, agent: Agent, messages: Iterable[Message]) -> None:
    """Put into spaces what was heard and said in them; the agent has seen all of it.

    What was said in a space that the agent is not in, or by who is not in it any more, is left out.
    """
    mine = spaces.list_(store, member=agent.name)
    members = {one.name for space in mine for one in spaces.members(store, space=space.name)}
    found = ((name, spaces.entity(store, name=name)) for name in sorted(members))
    known = [(name, entity) for name, entity in found if entity is not None]
    names = {named(entity.title): name for name, entity in known}
    names |= {entity.id: name for name, entity in known}
    titles = {title: space.name for space in mine for title in (space.title, space.name)}
    for where, post in _said(agent, messages, names):
        if where in titles:
            _say(store, titles[where], post)
    for space in mine:
        spaces.seen(store, space=space.name, name=agent.name)


def _said(agent: Agent, messages: Iterable[Message], names: dict[str, str]) -> Iterator[_Said]:
    """Yield what was heard and said, in its order; `names` are by id and title."""
    place = ""
    asked: dict[str, CallPart] = {}
    for message in messages:
        sources = (HISTORY,) if message.taint else ()
        for one in heard(text_of(message)) if message.role is Role.USER else ():
            place = one.space
            if (who := names.get(one.entity) or names.get(one.who)) is not None:
                yield _Said(place, _post(who, one.text, one.at, one.id, sources))
        for part in message.parts:
            if isinstance(part, CallPart):
                asked[part.id] = part
            elif isinstance(part, ResultPart) and (id := _id_of(part)) and part.call in asked:
                args = asked[part.call].args or {}
                post = _post(agent.name, str(args.get("text")), message.at, id, sources)
                yield _Said(str(args.get("space") or place), post)


def _post(sender: str, text: str, at: str, id: str, sources: tuple[str, ...]) -> NewPost:
    """Return something as it was said."""
    return NewPost(sender=sender, text=text, at=at, id=id, sources=sources)


def _id_of(result: ResultPart) -> str:
    """Return the id of the message that a call has sent, or nothing."""
    answer = result.json
    return str(answer.get("messageId", "")) if isinstance(answer, dict) else ""


def _say(store: Store, space: str, post: NewPost) -> None:
    """Say something as it was said, to nobody."""
    clock = StandingClock(post.at or "")
    try:
        spaces.post(store, clock, SystemChance(), space=space, post=post, deliver=_to_nobody)
    except UsageError:
        return


def _to_nobody(_events: list[NewEvent]) -> None:
    """Tell nobody."""
