"""A full disk is a clean error, and the reserve lets the work under way be saved."""

import subprocess
from pathlib import Path

import pytest

from mindpipe.core.errors import InputOutputError
from mindpipe.store import place
from mindpipe.store.access import open_store
from support.command import BIN, Mind, clean_environment

FULL = Path("/dev/full")


def test_a_full_store_gives_its_reserve_back_and_makes_it_again(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    store = open_store(path)
    kept = place.reserve_of(path)
    assert kept.stat().st_size == place.RESERVE_BYTES
    pages = store.connection.pragma("page_count")
    store.connection.pragma("max_page_count", pages)
    with pytest.raises(InputOutputError, match="no space left"), store.write() as rows:
        rows.run("INSERT INTO blob VALUES('x', zeroblob(1000000))")
    assert not kept.exists()
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM blob") == 0
    store.close()
    open_store(path).close()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_reserve_that_a_killed_command_began_is_made_whole(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    place.reserve_of(path).write_bytes(b"")
    open_store(path).close()
    assert place.reserve_of(path).stat().st_size == place.RESERVE_BYTES


def test_a_disk_that_fills_up_while_pushing_keeps_nothing_of_it(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind("agent", "new", "ava")
    arguments = ("inbox", "push", "--agent", "ava")
    event = '{"text": "hello"}\n'
    ran = mind.run(*arguments, stdin=event, environment=mind.failing("push.before_commit:enospc"))
    assert (ran.status, ran.stdout) == (74, b"")
    assert ran.words.count("\n") == 1
    assert "no space left" in ran.words
    mind(*arguments, stdin=event)
    assert len(mind("inbox", "list", "--agent", "ava").records()) == 1


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("--help",), ("config", "show"), ("schema", "event")])
def test_a_full_output_is_status_74(mind: Mind, arguments: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [BIN / "mind", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=clean_environment(mind.folder),
            cwd=mind.folder,
            check=False,
        )
    assert done.returncode == 74
    assert done.stderr.count(b"\n") == 1
