"""Promise 49: no file that is named for output lies over a store or an input."""

import json
import subprocess
from pathlib import Path

import pytest

from support.broken_builds import broken_program
from support.command import Mind, clean_environment
from support.proofs import proved, turned_red

pytestmark = pytest.mark.of_a_file
LINES = '{"text": "sound"}\n{"text": 5}\n'
COMMANDS = (
    "inbox push --agent ava --on-error skip --rejects {} < in",
    "inbox push --agent ava --on-error skip --output {} < in",
    "memory add --agent ava --on-error skip --rejects {} < in",
    "memory add --output {} < in",
    "think --agent ava --model replay:in --record {}",
    "complete --model replay:in --record {}",
    "compact --output {} < in",
    "consolidate --known in --output {} < in",
    "consolidate --known in --marks {}",
    "consolidate --known in --decisions {}",
    "history export --agent ava --format mindpipe --losses {} < in",
    "store backup {} < in",
)
READ = {
    "mind.toml": 'models = "prices"\nobserve.config = "watched"\nrecall.index = "files"\n',
    "prices": "# none\n",
    "watched": "items: []\n",
    "files": "files: []\n",
    "in": LINES,
    "turns": "",
    "voice": "#!/bin/sh\n",
}
OVER = (
    *("mind.db", "./mind.db-wal", "mind.db.reserve", "hard", "soft", "soft-reserve"),
    *("in", "soft-in", "mind.toml", "prices", "watched", "files"),
)
MODELS = (
    "MIND_MODEL={} mind complete --record {} < in",
    "MIND_MODEL={} mind inbox push --agent ava --on-error skip --rejects {} < in",
    "MIND_PERSON_MODEL={} mind compact --output {} < in",
    "mind complete --model {} --record {} < in",
    "mind agent set ava --model {} && mind think --agent ava --record {}",
    "mind agent set ava --model openai/gpt-6-luna --fallback {}"
    " && OPENAI_API_KEY=none mind think --agent ava --record {}",
)
TOOL = {
    "name": "lamp",
    "description": "Lamp.",
    "command": ["./tool", "{folder}/part"],
    "verify": ["./proof"],
}
PROGRAMS = ("tool", "part", "proof", "worker", "caller", "once", "seen", "secret")
WATCHED = """programs: [{observer: once, command: [./once]}]
processes: [{observer: seen, command: [./seen]}]
http: {secret_file: secret}
"""
NAMING = (
    "mind memory add --output {} < in",
    "mind inbox push --agent ava --on-error skip --rejects {} < in",
    "mind think --agent ava --model replay:in --record {}",
)
TWICE = (
    "mind consolidate --known in --marks new --decisions ./new",
    "mind consolidate --known in --marks real/new --decisions linked/new",
    "mind consolidate --known in --marks linked/new --decisions linked/../real/new",
)


@pytest.fixture
def life(mind_with_agent: Mind) -> Mind:
    """Return an agent with an event, other names of its store, and an input."""
    mind = mind_with_agent
    mind("inbox", "push", "--agent", "ava", "--text", "Before")
    for name, words in READ.items():
        (mind.folder / name).write_text(words)
    (mind.folder / "voice").chmod(0o700)
    (mind.folder / "soft-reserve").symlink_to("mind.db.reserve")
    (mind.folder / "real").mkdir()
    (mind.folder / "linked").symlink_to("real")
    (mind.folder / "soft-in").symlink_to("in")
    (mind.folder / "soft").symlink_to("mind.db")
    return mind


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the store, what lies beside it, and all that is read hold."""
    return {name: (folder / name).read_bytes() for name in ("mind.db", "mind.db.reserve", *READ)}


@pytest.mark.heavy
def test_nothing_is_written_over(life: Mind) -> None:
    before, refused = contents(life.folder), 0
    (life.folder / "hard").hardlink_to(life.folder / "mind.db")
    for words in COMMANDS:
        for name in OVER:
            ran = life.shell(f"mind {words.format(name)}")
            assert (ran.status, "Traceback" in ran.words) == (4, False), (words, name, ran)
            assert contents(life.folder) == before, (words, name)
            refused += 1
    (life.folder / "hard").unlink()
    proved(49, options=len(COMMANDS), refused=refused, overwritten=0)


@pytest.mark.parametrize("command", MODELS)
@pytest.mark.parametrize(
    ("model", "file"), [("replay:turns", "turns"), ("program:./voice", "voice")]
)
def test_no_model_is_written_over(life: Mind, command: str, model: str, file: str) -> None:
    before = contents(life.folder)
    ran = life.shell(command.format(model, file))
    after = contents(life.folder)
    assert (ran.status, "Traceback" in ran.words) == (4, False), ran
    assert {**after, "mind.db": b""} == {**before, "mind.db": b""}
    proved(49, models=1, overwritten=0)


@pytest.mark.parametrize("command", NAMING)
def test_no_program_and_no_file_that_is_named_elsewhere_is_written_over(
    life: Mind, command: str
) -> None:
    for name in PROGRAMS:
        (life.folder / name).write_text("#!/bin/sh\n")
        (life.folder / name).chmod(0o700)
    words = json.dumps(TOOL).replace("{folder}", str(life.folder))
    (life.folder / "tool.json").write_text(words)
    (life.folder / "watched").write_text(WATCHED)
    with (life.folder / "mind.toml").open("a") as settings:
        settings.write('tasks.workers = "adder=program:./worker"\n')
        settings.write('decisions.escalate = "caller"\n')
    life("agent", "set", "ava", "--tool", "tool.json")
    for name in PROGRAMS:
        ran = life.shell(command.format(name))
        assert (ran.status, "is named elsewhere, to be read or run" in ran.words) == (4, True), ran
        assert (life.folder / name).read_text() == "#!/bin/sh\n"
        proved(49, programs=1, overwritten=0)


def test_no_program_of_an_agent_in_a_file_is_written_over(life: Mind) -> None:
    (life.folder / "tool").write_text("#!/bin/sh\n")
    tool = {**TOOL, "command": [f"{life.folder}/tool"], "verify": []}
    (life.folder / "ava.json").write_text(json.dumps({"agent": {"name": "ava", "tools": [tool]}}))
    ran = life.run("think", "--agent-file", "ava.json", "--model", "replay:in", "--record", "tool")
    assert (ran.status, (life.folder / "tool").read_text()) == (4, "#!/bin/sh\n")


@pytest.mark.parametrize("command", TWICE)
def test_a_new_file_is_not_written_under_two_names(life: Mind, command: str) -> None:
    ran = life.shell(command)
    assert (ran.status, "is written to by --" in ran.words) == (4, True), ran
    assert not list(life.folder.rglob("new"))


@pytest.mark.heavy
def test_a_build_that_does_not_look_writes_over_the_store_and_the_input(life: Mind) -> None:
    # A reserve that was cut is made anew by the next opening, so that it does not tell.
    names = ("prices", "watched", "mind.db", "in")
    before = contents(life.folder)
    for name in names:
        words = ("inbox", "push", "in", "--agent", "ava", "--on-error", "skip", "--rejects", name)
        subprocess.run(
            [*broken_program("outputs_unlooked"), *words],
            cwd=life.folder,
            env=clean_environment(life.folder),
            capture_output=True,
            check=False,
        )
    after = contents(life.folder)
    overwritten = sum(after[name] != before[name] for name in names)
    assert overwritten == len(names)
    turned_red(49, "outputs_unlooked", overwritten=overwritten)
