"""How far a chain of agents goes, who may answer a message, and what its members have seen."""

import json
from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.events import NewEvent
from mindpipe.inbox.verbs.push import push_events
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Member, NewSpaceEntity
from support.histories import ANTHROPIC
from support.life import AGENT, KilledError
from support.loopback.turns import Call, Turn
from support.questions import AFTER, PLAYS, Asking
from support.scripted_model import Scripted, calls


@pytest.fixture
def life(tmp_path: Path) -> Asking:
    """Return an agent in two spaces with a friend, and with two other agents in one."""
    life = Asking(tmp_path / "life")
    with life.open() as store:
        for name in ("bea", "cid"):
            agents.new(store, life.clock, life.chance, name=name)
            who = NewSpaceEntity(name=name, kind="agent")
            spaces.join(store, life.clock, life.chance, space="family", who=who)
    return life


@pytest.fixture
def model() -> Scripted:
    """Return a model that follows the plays."""
    return Scripted(ANTHROPIC, PLAYS, otherwise=AFTER)


def member(life: Asking, name: str = AGENT, space: str = "family") -> Member:
    """Return a member of a space."""
    with life.open() as store:
        return spaces.member(store, space=space, name=name)


@pytest.mark.parametrize("depth", [0, 3, 4])
def test_what_an_agent_says_is_one_hop_deeper_than_what_woke_it(
    life: Asking, model: Scripted, depth: int
) -> None:
    heard = life.say("play say", by="bea", depth=depth)
    life.think(model)
    (said,) = life.posts()
    assert (said.depth, said.answers) == (depth + 1, heard.id)
    woken = life.rows("SELECT agent FROM event WHERE sender = 'ava' ORDER BY seq")
    assert woken == ([] if depth == 4 else [("bea",), ("cid",)])


def test_a_message_at_the_end_of_a_chain_begins_no_run_and_ends_no_wait(
    life: Asking, model: Scripted
) -> None:
    life.push("play ask")
    life.think(model)
    life.say("Too deep.", by="bea", depth=5)
    assert life.rows("SELECT state FROM run_wait") == [("open",)]
    with pytest.raises(NothingToDoError, match=r"1 message in \w+ woke nobody"):
        life.think(model)
    assert [post.text for post in life.posts(by="bea")] == ["Too deep."]


def test_a_run_is_as_deep_as_what_woke_it_last(life: Asking, model: Scripted) -> None:
    life.say("play ask", by="bea", depth=1)
    life.think(model)
    life.say("play ask-on", by="bea", depth=3, reply_to=life.posts()[-1].id)
    life.think(model)
    life.say("play say", reply_to=life.posts()[-1].id)
    life.think(model)
    assert [post.depth for post in life.posts()] == [2, 4, 1]
    (run,) = life.runs()
    assert (run.depth, run.trigger.depth, len(run.cycles)) == (0, 1, 3)


def test_a_run_that_nobody_answers_waits_until_its_chain_is_at_its_end(life: Asking) -> None:
    model = Scripted(ANTHROPIC, PLAYS, otherwise=PLAYS["ask"] + AFTER)
    life.say("play ask")
    for cycle in range(1, 7):
        assert life.think(model).cycle == cycle
        life.clock.pass_time(400)
    with pytest.raises(NothingToDoError):
        life.think(model)
    assert [post.depth for post in life.posts()] == [1, 2, 3, 4, 5]
    told = life.value("SELECT result ->> '$.text' FROM call WHERE state = 'failed'")
    assert "5 hops deep" in str(told)


def test_what_an_agent_hears_of_its_own_proposal_is_as_deep_as_the_run_that_made_it(
    life: Asking,
) -> None:
    deed = {
        "kind": "message",
        "tool": "send_message",
        "arguments": {"text": "Hi", "space": "family"},
        "confidence": 0.95,
    }
    proposal = Call(id="", tool="propose", arguments=json.dumps(deed))
    plays = {"propose": (calls(proposal), Turn(text="Proposed.")), "say": PLAYS["say"]}
    model = Scripted(ANTHROPIC, plays)
    life.say("play propose", by="bea", depth=3)
    life.think(model)
    (decision,) = life.rows("SELECT id FROM decision")[0]
    told = NewEvent(type="decision", agent=AGENT, text="play say", body={"decision": decision})
    with life.open() as store:
        push_events(store, life.clock, life.chance, events=[told], bounds=life.bounds)
    life.think(model)
    assert [post.depth for post in life.posts()] == [4]


def test_at_most_so_many_agents_answer_one_message(life: Asking, model: Scripted) -> None:
    with life.open() as store:
        spaces.set_(store, name="family", respond_limit=2)
    asked = life.say("play say")
    life.say("Me.", by="bea", answers=asked.id, holder="bea/1")
    life.say("Me again.", by="bea", answers=asked.id)
    life.think(model)
    with pytest.raises(RefusedError, match="2 of at most 2 agents have answered"):
        life.say("And me.", by="cid", answers=asked.id)
    life.say("Something else.", by="cid")
    assert [post.answers for post in life.posts()] == [asked.id]


def test_a_reply_to_a_message_answers_it_whatever_woke_its_writer(
    life: Asking, model: Scripted
) -> None:
    with life.open() as store:
        spaces.set_(store, name="family", respond_limit=1)
    asked = life.say("Who?")
    life.say("I, a human.", by="husam", reply_to=asked.id)
    life.say("Me.", by="bea", reply_to=asked.id, holder="bea/1")
    life.say("Me again.", by="bea", answers=asked.id)
    for fields in ({"reply_to": asked.id}, {"answers": asked.id}):
        with pytest.raises(RefusedError, match=f"1 of at most 1 agents have answered {asked.id}"):
            life.say("And me.", by="cid", **fields)
    life.say("I, again.", by="husam", reply_to=asked.id)


def test_a_run_that_goes_on_answers_what_it_heard_last(life: Asking, model: Scripted) -> None:
    asked = life.say("play ask")
    life.think(model)
    heard = life.say("play say")
    life.think(model)
    assert [post.answers for post in life.posts()] == [asked.id, heard.id]


def test_one_who_is_too_late_is_told_why_and_says_nothing(life: Asking, model: Scripted) -> None:
    with life.open() as store:
        spaces.set_(store, name="family", respond_limit=1)
    asked = life.say("play say")
    life.say("Me.", by="bea", answers=asked.id)
    life.think(model)
    told = life.value("SELECT result ->> '$.text' FROM call WHERE state = 'failed'")
    assert str(told) == (
        f"1 of at most 1 agents have answered {asked.id} in family. Nothing was said."
    )
    assert life.posts() == []


def test_an_answer_that_was_dropped_leaves_its_place_to_others(
    life: Asking, model: Scripted
) -> None:
    with life.open() as store:
        spaces.set_(store, name="family", respond_limit=1)
    asked = life.say("play say")
    life.say("Me.", by="bea", answers=asked.id, holder="bea/1")
    with life.open() as store:
        spaces.drop_held(store, holder="bea/1")
    life.think(model)
    assert [post.answers for post in life.posts()] == [asked.id]


def test_what_an_agent_has_seen_moves_when_its_cycle_closes(life: Asking, model: Scripted) -> None:
    life.say("play say")
    assert member(life).unread == 1
    with pytest.raises(KilledError):
        life.think(model, dies=("turn.before_commit", 2))
    assert member(life).seen == 0
    life.say("One more, meanwhile.")
    life.think(model)
    assert (member(life).seen, member(life).unread) == (2, 1)
    life.think(model)
    assert (member(life).seen, member(life).unread) == (3, 0)


def test_what_an_agent_says_hides_nothing_that_it_was_not_shown(
    life: Asking, model: Scripted
) -> None:
    life.say("Not for the inbox.", by="bea", depth=5)
    life.push("play say")
    life.think(model)
    assert (member(life).seen, member(life).unread) == (0, 2)


def test_a_human_has_seen_what_stands_before_its_own_words(life: Asking) -> None:
    life.say("One.", by="bea")
    assert member(life, "husam").unread == 1
    life.say("Two.")
    assert member(life, "husam").unread == 0
