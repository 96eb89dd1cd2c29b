"""Runs that wait for a reply: what ends a wait, once, and which run goes on with what."""

import contextlib
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange, ContextStyle
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    MindError,
    ModelBusyError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.messages import text_of
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.engine.cycle import dead_letters
from mindpipe.engine.dependencies import Policy
from mindpipe.history.verbs import log
from mindpipe.history.verbs.history import show as messages
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import HeardMessage, RunTrigger, WaitBounds
from support.histories import ANTHROPIC
from support.life import AGENT, KilledError
from support.loopback.turns import Turn
from support.questions import AFTER, PLAYS, Asking
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of


@pytest.fixture
def life(tmp_path: Path) -> Asking:
    """Return an agent in two spaces with a friend."""
    return Asking(tmp_path / "life")


@pytest.fixture
def model() -> Scripted:
    """Return a model that follows the plays."""
    return Scripted(ANTHROPIC, PLAYS, otherwise=AFTER)


def states(life: Asking) -> list[tuple[str, tuple[int, ...]]]:
    """Return how each run stands and its cycles."""
    return [(run.state.value, run.cycles) for run in life.runs()]


def ends(life: Asking) -> list[tuple[str, str | None]]:
    """Return how each wait stands, and what ended it."""
    return life.rows("SELECT state, by FROM run_wait ORDER BY seq")


def test_a_run_asks_closes_its_cycle_and_goes_on_with_the_reply(
    life: Asking, model: Scripted
) -> None:
    life.say("play ask")
    report = life.think(model)
    (asked,) = life.posts()
    assert (report.outcome, report.summary) == ("done", f"[waiting for a reply to {asked.id}]")
    assert (asked.waits, asked.depth) == (True, 1)
    assert states(life) == [("waiting_reply", (1,))]
    with pytest.raises(NothingToDoError):
        life.think(model)
    reply = life.say("Do.", reply_to=asked.id)
    assert ends(life) == [("replied", reply.id)]
    assert life.think(model).summary == "All right."
    assert states(life) == [("done", (1, 2))]
    assert faults_of(life.path) == []


def test_the_next_message_in_the_space_ends_the_oldest_wait_there(
    life: Asking, model: Scripted
) -> None:
    for play in ("play ask", "play ask-work", "play ask"):
        life.push(play)
        life.think(model)
    said = life.say("Go on.")
    assert ends(life) == [("replied", said.id), ("open", None), ("open", None)]
    life.think(model)
    assert states(life) == [
        ("done", (1, 4)),
        ("waiting_reply", (2,)),
        ("waiting_reply", (3,)),
    ]


def test_a_reply_to_a_message_ends_the_wait_of_that_message_alone(
    life: Asking, model: Scripted
) -> None:
    for play in ("play ask", "play ask-on"):
        life.push(play)
        life.think(model)
    first, second = life.posts()
    later = life.say("To the second.", reply_to=second.id)
    life.say("Once more.", reply_to=second.id)
    assert ends(life) == [("open", None), ("replied", later.id)]
    life.think(model)
    assert states(life) == [("waiting_reply", (1,)), ("done", (2, 3))]
    sooner = life.say("To the first.", reply_to=first.id)
    assert ends(life)[0] == ("replied", sooner.id)


def test_a_reply_to_somebody_elses_message_ends_the_oldest_wait_like_any_other(
    life: Asking, model: Scripted
) -> None:
    life.push("play ask")
    life.think(model)
    own = life.say("By the way.", space="work")
    assert ends(life) == [("open", None)]
    told = life.say("What I said.", space="work", reply_to=own.id)
    assert ends(life) == [("open", None)]
    here = life.say("Here too.", reply_to=life.say("Hm.").id)
    assert told.id != here.id
    assert ends(life)[0][0] == "replied"


@pytest.fixture
def crowd(life: Asking) -> Asking:
    """Return the same life with two more people in the family's space."""
    with life.open() as store:
        for name in ("bea", "cem"):
            who = NewSpaceEntity(name=name, kind="human", title=name.title())
            spaces.join(store, life.clock, life.chance, space="family", who=who)
    return life


def test_among_several_only_a_reply_ends_a_wait(crowd: Asking, model: Scripted) -> None:
    crowd.push("play ask")
    crowd.think(model)
    (asked,) = crowd.posts()
    crowd.say("Anybody for lunch?", by="bea")
    crowd.say("lol ok")
    assert ends(crowd) == [("open", None)]
    crowd.think(model)
    reply = crowd.say("Yes, do.", by="cem", reply_to=asked.id)
    assert ends(crowd) == [("replied", reply.id)]
    crowd.think(model)
    assert states(crowd) == [("done", (1, 3)), ("done", (2,))]


def test_whoever_is_named_ends_a_wait_with_any_message(crowd: Asking) -> None:
    crowd.push("Ask Bea.")
    crowd.think(Scripted(ANTHROPIC, {}, otherwise=asks(wait_for="Bea")))
    crowd.say("I would say yes.")
    assert ends(crowd) == [("open", None)]
    said = crowd.say("Do.", by="bea")
    assert ends(crowd) == [("replied", said.id)]


def test_nobody_can_be_waited_for_who_is_not_there(crowd: Asking) -> None:
    crowd.push("Ask Dora.")
    crowd.think(Scripted(ANTHROPIC, {}, otherwise=asks(wait_for="dora") + AFTER))
    told = crowd.value("SELECT result ->> '$.text' FROM call WHERE state = 'failed'")
    assert str(told).endswith("You cannot wait for 'dora' in family. There is: bea, cem, husam.")
    assert ends(crowd) == []


def test_with_wait_any_whoever_speaks_ends_a_wait(crowd: Asking, model: Scripted) -> None:
    crowd.push("play ask")
    crowd.policy = Policy(wait_any=True)
    crowd.think(model)
    said = crowd.say("Anybody for lunch?", by="bea")
    assert ends(crowd) == [("replied", said.id)]


def test_each_wait_has_its_own_limit(life: Asking) -> None:
    life.push("Ask.")
    life.think(Scripted(ANTHROPIC, {}, otherwise=asks(wait_minutes=0.5)))
    life.clock.pass_time(31)
    life.think(Scripted(ANTHROPIC, {}, otherwise=AFTER))
    assert ends(life) == [("timed_out", None)]


def asks(**bounds: object) -> tuple[Turn, ...]:
    """Return a play that asks in the family's space and waits within bounds."""
    return (calls(call("send_message", text="Shall I?", space="family", **bounds)),)


def test_a_reply_that_comes_late_goes_on_with_what_was_asked(
    crowd: Asking, model: Scripted
) -> None:
    timeline(crowd)
    begun = crowd.say("Ask them whether I may.")
    crowd.think(Scripted(ANTHROPIC, {}, otherwise=PLAYS["ask"]))
    (asked,) = crowd.posts()
    crowd.clock.pass_time(400)
    crowd.think(model)
    assert states(crowd) == [("done", (1, 2))]
    crowd.say("Yes, you may.", by="bea", reply_to=asked.id)
    crowd.think(model)
    assert ends(crowd) == [("timed_out", None)]
    assert states(crowd) == [("done", (1, 2)), ("done", (3,))]
    with crowd.open() as store:
        system = log.window(store, agent=AGENT, ranges=[(3, 3)]).segment.head.system
    assert f'waitedFor: a reply to your "Shall I?" (messageId: {asked.id})' in system
    assert "outcome: replied" in system
    told = system[system.index("startedBy:") :]
    assert f"messageId: {begun.id}" in told
    assert faults_of(crowd.path) == []


@pytest.mark.parametrize("style", ["continuous", "timeline"])
def test_every_sender_who_waits_is_marked(crowd: Asking, style: ContextStyle) -> None:
    with crowd.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(style=style))
    crowd.say("lol ok")
    for name in ("ben", "dan"):
        asks_and_waits(crowd, name)
    crowd.think(Scripted(ANTHROPIC, {}, otherwise=AFTER))
    with crowd.open() as store:
        shown = log.window(store, agent=AGENT, ranges=[(1, 1)])
        words = [shown.segment.head.system, opening(crowd, 1)]
    marked = [line for text in words for line in text.split("\n") if "[waits for a reply]" in line]
    # Of the first one the trigger tells, in a timeline.
    expected = {"ben", "dan"} if style == "continuous" else {"dan"}
    found = {name for line in marked for name in ("ben", "dan") if f"May {name}?" in line}
    assert found == expected
    assert not any("lol ok" in line for line in marked)


def asks_and_waits(life: Asking, name: str) -> None:
    """Let another agent ask in the family's space, and wait for a reply."""
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name=name, change=AgentChange())
        who = NewSpaceEntity(name=name, kind="agent", title=name.title())
        spaces.join(store, life.clock, life.chance, space="family", who=who)
    asked = life.say(f"May {name}?", by=name, waits=True)
    with life.open() as store:
        trigger = RunTrigger(type="service", event=f"e-{name}", at=life.clock.now())
        run = runs.begin(store, life.clock, life.chance, agent=name, cycle=1, trigger=trigger)
        message = HeardMessage(id=asked.id, space="family")
        bounds = WaitBounds(seconds=300)
        runs.wait(store, life.clock, life.chance, run=run.id, message=message, bounds=bounds)


def test_a_message_elsewhere_ends_no_wait_and_begins_a_run(life: Asking, model: Scripted) -> None:
    life.push("play ask")
    life.think(model)
    life.say("play words", space="work")
    life.think(model)
    assert states(life) == [("waiting_reply", (1,)), ("done", (2,))]


def test_a_wait_that_takes_too_long_tells_the_agent_once(life: Asking, model: Scripted) -> None:
    life.push("play ask")
    life.think(model)
    life.clock.pass_time(299)
    assert life.due() == 0
    life.clock.pass_time(2)
    life.think(model)
    assert states(life) == [("done", (1, 2))]
    assert ends(life) == [("timed_out", None)]
    (asked,) = life.posts()
    told = opening(life, 2)
    assert f"← RESUME: you waited for a reply to {asked.id}" in told
    assert f"If this reaches you, nobody answered your message {asked.id}" in told
    life.clock.pass_time(1000)
    with pytest.raises(NothingToDoError):
        life.think(model)
    assert faults_of(life.path) == []


def test_a_time_out_does_nothing_after_a_reply_whoever_is_first_in_the_inbox(
    life: Asking, model: Scripted
) -> None:
    life.push("play ask")
    life.think(model)
    reply = life.say("Yes.")
    life.clock.pass_time(1000)
    life.think(model)
    assert ends(life) == [("replied", reply.id)]
    with contextlib.suppress(NothingToDoError):
        life.think(model)
    assert states(life) == [("done", (1, 2))]
    assert {state for (state,) in life.rows("SELECT state FROM event")} == {"done"}


def test_a_run_that_was_cancelled_goes_on_with_nothing(life: Asking, model: Scripted) -> None:
    life.push("play ask")
    life.think(model)
    (run,) = life.runs()
    with life.open() as store:
        runs.cancel(store, life.clock, run=run.id, reason="obsolete")
        with pytest.raises(RefusedError, match="has ended: it is cancelled"):
            runs.cancel(store, life.clock, run=run.id, reason="again")
    assert ends(life) == [("cancelled", None)]
    life.say("play words")
    life.think(model)
    life.clock.pass_time(1000)
    with pytest.raises(NothingToDoError):
        life.think(model)
    assert states(life) == [("cancelled", (1,)), ("done", (2,))]


def test_a_reply_that_came_before_a_cancel_begins_a_run_of_its_own(
    life: Asking, model: Scripted
) -> None:
    life.push("play ask")
    life.think(model)
    reply = life.say("play words")
    (run,) = life.runs()
    with life.open() as store:
        runs.cancel(store, life.clock, run=run.id, reason="obsolete")
    life.think(model)
    first, second = life.runs()
    assert (first.state.value, second.trigger.post) == ("cancelled", reply.id)


def test_one_turn_waits_for_one_message(life: Asking, model: Scripted) -> None:
    life.push("play ask-twice")
    life.think(model)
    assert ends(life) == [("open", None)]
    assert life.posts("work") == []
    told = life.value("SELECT result ->> '$.text' FROM call WHERE state = 'failed'")
    assert "already. Send it without wait." in str(told)


def test_a_run_waits_again_and_again(life: Asking, model: Scripted) -> None:
    life.say("play ask")
    for answer in ("play ask-on", "play ask", "play words"):
        life.think(model)
        life.say(answer)
    life.think(model)
    assert states(life) == [("done", (1, 2, 3, 4))]
    assert [state for state, _ in ends(life)] == ["replied"] * 3
    assert faults_of(life.path) == []


def test_a_claim_ends_before_an_event_that_lets_another_run_go_on(
    life: Asking, model: Scripted
) -> None:
    for play in ("play ask", "play ask-work"):
        life.push(play)
        life.think(model)
    life.push("play words", "play words")
    life.say("Here.")
    life.say("There.", space="work")
    reports = [life.think(model) for _ in range(3)]
    assert [len(report.events) for report in reports] == [2, 1, 1]
    assert states(life) == [("done", (1, 4)), ("done", (2, 5)), ("done", (3,))]


def faulty(fault: FaultClass) -> Scripted:
    """Return a model that fails, in one way, whatever it is asked."""
    said = (ModelFault("no", fault=fault),) * 3
    return Scripted(ANTHROPIC, dict.fromkeys(PLAYS, said), otherwise=said)


def test_a_run_whose_cycle_was_given_back_goes_on_in_the_next(
    life: Asking, model: Scripted
) -> None:
    life.push("play ask")
    life.think(model)
    reply = life.say("Yes.")
    for _ in range(2):
        with pytest.raises(ModelBusyError):
            life.think(faulty(FaultClass.TRANSIENT))
        life.clock.pass_time(200)
    life.think(model)
    (run,) = life.runs()
    assert (run.state.value, run.waits[0].by) == ("done", reply.id)
    assert len(run.cycles) > 2
    with contextlib.suppress(NothingToDoError):
        life.think(model)
    assert life.rows("SELECT outcome FROM event WHERE source = 'wait'") == [("skipped",)]
    assert faults_of(life.path) == []


def test_a_run_fails_with_its_event_and_its_event_brought_back_begins_another(
    life: Asking, model: Scripted
) -> None:
    life.push("play words")
    with pytest.raises(MindError):
        life.think(faulty(FaultClass.OUR_REQUEST))
    assert life.states("event") == ["dead"]
    (run,) = life.runs()
    assert (run.state.value, run.reason) == ("failed", "no")
    with life.open() as store:
        inbox.redrive(store, agent=AGENT)
    life.think(model)
    assert [state for state, _ in states(life)] == ["failed", "done"]


def test_a_run_that_was_given_back_at_its_beginning_is_the_same_when_it_is_tried_again(
    life: Asking, model: Scripted
) -> None:
    life.push("play words")
    with pytest.raises(ModelBusyError):
        life.think(faulty(FaultClass.TRANSIENT))
    life.clock.pass_time(200)
    life.think(model)
    assert states(life) == [("done", (1, 2))]


@pytest.mark.parametrize("dies", [None, ("claim.after_commit", 1)])
def test_a_run_fails_when_the_attempts_of_its_event_are_used_up(
    life: Asking, dies: tuple[str, int] | None
) -> None:
    life.push("play words")
    for _ in range(6):
        with contextlib.suppress(KilledError, NothingToDoError, TemporaryError):
            life.think(faulty(FaultClass.LOCAL), dies=dies)
    assert life.states("event") == ["dead"]
    assert [run.state.value for run in life.runs()] == ["failed"]


def reasons(life: Asking) -> list[tuple[str, str | None]]:
    """Return how each run stands, and why it ended so."""
    return [(run.state.value, run.reason) for run in life.runs()]


def test_a_run_that_is_to_be_tried_again_ends_with_its_event(life: Asking) -> None:
    (receipt,) = life.push("play ask")
    with contextlib.suppress(MindError):
        life.think(faulty(FaultClass.TRANSIENT))
    assert reasons(life) == [("running", None)]
    with life.open() as store:
        dead_letters.settle_by_hand(store, life.clock, id=receipt.id, reason="makes no sense")
        inbox.redrive(store, agent=AGENT)
    ended = ("cancelled", f"its event {receipt.id} is dead: makes no sense")
    assert reasons(life) == [ended]
    life.clock.pass_time(100)
    life.think(Scripted(ANTHROPIC, PLAYS, otherwise=AFTER))
    assert reasons(life) == [ended, ("waiting_reply", None)]
    assert faults_of(life.path) == []


@pytest.mark.parametrize("what", ["reply", "time-out"])
def test_a_run_that_waits_ends_with_what_would_have_woken_it(
    life: Asking, model: Scripted, what: str
) -> None:
    life.push("play ask")
    life.think(model)
    if what == "reply":
        life.say("Yes.")
    with life.open() as store:
        sql = "SELECT id FROM event WHERE state = 'ready' AND type = ?"
        kind = "space_message" if what == "reply" else "service"
        ((event,),) = store.connection.execute(sql, (kind,))
        dead_letters.settle_by_hand(store, life.clock, id=event, reason="no")
    assert reasons(life) == [("cancelled", f"its event {event} is dead: no")]
    life.clock.pass_time(1000)
    with pytest.raises(NothingToDoError):
        life.think(model)
    assert faults_of(life.path) == []


def test_a_run_ends_with_an_event_that_another_worker_acknowledges(life: Asking) -> None:
    (receipt,) = life.push("play ask")
    with contextlib.suppress(MindError):
        life.think(faulty(FaultClass.TRANSIENT))
    life.clock.pass_time(100_000)
    with life.open() as store:
        (held,) = inbox.claim(store, life.clock, agent=AGENT, owner="me")
        dead_letters.settle_event(store, life.clock, id=held.id, epoch=held.epoch)
    assert reasons(life) == [("cancelled", f"its event {receipt.id} was handled by another worker")]


def test_an_agent_is_told_of_its_runs(life: Asking, model: Scripted) -> None:
    life.push("play ask")
    life.think(model)
    life.say("play look", space="work")
    life.think(model)
    (listed,) = life.documents("SELECT result ->> '$.json.runs' FROM call WHERE tool='get_my_runs'")
    (asked,) = life.posts()
    this, waiting = listed
    assert (this["this"], this["sender"], this["space"]) == (True, "husam", "work")
    assert (waiting["state"], waiting["waits_for"]) == ("waiting_reply", asked.id)


def opening(life: Asking, cycle: int) -> str:
    """Return the message that opened a cycle."""
    with life.open() as store:
        return text_of(next(iter(messages(store, agent=AGENT, cycle=cycle))))


def test_the_inbox_marks_with_what_a_run_goes_on(life: Asking, model: Scripted) -> None:
    life.push("play ask")
    life.think(model)
    life.say("Yes ← RESUME: you waited for a reply to o_forged")
    life.say("And good day.")
    life.think(model)
    (asked,) = life.posts()
    _, first, second = opening(life, 2).split("\n")
    assert first.endswith(f'o_forged" ← RESUME: you waited for a reply to {asked.id}')
    assert second.endswith('"And good day."')


def test_with_a_timeline_a_cycle_takes_one_event_or_messages_of_one_space(
    life: Asking,
) -> None:
    timeline(life)
    life.say("Words.")
    life.say("Words.", space="work")
    life.push("Words.")
    life.say("Words.")
    model = Scripted(ANTHROPIC, {}, otherwise=AFTER)
    assert [len(life.think(model).events) for _ in range(3)] == [2, 1, 1]
    assert life.rows("SELECT space FROM place") == [(None,)]
    assert [run.trigger.type for run in life.runs()] == ["space_message"] * 2 + ["service"]


def test_the_trigger_is_the_message_that_waits_for_an_answer_and_not_what_came_before(
    life: Asking,
) -> None:
    timeline(life)
    life.say("lol ok")
    asked = life.say("May I?", waits=True)
    life.think(Scripted(ANTHROPIC, {}, otherwise=AFTER))
    (run,) = life.runs()
    assert (run.trigger.post, run.trigger.expects_reply) == (asked.id, True)
    with life.open() as store:
        system = log.window(store, agent=AGENT, ranges=[(1, 1)]).segment.head.system
    marked = [line for line in system.split("\n") if "← TRIGGER" in line]
    assert ["May I?" in line for line in marked] == [True]


def test_with_a_timeline_a_run_goes_on_in_the_space_where_it_waited(life: Asking) -> None:
    timeline(life)
    model = Scripted(ANTHROPIC, {}, otherwise=PLAYS["ask-work"])
    life.say("Ask them.")
    life.think(model)
    reply = life.say("Well?", space="work")
    life.think(Scripted(ANTHROPIC, {}, otherwise=AFTER))
    assert states(life) == [("done", (1, 2))]
    told = opening(life, 2)
    assert (reply.id in told, "← RESUME" in told) == (True, True)
    assert faults_of(life.path) == []


def timeline(life: Asking) -> None:
    """Let the agent see its life as a timeline."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(style="timeline"))
