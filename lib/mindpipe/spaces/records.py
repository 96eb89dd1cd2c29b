"""Spaces, the entities that meet in them, and what is said there."""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.messages import FilePart
from mindpipe.core.records import Natural, Positive, Record, State
from mindpipe.core.sources import joined, of_others, space_source

Kind = Literal["human", "agent", "service"]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class PostState(State):
    """Whether everybody can read a post yet; an agent's waits until its turn is in history."""

    HELD = "held"
    VISIBLE = "visible"

    def successors(self) -> frozenset["PostState"]:
        """Return the states that may follow: a held post becomes visible, or is dropped whole."""
        return frozenset({PostState.VISIBLE}) if self is PostState.HELD else frozenset()


class SpaceEntity(Record):
    """Somebody who can be in a space: an agent of this store, a human, or a service."""

    name: str
    kind: Kind
    title: str
    id: str


class NewSpaceEntity(Record):
    """Who joins: `kind` and `title` may be left out for somebody who is known already."""

    name: str
    kind: Kind | None = None
    title: str | None = None
    id: str | None = None


class Space(Record):
    """One space: how many are in it, how many visible posts it has, and the newest one's time.

    At most `respond_limit` agents may answer one post; null is no limit.
    """

    name: str
    title: str
    created: str
    respond_limit: Positive | None = None
    members: int = 0
    posts: int = 0
    last_post: str | None = None
    unread: int | None = None


class Member(Record):
    """One member of a space: the number of the last post it has seen, and how many it has not."""

    space: str
    name: str
    kind: Kind
    title: str
    joined: str
    seen: int
    unread: int


class Post(Record, omit_defaults=True):
    """One thing that was said in a space.

    `seq` counts from 1 in each space; that of a held post is below 0 until it becomes visible.
    `sources` names whose words an agent had read when it said so. `depth` counts the hops from
    agent to agent behind it: 0 for what a human or a service says, one more than its run for what
    an agent says. `answers` is the post, here or in another space, that made the agent speak;
    `waits` tells that it waits for a reply, or for any message of the member `waits_for`, for
    `waits_seconds` where it says for how long. `files` went along with it. `taken_back` is when the
    agent that said it went back to before it, so that it knows no more of it.
    """

    id: str
    space: str
    seq: int
    at: str
    sender: str
    text: str
    reply_to: str | None = None
    key: str | None = None
    state: PostState = PostState.VISIBLE
    duplicate: bool = False
    sources: tuple[str, ...] = ()
    depth: Natural = 0
    answers: str | None = None
    waits: bool = False
    waits_for: str | None = None
    waits_seconds: float | None = None
    files: tuple[FilePart, ...] = ()
    taken_back: str | None = None

    def origins(self, *, reader: str) -> tuple[str, ...]:
        """Return whose words it holds for somebody who reads it: all but the reader's own."""
        return of_others(
            joined(self.sources, (f"{space_source(self.space)}/{self.sender}",)), reader
        )


class NewPost(Record, omit_defaults=True):
    """One thing to say: `holder` keeps it back until its turn is in history, `id` names it.

    `sources` names whose words its writer had read; `depth`, `answers` and what it `waits` for are
    as in a post.
    """

    sender: str
    text: str
    reply_to: str | None = None
    key: str | None = None
    at: str | None = None
    holder: str | None = None
    id: str | None = None
    sources: tuple[str, ...] = ()
    depth: Natural = 0
    answers: str | None = None
    waits: bool = False
    waits_for: str | None = None
    waits_seconds: float | None = None


class GivenPost(Record, kw_only=True, rename={"sender": "as"}):
    """One post on a line."""

    sender: str
    text: str
    at: str | None = None
    key: str | None = None
    reply_to: str | None = None
