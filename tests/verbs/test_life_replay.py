"""A life that is lived again from what it heard comes out the same, or says where it does not."""

import contextlib
import threading
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.compaction.verbs import compact
from mindpipe.context import prompt
from mindpipe.core.errors import FencedError, ModelBusyError, NothingToDoError, RefusedError
from mindpipe.core.events import NewEvent
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.engine.cycle import compaction
from mindpipe.engine.recent_past import recent_past_of
from mindpipe.engine.records.journal import CycleLimits
from mindpipe.engine.verbs import think
from mindpipe.engine.worker import log
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.clock import SystemClock
from mindpipe.knowledge import confidence, prompts
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
from mindpipe.knowledge.verbs.model_reader import ModelReader
from mindpipe.life.operations import RuleSetup
from mindpipe.life.tape import TapePart
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import recording
from mindpipe.life.verbs.consolidating import consolidate_recorded
from mindpipe.life.verbs.rewind import list_, rewind
from mindpipe.life.verbs.versions import versions_here
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.recall import signals
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from mindpipe.store.access import make_store
from mindpipe.tasks.records import NewTask
from mindpipe.tasks.verbs import task as tasks
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import Iteration, LoopMode, WorkerSession, WorkerSessionState
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT, TOOLS, KilledError, Life
from support.loopback.turns import Turn
from support.replays import change_part, kinds_of, replayed
from support.scripted_model import Scripted, call, calls

PLAYS = (
    calls(call("keyed", at="1"), call("pure", at="2"), text="I do both."),
    calls(call("send_message", space="family", text="Done?")),
    Turn(text="Done."),
)


def talker() -> Scripted:
    """Return a model that runs two tools side by side, says something, and closes."""
    return Scripted(PROGRAM, {}, otherwise=PLAYS)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(tmp_path / "life", AgentChange(tools=TOOLS))


def live(life: Life, text: str = "Go.") -> None:
    """Live one cycle of three turns."""
    life.push(text)
    life.clock.pass_time(60.0)
    life.think(talker())


@pytest.mark.heavy
def test_a_full_life_comes_out_the_same(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    for _ in range(13):
        life.day()
    found, verdict = replayed(life.path)
    assert found == []
    assert verdict.equal
    # Each day a cycle and a consolidation, and two windows that were folded.
    assert (verdict.cycles, verdict.lived, verdict.prompts, verdict.cut) == (13, 28, 26, 0)
    found, verdict = replayed(life.path, upto=4)
    assert (found, verdict.cycles, verdict.lived, verdict.equal) == ([], 4, 7, True)


@pytest.mark.parametrize("reads", [False, True])
def test_what_a_model_worded_or_read_is_consolidated_again_from_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, reads: bool
) -> None:
    """What it cost is in the ledger meanwhile, and no part of the consolidation."""
    life = FullLife(tmp_path / "life")
    life.day()
    before = replayed(life.path)[1]
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        said = NewItem(id="it_x", text="I live in Lisbon.", speaker="jo", origin="human")
        memory.add(*ports, agent=AGENT, given=[said])
        sentence = '{"claim": 1, "summary": "jo lives in Lisbon.", "evidence": ["it_x"]}'
        model = Scripted(PROGRAM, {}, otherwise=(Turn(text="{}" if reads else sentence),))
        deps = life.dependencies(store, model)
        recorder = life.recorder(store)
        with compaction.asking(deps, agent=AGENT) as asked:
            options = ConsolidateOptions(rules=SlotRules(), write=None if reads else asked.write)
            if reads:
                reader = ModelReader(asked.write, model="m", tell=str)
                options = options._replace(reader=reader)
            list(consolidate_recorded(recorder, life.clock, agent=AGENT, options=options))
    worded = life.value("SELECT count(*) FROM observation WHERE summary = 'jo lives in Lisbon.'")
    assert worded == (not reads)
    assert life.value("SELECT count(*) FROM ledger") > before.prompts
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    assert verdict.lived == before.lived + 1
    assert (verdict.prompts > before.prompts) == (not reads)
    monkeypatch.setattr(prompts, "SYSTEM", "Say it.")
    found, verdict = replayed(life.path)
    assert [one.what for one in found] == ([] if reads else ["prompt"])


def test_it_tells_which_versions_were_others(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    for python in ("2.7.1", "3.0.1"):
        then = replace(versions_here(), python=python)
        monkeypatch.setattr(recording, "versions_here", lambda then=then: then)
        live(life)
    monkeypatch.undo()
    live(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    assert verdict.versions == {"python": ("2.7.1", "3.0.1")}


@pytest.mark.parametrize("weight", ["words", "recency"])
def test_a_changed_weight_of_the_ranking_is_reported_at_its_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weight: str
) -> None:
    """Also where nothing else is chosen for it, and nothing in another order."""
    life = FullLife(tmp_path / "life")
    for _ in range(3):
        life.day()
    assert replayed(life.path)[1].equal
    monkeypatch.setitem(signals.WEIGHTS, weight, signals.WEIGHTS[weight] + 0.1)
    (one,) = replayed(life.path)[0]
    assert (one.what, one.kind) == ("scores", "think")
    assert one.then.keys() == one.now.keys()


@pytest.mark.heavy
def test_a_window_that_is_put_back_is_put_back_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = FullLife(tmp_path / "life")
    for _ in range(7):
        life.day()
    before = replayed(life.path)[1]
    life.undo()
    life.day()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    assert verdict.lived == before.lived + 3
    monkeypatch.setattr(compact, "summary_text", lambda _: "Another summary.")
    (one,) = replayed(life.path)[0]
    assert (one.kind, one.what) == ("fold", "prompt")


def test_it_is_lived_again_from_a_store_into_which_it_was_carried(tmp_path: Path) -> None:
    life = FullLife(tmp_path / "life")
    for _ in range(3):
        life.day()
    path = tmp_path / "other.db"
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT))
    with contextlib.closing(make_store(path, life.clock, life.chance)) as other:
        lives.import_(other, pieces=pieces, name="ava.life")
    found, verdict = replayed(path)
    assert found == []
    assert (verdict.lived, verdict.equal) == (6, True)


def test_a_fork_is_lived_again_with_the_tools_of_the_other(life: Life, tmp_path: Path) -> None:
    for _ in range(3):
        live(life)
    with life.open() as store:
        lives.fork(
            *(store, life.clock, life.chance),
            agent=AGENT,
            cycle=2,
            into=tmp_path / "eva.db",
            change=AgentChange(day_micros=5, instructions="Be another."),
        )
    found, verdict = replayed(tmp_path / "eva.db")
    assert found == []
    assert (verdict.cycles, verdict.lived, verdict.given) == (2, 2, 2)


POINTS = (
    *("claim.after_commit", "reserve.after_commit", "ask.before_send", "ask.after_reply"),
    *("record.before_commit", "record.after_commit", "act.after_effect", "turn.before_commit"),
    "turn.after_commit",
)


@pytest.mark.heavy
@pytest.mark.parametrize("point", POINTS)
def test_a_life_that_was_killed_and_went_on_comes_out_the_same(life: Life, point: str) -> None:
    live(life)
    life.push("Go on.")
    with pytest.raises(KilledError):
        life.think(talker(), dies=(point, 1))
    life.think(talker())
    live(life)
    found, verdict = replayed(life.path)
    assert found == []
    assert (verdict.lived, verdict.cycles) == (4, 3)
    assert life.passed[point]


def test_what_failed_fails_again(life: Life) -> None:
    life.push("Go.")
    fault = ModelFault("busy", fault=FaultClass.TRANSIENT)
    with pytest.raises(ModelBusyError):
        life.think(Scripted(PROGRAM, {}, otherwise=(fault,)))
    life.clock.pass_time(3600.0)
    life.think(talker())
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_what_others_do_meanwhile_is_given_when_it_came(life: Life) -> None:
    life.push("Go.")
    life.think(
        talker(), dies=("ask.before_send", 2), meanwhile=lambda: life.push("Something else.")
    )
    life.think(talker())
    found, verdict = replayed(life.path)
    assert (found, verdict.lived) == ([], 2)


def test_numbers_that_a_store_counts_for_all_agents_are_those_of_then(life: Life) -> None:
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bea", change=AgentChange())
        who = NewSpaceEntity(name="bea", kind="agent")
        spaces.join(store, life.clock, life.chance, space="family", who=who)
    for _ in range(3):
        with life.open() as store:
            other = [NewEvent(agent="bea", type="service", text="For bea alone.")]
            push_events(store, life.clock, life.chance, events=other, bounds=Bounds())
        live(life)
    assert life.value("SELECT max(seq) FROM event WHERE agent = 'bea'") == 9
    found, verdict = replayed(life.path)
    assert (found, verdict.lived, verdict.equal) == ([], 3, True)


@pytest.mark.parametrize("tool", ["search_history", "recall"])
def test_what_is_found_among_the_words_of_others_is_what_was_found(life: Life, tool: str) -> None:
    """Their words weigh in what a search ranks first, and are not in the life."""
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bea", change=AgentChange())
    search = calls(call(tool, query="ferry late"))
    live(life, "The ferry is at the pier.")
    live(life, "It is late, the ferry.")
    with life.open() as store:
        other = [NewEvent(agent="bea", type="service", text="late " * 40)]
        push_events(store, life.clock, life.chance, events=other, bounds=Bounds())
        deps = life.dependencies(store, talker())
        think.think(deps, agent="bea", limits=CycleLimits())
    life.push("Which was it?")
    life.think(Scripted(PROGRAM, {}, otherwise=(search, Turn(text="Done."))))
    found, verdict = replayed(life.path)
    assert (found, verdict.lived) == ([], 3)
    with life.open() as store, store.read() as rows:
        assert "hits" in kinds_of(rows)


def test_a_task_that_another_gave_is_in_hand_again(life: Life) -> None:
    with life.open() as store:
        agents.new(store, life.clock, life.chance, name="bea", change=AgentChange())
        agents.set_(store, name=AGENT, change=AgentChange(preset="full"))
        made = NewTask(to=AGENT, text="Count.")
        tasks.add(store, life.clock, life.chance, agent="bea", new=made)
    life.push("What is to be done?")
    life.think(Scripted(PROGRAM, {}, otherwise=(Turn(text="Nothing."),)))
    found, verdict = replayed(life.path)
    assert (found, verdict.lived) == ([], 1)


def session(number: int, life: Life) -> WorkerSession:
    """Return a session of a loop on this machine, under way."""
    return WorkerSession(
        id=f"r_{number}",
        agent=AGENT,
        state=WorkerSessionState.RUNNING,
        pid=number,
        born="1",
        boot="b",
        program="1",
        schema=1,
        started=life.clock.now(),
    )


def test_sessions_on_its_machine_are_told_of_again(life: Life) -> None:
    """They are no part of a life, and a prompt tells of them."""
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(style="timeline"))
        for number in (1, 2):
            began = session(number, life)
            workers.begin(store, began)
            at, mode = life.clock.now(), LoopMode.NORMAL
            lived = Iteration(agent=AGENT, number=number, life=began.id, at=at, mode=mode)
            log.add_iteration(store, lived)
            life.clock.pass_time(60.0)
            if number == 1:
                workers.end(store, life.clock, run=began)
        push_events(
            *(store, life.clock, life.chance),
            events=[NewEvent(agent=AGENT, type="service", text="Go.")],
            bounds=Bounds(),
        )
        deps = life.dependencies(store, talker())
        prompts = replace(deps.prompts, recent=recent_past_of)
        think.think(replace(deps, prompts=prompts), agent=AGENT, limits=CycleLimits())
    assert "Session of" in str(life.rows("SELECT octets FROM blob"))
    found, verdict = replayed(life.path)
    assert (found, verdict.lived) == ([], 1)


def test_what_runs_at_the_same_time_is_given_whole(life: Life) -> None:
    """Of two operations in each other's midst one is lived again, and the other is as it was."""

    def meanwhile() -> None:
        life.think(talker())

    life.push("Go.")
    with pytest.raises(FencedError):
        life.think(talker(), dies=("ask.before_send", 1), meanwhile=meanwhile)
    live(life)
    found, verdict = replayed(life.path)
    assert found == []
    assert (verdict.cycles, verdict.equal) == (2, True)


def test_what_is_consolidated_in_the_midst_of_a_cycle_is_no_gap(life: Life) -> None:
    """The cycle goes on behind it, with more parts than it had by then; what is missing is told."""

    def meanwhile() -> None:
        with life.open() as store:
            said = NewItem(id="it_x", text="I live in Lisbon.", speaker="jo", origin="human")
            memory.add(store, life.clock, life.chance, agent=AGENT, given=[said])
            options = ConsolidateOptions(rules=SlotRules())
            recorder = life.recorder(store)
            list(consolidate_recorded(recorder, life.clock, agent=AGENT, options=options))

    life.push("Go.")
    life.think(talker(), dies=("ask.before_send", 2), meanwhile=meanwhile)
    live(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.cycles, verdict.equal) == ([], 2, True)
    gone = "(SELECT operation, max(part) FROM operation_part GROUP BY operation)"
    with life.open() as store, store.write() as rows:
        rows.run(f"DELETE FROM operation_part WHERE operation = 2 AND (operation, part) IN {gone}")
    (difference,), verdict = replayed(life.path)
    assert (difference.what, difference.operation) == ("record", 3)


@pytest.mark.parametrize("kind", ["now", "boot", "id", "reply", "price", "program", "counted"])
def test_a_kind_of_record_that_is_missing_is_told_where_it_is_missing(
    life: Life, kind: str
) -> None:
    for _ in range(3):
        live(life)

    def drop(told: TapePart) -> None:
        for queue in [one for one in told.heard if one.partition("/")[0] == kind]:
            del told.heard[queue]

    with life.open() as store, store.write() as rows:
        operation, part = kinds_of(rows)[kind]
        change_part(rows, operation, part, drop)
    (difference,), verdict = replayed(life.path)
    assert not verdict.equal
    assert (difference.operation, difference.cycle) == (operation, 3)
    assert difference.part == part
    assert kind in str(difference.now) or difference.what in {"rows", "prompt"}


@pytest.mark.parametrize("gone", [1, 2])
def test_an_operation_that_is_missing_is_told(life: Life, gone: int) -> None:
    for _ in range(3):
        live(life)
    with life.open() as store, store.write() as rows:
        rows.run("DELETE FROM operation WHERE number = :number", {"number": gone})
        rows.run("DELETE FROM operation_part WHERE operation = :number", {"number": gone})
    (difference,), verdict = replayed(life.path)
    assert (difference.what, difference.operation) == ("record", gone + 1)
    assert not verdict.equal


def test_a_changed_word_of_a_prompt_is_shown(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    live(life)
    live(life, "And now?")
    line = prompt.event_line
    monkeypatch.setattr(prompt, "event_line", lambda event: f"(quite new) {line(event)}")
    (difference,), verdict = replayed(life.path)
    assert (difference.what, difference.cycle, difference.operation) == ("prompt", 1, 1)
    assert any("quite new" in line for line in difference.diff)
    assert not verdict.equal


@pytest.mark.heavy
def test_what_comes_out_otherwise_by_rules_of_today_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each operation goes on from what was recorded before it."""
    life = FullLife(tmp_path / "life")
    for _ in range(6):
        life.day()
    found, verdict = replayed(life.path, goes_on=True)
    assert (found, verdict.different, verdict.equal) == ([], 0, True)
    monkeypatch.setattr(confidence, "BASE", confidence.BASE / 2)
    found, verdict = replayed(life.path, goes_on=True)
    assert {one.table for one in found if one.kind == "consolidate"} >= {"observation"}
    assert verdict.different == len({one.operation for one in found}) > 1
    assert (verdict.cycles, verdict.equal) == (6, False)


def test_a_changed_word_of_its_instructions_is_shown(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(life)
    monkeypatch.setattr(prompt, "INSTRUCTIONS", ("Be quite new.", *prompt.INSTRUCTIONS))
    (difference,), _ = replayed(life.path)
    assert (difference.what, difference.table) == ("prompt", "segment")
    # Of a long prompt the line alone that is another one.
    changed = [line for line in difference.diff if line[0] in "+-"]
    assert changed == ["--- head then", "+++ head now", "+  - Be quite new."]


@pytest.mark.heavy
def test_a_life_that_went_back_is_lived_again_with_what_it_left(life: Life) -> None:
    """The branches have other messages and cycles under the same numbers."""
    for text in ("One.", "Two.", "Three."):
        live(life, text)
    with life.open() as store:
        rewind(store, life.revoker, agent=AGENT, cycle=1)
    found, verdict = replayed(life.path)
    assert (found, verdict.cycles, verdict.lived) == ([], 1, 3)
    live(life, "Two again, and something else.")
    live(life, "Three again.")
    found, verdict = replayed(life.path)
    assert found == []
    assert (verdict.cycles, verdict.lived, verdict.equal) == (3, 5, True)
    with life.open() as store:
        last = list_(store, agent=AGENT)[-1].number
        rewind(store, life.revoker, agent=AGENT, branch=last)
    live(life, "Four.")
    found, verdict = replayed(life.path)
    assert found == []
    assert (verdict.cycles, verdict.lived, verdict.given_cycles) == (4, 6, 0)


def test_a_cycle_that_was_left_open_goes_on_where_it_is_taken_up(life: Life) -> None:
    live(life)
    life.push("Go on.")
    with pytest.raises(KilledError):
        life.think(talker(), dies=("turn.after_commit", 2))
    with life.open() as store:
        rewind(store, life.revoker, agent=AGENT, cycle=1)
        rewind(store, life.revoker, agent=AGENT, branch=list_(store, agent=AGENT)[-1].number)
    life.think(talker())
    live(life)
    found, verdict = replayed(life.path)
    assert (found, verdict.cycles, verdict.given_cycles) == ([], 3, 0)


def test_a_life_without_a_record_is_refused(life: Life) -> None:
    with pytest.raises(NothingToDoError, match="has lived no cycle yet"):
        replayed(life.path)
    live(life)
    with life.open() as store, store.write() as rows:
        rows.run("DELETE FROM operation_part")
        rows.run("DELETE FROM operation")
    with pytest.raises(RefusedError, match="nothing of what ava heard is recorded"):
        replayed(life.path)


def test_what_is_no_record_is_a_difference(life: Life) -> None:
    live(life)
    with life.open() as store, store.write() as rows:
        rows.run("UPDATE operation_part SET heard = x'00'")
    (difference,), _ = replayed(life.path)
    assert "a part of the record is" in str(difference.now)


def test_what_another_thread_does_outside_keeps_nothing_from_the_record(life: Life) -> None:
    entered, leave = threading.Event(), threading.Event()

    def outside() -> None:
        entered.set()
        assert leave.wait(60)

    setup = RuleSetup(
        store="", slots=None, windows=None, bounds=life.bounds, max_depth=1, rules=Raw(b"{}")
    )
    with (
        life.open() as store,
        life.recorder(store).operation(AGENT, "tried", AgentChange(), setup=setup) as record,
    ):
        other = threading.Thread(target=record.outside_of, args=(outside,))
        other.start()
        assert entered.wait(60)
        notes.set_(store, SystemClock(), agent=AGENT, key="one", value="Heard.")
        leave.set()
        other.join()
        with store.read() as rows:
            assert rows.value(int, "SELECT count(*) FROM operation_part") == 1
