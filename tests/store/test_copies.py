"""Of copies and new stores nothing half made carries their name."""

import fcntl
import signal

import pytest

from support.command import Mind
from support.patience import LONGEST


@pytest.mark.parametrize(
    ("failpoint", "arguments"),
    [
        ("backup.mid", ("store", "backup", "copy.db")),
        (
            "restore.mid",
            (
                "store",
                "restore",
                "base.db",
                "--store",
                "copy.db",
                "--accept-loss-since",
                "2026-01-01",
            ),
        ),
    ],
)
@pytest.mark.parametrize("action", ["kill", "enospc"])
def test_a_copy_that_fails_leaves_nothing_under_its_name(
    mind_with_store: Mind, failpoint: str, arguments: tuple[str, ...], action: str
) -> None:
    mind = mind_with_store
    mind("store", "backup", "base.db")
    ran = mind.run(*arguments, environment=mind.failing(f"{failpoint}:{action}"))
    assert ran.status == (-signal.SIGKILL if action == "kill" else 74)
    assert "Traceback" not in ran.words
    assert not (mind.folder / "copy.db").exists()
    if action == "enospc":
        assert not list(mind.folder.glob(".copy.db*"))
    mind(*arguments)
    assert not list(mind.folder.glob(".copy.db*"))
    assert mind.run("store", "check", "--store", "copy.db").status == 0


def test_an_unfinished_copy_is_removed_by_the_next_unless_somebody_is_at_it(
    mind_with_store: Mind,
) -> None:
    mind = mind_with_store
    held, left = (mind.folder / f".one.db.{name}1234.unfinished" for name in ("held", "left"))
    left.with_name(f"{left.name}-wal").touch()
    left.touch()
    own = mind.folder / ".one.db.mybackup"
    own.touch()
    with held.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        mind("store", "backup", "one.db")
        assert [path.name for path in mind.folder.glob(".*unfinished*")] == [held.name]
    (mind.folder / "one.db").unlink()
    mind("store", "backup", "one.db")
    assert not list(mind.folder.glob(".*unfinished*"))
    assert own.exists()


@pytest.mark.parametrize(("action", "status"), [("kill", -signal.SIGKILL), ("enospc", 74)])
def test_init_that_fails_leaves_no_store(mind: Mind, action: str, status: int) -> None:
    ran = mind.run("init", environment=mind.failing(f"init.before_commit:{action}"))
    assert (ran.status, "Traceback" in ran.words) == (status, False)
    assert mind.run("agent", "list").status == 69
    mind("init")
    assert mind.run("store", "check").status == 0


def test_of_two_that_make_a_store_one_wins(mind: Mind) -> None:
    started = [mind.start("init") for _ in range(4)]
    for one in started:
        one.communicate(timeout=LONGEST)
    assert sorted(one.returncode for one in started) == [0, 4, 4, 4]
    assert mind.run("store", "check").status == 0
