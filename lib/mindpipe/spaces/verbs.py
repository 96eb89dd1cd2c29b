"""Make spaces, let entities join and leave, post, read, and keep what each has seen."""

import itertools
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from mindpipe.core.attachments import Attachment
from mindpipe.core.errors import BadInputError, RefusedError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import normal_instant
from mindpipe.core.json import MAX_KEY_BYTES
from mindpipe.core.ports import NOBODY, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.problems import Problem
from mindpipe.core.sources import space_source
from mindpipe.core.text import (
    counted,
    did_you_mean,
    is_blank,
    safe_name,
    terminal_text,
    without_surrogates,
)
from mindpipe.history.verbs import attachments
from mindpipe.spaces import tables
from mindpipe.spaces.records import (
    Member,
    NewPost,
    NewSpaceEntity,
    Post,
    PostState,
    Space,
    SpaceEntity,
)

MAX_TITLE = 64
MAX_POST_BYTES = 1 << 20
_TITLES = ""
"""Instead of a space: what everybody is called, which no two may be."""


def new(
    store: Store,
    clock: Clock,
    *,
    name: str,
    title: str | None = None,
    respond_limit: int | None = None,
) -> Space:
    """Make a space; its title is its name unless one is given.

    Raises:
        UnsafeNameError: the name may not be used.
        RefusedError: there is one of this name.
    """
    safe_name(name)
    with store.write(NOBODY) as rows:
        rows.hold("space", name)
        if tables.find_space(rows, name) is not None:
            raise RefusedError(f"there is a space {name} already; mind space list shows it.")
        space = Space(
            name=name,
            title=plain_title(title or name),
            created=clock.now(),
            respond_limit=respond_limit,
        )
        tables.insert_space(rows, space)
    return space


def set_(
    store: Store,
    *,
    name: str,
    title: str | None = None,
    respond_limit: int | UnsetType | None = UNSET,
) -> Space:
    """Change the title of a space, or how many agents may answer one message in it (None: all).

    Raises:
        UsageError: there is no such space, or the title cannot be one.
    """
    with store.write(NOBODY) as rows:
        rows.hold("space", name)
        found = _space(rows, name)
        limit = found.respond_limit if respond_limit is UNSET else respond_limit
        title = found.title if title is None else plain_title(title)
        tables.update_space(rows, msgspec.structs.replace(found, title=title, respond_limit=limit))
        return _space(rows, name)


def plain_title(title: str) -> str:
    """Return a title as one line without control characters; raises UsageError if none is left."""
    clean = " ".join(terminal_text(unicodedata.normalize("NFC", title)).split())
    if not clean or len(clean) > MAX_TITLE:
        raise UsageError(f"a title has 1 to {MAX_TITLE} visible characters, not {len(clean)}.")
    return clean


def list_(store: Store, *, member: str | None = None) -> list[Space]:
    """Return all spaces, or those of one member with what it has not seen."""
    with store.read() as rows:
        return tables.spaces(rows) if member is None else tables.spaces_of(rows, member)


def show(store: Store, *, name: str) -> Space:
    """Return one space; raises UsageError if there is none of this name."""
    with store.read() as rows:
        return _space(rows, name)


def find(store: Store, *, name: str) -> Space | None:
    """Return one space, or None."""
    with store.read() as rows:
        return tables.find_space(rows, name)


def entity(store: Store, *, name: str) -> SpaceEntity | None:
    """Return one entity, or None."""
    with store.read() as rows:
        return tables.find_entity(rows, name)


def join(store: Store, clock: Clock, chance: Chance, *, space: str, who: NewSpaceEntity) -> Member:
    """Let somebody into a space; joining twice changes nothing but the title.

    Raises:
        UsageError: no such space, or an unknown entity without a kind, or another kind than known,
            or a title that somebody else has.
    """
    safe_name(who.name)
    with store.write(NOBODY) as rows:
        rows.hold("space", space, _TITLES)
        _space(rows, space)
        known = tables.find_entity(rows, who.name)
        if known is None and who.kind is None:
            raise UsageError(
                f'nobody is known as "{who.name}". '
                f"Make the agent first, or say --kind human or --kind service."
            )
        kind = who.kind or (known.kind if known else "human")
        if known is not None and known.kind != kind:
            raise UsageError(f"{who.name} is known as {known.kind}, not as {kind}.")
        title = plain_title(who.title or (known.title if known else who.name))
        if known is None or known.title != title:
            _refuse_taken(rows, who.name, title)
        entity_id = known.id if known else who.id or chance.new_id("n", who.name)
        tables.put_entity(rows, SpaceEntity(name=who.name, kind=kind, title=title, id=entity_id))
        tables.insert_member(rows, space=space, entity=who.name, at=clock.now())
        return _member(rows, space, who.name)


def meet(
    store: Store, clock: Clock, chance: Chance, *, host: NewSpaceEntity, guest: NewSpaceEntity
) -> tuple[str, bool]:
    """Return the name of the space in which two talk alone, and whether it had to be made.

    Raises:
        UsageError: as joining it does.
    """
    name = f"{host.name}-{guest.name}"
    with store.write(NOBODY) as rows:
        rows.hold("space", name, _TITLES)
        if find(store, name=name) is not None:
            return name, False
        new(store, clock, name=name)
        for who in (host, guest):
            join(store, clock, chance, space=name, who=who)
    return name, True


def _refuse_taken(rows: Rows, name: str, title: str) -> None:
    """Raise UsageError if somebody else has a title: what people say is remembered by it."""
    other = tables.other_named(rows, title, name)
    if other is not None:
        raise UsageError(
            f'"{title}" is how {other} is called; give {name} another name with --name, so that '
            "nobody takes one for the other."
        )


def leave(store: Store, *, space: str, name: str) -> None:
    """Take somebody out of a space; raises UsageError if it is not in there."""
    with store.write(NOBODY) as rows:
        rows.hold("space", space)
        _space(rows, space)
        if not tables.delete_member(rows, space=space, entity=name):
            raise _no_member(rows, space, name)


def members(store: Store, *, space: str) -> list[Member]:
    """Return the members of a space in the order in which they joined."""
    with store.read() as rows:
        _space(rows, space)
        return tables.members(rows, space)


def member(store: Store, *, space: str, name: str) -> Member:
    """Return one member of a space; raises UsageError."""
    with store.read() as rows:
        return _member(rows, space, name)


def post(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    space: str,
    post: NewPost,
    deliver: Deliver,
    files: Sequence[Attachment] = (),
) -> Post:
    """Say something in a space, and push it to every agent in it but the sender, at once.

    A held post is pushed and seen only when `release_held` is called for its holder. The same key
    again is the same post. `files` go along with it.

    Raises:
        UsageError: no such space, member or post to reply to.
        BadInputError: the same key with another text or files, or a text or a new key that is too
            long.
    """
    text = store.redactor.text(_storable(post.text))
    files = attachments.redacted(store.redactor, files)
    with store.write(NOBODY) as rows:
        rows.hold("space", space)
        _check_space(rows, space)
        if not tables.is_member(rows, space=space, entity=post.sender):
            raise _no_member(rows, space, post.sender)
        if post.reply_to is not None:
            _post(rows, space, post.reply_to, writer=post.sender)
        if (found := _repeated(rows, space, post, text)) is not None:
            return _same_files(store, found, files)
        _require_key(post.key)
        _check_limit(rows, space, post)
        count = tables.count_made(rows, space)
        made = Post(
            id=post.id or chance.new_id("o", space, count),
            space=space,
            seq=-count if post.holder else tables.last_seq(rows, space) + 1,
            at=normal_instant(post.at) if post.at else clock.now(),
            sender=post.sender,
            text=text,
            reply_to=post.reply_to,
            key=post.key,
            state=PostState.VISIBLE if post.holder is None else PostState.HELD,
            sources=post.sources,
            depth=post.depth,
            answers=post.answers,
            waits=post.waits,
            waits_for=post.waits_for,
            waits_seconds=post.waits_seconds,
            files=tuple(one.part for one in files),
        )
        tables.insert_post(rows, made, holder=post.holder)
        hearers = {} if post.holder is not None else _hold_hearers(rows, [space])
        attachments.keep(store, owners=[made.id], files=files)
        if post.holder is None:
            _publish(rows, made, deliver, hearers)
    return made


def _storable(text: str) -> str:
    """Return a post's text fit to be stored; raises BadInputError if it is too long."""
    if is_blank(text):
        raise UsageError("the post is empty; give it some words.")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_POST_BYTES:
        problem = Problem(source="post", message=f"longer than {MAX_POST_BYTES} bytes; split it")
        raise BadInputError([problem])
    return without_surrogates(text)[0]


def _check_limit(rows: Rows, space: str, post: NewPost) -> None:
    """Raise RefusedError where enough others answered what woke this agent, or it replies to."""
    limit = tables.respond_limit(rows, space)
    if limit is None or not tables.is_agent(rows, post.sender):
        return
    for one in filter(None, (post.answers, post.reply_to)):
        others = tables.count_answering(rows, space=space, post=one, without=post.sender)
        if others >= limit:
            words = f"{others} of at most {limit} agents have answered {one} in {space}."
            raise RefusedError(f"{words} Nothing was said.")


def _repeated(rows: Rows, space: str, post: NewPost, text: str) -> Post | None:
    """Return the post that was made under the same key, or None."""
    if post.key is None:
        return None
    found = tables.post_by_key(rows, space=space, sender=post.sender, key=post.key)
    if found is None:
        return None
    if found.text != text:
        words = f"the key {post.key!r} was used for another text"
        raise BadInputError([Problem(source="post", field="$.key", message=words)])
    return msgspec.structs.replace(found, duplicate=True)


def _require_key(key: str | None) -> None:
    """Raise BadInputError for a new key that is longer than that of an event may be."""
    if key is not None and len(key.encode(errors="replace")) > MAX_KEY_BYTES:
        words = f"expected text of 1..{MAX_KEY_BYTES} bytes"
        raise BadInputError([Problem(source="post", field="$.key", message=words)])


def _same_files(store: Store, found: Post, files: Sequence[Attachment]) -> Post:
    """Return a post that was made before with its files; raises BadInputError where others came."""
    (made,) = with_files(store, [found])
    if made.files != tuple(one.part for one in files):
        words = f"the key {found.key!r} was used with other files"
        raise BadInputError([Problem(source="post", field="$.key", message=words)])
    return made


def with_files(store: Store, posts: Sequence[Post]) -> list[Post]:
    """Return posts with the files that went along with them."""
    return attachments.with_files(store, posts, lambda post: post.id)


def hold(store: Store, *, names: Iterable[str]) -> None:
    """Hold spaces in which something is to be said, and who hears it, in the open transaction."""
    with store.write(NOBODY) as rows:
        rows.hold("space", *names)
        _hold_hearers(rows, names)


def _hold_hearers(rows: Rows, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the agents in some spaces, with their inboxes held, whoever says something then."""
    found = {name: tables.agents_in(rows, space=name) for name in names}
    rows.hold("inbox", *itertools.chain.from_iterable(found.values()))
    return found


def _publish(
    rows: Rows, made: Post, deliver: Deliver, hearers: Mapping[str, Sequence[str]]
) -> None:
    """Push a post to every agent member but its sender.

    A human has then seen all there is; an agent only what its cycles showed it, and its own words.
    """
    sender = tables.find_entity(rows, made.sender)
    if sender is not None and sender.kind == "agent":
        tables.pass_own(rows, space=made.space, entity=made.sender)
    else:
        tables.set_seen(rows, space=made.space, entity=made.sender, seq=made.seq)
    body: dict[str, object] = {"post": made.id, "sender_kind": sender.kind if sender else "human"}
    if made.reply_to is not None:
        body["reply_to"] = made.reply_to
    if made.depth:
        body["depth"] = made.depth
    if made.waits:
        body["waits"] = True
    events = [
        NewEvent(
            type="space_message",
            agent=agent,
            source=space_source(made.space),
            key=made.id,
            space=made.space,
            sender=made.sender,
            text=made.text,
            body=body,
            sources=made.sources,
        )
        for agent in hearers[made.space]
        if agent != made.sender
    ]
    if events:
        deliver(events)


def release_held(store: Store, *, holder: str, deliver: Deliver, waits: bool = True) -> list[Post]:
    """Make the held posts of a cycle visible and push them; return them.

    Without `waits` none waits for a reply. Each is numbered behind all that was said meanwhile.
    """
    released: list[Post] = []
    with store.write(NOBODY) as rows:
        held = tables.held(rows, holder)
        names = {one.space for one in held}
        rows.hold("space", *names)
        hearers = _hold_hearers(rows, names)
        for waiting in held:
            seq = tables.last_seq(rows, waiting.space) + 1
            state = waiting.state.to(PostState.VISIBLE)
            made = msgspec.structs.replace(
                waiting, seq=seq, state=state, waits=waiting.waits and waits
            )
            tables.release(rows, made)
            _publish(rows, made, deliver, hearers)
            released.append(made)
    return released


def drop_held(store: Store, *, holder: str) -> int:
    """Forget the held posts of a cycle and return how many there were."""
    with store.write(NOBODY) as rows:
        rows.hold("space", *(one.space for one in tables.held(rows, holder)))
        return tables.drop(rows, holder)


def read(
    store: Store, *, space: str, limit: int = 50, offset: int = 0, after: int = 0
) -> list[Post]:
    """Return the newest visible posts behind number `after`, oldest first."""
    with store.read() as rows:
        _space(rows, space)
        found = tables.page(rows, space=space, limit=limit, offset=offset, after=after)
        return with_files(store, found)


def unheard_words(store: Store, *, agent: str, max_depth: int) -> str:
    """Return a sentence about unread messages that woke the agent not, empty where there are none.

    They are at the end of a chain of agents that answer each other.
    """
    deep = [
        post.space
        for space in list_(store, member=agent)
        if space.unread
        for post in read(store, space=space.name, limit=space.unread)
        if post.depth >= max_depth and post.sender != agent
    ]
    if not deep:
        return ""
    where = ", ".join(dict.fromkeys(deep))
    return (
        f" {counted(len(deep), 'message')} in {where} woke nobody: that ends where agents have "
        f"answered each other {max_depth} times (context.max_chain_depth), until a person speaks."
    )


def has_said(store: Store, *, space: str, name: str, since: str) -> bool:
    """Tell whether somebody said something that everybody can read, at an instant or later."""
    with store.read() as rows:
        return tables.has_said(rows, space=space, sender=name, since=since)


def seen(store: Store, *, space: str, name: str, post_id: str | None = None) -> Member:
    """Note that a member has seen everything, or everything up to one post."""
    with store.write(NOBODY) as rows:
        _check_space(rows, space)
        if not tables.is_member(rows, space=space, entity=name):
            raise _no_member(rows, space, name)
        seq = tables.last_seq(rows, space)
        if post_id is not None:
            seq = _post(rows, space, post_id).seq
        tables.set_seen(rows, space=space, entity=name, seq=seq)
        return _member(rows, space, name)


def shown(store: Store, *, name: str, posts: Iterable[str]) -> None:
    """Note that an agent was shown these posts and all before them, where it is still a member."""
    with store.write(NOBODY) as rows:
        for space, seq in tables.newest_of(rows, posts).items():
            tables.set_seen(rows, space=space, entity=name, seq=seq)
            tables.pass_own(rows, space=space, entity=name)


def find_post(store: Store, *, post: str) -> Post | None:
    """Return one post that everybody in its space can read, or None."""
    with store.read() as rows:
        found = tables.post_by_id(rows, post)
        if found is None or found.state is not PostState.VISIBLE:
            return None
        return with_files(store, [found])[0]


def held(store: Store, *, holder: str) -> list[Post]:
    """Return what a cycle has said and nobody can read yet, in its order."""
    with store.read() as rows:
        return tables.held(rows, holder)


def _space(rows: Rows, name: str) -> Space:
    """Return one space; raises UsageError with the nearest name."""
    found = tables.find_space(rows, name)
    if found is None:
        near = did_you_mean(name, tables.space_names(rows))
        raise UsageError(f'no space "{name}"; {near}mind space list shows them.')
    return found


def _check_space(rows: Rows, name: str) -> None:
    """Raise UsageError with the nearest name if there is no such space."""
    if not tables.has_space(rows, name):
        _space(rows, name)


def _member(rows: Rows, space: str, name: str) -> Member:
    """Return one member of a space; raises UsageError."""
    found = tables.find_member(rows, space=space, entity=name)
    if found is None:
        raise _no_member(rows, space, name)
    return found


def _post(rows: Rows, space: str, post_id: str, *, writer: str | None = None) -> Post:
    """Return one post of a space that is visible, or the writer's own; raises UsageError."""
    found = tables.post_by_id(rows, post_id)
    if found is None or found.space != space or not _is_open_to(found, writer):
        raise UsageError(f"there is no message {post_id} in {space}; mind space read shows them.")
    return found


def _is_open_to(post: Post, writer: str | None) -> bool:
    """Tell whether a post is visible, or the writer's own."""
    return post.state is PostState.VISIBLE or post.sender == writer


def _no_member(rows: Rows, space: str, name: str) -> UsageError:
    """Return the error for somebody who is not in a space."""
    near = did_you_mean(name, [member.name for member in tables.members(rows, space)])
    return UsageError(
        f'"{name}" is not in {space}; {near}mind space members {space} shows who is, '
        "mind space join lets somebody in."
    )


def post_all(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    space: str,
    posts: list[NewPost],
    deliver: Deliver,
) -> list[Post]:
    """Say many things in their order, all or none of them."""
    with store.write(NOBODY):
        return [
            post(store, clock, chance, space=space, post=new_post, deliver=deliver)
            for new_post in posts
        ]
