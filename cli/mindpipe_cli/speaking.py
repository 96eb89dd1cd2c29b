"""Who joins a space, and what is said there, as a command's options ask."""

from collections.abc import Iterable, Mapping

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.spaces.records import NewEntity, NewPost
from mindpipe_cli import documents
from mindpipe_cli.input import records


class GivenPost(Record, kw_only=True, rename={"sender": "as"}):
    """One post on a line."""

    sender: str
    text: str
    at: str | None = None
    key: str | None = None
    reply_to: str | None = None


def entity(agents: Iterable[Agent], *, name: str, kind: str | None, title: str | None) -> NewEntity:
    """Return who joins; an agent of the store brings its own title and entity id."""
    agent = next((agent for agent in agents if agent.name == name), None)
    if agent is None or kind in {"human", "service"}:
        return msgspec.convert({"name": name, "kind": kind, "title": title}, NewEntity)
    return NewEntity(name=name, kind="agent", title=title or agent.title, id=agent.entity)


def posts(*, lines: str | None, said: Mapping[str, str | None]) -> list[NewPost]:
    """Return what is to be said: the lines of a file, or one text.

    Raises:
        UsageError: neither, both, or nobody says it.
    """
    if lines is not None:
        if said["text"] is not None:
            raise UsageError("give TEXT or --lines, not both.")
        return [_new(given) for given in records(lines, GivenPost)]
    if said["text"] is None or said["sender"] is None:
        raise UsageError("say what and who: mind space post SPACE --as NAME TEXT.")
    text = said["text"]
    if text == "-":
        text = documents.whole("-").octets.decode("utf-8", "replace").rstrip("\n")
    return [msgspec.convert({**said, "text": text}, NewPost)]


def _new(given: GivenPost) -> NewPost:
    """Return a line as a post."""
    return NewPost(
        sender=given.sender,
        text=given.text,
        at=given.at,
        key=given.key,
        reply_to=given.reply_to,
    )
