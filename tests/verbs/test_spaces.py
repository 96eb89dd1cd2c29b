"""Spaces: who is in them, what was said, who was told, and what is unread."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import BadInputError, RefusedError, UnsafeNameError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.engine.agent_files import retell
from mindpipe.io.chance import SeededChance
from mindpipe.spaces import verbs
from mindpipe.spaces.records import Member, NewPost, NewSpaceEntity, Post, PostState
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.histories import call, result, said, tool
from support.stores import store_at


class Family:
    """A space with two agents and a human, and what was delivered."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.clock = FixedClock()
        self.chance = SeededChance(1)
        self.delivered: list[NewEvent] = []
        verbs.new(store, self.clock, name="family", title="Family")
        for name, kind in (("ava", "agent"), ("bob", "agent"), ("husam", "human")):
            self.join(NewSpaceEntity(name=name, kind=kind, title=name.title()))

    def join(self, who: NewSpaceEntity, space: str = "family") -> Member:
        return verbs.join(self.store, self.clock, self.chance, space=space, who=who)

    def say(self, sender: str, text: str, space: str = "family", **more: str | None) -> Post:
        post = NewPost(sender=sender, text=text, **more)
        deliver = self.delivered.extend
        return verbs.post(
            self.store, self.clock, self.chance, space=space, post=post, deliver=deliver
        )

    def told(self) -> list[tuple[str | None, str | None]]:
        """Return who was told what since this was last asked."""
        found = [(event.agent, event.text) for event in self.delivered]
        self.delivered.clear()
        return found

    def read(self, **more: int) -> list[str]:
        return [post.text for post in verbs.read(self.store, space="family", **more)]

    def unread(self) -> dict[str, int]:
        return {one.name: one.unread for one in verbs.members(self.store, space="family")}


@pytest.fixture
def family(tmp_path: Path) -> Iterator[Family]:
    store = store_at(tmp_path / "mind.db")
    yield Family(store)
    store.close()


def test_a_post_reaches_every_agent_but_the_sender(family: Family) -> None:
    said = family.say("husam", "Hello!")
    assert family.delivered == [
        NewEvent(
            type="space_message",
            agent=agent,
            source="space:family",
            key=said.id,
            space="family",
            sender="husam",
            text="Hello!",
            body={"post": said.id, "sender_kind": "human"},
        )
        for agent in ("ava", "bob")
    ]
    family.told()
    answer = family.say("ava", "Hi.", reply_to=said.id)
    assert [event.agent for event in family.delivered] == ["bob"]
    assert family.delivered[0].body == {
        "post": answer.id,
        "sender_kind": "agent",
        "reply_to": said.id,
    }


def test_a_delivery_that_fails_leaves_no_post(family: Family) -> None:
    def full(_: list[NewEvent]) -> None:
        raise RefusedError("full")

    with pytest.raises(RefusedError):
        verbs.post(
            family.store,
            family.clock,
            family.chance,
            space="family",
            post=NewPost(sender="husam", text="Hello!"),
            deliver=full,
        )
    assert family.read() == []
    assert family.say("husam", "Again").seq == 1


def test_the_same_key_is_the_same_post_and_is_told_once(family: Family) -> None:
    first = family.say("husam", "Hello!", key="k")
    again = family.say("husam", "Hello!", key="k")
    assert (again.id, again.duplicate) == (first.id, True)
    assert len(family.told()) == 2
    with pytest.raises(BadInputError, match="used for another text"):
        family.say("husam", "Other", key="k")
    assert family.say("ava", "Mine", key="k").id != first.id


def test_a_new_key_is_as_long_as_that_of_an_event_at_most(family: Family) -> None:
    first = family.say("husam", "Hello!", key="ü" * 128)
    with pytest.raises(BadInputError, match=r"\$\.key: expected text of 1\.\.256 bytes"):
        family.say("husam", "Hello again!", key="ü" * 129)
    with family.store.write() as rows:
        rows.run("UPDATE post SET key = :key WHERE id = :id", {"key": "k" * 1000, "id": first.id})
    assert family.say("husam", "Hello!", key="k" * 1000).id == first.id


def test_posts_are_numbered_without_gaps_and_unread_ones_counted(family: Family) -> None:
    assert [family.say("husam", word).seq for word in ("a", "b")] == [1, 2]
    assert family.unread() == {"ava": 2, "bob": 2, "husam": 0}
    family.say("ava", "c")
    assert family.unread() == {"ava": 3, "bob": 3, "husam": 1}
    second = verbs.read(family.store, space="family")[1]
    verbs.seen(family.store, space="family", name="bob", post_id=second.id)
    assert family.unread()["bob"] == 1
    verbs.seen(family.store, space="family", name="bob")
    verbs.seen(family.store, space="family", name="bob", post_id=second.id)
    assert family.unread()["bob"] == 0


def test_to_an_agent_that_joins_late_all_is_new(family: Family) -> None:
    family.say("husam", "a")
    assert family.join(NewSpaceEntity(name="eve", kind="agent")).unread == 1


def test_a_human_who_joins_late_has_seen_what_there_was(family: Family) -> None:
    family.say("husam", "a")
    assert family.join(NewSpaceEntity(name="new", kind="human")).unread == 0
    family.say("husam", "b")
    assert family.unread()["new"] == 1
    (found,) = verbs.list_(family.store, member="new")
    assert (found.name, found.members, found.posts, found.unread) == ("family", 4, 2, 1)
    assert found.last_post == "2026-11-21T20:00:00Z"


def test_a_held_post_is_seen_and_told_when_its_turn_is_history(family: Family) -> None:
    first = family.say("ava", "held 1", holder="ava/1")
    family.say("ava", "held 2", holder="ava/1", reply_to=first.id)
    family.say("bob", "held by bob", holder="bob/1")
    family.say("husam", "meanwhile")
    assert first.state is PostState.HELD
    assert family.told() == [("ava", "meanwhile"), ("bob", "meanwhile")]
    assert family.read() == ["meanwhile"]
    assert family.unread() == {"ava": 1, "bob": 1, "husam": 0}
    released = verbs.release_held(family.store, holder="ava/1", deliver=family.delivered.extend)
    assert [(post.text, post.seq, post.state) for post in released] == [
        ("held 1", 2, PostState.VISIBLE),
        ("held 2", 3, PostState.VISIBLE),
    ]
    assert released[0].id == first.id
    assert family.told() == [("bob", "held 1"), ("bob", "held 2")]
    assert family.read() == ["meanwhile", "held 1", "held 2"]
    assert family.unread() == {"ava": 3, "bob": 3, "husam": 2}
    meanwhile = verbs.read(family.store, space="family")[0]
    verbs.shown(family.store, name="ava", posts=[meanwhile.id])
    assert family.unread()["ava"] == 0
    assert verbs.release_held(family.store, holder="ava/1", deliver=family.delivered.extend) == []


def test_a_dropped_post_was_never_there_and_its_id_is_not_given_again(family: Family) -> None:
    dropped = family.say("ava", "never", holder="ava/1")
    assert verbs.drop_held(family.store, holder="ava/1") == 1
    assert family.say("ava", "later", holder="ava/2").id != dropped.id
    verbs.release_held(family.store, holder="ava/2", deliver=family.delivered.extend)
    assert family.say("husam", "now").seq == 2
    assert family.read() == ["later", "now"]


def test_nobody_else_can_answer_a_held_post(family: Family) -> None:
    held = family.say("ava", "held", holder="ava/1")
    with pytest.raises(UsageError, match=f"there is no message {held.id} in family"):
        family.say("bob", "what?", reply_to=held.id)


def test_a_post_of_another_space_cannot_be_answered(family: Family) -> None:
    said = family.say("husam", "a")
    verbs.new(family.store, family.clock, name="other")
    family.join(NewSpaceEntity(name="husam"), space="other")
    with pytest.raises(UsageError, match=f"there is no message {said.id} in other"):
        family.say("husam", "b", space="other", reply_to=said.id)
    with pytest.raises(UsageError, match="there is no message"):
        verbs.seen(family.store, space="other", name="husam", post_id=said.id)


def test_reading_is_paged_from_the_newest_and_prints_the_oldest_first(family: Family) -> None:
    for word in "abcde":
        family.say("husam", word)
    assert family.read(limit=2) == ["d", "e"]
    assert family.read(limit=2, offset=2) == ["b", "c"]
    assert family.read(limit=2, offset=4) == ["a"]
    assert family.read(after=3) == ["d", "e"]
    assert family.read(after=5) == []


def test_a_post_may_be_told_with_the_time_it_was_said(family: Family) -> None:
    said = family.say("husam", "then", at="2026-01-01T10:00:00+01:00")
    assert said.at == "2026-01-01T09:00:00Z"
    assert family.say("husam", "now").at == "2026-11-21T20:00:00Z"


@pytest.mark.parametrize(
    ("sender", "space", "text", "words"),
    [
        ("husan", "family", "a", '"husan" is not in family; did you mean husam?'),
        ("husam", "famly", "a", 'no space "famly"; did you mean family?'),
        ("husam", "family", " \n", "the post is empty"),
    ],
)
def test_what_cannot_be_said(
    family: Family, sender: str, space: str, text: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words.replace("?", r"\?")):
        family.say(sender, text, space=space)


def test_a_post_has_a_bound(family: Family) -> None:
    with pytest.raises(BadInputError, match="longer than 1048576 bytes"):
        family.say("husam", "x" * (1 << 20) + "y")


def test_joining_twice_changes_only_the_title(family: Family) -> None:
    family.say("husam", "a")
    before = verbs.entity(family.store, name="bob")
    again = family.join(NewSpaceEntity(name="bob", title="Robert"))
    assert (again.title, again.unread) == ("Robert", 1)
    assert verbs.entity(family.store, name="bob") == msgspec.structs.replace(before, title="Robert")
    with pytest.raises(UsageError, match="bob is known as agent, not as human"):
        family.join(NewSpaceEntity(name="bob", kind="human"))


def test_who_is_not_known_must_be_introduced(family: Family) -> None:
    with pytest.raises(UsageError, match='nobody is known as "new"'):
        family.join(NewSpaceEntity(name="new"))
    with pytest.raises(UnsafeNameError):
        family.join(NewSpaceEntity(name="../x", kind="human"))


def test_who_left_is_told_nothing_and_says_nothing(family: Family) -> None:
    family.say("bob", "bye")
    verbs.leave(family.store, space="family", name="bob")
    family.told()
    family.say("husam", "a")
    assert family.told() == [("ava", "a")]
    assert family.read() == ["bye", "a"]
    with pytest.raises(UsageError, match='"bob" is not in family'):
        family.say("bob", "b")
    with pytest.raises(UsageError, match='"bob" is not in family'):
        verbs.leave(family.store, space="family", name="bob")


def test_a_space_has_one_name_and_a_title_on_one_line(family: Family) -> None:
    with pytest.raises(RefusedError, match="there is a space family already"):
        verbs.new(family.store, family.clock, name="family")
    assert verbs.new(family.store, family.clock, name="x", title="A\n\x1b[31mB ").title == "A B"
    with pytest.raises(UsageError, match="a title has 1 to 64"):
        verbs.new(family.store, family.clock, name="y", title="\x1b[31m")


def test_only_what_the_agent_itself_has_sent_is_told_again_as_its_words(family: Family) -> None:
    """A tool of somebody else may answer as `send_message` does."""
    agent = agents.new(family.store, family.clock, family.chance, name="ava")
    asked = {"text": "Hi.", "space": "family"}
    messages = [
        said(call(1, asked, tool="send_message"), call(2, asked, tool="town_census")),
        tool(result(1, "{}", value={"messageId": f"m_{1:022}"})),
        tool(result(2, "{}", value={"messageId": f"m_{2:022}"})),
    ]
    at = "2026-11-21T20:00:00Z"
    retell(family.store, agent, [msgspec.structs.replace(one, at=at) for one in messages])
    assert [post.id for post in verbs.read(family.store, space="family")] == [f"m_{1:022}"]
