"""Corners of a folder: saves, moves, links, what is passed over, what cannot be seen."""

import os
import shutil
from pathlib import Path

import pytest

from mindpipe_cli.manual.observers_manual import EXAMPLE
from support.command import Mind
from support.patience import until
from support.watched_folder import Watching, changes_in, told

LOOK = ("observe", "files", "--config", "observe.yaml", "--once", "--agent", "ava", "--deliver")
CONFIG = """
root: notes
ignore: ["drafts/**"]
observation_points:
  all:
    - {path: "**", observer: All}
"""


@pytest.fixture
def notes(mind_with_agent: Mind) -> Path:
    """Return an observed folder with one note in it."""
    folder = mind_with_agent.folder / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("first\n")
    (mind_with_agent.folder / "observe.yaml").write_text(CONFIG)
    assert mind_with_agent.run(*LOOK).status == 3
    return folder


def looked(mind: Mind) -> list[tuple[str, str]]:
    """Look once and return kind and path of what was told."""
    ran = mind.run(*LOOK)
    assert ran.status in (0, 3), ran.words
    seen = [one["body"]["observation"] for one in ran.records()]
    return [(one["kind"], one["path"]) for one in seen]


def test_a_save_under_another_name_that_is_renamed_is_one_modification(
    mind_with_agent: Mind, notes: Path
) -> None:
    (notes / "a.md.tmp").write_text("second\n")
    (notes / "a.md.tmp").replace(notes / "a.md")
    assert looked(mind_with_agent) == [("modified", "a.md")]
    assert looked(mind_with_agent) == []


@pytest.mark.heavy
def test_a_running_observer_tells_a_save_of_an_editor_once(
    mind_with_agent: Mind, notes: Path
) -> None:
    watching = Watching(mind_with_agent)
    watching.start()
    try:
        for number in range(3):
            (notes / "a.md").replace(notes / "a.md.bak")
            (notes / "a.md").write_text(f"save {number}\n")
            (notes / "a.md.bak").unlink()
        (notes / "b.md").write_text("after")
        until(lambda: len(told(mind_with_agent.folder)) >= 2, "two changes")
    finally:
        watching.kill()
    found = changes_in(told(mind_with_agent.folder))
    assert found == {("modified", "a.md"): 1, ("created", "b.md"): 1}


def test_what_moved_is_told_once_and_a_copy_is_new(mind_with_agent: Mind, notes: Path) -> None:
    (notes / "deep").mkdir()
    (notes / "a.md").rename(notes / "deep" / "b.md")
    assert looked(mind_with_agent) == [("moved", "deep/b.md")]
    shutil.copy(notes / "deep" / "b.md", notes / "c.md")
    assert looked(mind_with_agent) == [("created", "c.md")]
    (notes / "deep").rename(notes / "deeper")
    assert looked(mind_with_agent) == [("moved", "deeper/b.md")]


def test_the_same_content_with_new_times_is_no_change(mind_with_agent: Mind, notes: Path) -> None:
    (notes / "a.md").write_text("first\n")
    os.utime(notes / "a.md", (1, 1))
    assert looked(mind_with_agent) == []


def test_a_change_that_leaves_size_and_times_is_found(mind_with_agent: Mind, notes: Path) -> None:
    before = (notes / "a.md").stat()
    with (notes / "a.md").open("r+") as file:
        file.write("FIRST\n")
    os.utime(notes / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert looked(mind_with_agent) == [("modified", "a.md")]


def test_links_out_of_the_folder_are_not_followed_and_others_files_passed_over(
    mind_with_agent: Mind, notes: Path
) -> None:
    outside = mind_with_agent.folder / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (notes / "link").symlink_to(outside)
    (notes / "file.md").symlink_to(outside / "secret.md")
    for name in (".git", "drafts", "node_modules"):
        (notes / name).mkdir()
        (notes / name / "x.md").write_text("x")
    (notes / "a.md~").write_text("x")
    os.mkfifo(notes / "pipe")
    assert looked(mind_with_agent) == []


def test_a_folder_that_is_away_has_lost_nothing(mind_with_agent: Mind, notes: Path) -> None:
    away = notes.rename(notes.with_name("away"))
    gone = mind_with_agent.run(*LOOK)
    assert (gone.status, "is no folder" in gone.words) == (69, True)
    away.rename(notes)
    assert looked(mind_with_agent) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_in_a_folder_that_cannot_be_read_are_not_gone(
    mind_with_agent: Mind, notes: Path
) -> None:
    (notes / "deep").mkdir()
    (notes / "deep" / "b.md").write_text("b")
    assert looked(mind_with_agent) == [("created", "deep/b.md")]
    (notes / "deep").chmod(0)
    assert looked(mind_with_agent) == []
    (notes / "deep").chmod(0o700)
    assert looked(mind_with_agent) == []


def test_a_name_that_is_no_text_is_told_in_one_line(mind_with_agent: Mind, notes: Path) -> None:
    (notes / os.fsdecode(b"odd\xff\nname.md")).write_text("x")
    ran = mind_with_agent(*LOOK)
    assert ran.record()["body"]["observation"]["path"] == "odd\\xff\nname.md"
    assert "\n" not in ran.record()["text"]
    (notes / os.fsdecode(b"odd\xff\nname.md")).unlink()
    assert [kind for kind, _ in looked(mind_with_agent)] == ["deleted"]


def test_the_first_look_reports_where_it_is_asked_to(mind_with_agent: Mind, notes: Path) -> None:
    config = CONFIG.replace("root: notes", "root: others\ninitial: report")
    (mind_with_agent.folder / "observe.yaml").write_text(config)
    notes.rename(notes.with_name("others"))
    assert looked(mind_with_agent) == [("created", "a.md")]


def test_a_new_observation_point_remembers_what_is_there(
    mind_with_agent: Mind, notes: Path
) -> None:
    config = CONFIG.replace('"**"', '"*.txt"')
    (notes / "x.txt").write_text("x")
    assert looked(mind_with_agent) == [("created", "x.txt")]
    (mind_with_agent.folder / "observe.yaml").write_text(config)
    (notes / "y.txt").write_text("y")
    assert looked(mind_with_agent) == []
    (notes / "z.txt").write_text("z")
    assert looked(mind_with_agent) == [("created", "z.txt")]


@pytest.mark.heavy
def test_two_observers_of_one_folder_tell_each_change_once(
    mind_with_agent: Mind, notes: Path
) -> None:
    both = [Watching(mind_with_agent), Watching(mind_with_agent)]
    for one in both:
        one.start()
    try:
        for number in range(20):
            (notes / f"{number}.md").write_text(str(number))
        until(lambda: len(told(mind_with_agent.folder)) >= 20, "20 changes")
    finally:
        for one in both:
            one.kill()
    assert looked(mind_with_agent) == []
    assert len(told(mind_with_agent.folder)) == 20


def test_a_state_file_is_enough_without_a_store(mind: Mind) -> None:
    (mind.folder / "notes").mkdir()
    (mind.folder / "observe.yaml").write_text(CONFIG)
    look = ("observe", "files", "--config", "observe.yaml", "--once", "--since-state", "seen.json")
    assert mind.run(*look).status == 3
    (mind.folder / "notes" / "a.md").write_text("first")
    (event,) = mind(*look).records()
    assert event["text"] == "a.md was created (file_created)."
    assert mind.run(*look).status == 3
    assert not (mind.folder / "mind.db").exists()


def test_what_was_printed_but_not_kept_comes_again_under_its_key(mind: Mind) -> None:
    (mind.folder / "notes").mkdir()
    (mind.folder / "observe.yaml").write_text(CONFIG)
    look = ("observe", "files", "--config", "observe.yaml", "--once", "--since-state", "seen.json")
    assert mind.run(*look).status == 3
    before = (mind.folder / "seen.json").read_bytes()
    (mind.folder / "notes" / "a.md").write_text("first")
    first = mind(*look).record()
    (mind.folder / "seen.json").write_bytes(before)
    assert mind(*look).record() == first


def test_the_example_of_the_manual_tells_what_its_observers_mean(mind_with_agent: Mind) -> None:
    mind, vault = mind_with_agent, mind_with_agent.folder / "vault"
    (mind.folder / "observe.yaml").write_text(EXAMPLE)
    knowledge = vault / "knowledge" / "philosophy"
    for folder in (
        knowledge / "debates",
        knowledge / "thoughts" / "time",
        vault / "indices",
        vault / "_input",
        vault / "_intake" / "pending",
    ):
        folder.mkdir(parents=True)
    (knowledge / "debates" / "will.md").write_text("status: open\n")
    (knowledge / "thoughts" / "time" / "now.md").write_text("status: seed\n")
    (vault / "indices" / "people.yaml").write_text("a: 1\n")
    (knowledge / "memory.md").write_text("feedback:\n")
    assert mind.run(*LOOK).status == 3
    (knowledge / "debates" / "will.md").write_text("status: concluded\n")
    (knowledge / "thoughts" / "time" / "now.md").write_text("status: growing\n")
    (vault / "indices" / "people.yaml").write_text("a: 2\n")
    (vault / "indices" / "new.yaml").write_text("b: 1\n")
    (knowledge / "memory.md").write_text("feedback: well done\n")
    (vault / "_input" / "letter.pdf").write_text("%PDF")
    (vault / "_intake" / "pending" / "task").write_text("do it")
    found = {
        one["body"]["observation"]["path"].rpartition("/")[2]: (
            one.get("priority", 3),
            one["body"]["observation"]["names"],
        )
        for one in mind(*LOOK).records()
    }
    assert found == {
        "will.md": (3, ["file_modified", "debate_concluded"]),
        "now.md": (4, ["file_modified", "thought_evolved", "status_changed"]),
        "people.yaml": (2, ["index_updated"]),
        "new.yaml": (2, ["structure_changed"]),
        "memory.md": (1, ["file_modified", "memory_stored", "feedback_provided"]),
        "letter.pdf": (1, ["new_file_arrived"]),
        "task": (4, ["processing_required"]),
    }


def test_one_look_goes_into_the_inbox_and_says_what_comes_next(
    mind_with_agent: Mind, notes: Path
) -> None:
    mind = mind_with_agent
    (notes / "b.md").write_text("new")
    mind("plan", "add", "--agent", "ava", "--at", "2026-11-21T19:00Z", "Sleep")
    attended = mind("observe", "--agent", "ava", "--config", "observe.yaml").record()
    assert attended["queue"] == 2
    listed = mind("inbox", "list", "--agent", "ava", "--json").records()
    assert set(attended["events"]) == {one["id"] for one in listed}
    assert {one["type"] for one in listed} == {"observation", "plan"}
    assert "b.md was created (file_created)." in {one["text"] for one in listed}
