"""Promises 3, 4, 5, 19 and 39: a worker dies at every failpoint, and the next one makes it good."""

import collections
import contextlib
import functools
import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.core.failpoints import FAILPOINTS
from mindpipe.core.tools import ToolManifest
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import make_clock
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from red import (
    effect_apart,
    key_with_attempt,
    said_at_once,
    sources_deleted_first,
    unsafe_runs_again,
)
from support.broken_builds import broken
from support.command import ROOT, Mind, looked_into, make_private
from support.histories import PROGRAM
from support.life import AGENT, KilledError, Life
from support.loopback.asking import Heard, model_at
from support.loopback.provider import Provider
from support.loopback.turns import Turn
from support.processes import Nursery
from support.proofs import proved, turned_red
from support.scripted_model import Scripted, call, calls
from support.server_stores import make_at, where_at
from support.validation import faults_of
from support.windows import Long

TOOLS = ("pure", "idempotent", "keyed", "unsafe")
STORE_TOOLS = 5
PLAYS = {
    "all": (
        calls(
            call("send_message", text="Hi", space="family"),
            *[call(tool) for tool in TOOLS],
            call("set_goal", text="Win"),
            text="Go.",
        ),
        calls(
            call("set_memory", key="tea", value="green"),
            call("keyed"),
            call("send_message", text="Done", space="family"),
            call("done", summary="All done."),
        ),
    ),
    "words": (Turn(text="Nothing to do."),),
    "skip": (calls(call("skip")),),
}
# How often each failpoint is passed by a worker that lives the play `all`.
PASSAGES = {
    **{"claim.before_commit": 1, "claim.after_commit": 1, "reserve.after_commit": 2},
    **{"ask.before_send": 2, "ask.after_reply": 2},
    **{"record.before_commit": 2, "record.after_commit": 2},
    **{"act.before_started": 5, "act.after_started": 5, "act.after_effect": 5},
    **{"act.before_done": 5, "act.after_done": 5},
    **{"store_tool.before_commit": STORE_TOOLS, "store_tool.after_commit": STORE_TOOLS},
    **{"turn.before_commit": 2, "turn.after_commit": 2},
}
EVERY = [(point, passage) for point, times in PASSAGES.items() for passage in range(1, times + 1)]
# Where a failpoint outside the cycle is proved.
ELSEWHERE = {
    "checkpoint.before_commit": "tests/promises/test_recovery_crashes.py",
    "fork.before_published": "tests/promises/test_rewinds.py",
    "export.after_leaving": "tests/promises/test_rewinds.py",
    "import.before_commit": "tests/promises/test_rewinds.py",
    "import.after_commit": "tests/promises/test_rewinds.py",
    "rewind.before_commit": "tests/promises/test_rewinds.py",
    "rewind.after_commit": "tests/promises/test_rewinds.py",
    "redact.before_commit": "tests/promises/test_rewinds.py",
    "redact.after_commit": "tests/promises/test_rewinds.py",
    "observe.before_commit": "tests/observers/test_real_folder.py",
    "observe.after_commit": "tests/observers/test_real_folder.py",
    "join.before_commit": "tests/think/test_joining.py",
    "join.after_commit": "tests/think/test_joining.py",
    "push.before_commit": "tests/promises/test_storm.py",
    "push.after_commit": "tests/promises/test_storm.py",
    "print.before_flush": "tests/promises/test_storm.py",
    "reply.before_commit": "tests/promises/test_waits.py",
    "decide.before_commit": "tests/promises/test_approvals.py",
    "decide.after_commit": "tests/promises/test_approvals.py",
    "judge.before_commit": "tests/promises/test_decisions.py",
    "judge.after_commit": "tests/promises/test_decisions.py",
    "decision.before_commit": "tests/promises/test_decisions.py",
    "decision.after_commit": "tests/promises/test_decisions.py",
    "settle.before_commit": "tests/promises/test_decisions.py",
    "settle.after_commit": "tests/promises/test_decisions.py",
    "escalate.before_call": "tests/promises/test_decisions.py",
    "escalate.after_call": "tests/promises/test_decisions.py",
    "task.before_send": "tests/promises/test_tasks.py",
    "task.after_send": "tests/promises/test_tasks.py",
    "task.after_start": "tests/promises/test_tasks.py",
    "task.before_begin": "tests/promises/test_tasks.py",
    "task.after_begin": "tests/promises/test_tasks.py",
    "task.after_report": "tests/promises/test_tasks.py",
    "task.before_outcome": "tests/promises/test_tasks.py",
    "task.after_outcome": "tests/promises/test_tasks.py",
    "task.before_escalate": "tests/promises/test_tasks.py",
    "ticket_run.before_running": "tests/promises/test_approvals.py",
    "ticket_run.after_running": "tests/promises/test_approvals.py",
    "ticket_run.before_outcome": "tests/promises/test_approvals.py",
    "ticket_run.after_outcome": "tests/promises/test_approvals.py",
    "live.before_commit": "tests/promises/test_persons.py",
    "live.after_commit": "tests/promises/test_persons.py",
    "consolidate.before_publish": "tests/promises/test_consolidation.py",
    "consolidate.after_publish": "tests/promises/test_consolidation.py",
    "init.before_commit": "tests/store/test_copies.py",
    "migrate.mid": "tests/store/test_migrations.py",
    "migrate.after_commit": "tests/store/test_migrations.py",
    "backup.mid": "tests/store/test_copies.py",
    "restore.mid": "tests/store/test_copies.py",
    **dict.fromkeys(
        (point for point in FAILPOINTS if point.startswith("move.")),
        "tests/store/test_server_moves.py",
    ),
    "recover.after_check": "tests/promises/test_recovery_crashes.py",
    "recover.mid": "tests/promises/test_recovery_crashes.py",
}
PUBLISHING = ("compact.before_publish", "compact.after_publish")
HERE = ("ticket.after_commit", "ask.mid_stream", *PUBLISHING)


def test_no_failpoint_of_the_table_is_left_out() -> None:
    assert set(FAILPOINTS) == {*PASSAGES, *ELSEWHERE, *HERE}
    for point, place in ELSEWHERE.items():
        assert f'"{point}' in (ROOT / place).read_text(), f"{place} does not reach {point}"


def test_an_undisturbed_worker_passes_every_failpoint_of_the_cycle(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play all")
    assert life.think(Scripted(PROGRAM, PLAYS)).outcome == "done"
    assert life.passed == PASSAGES


def recover(life: Life, model: Scripted) -> list[str]:
    """Let workers come until nothing is due; return what their cycles came to."""
    outcomes = []
    with contextlib.suppress(NothingToDoError):
        while True:
            outcomes.append(life.think(model).outcome)
    return outcomes


def dies_once(life: Life, point: str, passage: int = 1) -> list[str]:
    """Live the play `all` with a worker that dies, and then with others."""
    model = Scripted(PROGRAM, PLAYS)
    life.push("play all")
    with pytest.raises(KilledError):
        life.think(model, dies=(point, passage))
    assert (faults_of(life.where), forgotten(life)) == ([], 0)
    return recover(life, model)


def forgotten(life: Life) -> int:
    """Return how many messages more everybody can read than the agent itself remembers."""
    return int(str(life.value(SAID))) - int(str(life.value(REMEMBERED)))


def made(life: Life) -> dict[str, object]:
    """Return what the store tools made, and what is left over."""
    return {
        "posts": life.value("SELECT count(*) FROM post WHERE state = 'visible'"),
        "held": life.value("SELECT count(*) FROM post WHERE state = 'held'"),
        "goals": life.value("SELECT count(*) FROM goal"),
        "notes": life.value("SELECT count(*) FROM note"),
        "open cycles": life.value("SELECT count(*) FROM cycle WHERE state = 'open'"),
        "reserved": life.value("SELECT count(*) FROM ledger WHERE state = 'reserved'"),
        "leases": life.value("SELECT count(*) FROM agent_lease WHERE owner IS NOT NULL"),
    }


RIGHT = {"posts": 2, "goals": 1, "notes": 1} | {
    "held": 0,
    "open cycles": 0,
    "reserved": 0,
    "leases": 0,
}
RISKY = {"act.after_started", "act.after_effect", "act.before_done"}
SAID = "SELECT count(*) FROM post WHERE state = 'visible'"
REMEMBERED = (
    "SELECT count(*) FROM message, json_each(message.parts) AS part "
    "WHERE role = 'assistant' AND part.value ->> '$.tool' = 'send_message'"
)
UNSAFE_PASSAGE = TOOLS.index("unsafe") + 1


@pytest.mark.parametrize(("point", "passage"), EVERY)
def test_a_worker_dies_anywhere_and_the_next_makes_it_good(
    point: str, passage: int, tmp_path: Path
) -> None:
    life = Life(tmp_path / "life")
    outcomes = dies_once(life, point, passage)
    closed = point == "turn.after_commit" and passage == 2
    assert outcomes == ([] if closed else ["done"])
    assert made(life) == RIGHT
    assert life.rows("SELECT state, outcome FROM event") == [("done", "handled")]
    doubtful = point in RISKY and passage == UNSAFE_PASSAGE
    unknown = life.rows("SELECT id FROM call WHERE state = 'unknown'")
    assert len(unknown) == doubtful
    assert unknown == life.rows("SELECT call FROM ticket WHERE state = 'open'")
    again = point in RISKY - {"act.after_started"}
    runs = {tool: life.sink.times(tool) for tool in TOOLS}
    expected = {"pure": 1, "idempotent": 1, "keyed": 2, "unsafe": 1}
    if again and not doubtful:
        expected[(*TOOLS, "keyed")[passage - 1]] += 1
    expected["unsafe"] -= point == "act.after_started" and doubtful
    assert runs == expected
    assert len(life.sink.keys("keyed")) == 2
    assert faults_of(life.where) == []
    proved(3, kills=1, re_attempts=int(again and not doubtful), second_effects=0)
    proved(4, kills=1, second_runs=0, doubts_with_ticket=int(doubtful))
    proved(5, kills=1, differing=0)
    said, remembered = life.value(SAID), life.value(REMEMBERED)
    assert said == remembered == RIGHT["posts"]
    proved(39, kills=1, said=said, remembered=remembered)


def poisons() -> list[object]:
    """Return what kills each worker, and in which play; the nightly tier has all pairs."""
    points = [*PASSAGES, "every one in turn"]
    often = {"claim.after_commit", "record.after_commit", "turn.before_commit", points[-1]}
    return [
        pytest.param(play, point, marks=() if quick else pytest.mark.long, id=f"{play}, {point}")
        for play in PLAYS
        for point in points
        for quick in [play == "all" or (play == "words" and point in often)]
    ]


@pytest.mark.parametrize(("play", "point"), poisons())
def test_a_poison_event_dies_after_five_claims_and_the_next_is_handled(
    play: str, point: str, tmp_path: Path
) -> None:
    life, model = Life(tmp_path / "life"), Scripted(PROGRAM, PLAYS)
    life.push(f"play {play}")
    points = iter(list(PASSAGES) * 2)
    for _ in range(6):
        with contextlib.suppress(KilledError, NothingToDoError):
            dies = next(points) if point == "every one in turn" else point
            life.think(model, dies=(dies, 1))
    life.push("play words")
    recover(life, model)
    first, second = life.rows("SELECT state, attempts FROM event")
    assert first[0] == "done" or first == ("dead", 5)
    assert second[0] == "done"
    left = made(life)
    assert (left["open cycles"], left["reserved"], left["leases"], left["held"]) == (0, 0, 0, 0)
    assert life.sink.times("unsafe") <= 1
    states = "SELECT DISTINCT state FROM call"
    assert {"planned", "started"}.isdisjoint(state for (state,) in life.rows(states))
    assert faults_of(life.where) == []


def test_a_crash_right_after_a_ticket_leaves_one_ticket(tmp_path: Path) -> None:
    life, model = Life(tmp_path / "life"), Scripted(PROGRAM, PLAYS)
    life.push("play all")
    for dies in (("act.after_effect", UNSAFE_PASSAGE), ("ticket.after_commit", 1)):
        with pytest.raises(KilledError):
            life.think(model, dies=dies)
    assert recover(life, model) == ["done"]
    assert life.value("SELECT count(*) FROM ticket") == 1
    assert (life.sink.times("unsafe"), made(life)) == (1, RIGHT)
    told = life.value("SELECT result ->> '$.text' FROM call WHERE state = 'unknown'")
    assert "It is not known whether this ran" in str(told)


def test_a_build_whose_key_names_the_attempt_makes_a_second_effect(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with broken(key_with_attempt.PATCHES):
        dies_once(life, "act.after_effect", TOOLS.index("keyed") + 1)
    assert len(life.sink.keys("keyed")) == 3
    turned_red(3, "key_with_attempt", second_effects=1)


def test_a_build_that_runs_unsafe_tools_again_runs_one_twice(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with broken(unsafe_runs_again.PATCHES):
        dies_once(life, "act.after_effect", UNSAFE_PASSAGE)
    assert life.sink.times("unsafe") == 2
    turned_red(4, "unsafe_runs_again", second_runs=1)


def test_a_build_with_effect_and_journal_apart_makes_a_row_too_many(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    with broken(effect_apart.PATCHES):
        dies_once(life, "store_tool.before_commit", 2)
    assert made(life)["goals"] == 2
    turned_red(5, "effect_apart", rows_too_many=1)


def test_a_build_that_sends_at_the_tool_says_what_it_does_not_remember(tmp_path: Path) -> None:
    life = Life(tmp_path / "life")
    life.push("play all")
    with broken(said_at_once.PATCHES), pytest.raises(KilledError):
        life.think(Scripted(PROGRAM, PLAYS), dies=("turn.before_commit", 1))
    assert forgotten(life) == 1
    turned_red(39, "said_at_once", not_remembered=1)


def folds(life: Long, how: str) -> Callable[[str | None], object]:
    """Return what changes the window of a life; it dies at a failpoint, if one is named."""
    if how == "after a cycle":
        change = AgentChange(max_tokens=1000, min_recent_cycles=1, min_saving=0)
        with life.open() as store:
            agents.set_(store, name=AGENT, change=change)
        return lambda point: life.live(dies=(point, 1) if point else None)
    applies = functools.partial(life.apply, life.plan(keep_cycles=2))
    return lambda point: life.dying(point, applies if how == "applied" else life.undo)


@pytest.mark.heavy
@pytest.mark.parametrize("how", ["applied", "undone", "after a cycle"])
@pytest.mark.parametrize("point", PUBLISHING)
def test_a_window_is_folded_whole_or_not_at_all(how: str, point: str, tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 8)
    life.fold(keep_cycles=4)
    before, changes, log = life.sent(), life.value(CHANGES), life.log()
    does = folds(life, how)
    with pytest.raises(KilledError):
        does(point)
    published, between = point == "compact.after_publish", life.sent()
    assert (life.value(CHANGES), life.value(OPENED)) == (changes + published,) * 2
    assert between.startswith(before) != published
    assert (life.log().startswith(log), faults_of(life.where)) == (True, [])
    if not published:
        does(None)
    assert (life.value(CHANGES), life.value(OPENED)) == (changes + 1,) * 2
    assert not life.sent().startswith(before)
    life.live()
    assert (life.log().startswith(log), faults_of(life.where)) == (True, [])
    proved(19, kills=1, between=0, sources_lost=0)


CHANGES = "SELECT count(*) FROM compaction"
OPENED = "SELECT count(*) FROM segment WHERE reason IN ('compaction', 'undo')"


def test_a_build_that_deletes_before_it_publishes_loses_sources(tmp_path: Path) -> None:
    life = Long(tmp_path / "life", 8)
    log, does = life.log(), folds(life, "applied")
    with broken(sources_deleted_first.PATCHES), pytest.raises(KilledError):
        does("compact.before_publish")
    lost = len(log.splitlines()) - len(life.log().splitlines())
    assert (lost > 0, life.value(CHANGES)) == (True, 0)
    assert faults_of(life.where) != []
    turned_red(19, "sources_deleted_first", sources_lost=lost)


CALLS = json.dumps(
    {
        "tool_calls": [
            {"name": "send_message", "arguments": {"text": "Hi"}},
            *[{"name": tool, "arguments": {}} for tool in TOOLS],
        ]
    }
)
DONE = json.dumps({"tool_calls": [{"name": "done", "arguments": {"summary": "All done."}}]})
MODEL = f"""#!/bin/sh
end=$(tail -c 6000)
case "${{end##*'"role":"'}}" in
tool*) echo '{DONE}' ;;
*) echo '{CALLS}' ;;
esac
"""


def settle(folder: Path) -> None:
    """Make a store, a model, four tools that write into a sink, and an agent for each failpoint."""
    scripts = {"answer": MODEL}
    for tool in TOOLS:
        scripts[tool] = f'#!/bin/sh\necho "$MIND_AGENT {tool} $IDEMPOTENCY_KEY" >> {folder}/sink\n'
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o700)
    change = AgentChange(
        tools=tuple(
            ToolManifest(
                name=tool, description="A tool.", command=(str(folder / tool),), effect=tool
            )
            for tool in TOOLS
        )
    )
    clock, chance = make_clock(None), make_chance(None)
    with contextlib.closing(make_at(folder / "mind.db", clock, chance)) as store:
        for number in range(len(PASSAGES)):
            agent, space = f"a{number}", f"s{number}"
            agents.new(store, clock, chance, name=agent, change=change)
            spaces.new(store, clock, name=space)
            spaces.join(
                store, clock, chance, space=space, who=NewSpaceEntity(name=agent, kind="agent")
            )
            event = NewEvent(agent=agent, type="space_message", text="Hello", space=space)
            push_events(store, clock, chance, events=[event], bounds=Bounds())


@pytest.mark.heavy
def test_real_workers_die_at_every_failpoint_and_real_ones_take_over(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "life")
    mind = Mind(folder)
    settle(folder)
    with contextlib.closing(Nursery(folder)) as nursery:
        for number, (point, times) in enumerate(PASSAGES.items()):
            think = ["think", "--agent", f"a{number}", "--model", "program:./answer"]
            # The lease of the one that dies is over at once, so that nobody has to wait for it.
            passage = UNSAFE_PASSAGE if times == len(TOOLS) + 1 and point in RISKY else 1
            short = {"MIND_INBOX_LEASE_SECONDS": "0.001"}
            failing = {**mind.failing(f"{point}:kill@{passage}"), **short}
            born = nursery.start(think, folder / f"out{number}", failing)
            assert (point, born.status()) == (point, -signal.SIGKILL)
            (report,) = nursery.run(*think)
            assert (point, report["outcome"]) == (point, "done")
    check_sink(folder)
    assert faults_of(where_at(folder / "mind.db")) == []


def check_sink(folder: Path) -> None:
    """Check what the tools did, as they themselves saw it, against the journal."""
    with looked_into(folder) as store:
        execute = store.execute
        events = {state for (state,) in execute("SELECT state FROM event")}
        posts = dict(execute("SELECT sender, count(*) FROM post GROUP BY sender"))
        states = collections.Counter(
            state for (state,) in execute("SELECT state FROM call WHERE tool = 'unsafe'")
        )
        tickets = list(execute("SELECT count(*) FROM ticket WHERE state = 'open'"))
    names = {f"a{number}" for number in range(len(PASSAGES))}
    assert events == {"done"}
    assert posts == dict.fromkeys(names, 1)
    lines = (folder / "sink").read_text().split("\n")[:-1]
    runs = collections.Counter((tool, key) for _, tool, key in map(str.split, lines))
    assert max(times for (tool, _), times in runs.items() if tool == "unsafe") == 1
    assert sum(tool == "keyed" for tool, _ in runs) == len(names)
    assert max(times for (tool, _), times in runs.items() if tool != "unsafe") >= 1
    assert states == {"done": len(names) - len(RISKY), "unknown": len(RISKY)}
    assert tickets == [(len(RISKY),)]


def test_a_worker_dies_in_the_middle_of_a_stream(tmp_path: Path, provider: Provider) -> None:
    life = Life(tmp_path / "life")
    life.preview = Heard()
    provider.answers(Turn(text="Cut off."), Turn(text="Whole."))
    model = model_at(provider, "anthropic/claude-haiku-4-5")
    life.push("Hello")
    with pytest.raises(KilledError):
        life.think(model, dies=("ask.mid_stream", 4))
    assert life.preview.texts != []
    assert life.value("SELECT count(*) FROM message") == 0
    report = life.think(model)
    assert (report.outcome, report.summary) == ("done", "Whole.")
    assert len(provider.requests) == 2
    assert provider.requests[0].body == provider.requests[1].body
