"""Promise 41, section by section: what a crash leaves is found, mended and remembered."""

import contextlib
import json
import os
import signal
import sqlite3

import pytest

from mindpipe.core.errors import TemporaryError
from mindpipe.core.records import Migration
from mindpipe.io.clock import make_clock
from mindpipe.io.processes import born_of
from mindpipe.store import recovery_log
from mindpipe.store.migrations import migrations
from mindpipe.store.verbs import store
from promises.test_recovery import ENTERED, NOW, ended, witness
from support.command import Mind
from support.lasting_worker import Household, answers_at_once, calls_a_tool, household
from support.processes import Nursery

pytestmark = [
    pytest.mark.of_a_file,
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
    ),
]


def crash(home: Household, failpoint: str = "claim.after_commit") -> None:
    """Let a worker that stays die in a cycle."""
    worker = home.run(environment=Mind(home.folder).failing(f"{failpoint}:kill"))
    assert worker.status() == -signal.SIGKILL, worker.words()


def memories(home: Household) -> list[tuple]:
    """Return what agents were told of crashes."""
    return home.rows("SELECT key, priority, text FROM event WHERE source = 'recovery' ORDER BY seq")


def test_a_crash_is_mended_and_remembered_by_the_next_worker(mind: Mind) -> None:
    with household(mind.folder) as home:
        home.push()
        first = home.run()
        home.asks()
        first.kill(signal.SIGKILL)
        first.status()
        ((life,),) = home.rows("SELECT id FROM run WHERE state = 'running'")
        second = home.run("--cycles", "2", environment={"MIND_INBOX_MAX_BYTES": "100"})
        assert second.status() == 0, second.words()
        assert "recovered: crash: ava" in second.words()
        ((key, priority, text),) = memories(home)
        assert (key, priority) == (life, 1)
        assert "Under way: cycle 1: asking the model, turn 1." in text
        assert home.rows("SELECT state FROM run ORDER BY started, state DESC") == [
            ("crashed",),
            ("clean",),
        ]
        # The lease of the dead one would have held for a minute.
        assert [report["cycle"] for report in second.records()] == [1, 2]
        assert home.rows("SELECT DISTINCT state FROM event") == [("done",)]
        assert home.rows("SELECT state FROM ledger ORDER BY turn, attempt LIMIT 2") == [
            ("lost",),
            ("settled",),
        ]


def test_a_crash_says_what_is_done_and_what_is_unknown(mind: Mind) -> None:
    with household(mind.folder) as home:
        calls_a_tool(home)
        home.push()
        first = home.run()
        home.asks()
        first.kill(signal.SIGKILL)
        first.status()
        home.nursery.run("store", "recover")
        ((_, _, text),) = memories(home)
        assert "doing what the model asked for, turn 1" in text
        assert "Not known whether it ran: slow." in text


@pytest.mark.parametrize("lie", ["pid", "boot"])
def test_a_number_that_was_used_again_is_another_process(lie: str, mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        live = home.run()
        home.wait_until(live, home.is_idle)
        findings = {one["check"]: one["found"] for one in home.nursery.run("store", "check")}
        assert findings["workers"] == f"ava pid {live.pid}"
        assert findings["crashed workers"] == "0"
        # As a process that ended would look whose number a later one got, this test's own.
        if lie == "pid":
            home.change("UPDATE run SET pid = ?", os.getpid())
        else:
            home.change("UPDATE run SET boot = 'another'")
        findings = {one["check"]: one["found"] for one in home.nursery.run("store", "check")}
        # Its process is there, and lives nobody as far as is known.
        assert findings["workers"].startswith(f"ava pid {live.pid} of ")
        assert " waits since " in findings["workers"]
        assert findings["crashed workers"].startswith("ava pid")
        live.kill(signal.SIGTERM)
        assert live.status() == 0


def test_a_process_is_told_from_one_that_ended_but_was_not_reaped() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert born_of(child) is None
    os.waitpid(child, 0)
    assert born_of(child) is None
    assert born_of(os.getpid()) is not None


@pytest.mark.heavy
def test_three_crashes_on_one_event_let_it_die_and_the_next_is_handled(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push("poison")
        for _ in range(3):
            crash(home)
        home.push("innocent")
        last = home.run("--once")
        assert last.status() == 0, last.words()
        assert home.rows("SELECT text, state FROM event WHERE source = 'operator'") == [
            ("poison", "dead"),
            ("innocent", "done"),
        ]
        assert len(memories(home)) == 3
        assert "Dead after 3 crashes" in memories(home)[-1][2]


@pytest.mark.heavy
def test_five_crashes_in_half_an_hour_need_a_person(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        for number in range(5):
            home.push(f"event {number}")
            crash(home)
        refused = home.run("--once")
        assert refused.status() == 75
        assert "mind.db is in RECOVERY (5 crashes within 30 minutes)" in refused.words()
        before = witness(mind.folder)
        push = ("inbox", "push", "--agent", "ava", "--text", "Hello")
        status, words = ended(home.nursery, mind.folder, *push)
        assert (status, "RECOVERY" in words) == (75, True)
        assert witness(mind.folder) == before
        status, words = ended(home.nursery, mind.folder, "store", "recover")
        assert (status, "--resume" in words) == (75, True)
        home.nursery.run("store", "recover", "--resume")
        again = home.run("--once")
        assert again.status() == 0, again.words()
        assert home.rows("SELECT count(*) FROM run WHERE state = 'crashed'") == [(5,)]
        firing = home.rows("SELECT severity FROM alert WHERE metric = 'recent_crashes'")
        assert sorted(firing) == [("critical",), ("warning",)]
        # Those before the person looked do not count again.
        home.push("one more")
        crash(home)
        assert home.run("--once").status() == 0


@pytest.mark.heavy
def test_five_agents_that_are_killed_at_once_need_nobody(mind: Mind) -> None:
    others = [f"agent-{number}" for number in range(4)]
    options = ["--together", *[word for name in others for word in ("--agent", name)]]
    with household(mind.folder) as home:
        answers_at_once(home)
        for name in others:
            home.nursery.run("agent", "new", name)
        worker = home.run(*options)
        running = "SELECT count(*) FROM run WHERE state = 'running'"
        home.wait_until(worker, lambda: home.rows(running) == [(5,)])
        worker.kill(signal.SIGKILL)
        worker.status()
        again = home.run(*options, "--once")
        assert again.status() == 0, again.words()
        assert home.rows("SELECT count(*) FROM run WHERE state = 'crashed'") == [(5,)]


@pytest.mark.parametrize("failpoint", ["recover.after_check", "recover.mid"])
def test_a_recovery_that_is_killed_is_simply_repeated(failpoint: str, mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        crash(home, "record.after_commit")
        failing = mind.failing(f"{failpoint}:kill")
        killed = home.nursery.start(["store", "recover"], mind.folder / "killed", failing)
        assert killed.status() == -signal.SIGKILL
        ended(home.nursery, mind.folder, "store", "recover")
        assert len(memories(home)) == 1
        assert home.rows("SELECT state FROM run") == [("crashed",)]
        assert home.run("--once").status() == 0
        assert home.rows("SELECT count(*) FROM message WHERE role = 'assistant'") == [(2,)]


def test_a_worker_that_dies_over_its_checkpoint_leaves_all_else_as_it_was(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        crash(home, "checkpoint.before_commit")
        assert home.rows("SELECT count(*) FROM session") == [(0,)]
        # What the iteration did is there; only that it was one is lost with the checkpoint.
        assert home.rows("SELECT state, (SELECT count(*) FROM iteration) FROM event") == [
            ("done", 0)
        ]
        last = home.run("--once")
        assert last.status() == 0, last.words()
        assert "recovered: session: ava, made anew from the log, iteration 0" in last.words()
        assert home.rows("SELECT DISTINCT state FROM event") == [("done",)]
        assert home.rows("SELECT count(*) FROM session") == [(1,)]


def test_a_restored_store_waits_for_a_person(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        live = home.run()
        home.wait_until(live, home.is_idle)
        home.nursery.run("store", "backup", "copy.db")
        restore = ["store", "restore", "copy.db", "--accept-loss-since", NOW, "--store", "new.db"]
        status, words = ended(home.nursery, mind.folder, *restore)
        assert (status, "new.db is in RECOVERY" in words) == (0, True)
        new = ["--store", "new.db"]
        status, words = ended(
            home.nursery, mind.folder, "note", "set", "--agent", "ava", "a", "b", *new
        )
        assert (status, "restored from copy.db" in words) == (75, True)
        assert ended(home.nursery, mind.folder, "store", "recover", *new)[0] == 75
        home.nursery.run("store", "recover", "--resume", *new)
        home.nursery.run("note", "set", "--agent", "ava", "a", "b", *new)
        # The run that the backup saw is that of the first store.
        findings = {one["check"]: one["found"] for one in home.nursery.run("store", "check", *new)}
        assert (findings["workers"], findings["crashed workers"]) == ("none", "0")
        live.kill(signal.SIGTERM)
        assert live.status() == 0


def test_a_restored_store_that_was_moved_waits_for_a_person_too(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    mind("store", "backup", "copy.db")
    restore = ("store", "restore", "copy.db", "--accept-loss-since", NOW, "--store", "new.db")
    mind(*restore)
    (mind.folder / "new.db").rename(mind.folder / "moved.db")
    moved = ("--store", "moved.db")
    for _ in range(2):
        refused = mind.run("note", "set", "--agent", "ava", "a", "b", *moved)
        assert refused.words.endswith("Run mind store recover --resume.\n")
        assert (refused.status, "no moved.db.recovery.jsonl says" in refused.words) == (75, True)
        assert mind.run("agent", "list", *moved).status == 0
    mind("store", "recover", "--resume", *moved)
    mind("note", "set", "--agent", "ava", "a", "b", *moved)


def test_a_salvaged_store_that_was_moved_waits_for_a_person_too(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    mind("store", "recover", "--salvage", "new.db")
    (mind.folder / "new.db").rename(mind.folder / "moved.db")
    moved = ("--store", "moved.db")
    refused = mind.run("note", "set", "--agent", "ava", "a", "b", *moved)
    assert (refused.status, "no moved.db.recovery.jsonl says" in refused.words) == (75, True)
    mind("store", "recover", "--resume", *moved)
    mind("note", "set", "--agent", "ava", "a", "b", *moved)


def test_damage_that_a_command_meets_puts_the_store_into_recovery(mind: Mind) -> None:
    with contextlib.closing(Nursery(mind.folder)) as nursery:
        nursery.run("init", "--agent", "ava")
        nursery.run("inbox", "push", "--agent", "ava", "--text", "Hello")
        path = mind.folder / "mind.db"
        octets = bytearray(path.read_bytes())
        octets[4096:] = bytes(len(octets) - 4096)
        path.write_bytes(octets)
        before = witness(mind.folder)
        assert ended(nursery, mind.folder, "agent", "new", "zoe")[0] == 74
        assert recovery_log.read(path).entered is not None
        assert ended(nursery, mind.folder, "agent", "new", "zoe")[0] in (74, 75)
        # However often somebody tries, the first copy stays.
        for _ in range(2):
            status, words = ended(nursery, mind.folder, "store", "recover")
            assert status == 74, words
            assert "--salvage" in words
            assert witness(mind.folder) == before
        (kept,) = mind.folder.glob("mind.db.quarantine-*Z")
        assert kept.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("command", [("store", "check"), ("store", "recover")])
@pytest.mark.parametrize("copied", [False, True], ids=["opened", "copied without reserve"])
@pytest.mark.parametrize(
    ("damaged", "words", "found"),
    [
        ("event_key", (b"morning", b"evening"), "missing from index event_key"),
        ("message", (b"Hello", b"Howdy"), "history chain: "),
    ],
)
def test_what_only_a_whole_check_finds_ends_writing(
    damaged: str,
    words: tuple[bytes, bytes],
    found: str,
    *,
    copied: bool,
    command: tuple[str, str],
    mind: Mind,
) -> None:
    mind("init", "--agent", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", "Hello", "--key", "morning")
    said = {"messages": [{"role": "user", "content": "Hello"}]}
    mind("history", "import", "--agent", "ava", "--format", "openai-chat", stdin=json.dumps(said))
    path = mind.folder / "mind.db"
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        (page,) = store.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (damaged,))
    if copied:
        path.with_name("mind.db.reserve").unlink()
    octets = path.read_bytes()
    begin, end = (page[0] - 1) * 4096, page[0] * 4096
    assert words[0] in octets[begin:end]
    path.write_bytes(octets[:begin] + octets[begin:end].replace(*words) + octets[end:])
    checked = mind.run(*command)
    assert (checked.status, found in checked.words) == (74, True), checked.words
    refused = mind.run("inbox", "push", "--agent", "ava", "--text", "Again")
    assert (refused.status, "is in RECOVERY (it fails its check" in refused.words) == (75, True)
    # It can still be read, and is the same however often somebody looks.
    assert mind.run(*command).status == 74
    assert len(mind("inbox", "list", "--agent", "ava").records()) == 1


def test_an_error_that_no_fresh_connection_confirms_changes_nothing(mind: Mind) -> None:
    mind("init")
    (mind.folder / "notes.txt").write_text("no store at all, and longer than a header " * 9)
    (mind.folder / "notes.txt").chmod(0o600)
    assert mind.run("agent", "list", "--store", "notes.txt").status == 74
    assert not (mind.folder / "notes.txt.recovery.jsonl").exists()
    assert not (mind.folder / "mind.db.recovery.jsonl").exists()


def test_a_torn_line_of_the_log_is_passed_over_and_reported(mind: Mind) -> None:
    mind("init", "--agent", "ava")
    log = mind.folder / "mind.db.recovery.jsonl"
    left = {"at": NOW, "state": "left", "cause": "check", "why": "mind store recover"}
    log.write_text(json.dumps(left) + '\n{"at":"2026-11-21T20:00:00Z","state":"ent')
    log.chmod(0o600)
    mind("note", "set", "--agent", "ava", "tea", "green")
    findings = {one["check"]: one for one in mind("store", "check").records()}
    assert "is torn" in findings["recovery"]["found"]
    recovery_log.note(mind.folder / "mind.db", ENTERED)
    assert mind.run("note", "set", "--agent", "ava", "tea", "red").status == 75
    log.write_text("nonsense\n")
    assert mind.run("note", "set", "--agent", "ava", "tea", "red").status == 75


def test_a_search_index_that_lost_words_is_made_again(mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        assert home.run("--once").status() == 0
        home.change("INSERT INTO message_text(message_text) VALUES('delete-all')")
        search = ["history", "search", "--agent", "ava", "morning"]
        with pytest.raises(AssertionError, match="nothing found"):
            home.nursery.run(*search)
        steps = {one["check"]: one for one in home.nursery.run("store", "recover")}
        ((messages,),) = home.rows("SELECT count(*) FROM message")
        assert steps["search index"]["found"] == f"{messages} put right"
        assert len(home.nursery.run(*search)) == 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE cycle SET cost_micros = 7", "sums of the ledger: 1: ava 1"),
        ("UPDATE event SET state = 'leased', owner = NULL", "owner of leased events: 1: e_"),
    ],
)
def test_rows_that_cannot_be_keep_a_store_in_recovery(change: str, named: str, mind: Mind) -> None:
    with household(mind.folder) as home:
        answers_at_once(home)
        home.push()
        assert home.run("--once").status() == 0
        home.change(change)
        status, words = ended(home.nursery, mind.folder, "store", "recover", "--resume")
        assert (status, named in words) == (74, True), words
        assert ended(home.nursery, mind.folder, "note", "set", "--agent", "ava", "a", "b")[0] == 75


def test_a_migration_waits_for_the_workers_of_an_older_program(
    mind: Mind, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = (*migrations(), Migration(name="9999_more", sql="CREATE TABLE more(a) STRICT"))
    monkeypatch.setattr(store, "migrations", lambda: newer)
    with household(mind.folder) as home:
        answers_at_once(home)
        live = home.run()
        home.wait_until(live, home.is_idle)
        path, clock = mind.folder / "mind.db", make_clock(None)
        with pytest.raises(TemporaryError, match=f"pid {live.pid}"):
            store.migrate(path, clock)
        live.kill(signal.SIGTERM)
        assert live.status() == 0
        newer = (*migrations(), Migration(name="9999_more", sql="CREATE TABLE more(a INT) STRICT"))
        monkeypatch.setattr(store, "migrations", lambda: newer)
        assert store.migrate(path, clock).applied == ("9999_more",)
