"""A real folder changes by git checkout under a running observer: every change arrives once."""

import random
import subprocess
from collections import Counter
from collections.abc import Iterator

import pytest

from support.command import SECONDS, Mind
from support.watched_folder import (
    ENVIRONMENT,
    Garden,
    Watching,
    changes_in,
    difference,
    git,
    told,
    until_told,
)

CONFIG = """
agent: ava
root: notes
observation_points:
  notes:
    - path: "**/*.md"
      observer: Notes
"""
# Files, commits, changes of each, checkouts.
SIZES = [
    pytest.param((250, 5, 40, 6), id="short"),
    pytest.param((3000, 25, 400, 60), id="long", marks=pytest.mark.long),
]


@pytest.fixture
def watching(mind_with_agent: Mind) -> Iterator[Watching]:
    """Return an observer that is not begun, of a folder that is not there yet."""
    (mind_with_agent.folder / "observe.yaml").write_text(CONFIG)
    made = Watching(mind_with_agent, {"MIND_INBOX_MAX_OPEN": "10000000"})
    made.environment["MIND_INBOX_MAX_OPEN_PER_SOURCE"] = "10000000"
    yield made
    made.kill()


@pytest.mark.heavy
@pytest.mark.parametrize("size", SIZES)
def test_every_change_of_a_checkout_arrives_once_whenever_the_observer_is_killed(
    watching: Watching, size: tuple[int, int, int, int]
) -> None:
    files, steps, changes, checkouts = size
    chance = random.Random(7)
    garden = Garden(watching.mind.folder / "notes", chance)
    garden.begin(files)
    commits = [git(garden.folder, "rev-parse", "HEAD").strip()]
    commits += [garden.grow(changes) for _ in range(steps)]
    assert (
        watching.mind.run(
            "observe", "files", "--config", "observe.yaml", "--once", "--agent", "ava", "--deliver"
        ).status
        == 3
    )
    watching.start()
    store, here = watching.mind.folder, commits[-1]
    wanted: Counter[tuple[str, str]] = Counter()
    for _ in range(checkouts):
        there = chance.choice([one for one in commits if one != here])
        wanted += difference(garden.folder, here, there)
        _check_out(watching, there, kill=chance.choice(("never", "before", "amid", "after")))
        until_told(store, wanted)
        assert changes_in(told(store)) == wanted
        here = there
    watching.kill()
    late = watching.mind.run(
        "observe", "files", "--config", "observe.yaml", "--once", "--agent", "ava", "--deliver"
    )
    assert late.status == 3, late.text


def _check_out(watching: Watching, commit: str, *, kill: str) -> None:
    """Check a commit out, and kill the observer at some moment and start it again."""
    folder = watching.mind.folder / "notes"
    if kill == "before":
        watching.kill()
    checking_out = subprocess.Popen(
        ["git", "checkout", "--quiet", "--detach", commit], cwd=folder, env=ENVIRONMENT
    )
    if kill == "amid":
        watching.kill()
        watching.start()
    assert checking_out.wait(SECONDS) == 0
    if kill == "after":
        watching.kill()
    if kill in ("before", "after"):
        watching.start()


@pytest.mark.parametrize(
    ("point", "there"), [("observe.before_commit", 200), ("observe.after_commit", 400)]
)
def test_a_kill_around_the_commit_loses_and_doubles_nothing(
    mind_with_agent: Mind, point: str, there: int
) -> None:
    mind, look = mind_with_agent, ("observe", "files", "--config", "observe.yaml", "--once")
    (mind.folder / "observe.yaml").write_text(CONFIG)
    notes = mind.folder / "notes"
    notes.mkdir()
    assert mind.run(*look, "--deliver").status == 3
    for number in range(450):
        (notes / f"{number}.md").write_text(str(number))
    killed = mind.run(*look, "--deliver", environment=mind.failing(f"{point}:kill@2"))
    assert killed.status == -9
    assert len(told(mind.folder)) == there
    mind(*look, "--deliver")
    wanted = Counter(("created", f"{number}.md") for number in range(450))
    assert changes_in(told(mind.folder)) == wanted


def test_a_full_inbox_keeps_changes_for_later(mind_with_agent: Mind) -> None:
    mind, look = mind_with_agent, ("observe", "files", "--config", "observe.yaml", "--once")
    (mind.folder / "observe.yaml").write_text(CONFIG)
    notes = mind.folder / "notes"
    notes.mkdir()
    assert mind.run(*look, "--deliver").status == 3
    for number in range(30):
        (notes / f"{number}.md").write_text(str(number))
    full = mind.run(*look, "--deliver", environment={"MIND_INBOX_MAX_OPEN": "12"})
    assert full.status == 4
    assert "full" in full.words
    assert len(told(mind.folder)) == 12
    mind(*look, "--deliver")
    wanted = Counter(("created", f"{number}.md") for number in range(30))
    assert changes_in(told(mind.folder)) == wanted
