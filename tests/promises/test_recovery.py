"""Promise 41 and section 11: a crash is found, mended and remembered; RECOVERY writes nothing."""

import contextlib
import hashlib
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from mindpipe.store import recovery_log
from mindpipe.store.recovery_log import RecoveryPassage
from mindpipe_cli.commands import every_command
from support.command import SECONDS, Mind
from support.lasting_worker import Household, answers_at_once, household
from support.processes import Nursery
from support.proofs import proved, turned_red

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.of_a_file,
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
    ),
]

NOW = "2026-11-21T20:00:00Z"
RESTING = 50
ENTERED = RecoveryPassage(at=NOW, state="entered", cause="check", why="it fails its check: a test")
# Those that write to a store, each with arguments under which it would.
WRITING = {
    "agent new": ["zoe"],
    "agent set": ["ava", "--name", "Ava"],
    "agent trust": ["add", "ava", "mail"],
    "agent fork": ["ava", "zoe"],
    "inbox push": ["--agent", "ava", "--text", "Hello"],
    "inbox claim": ["--agent", "ava"],
    "life redact": ["ava"],
    "life rewind": ["ava", "--to", "1"],
    "inbox ack": ["{event}", "--epoch", "1"],
    "inbox release": ["{event}", "--epoch", "1", "--reason", "a test"],
    "inbox extend": ["{event}", "--epoch", "1"],
    "inbox dead": ["{event}", "--reason", "a test"],
    "inbox trust": ["{event}"],
    "inbox redrive": ["--agent", "ava", "--all"],
    "space new": ["family"],
    "space set": ["home", "--respond-limit", "1"],
    "space join": ["home", "husam", "--kind", "human"],
    "space leave": ["home", "ava"],
    "space post": ["home", "--as", "ava", "Hello"],
    "space seen": ["home", "ava"],
    "goal add": ["--agent", "ava", "Win"],
    "goal set": ["--agent", "ava", "{goal}", "--standing", "done"],
    "goal remove": ["--agent", "ava", "{goal}"],
    "goal trust": ["--agent", "ava", "{goal}"],
    "note set": ["--agent", "ava", "tea", "green"],
    "note delete": ["--agent", "ava", "cup"],
    "note trust": ["--agent", "ava", "cup"],
    "plan add": ["--agent", "ava", "--at", "2030-01-01T00:00Z", "Sleep"],
    "plan due": [],
    "plan retry": ["{plan}"],
    "plan remove": ["{plan}"],
    "plan trust": ["--agent", "ava", "{plan}"],
    "memory revoke": ["--source", "web"],
    "memory retract": ["--agent", "ava", "m"],
    "memory add": ["--agent", "ava", "--text", "Tea is green."],
    "memory archive": ["--agent", "ava"],
    "memory extract": ["--agent", "ava"],
    "reflection add": ["--agent", "ava", "reflections.jsonl"],
    "reflection make": ["--agent", "ava"],
    "lesson add": ["--agent", "ava", "--text", "Pour slowly."],
    "lesson outcome": ["--agent", "ava", "l", "--went", "well"],
    "entity add": ["--agent", "ava", "entities.jsonl"],
    "entity relate": ["--agent", "ava", "jo", "knows", "bo"],
    "observation confirm": ["--agent", "ava", "{observation}"],
    "observation correct": ["--agent", "ava", "{observation}", "Rome"],
    "observation pin": ["--agent", "ava", "{observation}"],
    "observation revalidate": ["--agent", "ava", "--every"],
    "observation approve": ["--agent", "ava", "de_1"],
    "observation deny": ["--agent", "ava", "de_1"],
    "consolidate": ["--agent", "ava"],
    "recall reindex": [],
    "recall embed": ["--agent", "ava", "--model", "local/none"],
    "history import": ["--agent", "ava", "--format", "openai-chat", "chat.json"],
    "history trust": ["--agent", "ava", "1"],
    "compact": ["--agent", "ava", "--strategy", "self-summary"],
    "compact apply": ["plan.jsonl"],
    "compact undo": ["--agent", "ava"],
    "task add": ["--agent", "ava", "--worker", "program:./answer", "Add up."],
    "task report": ["k_1", "--progress", "0.5"],
    "task cancel": ["k_1"],
    "task recover": ["--agent", "ava"],
    "task work": ["k_1", "--sent", "1"],
    "decide": ["--agent", "ava"],
    "act": ["--agent", "ava"],
    "decision approve": ["d_1", "--hash", "h"],
    "decision reject": ["d_1"],
    "decision undo": ["d_1", "--hash", "h"],
    "concern add": ["--agent", "ava", "tea"],
    "concern set": ["--agent", "ava", "tea", "--share", "0.2"],
    "concern focus": ["--agent", "ava", "tea"],
    "concern remove": ["--agent", "ava", "tea"],
    "reflect": ["--agent", "ava"],
    "reflect undo": ["pt_1"],
    "reflect day": ["--agent", "ava"],
    "alert check": ["--agent", "ava"],
    "ticket approve": ["t_1", "--hash", "h"],
    "ticket deny": ["t_1"],
    "ticket settle": ["t_1", "was-done"],
    "observe": ["--agent", "ava"],
    "observe files": ["--agent", "ava", "--config", "observe.yaml", "--once"],
    "observe git": ["--agent", "ava", "--config", "observe.yaml", "--once"],
    "observe processes": ["--agent", "ava", "--config", "observe.yaml"],
    "observe program": ["--agent", "ava", "--config", "observe.yaml", "--deliver", "--once"],
    "observe plans": [],
    "think": ["--agent", "ava", "--model", "program:./answer"],
    "ask": ["--agent", "ava", "--model", "program:./answer", "Hello"],
    "run": ["--agent", "ava", "--model", "program:./answer", "--once"],
    "review": ["--person", "eve"],
    "simulate new": ["--name", "Mara", "--store", "mind.db"],
    "simulate tick": ["--person", "eve"],
    "simulate run": ["--person", "eve", "--until", "08:00"],
    "simulate talk": ["--person", "eve"],
    "life import": ["ava.life"],
    "run cancel": ["run_1"],
    "run mode": ["exploration", "--agent", "ava"],
    "store migrate": [],
    "store move": ["--to", "moved.db"],
}
SUBSTRATES = {"memory": "m", "reflection": "r", "lesson": "l", "entity": "jo"}
READING = {
    "agent list": [],
    "chat": ["--agent", "ava", "--model", "program:./answer"],
    "agent show": ["ava"],
    "inbox list": ["--agent", "ava"],
    "space list": [],
    "space read": ["home"],
    "run list": [],
    "plan windows": ["--agent", "ava"],
    "run timing": ["--agent", "ava"],
    "note get": ["--agent", "ava", "cup"],
    "goal list": ["--agent", "ava"],
    **{f"{one} list": ["--agent", "ava"] for one in SUBSTRATES},
    **{f"{one} show": ["--agent", "ava", name] for one, name in SUBSTRATES.items()},
    "recall": ["--agent", "ava", "cup"],
    "memory search": ["--agent", "ava", "cup"],
    "observation list": ["--agent", "ava"],
    "observation decisions": ["--agent", "ava"],
    "knowledge audit": ["--agent", "ava"],
    "knowledge marks": ["--agent", "ava"],
    "knowledge verify": ["--agent", "ava"],
    "life export": ["ava", "--output", "ava.life"],
    "life fork": ["ava", "--as", "eva"],
    "store check": [],
    "store backup": ["copy.db"],
    "store datasette": ["shown"],
    "store query": ["SELECT 1"],
    "store export": ["cycle"],
    "models cost": [],
    "ticket list": [],
    "view": ["--agent", "ava"],
    "decision list": [],
    "task list": [],
    "concern list": ["--agent", "ava"],
    "concern attend": ["--agent", "ava"],
    "reflect list": ["--agent", "ava"],
    "reflect patterns": ["--agent", "ava"],
    "status": [],
    "metrics": [],
    "trace export": ["--agent", "ava"],
    "alert list": ["--agent", "ava"],
}
# Those that cannot change a store, and three that make a new one or are what RECOVERY waits for.
OTHERS = {
    *(
        "bench compaction",
        "bench fleet",
        "bench knowledge",
        "bench recall",
        "bench lives",
        "bench populations",
        "bench thoughts",
        "compact plan",
        "compact diff",
        "compact list",
    ),
    *("agent clearances", "context budget", "context show", "history check", "history cycles"),
    *("history export", "history search", "history show", "history verify", "inbox watch"),
    *("observation history", "observation show", "decision show", "task show"),
    *("run show", "space members", "life diff", "life replay", "life verify"),
    *(
        "models alias",
        "models count",
        "models fetch",
        "models key",
        "models list",
        "note list",
        "plan list",
        "ticket show",
    ),
    *("feedback", "feel", "salience", "simulate plot", "simulate validate"),
    *("simulate export", "simulate import", "simulate stats"),
    *(
        "complete",
        "completion",
        "config check",
        "config show",
        "config template",
        "docs check",
        "docs write",
        "doctor",
        "help",
        "plugin check",
        "plugin list",
        "schema",
    ),
    # What it writes a person on a terminal decides, as with ticket approve and deny.
    "ticket review",
    # What an endpoint writes somebody else sends, and what a client of a server.
    "mcp serve",
    *("init", "store recover", "store restore", "store roles", "observe http", "observe check"),
}


def witness(folder: Path) -> tuple[str, str]:
    """Return the hashes of the store and its -wal."""
    files = [folder / "mind.db", folder / "mind.db-wal"]
    octets = [file.read_bytes() if file.exists() else b"" for file in files]
    return (hashlib.sha256(octets[0]).hexdigest(), hashlib.sha256(octets[1]).hexdigest())


def settle(mind: Mind, nursery: Nursery) -> dict[str, str]:
    """Make a store with something of everything and a -wal; return the ids that were given."""
    (mind.folder / "answer").symlink_to("/bin/false")  # a model that can be started
    nursery.run("init", "--agent", "ava")
    nursery.run("simulate", "new", "--name", "Eve", "--store", "mind.db")
    nursery.run("simulate", "run", "--person", "eve", "--until", "07:02", "--no-review")
    nursery.run("space", "new", "home")
    nursery.run("space", "join", "home", "ava")
    nursery.run("note", "set", "--agent", "ava", "cup", "blue")
    (goal,) = nursery.run("goal", "add", "--agent", "ava", "Learn")
    (event,) = nursery.run("inbox", "push", "--agent", "ava", "--text", "Hello")
    past = ["plan", "add", "--agent", "ava", "--at", "2026-01-01T00:00Z", "Wake up", "Get up."]
    (plan,) = nursery.run(*past)
    chat = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    watch(mind)
    (mind.folder / "chat.json").write_text(json.dumps({"messages": chat}))
    (mind.folder / "ava.life").touch()
    fold(mind, nursery)
    observation = remember(mind, nursery)
    push = ["inbox", "push", "--agent", "ava", "--text", "Again"]
    killed = nursery.start(push, mind.folder / "out", mind.failing("print.before_flush:kill"))
    assert killed.status() == -signal.SIGKILL
    assert (mind.folder / "mind.db-wal").stat().st_size > 0
    ids = {"goal": goal["id"], "event": event["id"], "plan": plan["id"]}
    return {**ids, "observation": observation}


def watch(mind: Mind) -> None:
    """Give observers something to look at."""
    sensor = ["sh", "-c", """echo '{"text":"warm"}'"""]
    kinds = {"programs": [{"observer": "P", "command": sensor}], "git": [{"observer": "G"}]}
    kinds["processes"] = [{"observer": "B", "command": ["true"]}]
    points = {"all": [{"path": "*.json", "observer": "F"}]}
    observed = {"observation_points": points, "initial": "report", **kinds}
    (mind.folder / "observe.yaml").write_text(json.dumps(observed))
    subprocess.run(["git", "init", "--quiet", mind.folder], check=True)


def remember(mind: Mind, nursery: Nursery) -> str:
    """Give ava something of each of the four substrates, and a belief; return its id."""
    told = {"id": "r", "text": "Calm.", "since": "2026-01-01", "until": "2026-02-01"}
    (mind.folder / "reflections.jsonl").write_text(json.dumps(told))
    named = "".join(json.dumps({"name": name}) + "\n" for name in ("Jo", "Bo"))
    (mind.folder / "entities.jsonl").write_text(named)
    nursery.run("memory", "add", "--agent", "ava", "--text", "The cup is blue.", "--key", "m")
    nursery.run("reflection", "add", "--agent", "ava", "reflections.jsonl")
    nursery.run("lesson", "add", "--agent", "ava", "--text", "Wash the cup.", "--key", "l")
    nursery.run("entity", "add", "--agent", "ava", "entities.jsonl")
    (mind.folder / "items.jsonl").write_text('{"text": "I live in Berlin.", "speaker": "jo"}')
    nursery.run("memory", "add", "--agent", "ava", "items.jsonl")
    nursery.run("consolidate", "--agent", "ava")
    (held,) = nursery.run("observation", "list", "--agent", "ava", "--subject", "jo")
    return str(held["id"])


def fold(mind: Mind, nursery: Nursery) -> None:
    """Give ava a history that can be folded, and keep a plan to do so."""
    said = [
        {"role": "user", "content": "Tell me. " * 99},
        {"role": "assistant", "content": "It is warm."},
    ]
    (mind.folder / "long.json").write_text(json.dumps({"messages": said * 12}))
    nursery.run("history", "import", "--agent", "ava", "--format", "openai-chat", "long.json")
    lines = nursery.run("compact", "plan", "--agent", "ava", "--strategy", "self-summary")
    (mind.folder / "plan.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def ended(nursery: Nursery, folder: Path, *arguments: str) -> tuple[int, str]:
    """Run a command to its end; return its status and what it said."""
    out = folder / "said"
    for name in (out, folder / "said.err"):
        name.unlink(missing_ok=True)
    born = nursery.start(arguments, out, {})
    return born.status(), born.words()


def test_nothing_is_written_to_a_store_in_recovery(mind: Mind) -> None:
    with contextlib.closing(Nursery(mind.folder)) as nursery:
        given = settle(mind, nursery)
        recovery_log.note(mind.folder / "mind.db", ENTERED)
        before = witness(mind.folder)
        for name, rest in WRITING.items():
            arguments = [*name.split(), *(word.format(**given) for word in rest)]
            status, words = ended(nursery, mind.folder, *arguments)
            assert (name, status) == (name, 75), words
            why = f"mind {name}: mind.db is in RECOVERY ({ENTERED.why}). Run mind store recover.\n"
            assert words == why
            assert (name, witness(mind.folder)) == (name, before)
        for name, rest in READING.items():
            status, words = ended(nursery, mind.folder, *name.split(), *rest)
            assert (name, status) == (name, 0), words
            assert (name, witness(mind.folder)) == (name, before)
        failing = mind.failing("recover.after_check:kill")
        recover = nursery.start(["store", "recover"], mind.folder / "recover", failing)
        assert recover.status() == -signal.SIGKILL
        assert witness(mind.folder) == before
        nursery.run("store", "recover")
        nursery.run("inbox", "push", "--agent", "ava", "--text", "After")
        assert witness(mind.folder) != before
    proved(41, refused=len(WRITING), read=len(READING), changed=0)


def stay_into_recovery(home: Household) -> bool:
    """Let RECOVERY begin while a worker waits; tell whether it wrote as it ended."""
    answers_at_once(home)
    home.push()
    live = home.run()
    home.wait_until(live, home.is_idle)
    seen = [witness(home.folder)]

    def is_at_rest() -> bool:
        """Tell whether nothing was written for a while: its last cycle is noted after its end."""
        seen.append(witness(home.folder))
        return len(seen) > RESTING and len(set(seen[-RESTING:])) == 1

    home.wait_until(live, is_at_rest)
    before = seen[-1]
    recovery_log.note(home.folder / "mind.db", ENTERED)
    assert live.ended(SECONDS)
    assert (live.status(), "is in RECOVERY" in live.words()) == (75, True)
    return witness(home.folder) != before


def test_a_build_whose_worker_marks_its_end_in_recovery_changes_the_store(mind: Mind) -> None:
    with household(mind.folder, "worker_closes_in_recovery") as home:
        assert stay_into_recovery(home)
    turned_red(41, "worker_closes_in_recovery", changed=1)


def test_a_worker_that_stays_ends_without_writing_where_recovery_begins(mind: Mind) -> None:
    with household(mind.folder) as home:
        assert not stay_into_recovery(home)
        steps = {one["check"]: one for one in home.nursery.run("store", "recover")}
        assert steps["crash"]["found"].startswith("ava, began")
        assert home.rows("SELECT state FROM run") == [("crashed",)]


def test_every_command_that_can_write_is_among_them() -> None:
    words = {" ".join(words) for words in every_command()}
    assert words == WRITING.keys() | READING.keys() | OTHERS


def test_a_build_with_a_writable_handle_changes_the_store(mind: Mind) -> None:
    with contextlib.closing(Nursery(mind.folder, "recovery_with_writable_handle")) as nursery:
        settle(mind, nursery)
        recovery_log.note(mind.folder / "mind.db", ENTERED)
        before = witness(mind.folder)
        ended(nursery, mind.folder, "agent", "list")
        assert witness(mind.folder) != before
    turned_red(41, "recovery_with_writable_handle", changed=1)
