"""`mind space`: places where several minds and humans talk."""

from collections.abc import Iterable, Mapping

import click
import msgspec
from msgspec import UNSET

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UsageError
from mindpipe.core.text import safe_name
from mindpipe.engine.delivery import deliver_to
from mindpipe.spaces import verbs
from mindpipe.spaces.records import GivenPost, NewPost, NewSpaceEntity
from mindpipe_cli import input
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    StoredId,
    at_option,
    key_option,
    limit_option,
    name_option,
    offset_option,
    whole,
)
from mindpipe_cli.session import Session

_SPACE = ("name", "title", "members", "posts", "unread", "last_post", "respond_limit")
_MEMBER = ("name", "title", "kind", "joined", "unread")
_POST = ("at", "sender", "text", "id", "reply_to")


_limit_option = click.option(
    "--respond-limit",
    type=whole(),
    metavar="N",
    help="At most so many agents may answer one message; 0 lets all of them.",
)


@command("new", example="mind space new family --name Family --respond-limit 2")
@click.argument("space")
@name_option
@_limit_option
def new(session: Session, space: str, title: str | None, respond_limit: int | None) -> None:
    """Make the space SPACE."""
    safe_name(space)
    made = verbs.new(
        session.store, session.clock, name=space, title=title, respond_limit=respond_limit or None
    )
    session.write([made], columns=_SPACE)


@command("set", example="mind space set family --respond-limit 1")
@click.argument("space")
@name_option
@_limit_option
def set_(session: Session, space: str, title: str | None, respond_limit: int | None) -> None:
    """Change the title of the space SPACE, or how many agents may answer one message in it."""
    limit = UNSET if respond_limit is None else respond_limit or None
    changed = verbs.set_(session.store, name=space, title=title, respond_limit=limit)
    session.write([changed], columns=_SPACE)


@command("list", example="mind space list --member ava --table")
@click.option("--member", metavar="NAME", help="Only its spaces, with what it has not seen.")
def list_(session: Session, member: str | None) -> None:
    """Print all spaces."""
    session.write(verbs.list_(session.store, member=member), columns=_SPACE)


@command("join", example="mind space join family husam --kind human --name Husam")
@click.argument("space")
@click.argument("entity")
@click.option(
    "--kind",
    type=click.Choice(["human", "agent", "service"]),
    help="What it is; an agent of the store is known already.",
)
@name_option
def join(session: Session, space: str, entity: str, kind: str | None, title: str | None) -> None:
    """Let ENTITY into the space SPACE."""
    who = _new_entity(agents.list_(session.store), name=entity, kind=kind, title=title)
    member = verbs.join(session.store, session.clock, session.chance, space=space, who=who)
    session.write([member], columns=_MEMBER)


@command("leave", example="mind space leave family husam")
@click.argument("space")
@click.argument("entity")
def leave(session: Session, space: str, entity: str) -> None:
    """Take ENTITY out of the space SPACE; what it said stays."""
    verbs.leave(session.store, space=space, name=entity)


@command("members", example="mind space members family --table")
@click.argument("space")
def members(session: Session, space: str) -> None:
    """Print who is in the space SPACE, and how much each has not seen."""
    session.write(verbs.members(session.store, space=space), columns=_MEMBER)


@command("post", example='mind space post family --as husam "Hello!"')
@click.argument("space")
@click.argument("text", required=False)
@click.option("--as", "sender", metavar="NAME", help="Who says it.")
@click.option("--reply-to", metavar="ID", type=StoredId("post"), help="The post it answers.")
@at_option
@key_option
@click.option(
    "--lines", metavar="FILE", help='Post records {"as", "text", "at", "key"}; - is stdin.'
)
def post(session: Session, space: str, lines: str | None, **said: str | None) -> None:
    """Say TEXT (- reads stdin) in the space SPACE; it reaches every agent in it but the sender."""
    posts = _new_posts(lines=lines, said=said)
    deliver = deliver_to(session.store, session.clock, session.chance, session.settings)
    made = verbs.post_all(
        session.store, session.clock, session.chance, space=space, posts=posts, deliver=deliver
    )
    session.write(made, columns=_POST)


@command("read", example="mind space read family --limit 20 --table")
@click.argument("space")
@limit_option(50)
@offset_option
@click.option("--after-seq", type=whole(), default=0, metavar="N", help="Later ones.")
def read(session: Session, space: str, *, limit: int, offset: int, after_seq: int) -> None:
    """Print the newest posts of the space SPACE, oldest first."""
    found = verbs.read(session.store, space=space, limit=limit, offset=offset, after=after_seq)
    with_files = any(post.files for post in found)
    session.write(found, columns=(*_POST, "files") if with_files else _POST)


@command("seen", example="mind space seen family husam")
@click.argument("space")
@click.argument("entity")
@click.option(
    "--post",
    "post_id",
    metavar="ID",
    type=StoredId("post"),
    help="Seen up to this post [the newest].",
)
def seen(session: Session, space: str, entity: str, post_id: str | None) -> None:
    """Note that ENTITY has seen the posts of the space SPACE."""
    member = verbs.seen(session.store, space=space, name=entity, post_id=post_id)
    session.write([member], columns=_MEMBER)


def _new_entity(
    agents: Iterable[Agent], *, name: str, kind: str | None, title: str | None
) -> NewSpaceEntity:
    """Return who joins; an agent of the store brings its own title and entity id."""
    agent = next((agent for agent in agents if agent.name == name), None)
    if agent is None or kind in {"human", "service"}:
        return msgspec.convert({"name": name, "kind": kind, "title": title}, NewSpaceEntity)
    return NewSpaceEntity(name=name, kind="agent", title=title or agent.title, id=agent.entity)


def _new_posts(*, lines: str | None, said: Mapping[str, str | None]) -> list[NewPost]:
    """Return what is to be said: the lines of a file, or one text.

    Raises:
        UsageError: neither, both, or nobody says it.
    """
    if lines is not None:
        if said["text"] is not None:
            raise UsageError("give TEXT or --lines, not both.")
        return [_new_post(given) for given in input.records(lines, GivenPost)]
    if said["text"] is None or said["sender"] is None:
        raise UsageError("say what and who: mind space post SPACE --as NAME TEXT.")
    text = said["text"]
    if text == "-":
        text = input.words_on_stdin().decode("utf-8", "replace").rstrip("\n")
    return [msgspec.convert({**said, "text": text}, NewPost)]


def _new_post(given: GivenPost) -> NewPost:
    """Return a line as a post."""
    return NewPost(
        sender=given.sender,
        text=given.text,
        at=given.at,
        key=given.key,
        reply_to=given.reply_to,
    )


COMMAND = group("space", new, set_, list_, join, leave, members, post, read, seen)
