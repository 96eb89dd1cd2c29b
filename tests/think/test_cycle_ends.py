"""How a cycle ends that cannot simply go on, over a real store with a scripted model."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UnavailableError,
)
from mindpipe.core.messages import ResultPart, ResultStatus, text_of
from mindpipe.core.models import FaultClass, ModelFault, ModelRequest
from mindpipe.core.ports import ProgramRun
from mindpipe.core.records import to_json
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs.context import show
from mindpipe.history.verbs.history import show as messages
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from mindpipe.spending.records import Caps
from support.histories import ANTHROPIC, PROGRAM
from support.life import AGENT, TOOLS, KilledError, Life
from support.loopback.turns import Turn
from support.scripted_model import PAUSES, Scripted, call, calls
from support.validation import faults_of

FINE = Turn(text="All fine.")
PLAYS = {
    "words": (FINE,),
    "runs": (calls(call("unsafe"), text="Go."), FINE),
    "greets": (calls(call("send_message", text="Hi", space="family")), FINE),
    "shouts": (calls(call("send_message", text="A" * 70_000, space="family")), FINE),
    "works": (calls(call("set_goal", text="Win")), calls(call("get_goals")), FINE),
    "pauses": PAUSES["pauses"],
    "insists": (*(calls(call("send_message", text="Hi", space="family")),) * 19, FINE),
    "insists-at-once": (calls(*(call("send_message", text="Hi", space="family"),) * 20), FINE),
    "fails-in-turn": (
        *(calls(call("get_memory", key="tea")), calls(call("delete_goal", id="g_1"))) * 9,
        FINE,
    ),
    "polls": (*(calls(call("pure")),) * 12, FINE),
    "looks": (*(calls(call("get_goals"), call("get_plans")),) * 4, FINE),
}
DAY = Caps(agent_day=4100)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """Return an agent in a store."""
    return Life(tmp_path / "life")


@pytest.fixture
def model() -> Scripted:
    """Return a model that follows the plays."""
    return Scripted(PROGRAM, PLAYS)


def refusing(word: str, error: Callable[[], Exception]) -> Callable[[ModelRequest], None]:
    """Return what raises an error for requests whose newest inbox holds a word."""

    def listen(request: ModelRequest) -> None:
        newest = [text_of(one) for one in request.conversation.messages if one.role == "user"][-1]
        if word in newest:
            raise error()

    return listen


def events(life: Life) -> list[tuple]:
    return life.rows("SELECT state, attempts FROM event ORDER BY seq")


def drain(life: Life, model: Scripted) -> list[str]:
    """Think until nothing is due; return what each cycle came to."""
    ends: list[str] = []
    for _ in range(20):
        try:
            ends.append(life.think(model).outcome)
        except NothingToDoError:
            return ends
        except MindError as error:
            ends.append(type(error).__name__)
    raise AssertionError(ends)


def test_what_the_provider_refuses_takes_no_neighbour_along(life: Life, model: Scripted) -> None:
    model.listen = refusing("poison", lambda: ModelFault("HTTP 400", fault=FaultClass.OUR_REQUEST))
    life.push("play words", "play words poison", "play words")
    ends = drain(life, model)
    assert ends.count("TemporaryError") == 2
    assert ends.count("MindError") == 1
    assert [state for state, _ in events(life)] == ["done", "dead", "done"]
    assert faults_of(life.path) == []


def test_a_model_that_is_not_there_uses_no_attempt_up(life: Life, model: Scripted) -> None:
    model.listen = refusing("words", lambda: UnavailableError("no such program"))
    life.push("play words")
    for _ in range(7):
        with pytest.raises(UnavailableError):
            life.think(model)
    assert events(life) == [("ready", 0)]
    assert {state for (state,) in life.rows("SELECT state FROM ledger")} == {"void"}
    model.listen = lambda _: None
    assert life.think(model).outcome == "done"


def test_a_defect_uses_its_attempts_up_and_then_blocks_nobody(life: Life, model: Scripted) -> None:
    model.listen = refusing("poison", lambda: RuntimeError("nobody foresaw this"))
    life.push("play words poison")
    for _ in range(5):
        with pytest.raises(RuntimeError):
            life.think(model)
        life.clock.pass_time(300.0)
    life.push("play words")
    assert life.think(model).outcome == "done"
    assert events(life) == [("dead", 5), ("done", 1)]
    (reason,) = life.rows("SELECT reason FROM event WHERE state = 'dead'")
    assert reason == ("5 attempts used; last: nobody foresaw this",)


def test_a_cap_of_the_day_leaves_the_cycle_open_until_there_is_money(
    life: Life, model: Scripted
) -> None:
    life.push("play works")
    for _ in range(7):
        with pytest.raises(CapReachedError):
            life.think(model, caps=DAY)
    assert events(life) == [("ready", 0)]
    assert life.value("SELECT count(*) FROM goal") == 1
    report = life.think(model)
    assert (report.outcome, report.turns, report.cycle) == ("done", 3, 1)
    assert life.value("SELECT count(*) FROM goal") == 1


def test_a_cap_of_the_call_is_final(life: Life, model: Scripted) -> None:
    life.push("play works")
    with pytest.raises(CapReachedError):
        life.think(model, caps=Caps(call=100))
    assert events(life) == [("dead", 1)]
    assert model.asked == []


def test_a_cap_of_the_cycle_closes_what_has_begun(life: Life, model: Scripted) -> None:
    life.push("play works")
    report = life.think(model, caps=Caps(cycle=4100))
    assert (report.outcome, report.turns, events(life)) == ("stopped", 1, [("done", 1)])
    assert report.summary.startswith("[stopped: the cap per cycle")
    assert faults_of(life.path) == []


def test_tokens_of_every_call_count_towards_the_limit(life: Life, model: Scripted) -> None:
    life.push("play works")
    used = 11 + 7
    report = life.think(model, limits=CycleLimits(tokens=2 * used))
    assert (report.outcome, report.turns) == ("stopped", 2)


@pytest.mark.parametrize("play", ["insists", "insists-at-once"])
def test_a_model_that_repeats_a_call_is_told_so_and_stopped(
    life: Life, model: Scripted, play: str
) -> None:
    life.push(f"play {play}")
    report = life.think(model)
    assert (report.outcome, events(life)) == ("stopped", [("done", 1)])
    assert report.summary == "[stopped: the same call had the same answer 6 times]"
    with life.open() as store:
        assert len(spaces.read(store, space="family")) == 6
        told = [
            part.text
            for one in messages(store, agent=AGENT)
            for part in one.parts
            if isinstance(part, ResultPart) and part.status is ResultStatus.OK
        ]
    assert ["has had this answer" in text for text in told] == [False] * 2 + [True] * 4
    assert "has had this answer 3 times in this cycle; after 6 the cycle ends." in told[2]
    assert faults_of(life.path) == []


def test_two_calls_that_fail_in_turn_are_told_and_stopped_as_one_is(
    life: Life, model: Scripted
) -> None:
    life.push("play fails-in-turn")
    report = life.think(model)
    assert (report.turns, report.outcome) == (11, "stopped")
    assert report.summary == "[stopped: the same call had the same answer 6 times]"


def test_a_model_may_ask_again_as_long_as_the_answer_changes(life: Life, model: Scripted) -> None:
    answers = (ProgramRun(status=0, stdout=b"%d %%" % n, stderr=b"") for n in range(0, 100, 5))

    class Changing(dict):
        def get(self, tool: str, _default: object) -> ProgramRun:
            assert tool == "pure"
            return next(answers)

    life.sink.ends = Changing()
    life.push("play polls")
    assert life.think(model).outcome == "done"
    assert life.sink.times("pure") == 12


def test_a_model_that_looks_again_now_and_then_is_told_and_goes_on(
    life: Life, model: Scripted
) -> None:
    life.push("play looks")
    assert life.think(model).outcome == "done"


@pytest.mark.parametrize(
    ("verdict", "state", "runs"),
    [
        ({"outcome": "done", "output": "it was"}, "done", 0),
        ({"outcome": "not_done"}, "failed", 0),
        ({"outcome": "unknown"}, "unknown", 0),
        ({"outcome": "perhaps"}, "unknown", 0),
        (None, "unknown", 0),
    ],
)
def test_verify_says_what_became_of_an_unsafe_call(
    verdict: dict[str, str] | None, state: str, runs: int, model: Scripted, tmp_path: Path
) -> None:
    unsafe = msgspec.structs.replace(TOOLS[-1], verify=("verify",))
    life = Life(tmp_path / "life", AgentChange(tools=(*TOOLS[:-1], unsafe)))
    life.push("play runs")
    with pytest.raises(KilledError):
        life.think(model, dies=("act.after_started", 1))
    if verdict is None:
        life.sink.missing.add("verify")
    else:
        life.sink.ends["verify"] = ProgramRun(status=0, stdout=to_json(verdict), stderr=b"")
    assert life.think(model).outcome == "done"
    assert life.rows("SELECT state FROM call") == [(state,)]
    assert life.sink.times("unsafe") == runs
    assert life.value("SELECT count(*) FROM ticket") == (state == "unknown")


def test_an_event_that_somebody_settled_meanwhile_blocks_nobody(
    life: Life, model: Scripted
) -> None:
    (receipt,) = life.push("play works")
    with pytest.raises(KilledError):
        life.think(model, dies=("turn.after_commit", 1))
    with life.open() as store:
        inbox.ack(store, id=receipt.id, epoch=1)
    assert life.think(model).outcome == "done"
    with pytest.raises(NothingToDoError):
        life.think(model)


def test_an_event_that_somebody_let_die_ends_its_cycle(life: Life, model: Scripted) -> None:
    (receipt,) = life.push("play works")
    with pytest.raises(KilledError):
        life.think(model, dies=("turn.after_commit", 1))
    with life.open() as store:
        inbox.dead(store, id=receipt.id, epoch=1, reason="no longer wanted")
    life.push("play words")
    assert life.think(model).cycle == 2
    assert life.rows("SELECT state, reason FROM cycle WHERE cycle = 1") == [
        ("failed", "no longer wanted")
    ]
    assert faults_of(life.path) == []


def test_the_coming_request_is_shown_and_nothing_is_changed(life: Life, model: Scripted) -> None:
    life.push("play works")
    with pytest.raises(KilledError):
        life.think(model, dies=("turn.after_commit", 1))
    before = life.everything()
    with life.open() as store:
        shown = show(life.dependencies(store, model), agent=AGENT)
    assert life.everything() == before
    assert life.think(model).outcome == "done"
    assert (shown.cycle, shown.turn, shown.request.body) == (1, 2, model.asked[1].body)


def test_all_that_a_pausing_reply_said_is_in_history(life: Life) -> None:
    life.push("play pauses")
    report = life.think(Scripted(ANTHROPIC, PLAYS))
    assert report.outcome == "done"
    with life.open() as store:
        *_, said = messages(store, agent=AGENT)
    assert text_of(said) == "\n".join(f"Let me look ({span})." for span in range(6))
    assert said.raw is not None
    assert len(said.raw.sha256) == 6


def test_a_message_that_no_inbox_would_take_is_refused_when_it_is_said(
    life: Life, model: Scripted
) -> None:
    invite(life)
    life.push("play shouts")
    assert life.think(model).outcome == "done"
    assert life.rows("SELECT state, result ->> '$.text' FROM call") == [
        ("failed", "Longer than 65536 bytes. Split it.")
    ]


def test_a_full_inbox_holds_its_sender_back_until_there_is_room(
    life: Life, model: Scripted
) -> None:
    invite(life)
    life.bounds = Bounds(max_open=0)
    life.push("play greets")
    for _ in range(7):
        with pytest.raises(RefusedError, match="the inbox of bob is full"):
            life.think(model)
    assert life.value("SELECT state FROM post") == "held"
    life.bounds = Bounds()
    assert life.think(model).outcome == "done"
    assert life.rows("SELECT state FROM post") == [("visible",)]
    assert life.value("SELECT count(*) FROM event WHERE agent = 'bob'") == 1


def invite(life: Life) -> None:
    """Let another agent into the space."""
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bob")
        bob = NewSpaceEntity(name="bob", kind="agent")
        spaces.join(store, life.clock, life.chance, space="family", who=bob)


def test_one_worker_at_a_time(life: Life, model: Scripted) -> None:
    life.push("play words")

    def second(_: ModelRequest) -> None:
        with pytest.raises(TemporaryError):
            life.think(Scripted(PROGRAM, PLAYS))

    model.listen = second
    assert life.think(model).outcome == "done"
