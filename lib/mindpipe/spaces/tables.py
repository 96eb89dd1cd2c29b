"""Rows of spaces, entities, members and posts."""

from collections.abc import Iterable, Mapping

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.core.records import Migration, Record
from mindpipe.core.sources import stored_sources, with_sources
from mindpipe.spaces.records import Member, Post, Space, SpaceEntity

MIGRATIONS = (
    Migration(
        name="0004_spaces",
        sql="""
        CREATE TABLE space(
            name TEXT PRIMARY KEY, title TEXT NOT NULL, created TEXT NOT NULL,
            made INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE entity(
            name TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN ('human', 'agent', 'service')),
            title TEXT NOT NULL, id TEXT NOT NULL UNIQUE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE member(
            space TEXT NOT NULL REFERENCES space(name),
            entity TEXT NOT NULL REFERENCES entity(name), joined TEXT NOT NULL,
            seen INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(space, entity)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_by_entity ON member(entity, space);
        CREATE TABLE post(
            id TEXT NOT NULL UNIQUE, space TEXT NOT NULL REFERENCES space(name),
            seq INTEGER NOT NULL, at TEXT NOT NULL, sender TEXT NOT NULL REFERENCES entity(name),
            text TEXT NOT NULL, reply_to TEXT, key TEXT, holder TEXT,
            state TEXT NOT NULL CHECK(state IN ('held', 'visible')), PRIMARY KEY(space, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX post_key ON post(space, sender, key) WHERE key IS NOT NULL;
        CREATE INDEX post_held ON post(holder) WHERE state = 'held';
        """,
    ),
    Migration(
        name="0011_post_sources",
        sql="ALTER TABLE post ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';",
    ),
    Migration(
        name="0026_chains",
        sql="""
        ALTER TABLE post ADD COLUMN depth INTEGER NOT NULL DEFAULT 0 CHECK(depth >= 0);
        ALTER TABLE post ADD COLUMN answers TEXT;
        ALTER TABLE post ADD COLUMN waits INTEGER NOT NULL DEFAULT 0 CHECK(waits IN (0, 1));
        CREATE INDEX post_answers ON post(answers) WHERE answers IS NOT NULL;
        ALTER TABLE space ADD COLUMN respond_limit INTEGER CHECK(respond_limit >= 1);
        """,
    ),
    Migration(
        name="0040_post_waits",
        sql="""
        ALTER TABLE post ADD COLUMN waits_for TEXT;
        ALTER TABLE post ADD COLUMN waits_seconds REAL CHECK(waits_seconds > 0);
        """,
    ),
    Migration(
        name="0064_posts_taken_back",
        sql="""
        ALTER TABLE post ADD COLUMN taken_back TEXT;
        """,
    ),
)

_POST = (
    "id, space, seq, at, sender, text, reply_to, key, state, sources, depth, answers, waits, "
    "waits_for, waits_seconds"
)
# Visible posts are numbered from 1 without gaps, held ones below 0, so that counting is looking up.
_NEWEST = "coalesce((SELECT max(seq) FROM post WHERE space = {} AND seq > 0), 0)"
_SPACE = (
    "s.name, s.title, s.created, s.respond_limit, "
    "(SELECT count(*) FROM member WHERE space = s.name) AS members, "
    f"{_NEWEST.format('s.name')} AS posts, "
    "(SELECT at FROM post WHERE space = s.name AND seq > 0 ORDER BY seq DESC LIMIT 1) "
    "AS last_post"
)
_UNREAD = f"({_NEWEST.format('m.space')} - m.seen)"


class PostNumber(Record):
    """The number of a post in its space."""

    space: str
    seq: int


def insert_space(rows: Rows, space: Space) -> None:
    """Add a space."""
    rows.run(
        "INSERT INTO space(name, title, created, respond_limit) "
        "VALUES(:name, :title, :created, :respond_limit)",
        {
            "name": space.name,
            "title": space.title,
            "created": space.created,
            "respond_limit": space.respond_limit,
        },
    )


def update_space(rows: Rows, space: Space) -> None:
    """Write the title of a space and how many agents may answer one message in it."""
    rows.run(
        "UPDATE space SET title = :title, respond_limit = :limit WHERE name = :name",
        {"name": space.name, "title": space.title, "limit": space.respond_limit},
    )


def respond_limit(rows: Rows, space: str) -> int | None:
    """Return how many agents may answer one message in a space, or None for no limit."""
    sql = "SELECT respond_limit FROM space WHERE name = :space"
    return rows.value(int, sql, {"space": space})


def find_space(rows: Rows, name: str) -> Space | None:
    """Return one space."""
    return rows.one(Space, f"SELECT {_SPACE} FROM space s WHERE s.name = :name", {"name": name})


def has_space(rows: Rows, name: str) -> bool:
    """Tell whether there is a space of this name."""
    return rows.value(int, "SELECT 1 FROM space WHERE name = :name", {"name": name}) is not None


def spaces(rows: Rows) -> list[Space]:
    """Return all spaces by name."""
    return rows.all(Space, f"SELECT {_SPACE} FROM space s ORDER BY s.name")


def spaces_of(rows: Rows, entity: str) -> list[Space]:
    """Return the spaces that an entity is in, with how many posts it has not seen."""
    return rows.all(
        Space,
        f"SELECT {_SPACE}, {_UNREAD} AS unread FROM member m JOIN space s ON s.name = m.space "
        "WHERE m.entity = :entity ORDER BY s.name",
        {"entity": entity},
    )


def space_names(rows: Rows) -> list[str]:
    """Return the names of all spaces."""
    return rows.all(str, "SELECT name FROM space ORDER BY name")


def find_entity(rows: Rows, name: str) -> SpaceEntity | None:
    """Return one entity."""
    return rows.one(
        SpaceEntity, "SELECT name, kind, title, id FROM entity WHERE name = :name", {"name": name}
    )


def other_named(rows: Rows, title: str, name: str) -> str | None:
    """Return the name of another entity with a title, capitals aside, or None."""
    return rows.value(
        str,
        "SELECT name FROM entity WHERE lower(title) = lower(:title) AND name != :name "
        "ORDER BY name LIMIT 1",
        {"title": title, "name": name},
    )


def put_entity(rows: Rows, entity: SpaceEntity) -> None:
    """Add an entity, or change its title."""
    rows.run(
        "INSERT INTO entity(name, kind, title, id) VALUES(:name, :kind, :title, :id) "
        "ON CONFLICT(name) DO UPDATE SET title = excluded.title",
        {"name": entity.name, "kind": entity.kind, "title": entity.title, "id": entity.id},
    )


def insert_member(rows: Rows, *, space: str, entity: str, at: str) -> int:
    """Add a member; return 0 if it is one already.

    An agent has seen nothing yet; others came where they could look around.
    """
    return rows.changed(
        "INSERT INTO member(space, entity, joined, seen) VALUES(:space, :entity, :at, "
        "CASE (SELECT kind FROM entity WHERE name = :entity) WHEN 'agent' THEN 0 "
        f"ELSE {_NEWEST.format(':space')} END) ON CONFLICT(space, entity) DO NOTHING",
        {"space": space, "entity": entity, "at": at},
    )


def delete_member(rows: Rows, *, space: str, entity: str) -> int:
    """Remove a member; return 0 if it was none."""
    return rows.changed(
        "DELETE FROM member WHERE space = :space AND entity = :entity",
        {"space": space, "entity": entity},
    )


def members(rows: Rows, space: str) -> list[Member]:
    """Return the members of a space in the order in which they joined."""
    return rows.all(
        Member,
        f"SELECT m.space, m.entity AS name, e.kind, e.title, m.joined, m.seen, {_UNREAD} AS unread "
        "FROM member m JOIN entity e ON e.name = m.entity WHERE m.space = :space "
        "ORDER BY m.joined, m.entity",
        {"space": space},
    )


def find_member(rows: Rows, *, space: str, entity: str) -> Member | None:
    """Return one member of a space."""
    return rows.one(
        Member,
        f"SELECT m.space, m.entity AS name, e.kind, e.title, m.joined, m.seen, {_UNREAD} AS unread "
        "FROM member m JOIN entity e ON e.name = m.entity "
        "WHERE m.space = :space AND m.entity = :entity",
        {"space": space, "entity": entity},
    )


def agents_in(rows: Rows, *, space: str) -> list[str]:
    """Return the names of the agents in a space, in the order in which they joined."""
    return rows.all(
        str,
        "SELECT m.entity FROM member m JOIN entity e ON e.name = m.entity WHERE m.space = :space "
        "AND e.kind = 'agent' ORDER BY m.joined, m.entity",
        {"space": space},
    )


def is_member(rows: Rows, *, space: str, entity: str) -> bool:
    """Tell whether an entity is in a space."""
    found = rows.value(
        int,
        "SELECT 1 FROM member WHERE space = :space AND entity = :entity",
        {"space": space, "entity": entity},
    )
    return found is not None


def set_seen(rows: Rows, *, space: str, entity: str, seq: int) -> None:
    """Move what a member has seen forward, never back."""
    rows.run(
        "UPDATE member SET seen = :seq WHERE space = :space AND entity = :entity AND seen < :seq",
        {"space": space, "entity": entity, "seq": seq},
    )


def pass_own(rows: Rows, *, space: str, entity: str) -> None:
    """Move what a member has seen over its own posts that follow."""
    rows.run(
        "UPDATE member SET seen = coalesce((SELECT min(seq) - 1 FROM post WHERE space = :space "
        f"AND seq > seen AND sender <> :entity), {_NEWEST.format(':space')}) "
        "WHERE space = :space AND entity = :entity",
        {"space": space, "entity": entity},
    )


def newest_of(rows: Rows, posts: Iterable[str]) -> dict[str, int]:
    """Return the number of the newest of some visible posts in each of their spaces."""
    found = rows.all(
        PostNumber,
        "SELECT space, max(seq) AS seq FROM post WHERE id IN :posts AND seq > 0 GROUP BY space",
        {"posts": list(posts)},
    )
    return {place.space: place.seq for place in found}


def count_answering(rows: Rows, *, space: str, post: str, without: str) -> int:
    """Count which other agents answered a post in its own space; 0 if the post is in another.

    They answer what woke them and what they reply to; answers that are still held back count too.
    """
    sql = (
        "SELECT count(*) FROM (SELECT sender FROM post WHERE answers = :post AND space = :space "
        "UNION SELECT r.sender FROM post r, post p WHERE p.id = :post AND r.space = p.space "
        "AND (r.seq > p.seq OR r.seq < 0) AND r.reply_to = :post) AS answering "
        "JOIN entity e ON e.name = sender WHERE e.kind = 'agent' AND sender <> :without "
        "AND :space = (SELECT space FROM post WHERE id = :post)"
    )
    return rows.value(int, sql, {"space": space, "post": post, "without": without}) or 0


def is_agent(rows: Rows, entity: str) -> bool:
    """Tell whether an entity is an agent."""
    sql = "SELECT 1 FROM entity WHERE name = :name AND kind = 'agent'"
    return rows.value(int, sql, {"name": entity}) is not None


def last_seq(rows: Rows, space: str) -> int:
    """Return the number of the newest visible post, or 0."""
    return rows.value(int, f"SELECT {_NEWEST.format(':space')}", {"space": space}) or 0


def count_made(rows: Rows, space: str) -> int:
    """Count one more post that was ever made in a space, held ones too, and return which it is."""
    found = rows.value(
        int, "UPDATE space SET made = made + 1 WHERE name = :space RETURNING made", {"space": space}
    )
    return found or 0


def insert_post(rows: Rows, post: Post, *, holder: str | None) -> None:
    """Add a post."""
    rows.run(
        f"INSERT INTO post({_POST}, holder) VALUES(:id, :space, :seq, :at, :sender, :text, "
        ":reply_to, :key, :state, :sources, :depth, :answers, :waits, :waits_for, :waits_seconds, "
        ":holder)",
        {
            "id": post.id,
            "space": post.space,
            "seq": post.seq,
            "at": post.at,
            "sender": post.sender,
            "text": post.text,
            "reply_to": post.reply_to,
            "key": post.key,
            "state": post.state.value,
            "sources": stored_sources(post.sources),
            "depth": post.depth,
            "answers": post.answers,
            "waits": post.waits,
            "waits_for": post.waits_for,
            "waits_seconds": post.waits_seconds,
            "holder": holder,
        },
    )


def post_by_key(rows: Rows, *, space: str, sender: str, key: str) -> Post | None:
    """Return the post that a sender made under a key."""
    where = "space = :space AND sender = :sender AND key = :key"
    found = _posts(rows, where, {"space": space, "sender": sender, "key": key})
    return found[0] if found else None


def post_by_id(rows: Rows, post_id: str) -> Post | None:
    """Return one post."""
    found = _posts(rows, "id = :id", {"id": post_id})
    return found[0] if found else None


def _posts(rows: Rows, where: str, values: Mapping[str, Cell]) -> list[Post]:
    """Return the posts of which a condition holds."""
    found = rows.all(
        dict[str, object], f"SELECT {_POST}, taken_back FROM post WHERE {where}", values
    )
    return [msgspec.convert(with_sources(row), Post, strict=False) for row in found]


def page(rows: Rows, *, space: str, limit: int, offset: int, after: int) -> list[Post]:
    """Return the newest visible posts behind number `after`, oldest first."""
    return _posts(
        rows,
        "id IN (SELECT id FROM post WHERE space = :space AND seq > 0 AND seq > :after "
        "ORDER BY seq DESC LIMIT :limit OFFSET :offset) ORDER BY seq",
        {"space": space, "limit": limit, "offset": offset, "after": after},
    )


def has_said(rows: Rows, *, space: str, sender: str, since: str) -> bool:
    """Tell whether a sender has a visible post that is not older than an instant."""
    found = rows.value(
        int,
        "SELECT 1 FROM post WHERE space = :space AND sender = :sender"
        " AND state = 'visible' AND at >= :since LIMIT 1",
        {"space": space, "sender": sender, "since": since},
    )
    return found is not None


def held(rows: Rows, holder: str) -> list[Post]:
    """Return the posts that are held back for a cycle, in the order in which they were made."""
    where = "holder = :holder AND state = 'held' ORDER BY space, seq DESC"
    return _posts(rows, where, {"holder": holder})


def release(rows: Rows, post: Post) -> None:
    """Make a held post visible under its number."""
    rows.run(
        "UPDATE post SET state = 'visible', seq = :seq, waits = :waits WHERE id = :id",
        {"id": post.id, "seq": post.seq, "waits": post.waits},
    )


def drop(rows: Rows, holder: str) -> int:
    """Remove the held posts of a cycle."""
    return rows.changed(
        "DELETE FROM post WHERE holder = :holder AND state = 'held'", {"holder": holder}
    )
