"""Whole cycles over the adapters of real SDKs: what is sent, stored and lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    ModelBusyError,
    UnavailableError,
)
from mindpipe.core.ports import Model
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.spending.records import Caps
from support.command import Mind
from support.life import AGENT
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.asking import KEY, model_at
from support.loopback.life import CLAUDE, EVERY, OnlineLife
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.validation import faults_of

WORKING = Turn(
    text="I will look.",
    thinking="Größe first: 1.0 \\u0041 😀",
    calls=(Call("call_1", "pure", '{"query" :"Größe"}'),),
    finish="calls",
)
DONE = Turn(text="It is done.", thinking="That was all.")
BUSY = "Overloaded"
# The most that a reply may cost where a token costs one micro-dollar; WORKING costs 18.
REPLY_TOKENS = 4096


@pytest.fixture
def life(tmp_path: Path) -> Iterator[OnlineLife]:
    """Give a life whose history is judged in every form when the test is over."""
    lived = OnlineLife(tmp_path / "life")
    yield lived
    assert faults_of(lived.path) == []


def bodies(provider: Provider) -> list[bytes]:
    """Return what arrived, in order."""
    return [seen.body for seen in provider.requests]


def live_two_cycles(life: OnlineLife, provider: Provider, name: str) -> None:
    """Live a cycle of two turns, and one of one turn."""
    provider.answers(WORKING, DONE, DONE)
    model = model_at(provider, name)
    for words in ("Find the report.", "And now?"):
        life.push(words)
        assert life.think(model).outcome == "done"


@pytest.mark.parametrize("name", EVERY)
def test_a_life_goes_on_over_every_api(life: OnlineLife, provider: Provider, name: str) -> None:
    live_two_cycles(life, provider, name)
    assert life.sink.times("pure") == 1
    assert life.ledger() == [(1, 1, 1, "settled"), (1, 2, 1, "settled"), (2, 1, 1, "settled")]
    assert life.value("SELECT sum(micros) FROM ledger") == 3 * 18
    assert life.segments() == ["begin"]
    assert life.states("event") == ["done", "done"]
    first, second, third = bodies(provider)
    assert [life.past(1, 1), life.past(1, 2), life.past(2, 1)] == [first, second, third]
    assert b"I will look." in second
    assert b"did it" in second
    assert b"It is done." in third


SPOKEN = {
    "whole": json.dumps(
        [
            {"type": "thinking", "thinking": WORKING.thinking, "signature": "c2ln"},
            {"type": "text", "text": "I will look."},
            {"type": "tool_use", "id": "call_1", "name": "pure", "input": {"query": "Größe"}},
        ]
    ).encode(),
    "streamed": (
        '[{"type":"thinking","thinking":"Größe first: 1.0 \\\\u0041 😀","signature":"c2ln"},'
        '{"type":"text","text":"I will look."},'
        '{"type":"tool_use","id":"call_1","name":"pure","input":{"query" :"Größe"}}]'
    ).encode(),
}


@pytest.mark.parametrize("how", SPOKEN)
def test_thinking_goes_back_as_it_came_in_this_cycle_and_the_next(
    life: OnlineLife, provider: Provider, how: str
) -> None:
    provider.answers(WORKING, DONE, DONE)
    model = model_at(provider, CLAUDE)
    for words in ("Find the report.", "And now?"):
        life.push(words)
        (life.think if how == "streamed" else life.whole)(model)
    first, second, third = bodies(provider)
    spoken = SPOKEN[how].removeprefix(b"[").removesuffix(b"]")
    places = [body.count(spoken) for body in (first, second, third)]
    assert places == [0, 1, 1]
    assert (second.count(b"That was all."), third.count(b"That was all.")) == (0, 1)
    assert [life.past(1, 1), life.past(1, 2), life.past(2, 1)] == [first, second, third]
    assert third.startswith(second.removesuffix(b"]}") + b",")


@pytest.mark.parametrize("name", EVERY)
def test_a_provider_that_says_when_is_asked_again_then(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    provider.fails(429, "Slow down.", headers={"retry-after": "37"})
    provider.answers(DONE)
    life.push("Hello!")
    assert life.think(model_at(provider, name)).outcome == "done"
    assert life.clock.pauses == [37.0]
    assert life.ledger() == [(1, 1, 1, "lost"), (1, 1, 2, "settled")]
    refused, answered = bodies(provider)
    assert refused == answered == life.past(1, 1)


def test_a_call_that_was_never_sent_costs_nothing(life: OnlineLife, provider: Provider) -> None:
    life.push("Hello!")
    nobody = model_at(provider, CLAUDE, base_url="http://127.0.0.1:9")
    with pytest.raises(ModelBusyError):
        life.think(nobody)
    assert {state for *_, state in life.ledger()} == {"void"}
    assert life.event()[:2] == ("ready", 0)


def test_a_busy_provider_gets_six_requests_and_the_event_stays(
    life: OnlineLife, provider: Provider
) -> None:
    for _ in range(6):
        provider.fails(529, BUSY, headers={"retry-after": "20"})
    life.push("Hello!")
    with pytest.raises(ModelBusyError, match="Overloaded") as caught:
        life.think(model_at(provider, CLAUDE))
    assert int(caught.value.status) == 75
    assert life.clock.pauses[:3] == [20.0, 20.0, 20.0]
    assert life.ledger() == [(1, 1, attempt, "lost") for attempt in range(1, 7)]
    assert len(set(bodies(provider))) == 1
    assert len(provider.requests) == 6
    state, attempts, reason = life.event()
    assert (state, attempts) == ("ready", 1)
    assert BUSY in reason
    assert life.value("SELECT count(*) FROM message") == 0
    assert life.rows("SELECT model, body ->> '$.opened' FROM breaker") == [(CLAUDE, None)]


def test_a_provider_that_keeps_failing_is_left_alone_and_then_tried(
    life: OnlineLife, provider: Provider
) -> None:
    for _ in range(5):
        provider.fails(529, BUSY)
    model = model_at(provider, CLAUDE)
    life.push("Hello!")
    with pytest.raises(ModelBusyError):
        life.think(model)
    assert len(provider.requests) == 5
    assert life.rows("SELECT model, body ->> '$.opened' IS NOT NULL FROM breaker") == [(CLAUDE, 1)]
    life.push("Hello again!")
    with pytest.raises(ModelBusyError, match="left alone"):
        life.think(model)
    assert len(provider.requests) == 5
    life.clock.pass_time(300)
    assert life.think(model).outcome == "done"
    assert life.rows("SELECT * FROM breaker") == []


@pytest.mark.parametrize("name", EVERY)
def test_a_reply_cut_inside_arguments_is_no_reply(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    for torn in (False, True):
        provider.cuts(WORKING, at=place_inside_arguments(name), torn=torn)
    provider.answers(DONE)
    life.push("Find the report.")
    assert life.think(model_at(provider, name)).outcome == "done"
    assert life.sink.runs == []
    assert life.value("SELECT count(*) FROM call") == 0
    assert life.value("SELECT count(*) FROM message WHERE parts LIKE '%I will look%'") == 0
    assert life.ledger() == [(1, 1, 1, "lost"), (1, 1, 2, "lost"), (1, 1, 3, "settled")]
    assert len(set(bodies(provider))) == 1


def place_inside_arguments(name: str) -> int:
    """Return how many bytes of the streamed turn end with half of its call's arguments."""
    wires = {CLAUDE: wire_anthropic, EVERY[1]: wire_chat, EVERY[2]: wire_responses}
    octets = b"".join(wires[name].events(WORKING, name.partition("/")[2]))
    first = json.dumps(WORKING.calls[0].arguments[:9])[1:-1].encode()
    return octets.index(first) + len(first) + 2


@pytest.mark.parametrize("name", EVERY)
def test_broken_arguments_are_answered_and_the_cycle_goes_on(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    written = ('{"query": "re', "[1]", '{"a":1,"a":2}', "{}")
    calls = tuple(Call(f"call_{place}", "pure", text) for place, text in enumerate(written))
    provider.answers(Turn(calls=calls, finish="calls"), DONE)
    life.push("Find the report.")
    assert life.think(model_at(provider, name)).outcome == "done"
    states = life.rows("SELECT position, state FROM call ORDER BY position")
    assert states == [(0, "invalid"), (1, "invalid"), (2, "invalid"), (3, "done")]
    assert life.sink.times("pure") == 1
    _, second = bodies(provider)
    assert second.count(b"Arguments are not a JSON object") == 3
    assert second == life.past(1, 2)


TOO_LONG = "prompt is too long: 208310 tokens > 200000 maximum"


def live_quietly(life: OnlineLife, model: Model, cycles: int) -> None:
    """Live cycles of one turn each."""
    for number in range(cycles):
        life.push(f"Event {number}.")
        life.think(model)


@pytest.mark.parametrize("name", EVERY)
def test_a_prompt_that_is_too_long_is_halved_once(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    model = model_at(provider, name)
    live_quietly(life, model, 4)
    provider.fails(400, TOO_LONG, code=None if name == CLAUDE else "context_length_exceeded")
    life.push("One more.")
    assert life.think(model).outcome == "done"
    assert life.segments() == ["begin", "compaction", "too long"]
    long, short = bodies(provider)[-2:]
    assert [b"Event 0." in body for body in (long, short)] == [True, False]
    assert [b"One more." in body for body in (long, short)] == [True, True]
    assert b"Event 3." in short
    assert life.ledger()[-2:] == [(5, 1, 1, "lost"), (5, 1, 2, "settled")]
    assert life.past(5, 1) == short


def test_a_prompt_that_stays_too_long_lets_its_event_die(
    life: OnlineLife, provider: Provider
) -> None:
    for _ in range(2):
        provider.fails(400, TOO_LONG)
    life.push("Hello!")
    with pytest.raises(MindError, match="prompt is too long: 208310 tokens") as caught:
        life.think(model_at(provider, CLAUDE))
    assert int(caught.value.status) == 1
    assert len(provider.requests) == 2
    state, _, reason = life.event()
    assert state == "dead"
    assert TOO_LONG in reason
    live_quietly(life, model_at(provider, CLAUDE), 1)
    assert life.states("event") == ["dead", "done"]


def test_what_was_done_before_the_prompt_grew_too_long_is_remembered(
    life: OnlineLife, provider: Provider
) -> None:
    provider.answers(WORKING)
    for _ in range(2):
        provider.fails(400, TOO_LONG)
    life.push("Find the report.")
    with pytest.raises(MindError, match="prompt is too long"):
        life.think(model_at(provider, CLAUDE))
    assert life.event()[0] == "dead"
    live_quietly(life, model_at(provider, CLAUDE), 1)
    newest = bodies(provider)[-1]
    assert b"did it" in newest
    assert b"[stopped: " in newest
    assert life.sink.times("pure") == 1


@pytest.mark.parametrize("name", EVERY)
def test_a_wrong_key_pauses_the_agent_and_calls_for_a_person(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    provider.fails(401, "I do not know this key.")
    life.push("Hello!")
    model = model_at(provider, name)
    with pytest.raises(UnavailableError, match=f"{AGENT} is paused") as caught:
        life.think(model)
    assert int(caught.value.status) == 69
    assert life.event()[:2] == ("ready", 0)
    with pytest.raises(MindError, match="paused"):
        life.think(model)
    assert len(provider.requests) == 1
    with life.open() as store:
        (ticket,) = tickets.list_(store, life.clock, agent=AGENT)
        agents.set_(store, name=AGENT, change=AgentChange(paused=None))
    assert (ticket.kind, str(ticket.state)) == ("account", "open")
    assert "I do not know this key" in ticket.reason
    life.clock.pass_time(3600)
    assert life.think(model).outcome == "done"


def test_a_ticket_of_a_wrong_key_is_listed(life: OnlineLife, provider: Provider) -> None:
    provider.fails(401, "I do not know this key.")
    life.push("Hello!")
    with pytest.raises(UnavailableError):
        life.think(model_at(provider, CLAUDE))
    listed = Mind(life.path.parent)("ticket", "list", "--json").record()
    assert (listed["agent"], listed["kind"], listed["state"]) == (AGENT, "account", "open")


UNREADABLE = "messages.1.content.0: Invalid `signature` in `thinking` block"


@pytest.mark.parametrize(
    ("name", "words", "code"),
    [(CLAUDE, UNREADABLE, None), (EVERY[2], "Not verified.", "invalid_encrypted_content")],
)
def test_thinking_that_is_not_taken_back_is_left_out(
    life: OnlineLife, provider: Provider, name: str, words: str, code: str | None
) -> None:
    live_two_cycles(life, provider, name)
    provider.fails(400, words, code=code)
    provider.answers(DONE)
    life.push("Once more.")
    assert life.think(model_at(provider, name)).outcome == "done"
    assert life.segments() == ["begin", "lost thinking"]
    refused, bare = bodies(provider)[-2:]
    assert (b"That was all." in refused, b"That was all." in bare) == (True, False)
    assert (b"It is done." in bare, b"did it" in bare) == (True, True)
    assert life.past(3, 1) == bare


def test_thinking_of_the_cycle_under_way_can_be_left_out(
    life: OnlineLife, provider: Provider
) -> None:
    provider.answers(WORKING)
    provider.fails(400, UNREADABLE)
    provider.answers(DONE)
    life.push("Find the report.")
    assert life.think(model_at(provider, CLAUDE)).outcome == "done"
    _, refused, bare = bodies(provider)
    assert (b"c2ln" in refused, b"c2ln" in bare) == (True, False)
    assert life.sink.times("pure") == 1
    assert life.past(1, 2) == bare


def test_a_call_above_its_cap_is_never_sent(life: OnlineLife, provider: Provider) -> None:
    life.push("Hello!")
    with pytest.raises(CapReachedError) as caught:
        life.think(model_at(provider, CLAUDE), caps=Caps(call=100))
    assert (int(caught.value.status), caught.value.scope) == (4, "call")
    assert provider.requests == []
    assert life.ledger() == []
    assert life.event()[0] == "dead"


def test_a_cap_of_the_cycle_stops_it_with_a_last_word(life: OnlineLife, provider: Provider) -> None:
    provider.answers(WORKING)
    life.push("Find the report.")
    report = life.think(model_at(provider, CLAUDE), caps=Caps(cycle=REPLY_TOKENS + 17))
    assert (report.outcome, report.turns) == ("stopped", 1)
    assert report.summary.startswith("[stopped: ")
    assert len(provider.requests) == 1
    assert life.ledger() == [(1, 1, 1, "settled")]
    assert life.states("event") == ["done"]
    live_quietly(life, model_at(provider, CLAUDE), 1)
    assert b"[stopped: " in bodies(provider)[-1]


def test_the_command_finds_the_provider_by_its_variables(
    life: OnlineLife, provider: Provider
) -> None:
    given = {"ANTHROPIC_BASE_URL": provider.anthropic_url, "ANTHROPIC_API_KEY": KEY}
    mind = Mind(life.path.parent, given)
    life.push("Hello!")
    think = ("think", "--agent", AGENT, "--model", CLAUDE, "--json")
    refused = mind.run(*think, "--max-micros", "1")
    assert (refused.status, provider.requests) == (4, [])
    assert life.event()[:2] == ("ready", 0)
    provider.answers(DONE)
    told = mind(*think).record()
    assert (told["outcome"], told["cost_micros"]) == ("done", 11 * 1 + 7 * 5)
    (seen,) = provider.requests
    assert KEY in str(seen.headers)
    shown = mind("context", "show", "--agent", AGENT, "--cycle", "1", "--json")
    assert shown.stdout.removesuffix(b"\n") == seen.body
