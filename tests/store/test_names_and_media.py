"""A store with several names, or on media that cannot be written, is read and not written."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs import remembered
from mindpipe.core.errors import InputOutputError
from mindpipe.io.clock import SystemClock
from mindpipe.recall.verbs import reindex
from mindpipe.store import media
from mindpipe.store.access import open_store
from support.command import BIN, Mind, clean_environment

Settle = Callable[[Path], None]


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    """Return an agent with an event in a folder of its own."""
    folder = tmp_path / "life"
    folder.mkdir(mode=0o700)
    mind = Mind(folder)
    mind("init", "--agent", "ava")
    mind("inbox", "push", "--agent", "ava", "--text", "Hello")
    return mind


def heard(mind: Mind, store: str) -> str:
    """Return what waits, as it can be read."""
    return mind("inbox", "list", "--agent", "ava", "--store", store).text


@pytest.mark.parametrize("name", ["mind.db", "two.db"])
def test_a_store_with_two_names_is_read_and_not_written(mind: Mind, name: str) -> None:
    os.link(mind.folder / "mind.db", mind.folder / "two.db")
    assert '"text":"Hello"' in heard(mind, name)
    push = ("inbox", "push", "--agent", "ava", "--text", "Again", "--store", name)
    refused = mind.run(*push)
    assert refused.status == 4
    assert "2 names (hard links)" in refused.words
    assert mind.run("store", "migrate", "--store", name).status == 4
    checked = mind.run("store", "check", "--store", name)
    assert (checked.status, checked.words.count("2 names (hard links)")) == (4, 1)
    found = {one["check"]: one for one in checked.records()}
    assert (found["names"]["verdict"], found["integrity"]["verdict"]) == ("bad", "ok")
    assert "mind store backup" in found["names"]["advice"]
    mind("store", "backup", "copy.db", "--store", name)
    assert '"text":"Hello"' in heard(mind, "copy.db")
    (mind.folder / "two.db").unlink()
    mind("inbox", "push", "--agent", "ava", "--text", "Again")
    assert '"text":"Again"' in heard(mind, "mind.db")


@pytest.mark.parametrize("command", ["context show", "context budget", "think --dry-run"])
def test_the_next_request_of_a_store_that_takes_nothing_is_shown(mind: Mind, command: str) -> None:
    asked = (*command.split(), "--agent", "ava", "--model", "program:./absent")
    before = mind(*asked).text
    assert before
    os.link(mind.folder / "mind.db", mind.folder / "two.db")
    assert mind(*asked).text == before


def test_a_name_that_a_killed_command_left_is_taken_away(mind: Mind) -> None:
    left = mind.folder / ".mind.db.abcd1234.unfinished"
    os.link(mind.folder / "mind.db", left)
    assert mind("store", "check").records()[3]["found"] == "1"
    assert left.exists()
    mind("inbox", "push", "--agent", "ava", "--text", "Again")
    assert not left.exists()


@pytest.fixture
def frozen(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store that lies, as far as this process is told, on media that are read-only."""
    usual = os.statvfs

    def told(path: Path) -> os.statvfs_result:
        found = list(usual(path))
        found[8] |= os.ST_RDONLY
        return os.statvfs_result(found)

    monkeypatch.setattr(os, "statvfs", told)
    return mind.folder / "mind.db"


def names(store: Path) -> set[str]:
    """Return the names of all files beside a store."""
    return {path.name for path in store.parent.iterdir()}


def test_a_store_on_read_only_media_is_read_as_it_is(frozen: Path) -> None:
    before = names(frozen)
    store = open_store(frozen)
    try:
        with store.read() as rows:
            assert rows.all(str, "SELECT text FROM event") == ["Hello"]
        with pytest.raises(InputOutputError, match="is on read-only media"):
            store.write()
    finally:
        store.close()
    assert names(frozen) == before


def test_what_was_indexed_before_is_found_on_read_only_media(mind: Mind, frozen: Path) -> None:
    import_chat = ("history", "import", "--agent", "ava", "--format", "openai-chat")
    mind(*import_chat, stdin='[{"role":"user","content":"The lamp is lit."}]')
    mind("recall", "--agent", "ava", "lamp")
    mind(*import_chat, stdin='[{"role":"user","content":"The lamp is out."}]')
    told: list[str] = []
    store = open_store(frozen)
    try:
        reindex.caught_up(store, told.append)
        agent = agents.show(store, name="ava")
        said = remembered.before_prompt(store, SystemClock(), agent, text="the lamp", most=5)
    finally:
        store.close()
    assert told == [
        "mind.db is on read-only media. Copy it with mind store backup, and work there. "
        "Only what was indexed before is searched."
    ]
    assert "The lamp is lit." in said
    assert "The lamp is out." not in said


def test_what_is_only_in_the_log_is_read_from_a_copy(
    mind: Mind, frozen: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "media"
    other.mkdir(mode=0o700)
    monkeypatch.setattr(media, "is_read_only", lambda _: False)
    store = open_store(frozen)
    with store.write() as rows:
        rows.run("UPDATE event SET text = 'Only in the log'")
    for ending in ("", "-wal"):
        (other / f"mind.db{ending}").write_bytes(Path(f"{frozen}{ending}").read_bytes())
    store.close()
    for path in other.iterdir():
        path.chmod(0o600)
    assert (other / "mind.db-wal").stat().st_size > 0
    monkeypatch.setattr(media, "is_read_only", lambda _: True)
    before = names(other / "mind.db")
    copied = open_store(other / "mind.db")
    try:
        with copied.read() as rows:
            assert rows.all(str, "SELECT text FROM event") == ["Only in the log"]
    finally:
        copied.close()
    assert names(other / "mind.db") == before
    assert mind.folder.exists()


NO_RIGHTS = """
import ctypes, os, sys
for capability in (1, 2, 3):  # those by which root passes over the modes of files
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="rights are dropped as Linux has them")
@pytest.mark.parametrize("command", ["agent list", "store check", "inbox push --text Again"])
def test_a_folder_that_cannot_be_written_is_said_and_is_no_damage(mind: Mind, command: str) -> None:
    (mind.folder / "mind.db").chmod(0o400)
    mind.folder.chmod(0o500)
    before = names(mind.folder / "mind.db")
    try:
        ran = subprocess.run(
            [sys.executable, "-c", NO_RIGHTS, str(BIN / "mind"), *command.split()],
            cwd=mind.folder,
            env={**clean_environment(mind.folder), "MIND_STORE": "mind.db"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        mind.folder.chmod(0o700)
    assert ran.returncode == 74
    assert ran.stderr.count("\n") == 1
    assert f"and {mind.folder} cannot be written. Copy it into a folder of your own" in ran.stderr
    assert names(mind.folder / "mind.db") == before


def test_a_store_on_read_only_media_is_sound_and_can_be_copied(frozen: Path) -> None:
    from mindpipe.io.clock import make_clock
    from mindpipe.store.verbs import store

    found = {
        one.check: one.verdict for one in store.check(frozen, make_clock("2026-11-21T20:00:00Z"))
    }
    assert (found["integrity"], found["schema"], found["place"]) == ("ok", "ok", "ok")
    copy = frozen.with_name("copy.db")
    assert store.backup(frozen, file=copy).bytes > 0
