"""Promises 22, 23, 25 and 26: what a provider or a model does wrong costs no more than it must."""

import contextlib
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, ModelBusyError, NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Model
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import think as cycle
from mindpipe.inbox.verbs.push import push_events
from red import attempts_in_memory, bad_calls_raised, empty_reply_kept, retry_of_anything
from support.broken_builds import broken
from support.command import Mind, Ran
from support.life import AGENT, KilledError
from support.loopback.asking import KEY, model_at, short
from support.loopback.life import CLAUDE, EVERY, OnlineLife
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.patience import in_some_span
from support.proofs import proved, turned_red
from support.validation import faults_of

MOST_TRIES, MOST_SECONDS = 6, 900.0
DONE = Turn(text="It is done.")
WORKING = Turn(calls=(Call("call_1", "pure", '{"query": "Größe"}'),), finish="calls")
TRANSIENT = (408, 409, 429, 500, 502, 503, 504, 529)
PERMANENT = (400, 401, 403, 404, 413, 422)
PAGE = b"<html><body>Bad Gateway</body></html>"

Mishap = Callable[[], None]

every_api = pytest.mark.parametrize("name", EVERY)


@pytest.fixture
def life(tmp_path: Path) -> OnlineLife:
    return OnlineLife(tmp_path / "life")


def passing_mishaps(provider: Provider) -> list[Mishap]:
    """Return everything transient that can befall a request and needs no time."""
    return [
        *[lambda status=status: provider.fails(status, "Not now.") for status in TRANSIENT],
        lambda: provider.shows_page(502),
        lambda: provider.shows_page(200),
        lambda: provider.says(200, b"{", "application/json"),
        lambda: provider.breaks(WORKING, after=3, kind="overloaded_error"),
        lambda: provider.cuts(WORKING, at=300),
        lambda: provider.cuts(WORKING, at=300, torn=True),
        lambda: provider.bombs(200, mebibytes=1),
    ]


def survive(life: OnlineLife, model: Model, provider: Provider, mishaps: list[Mishap]) -> None:
    """Let each mishap befall the first try of an event, and hold that the second one is enough."""
    for mishap in mishaps:
        mishap()
        life.push("Hello!")
        assert life.think(model).outcome == "done"
    assert len(provider.requests) == 2 * len(mishaps)
    assert len(life.clock.pauses) == len(mishaps)
    assert all(1.0 <= pause <= 60.0 for pause in life.clock.pauses)
    assert faults_of(life.where) == []
    proved(22, faults=len(mishaps), survived=len(mishaps))


@pytest.mark.heavy
@every_api
def test_every_passing_fault_is_survived_by_one_more_try(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    survive(life, model_at(provider, name), provider, passing_mishaps(provider))


@pytest.mark.heavy
def test_silence_of_every_kind_is_survived_by_one_more_try(
    tmp_path: Path, provider: Provider
) -> None:
    silence = [
        provider.hangs,
        lambda: provider.stalls(WORKING, at=300),
        lambda: provider.babbles(b"data: x"),
    ]

    def shows(seconds: float) -> None:
        provider.reset()
        life = OnlineLife(tmp_path / str(seconds))
        survive(life, model_at(provider, CLAUDE, limits=short(seconds)), provider, silence)

    in_some_span(shows)


class Crashes(NamedTuple):
    """The tries of each turn that was asked, the seconds they took, and how many workers died."""

    tries: list[int]
    seconds: list[float]
    deaths: int


def crash_loop(life: OnlineLife, provider: Provider) -> Crashes:
    """Kill workers whose provider keeps failing."""
    chance = random.Random(22)
    for _ in range(60):
        # So slow that the breaker stays closed.
        provider.fails(529, "Overloaded", headers={"retry-after": str(chance.choice((15, 20, 40)))})
    life.push("Hello!")
    deaths = 0
    model = model_at(provider, CLAUDE)
    for _ in range(12):
        point = chance.choice(("ask.before_send", "reserve.after_commit"))
        try:
            life.think(model, dies=(point, chance.choice((2, 4, 5))))
        except (KilledError, ModelBusyError, NothingToDoError) as end:
            deaths += isinstance(end, KilledError)
            life.clock.pass_time(chance.choice((0.0, 60.0)))
    tries = life.rows(
        "SELECT cycle, max(attempt), min(at), max(at) FROM ledger GROUP BY cycle, turn"
    )
    seconds = [seconds_between(first, last) for _, _, first, last in tries]
    return Crashes([most for _, most, _, _ in tries], seconds, deaths)


def test_a_turn_has_six_tries_and_a_quarter_of_an_hour_whoever_is_killed(
    life: OnlineLife, provider: Provider
) -> None:
    tries, seconds, deaths = crash_loop(life, provider)
    assert deaths >= 4
    assert max(tries) == MOST_TRIES
    assert 0 < max(seconds) <= MOST_SECONDS
    assert len(provider.requests) <= sum(tries)
    assert life.states("event") == ["dead"]
    assert faults_of(life.where) == []
    proved(22, kills=deaths, most_tries=max(tries), most_seconds=round(max(seconds)))


def test_a_build_that_counts_tries_in_memory_makes_more_than_six(
    life: OnlineLife, provider: Provider
) -> None:
    with broken(attempts_in_memory.PATCHES):
        tries = crash_loop(life, provider).tries
    assert max(tries) > MOST_TRIES
    turned_red(22, "attempts_in_memory", tries_of_one_turn=max(tries))


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ({"retry-after": "37"}, 37.0),
        ({"retry-after-ms": "61500"}, 61.5),
        ({"retry-after": "Sat, 21 Nov 2026 20:01:30 GMT"}, 90.0),
    ],
)
def test_the_wait_that_a_provider_names_is_kept(
    life: OnlineLife, provider: Provider, told: dict[str, str], seconds: float
) -> None:
    provider.fails(429, "Slow down.", headers=told)
    life.push("Hello!")
    assert life.think(model_at(provider, CLAUDE)).outcome == "done"
    (waited,) = life.clock.pauses
    assert abs(waited - seconds) <= 1.0
    proved(22, waits_kept=1)


def test_a_wait_beyond_the_turn_gives_the_event_back_until_then(
    life: OnlineLife, provider: Provider
) -> None:
    provider.fails(429, "Slow down.", headers={"retry-after": "7200"})
    life.push("Hello!")
    model = model_at(provider, CLAUDE)
    with pytest.raises(ModelBusyError) as caught:
        life.think(model)
    assert (int(caught.value.status), life.clock.pauses) == (75, [])
    assert life.event()[:2] == ("ready", 0)
    life.clock.pass_time(7198.0)
    with pytest.raises(NothingToDoError):
        life.think(model)
    life.clock.pass_time(2.0)
    assert life.think(model).outcome == "done"


def permanent(life: OnlineLife, provider: Provider, name: str, status: int) -> str:
    """Let a provider refuse for good and greet whoever asks again; return what came of it."""
    provider.fails(status, "This will never do.")
    life.push("Hello!")
    try:
        return life.think(model_at(provider, name)).outcome
    except MindError as error:
        assert "This will never do" in str(error)
        return f"{int(error.status)} {life.event()[0]}"


@every_api
@pytest.mark.parametrize("status", PERMANENT)
def test_a_permanent_error_is_asked_for_once(
    life: OnlineLife, provider: Provider, name: str, status: int
) -> None:
    came = permanent(life, provider, name, status)
    assert came == ("69 ready" if status in (401, 403, 404) else "1 dead")
    assert len(provider.requests) == 1
    assert provider.requests[0].body == life.past(1, 1)
    proved(23, requests=1, permanent=1)


def test_a_build_that_tries_anything_again_asks_more_than_once(
    life: OnlineLife, provider: Provider
) -> None:
    with broken(retry_of_anything.PATCHES):
        assert permanent(life, provider, CLAUDE, 400) == "done"
    assert len(provider.requests) > 1
    turned_red(23, "retry_of_anything", requests=len(provider.requests))


def poisoned(body: bytes, *, answered: bool) -> Turn | int | None:
    """Fail where the newest event is poison: at once, or only after it has called a tool."""
    newest = body[body.rfind(b"Hello") :]
    if b"poison" not in newest:
        return None
    return WORKING if answered and b"did it" not in newest[newest.rfind(b"poison") :] else 500


@pytest.mark.heavy
@pytest.mark.parametrize("answered", [False, True])
def test_an_event_that_the_provider_always_fails_at_blocks_no_other(
    life: OnlineLife, provider: Provider, *, answered: bool
) -> None:
    provider.follows(lambda body: poisoned(body, answered=answered))
    life.push("Hello!", "poison")
    model = model_at(provider, CLAUDE)
    tries = 0
    for tries in range(300):
        with contextlib.suppress(ModelBusyError, NothingToDoError):
            life.think(model)
        life.clock.pass_time(30.0)
        if tries % 3 == 0 and len(life.states("event")) < 12:
            life.push("Hello again!")
        if "dead" in life.states("event"):
            break
    life.clock.pass_time(900.0)
    with contextlib.suppress(NothingToDoError):
        while True:
            life.think(model)
    dead = life.rows("SELECT seq, attempts FROM event WHERE state != 'done'")
    assert dead == [(2, 5)]
    assert life.value("SELECT max(attempt) FROM ledger") <= MOST_TRIES
    assert faults_of(life.where) == []
    sys.stdout.write(f"{len(provider.requests)} requests in {tries} rounds\n")


@pytest.mark.heavy
def test_an_outage_takes_one_try_away_at_most(life: OnlineLife, provider: Provider) -> None:
    provider.follows(lambda _: 503)
    life.push("Hello!")
    model = model_at(provider, CLAUDE)
    for _ in range(3 * 30):
        with contextlib.suppress(ModelBusyError, NothingToDoError):
            life.think(model)
        life.clock.pass_time(120.0)
    assert life.event()[:2] == ("ready", 1)
    # Somebody looks about every five minutes whether it works again.
    assert 3 * 6 <= len(provider.requests) <= 5 + 3 * 12 + 5
    provider.reset()
    life.clock.pass_time(300.0)
    assert life.think(model).outcome == "done"


def test_a_model_that_keeps_failing_is_left_alone_by_others_too(
    life: OnlineLife, provider: Provider
) -> None:
    for _ in range(20):
        provider.fails(529, "Overloaded", headers={"retry-after": "1"})
    model = model_at(provider, CLAUDE)
    life.push("Hello!")
    with pytest.raises(ModelBusyError):
        life.think(model)
    asked = len(provider.requests)
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bob", change=AgentChange())
        hello = NewEvent(agent="bob", type="service", text="Hello!")
        push_events(store, life.clock, life.chance, events=[hello], bounds=life.bounds)
        with pytest.raises(ModelBusyError, match="is left alone for"):
            cycle.think(life.dependencies(store, model), agent="bob", limits=CycleLimits())
    assert len(provider.requests) == asked


BAD = (
    (Call("c1", "nothing", "{}"),),
    (Call("c2", "pure", '{"query": "re'),),
    (Call("c3", "pure", "[1]"), Call("c3", "pure", '{"a":NaN}')),
    (Call("c4", "send_message", '{"txt": 1}'),),
    tuple(Call(f"c{n}", "nothing", "{}") for n in range(100)),
)


def call_badly(life: OnlineLife, provider: Provider, name: str) -> str:
    """Let a model call badly without end; return how the cycle ends."""
    provider.answers(*[Turn(calls=BAD[n % len(BAD)], finish="calls") for n in range(20)])
    life.push("Do it.")
    try:
        return life.think(model_at(provider, name)).outcome
    except (MindError, ValueError) as error:
        return type(error).__name__


@every_api
def test_bad_calls_are_answered_and_stop_after_three_turns(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    assert call_badly(life, provider, name) == "stopped"
    assert len(provider.requests) == 3
    answers = life.rows("SELECT state, result ->> '$.status' FROM call")
    assert {state for state, _ in answers} <= {"invalid", "refused"}
    assert all(status in ("invalid", "refused") for _, status in answers)
    assert life.sink.runs == []
    assert life.rows("SELECT state FROM cycle") == [("closed",)]
    assert faults_of(life.where) == []
    provider.reset()
    life.push("Hello!")
    assert life.think(model_at(provider, name)).outcome == "done"
    proved(25, bad_calls=len(answers), turns=3)


def test_a_build_that_raises_at_a_bad_call_leaves_the_cycle_open(
    life: OnlineLife, provider: Provider
) -> None:
    with broken(bad_calls_raised.PATCHES):
        assert call_badly(life, provider, CLAUDE) == "ValueError"
    assert life.rows("SELECT state FROM cycle") == [("open",)]
    turned_red(25, "bad_calls_raised", open_cycles=1)


EMPTY = (Turn(), Turn(text=" \n"), Turn(thinking="Hm."), Turn(finish="refusal"), Turn(finish="cut"))


def fall_silent(life: OnlineLife, provider: Provider, name: str) -> list[int]:
    """Let a model say nothing in every way, then ask it again; return the statuses of its server.

    The provider judges each request and refuses one that breaks a rule.
    """
    model = model_at(provider, name)
    for turn in EMPTY:
        # One that was cut gets more room, once.
        provider.answers(turn, *[turn] * (turn.finish == "cut"))
        life.push("Hello!")
        try:
            life.think(model)
        except MindError:
            break
    provider.answers(DONE)
    life.push("Hello again!")
    try:
        life.think(model)
    except MindError as error:
        return [int(error.status)]
    return []


@every_api
def test_an_empty_reply_leaves_the_next_request_valid(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    assert fall_silent(life, provider, name) == []
    assert set(life.states("event")) == {"done"}
    assert faults_of(life.where) == []
    proved(26, empty_replies=len(EMPTY), valid_requests=len(provider.requests))


def test_a_build_that_keeps_an_empty_reply_is_refused_from_then_on(
    life: OnlineLife, provider: Provider
) -> None:
    with broken(empty_reply_kept.PATCHES):
        assert fall_silent(life, provider, CLAUDE) == [1]
    found = faults_of(life.where)
    assert any(rule in fault for fault in found for rule in (" A12 ", " A13 "))
    turned_red(26, "empty_reply_kept", faults=len(found))


def think(life: OnlineLife, provider: Provider) -> Ran:
    """Think once in a real process."""
    given = {
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "ANTHROPIC_API_KEY": KEY,
        "MIND_TESTING": "1",
    }
    return Mind(life.path.parent, given).run("think", "--agent", AGENT, "--model", CLAUDE)


@pytest.mark.heavy
def test_a_real_process_waits_as_it_is_told_and_says_what_is_wrong(
    life: OnlineLife, provider: Provider
) -> None:
    provider.fails(529, "Overloaded", headers={"retry-after": "1.2"})
    provider.says(502, PAGE, "text/html; charset=utf-8", Retry_After="7200")
    life.push("Hello!")
    ran = think(life, provider)
    first, second = provider.requests
    assert 1.2 <= second.at - first.at <= 2.2
    assert ran.status == 75
    assert ran.words.splitlines()[-1] == (
        "mind think: the provider gave no valid reply (HTTP 502, text/html). Try again."
    )
    assert life.event()[:2] == ("ready", 0)
    proved(22, waits_kept=1, processes=1)
