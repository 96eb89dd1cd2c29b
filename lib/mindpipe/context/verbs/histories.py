"""Load what was said in a space as its timeline shows it: the newest whole, the others in short."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.compaction.selection.extractive import choose
from mindpipe.compaction.task import SpokenWords
from mindpipe.context.timeline.records import (
    EarlierMessages,
    Party,
    SpaceHistory,
    SpokenReason,
    TimelineEntry,
    TimelineSpace,
)
from mindpipe.context.triggers import post_of
from mindpipe.core.messages import Role
from mindpipe.core.ports import Store
from mindpipe.core.sources import joined, space_source
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Post
from mindpipe.trigger_runs import verbs as runs

SUMMARISED = 100
"""So many messages before those that are shown whole are looked at for what they say in short."""
SUMMARY_TOKENS = 400


class HistoryWanted(NamedTuple):
    """What is to be shown of spaces: to whom, so many newest messages whole, and what is marked.

    `trigger` is the message that began the run, `reply` the one that ended its wait, `taken` are
    the messages that the cycle takes up.
    """

    agent: Agent
    whole: int
    measure: Callable[[str], int]
    trigger: str | None = None
    reply: str | None = None
    taken: tuple[Event, ...] = ()


class ShownHistory(NamedTuple):
    """What was said in a space, and whose words that are."""

    history: SpaceHistory
    sources: tuple[str, ...]


class Parties:
    """Who is who, looked up once."""

    def __init__(self, store: Store, agent: Agent) -> None:
        self._store = store
        self._agent = agent
        self._known: dict[str, Party] = {}
        self.trust = agent.trust

    def of(self, name: str) -> Party:
        """Return somebody by name; who is not known is a service of that name."""
        found = self._known.get(name)
        if found is None:
            entity = spaces.entity(self._store, name=name)
            own = name == self._agent.name
            if entity is None:
                found = Party(title=name, kind="agent" if own else "service", id=name, own=own)
            else:
                found = Party(title=entity.title, kind=entity.kind, id=entity.id, own=own)
            self._known[name] = found
        return found


def place_of(store: Store, space: str) -> TimelineSpace:
    """Return a space by name; one that is not known has no other title."""
    found = spaces.find(store, name=space)
    return TimelineSpace(name=space, title=found.title if found else space)


def remembered(store: Store, space: str, wanted: HistoryWanted, parties: Parties) -> ShownHistory:
    """Return what was said in a space up to now."""
    found = spaces.find(store, name=space)
    whole = spaces.read(store, space=space, limit=wanted.whole) if found else []
    before = _before(store, space, len(whole)) if len(whole) == wanted.whole else []
    count = (found.posts if found else 0) - len(whole)
    posts = _with_taken(store, whole, wanted, space)
    seen = _seen(store, space, wanted.agent.name) if found else 0
    reader = _Reader(store, wanted, parties, seen)
    entries = [reader.entry(post) for post in posts]
    there = {post.id for post in posts}
    entries += [reader.told(one) for one in wanted.taken if _is_only_told(one, space, there)]
    read = [*before, *posts]
    return ShownHistory(
        SpaceHistory(
            place=place_of(store, space),
            entries=tuple(entries),
            earlier=_earlier(before, count, wanted, parties),
        ),
        joined(reader.sources, *_origins(store, read, wanted.agent.name)),
    )


def _origins(store: Store, posts: Sequence[Post], reader: str) -> list[tuple[str, ...]]:
    """Return whose words messages hold for a reader, without those that were vouched for."""
    cleared = inbox.cleared(
        store,
        agent=reader,
        sources=sorted({space_source(post.space) for post in posts}),
        keys=[post.id for post in posts],
    )
    return [post.origins(reader=reader) for post in posts if post.id not in cleared]


def _before(store: Store, space: str, shown: int) -> list[Post]:
    """Return the messages before those that are shown whole, as many as are looked at."""
    return spaces.read(store, space=space, limit=SUMMARISED, offset=shown)


def _seen(store: Store, space: str, agent: str) -> int:
    """Return the number of the last message that the agent was shown; 0 for one that left."""
    members = spaces.members(store, space=space)
    return next((member.seen for member in members if member.name == agent), 0)


def _with_taken(store: Store, whole: list[Post], wanted: HistoryWanted, space: str) -> list[Post]:
    """Return messages with those that the cycle takes up or went on by, however old they are."""
    there = {post.id for post in whole}
    named = (post_of(event) for event in wanted.taken if event.space == space)
    more = [id for id in (*named, wanted.reply) if id and id not in there]
    found = (spaces.find_post(store, post=id) for id in dict.fromkeys(more))
    older = [post for post in found if post is not None and post.space == space]
    return sorted([*older, *whole], key=lambda post: post.seq)


def entry_of(store: Store, event: Event, wanted: HistoryWanted, parties: Parties) -> TimelineEntry:
    """Return the message that an event tells of, which the cycle takes up."""
    reader = _Reader(store, wanted, parties, 0)
    post = spaces.find_post(store, post=post_of(event))
    return reader.entry(post) if post is not None else reader.told(event)


def _is_only_told(event: Event, space: str, there: Collection[str]) -> bool:
    """Tell whether an event tells of a message of a space that the store does not have."""
    is_here = event.type == "space_message" and event.space == space
    return is_here and post_of(event) not in there


class _Reader:
    """Make entries of what one agent reads; `sources` are those of what it says why of."""

    def __init__(self, store: Store, wanted: HistoryWanted, parties: Parties, seen: int) -> None:
        self._store = store
        self._wanted = wanted
        self._parties = parties
        self._seen = seen
        self.sources: tuple[str, ...] = ()

    def entry(self, post: Post) -> TimelineEntry:
        """Return a message of the space."""
        by = self._parties.of(post.sender)
        return TimelineEntry(
            id=post.id,
            at=post.at,
            by=by,
            text=post.text,
            new=post.seq > self._seen and not by.own,
            waits=post.waits and (by.own or self._is_awaited(post)),
            trigger=post.id == self._wanted.trigger,
            resumes=post.id == self._wanted.reply,
            because=self._because(post) if by.own else None,
            files=post.files,
        )

    def told(self, event: Event) -> TimelineEntry:
        """Return a message of which only the event is known."""
        id = post_of(event)
        return TimelineEntry(
            id=id,
            at=event.pushed,
            by=self._parties.of(event.sender or event.source),
            text=event.text or "",
            new=True,
            waits=event.body.get("waits") is True,
            trigger=id == self._wanted.trigger,
            resumes=id == self._wanted.reply,
        )

    def _is_awaited(self, post: Post) -> bool:
        """Tell whether the sender of a message waits for its answer still."""
        return runs.is_waiting(self._store, agent=post.sender, post=post.id)

    def _because(self, post: Post) -> SpokenReason | None:
        """Return why the agent said something here, if that was asked in another space."""
        asked = spaces.find_post(self._store, post=post.answers) if post.answers else None
        if asked is None or asked.space == post.space:
            return None
        reader = self._wanted.agent.name
        self.sources = joined(self.sources, *_origins(self._store, [asked], reader))
        return SpokenReason(
            who=self._parties.of(asked.sender).title,
            text=asked.text,
            space=place_of(self._store, asked.space).title,
        )


def _earlier(
    before: Sequence[Post], count: int, wanted: HistoryWanted, parties: Parties
) -> EarlierMessages | None:
    """Return the messages that are not shown whole: how many, and what those looked at say."""
    if not before or count <= 0:
        return None
    said = [
        SpokenWords(
            seq=post.seq,
            cycle=1,
            role=Role.ASSISTANT if parties.of(post.sender).own else Role.USER,
            speaker=parties.of(post.sender).title,
            text=post.text,
        )
        for post in before
    ]
    chosen = choose(said, room=SUMMARY_TOKENS, count=wanted.measure)
    return EarlierMessages(
        count=count,
        told=len(before),
        since=before[0].at,
        until=before[-1].at,
        lines=tuple(line.text for line in chosen),
    )
