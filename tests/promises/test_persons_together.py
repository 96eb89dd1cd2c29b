"""Several persons in one store: changed for good, several at a time, and the same in any case."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import Mind, looked_into, make_private

NAMES = ("ada", "ben", "mara")
UNTIL = ("--until", "09:20", "--every", "5m")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    mind = Mind(make_private(tmp_path_factory.mktemp("three") / "life"))
    mind("init")
    for seed, name in enumerate(NAMES):
        new = ("simulate", "new", "--name", name, "--seed", str(seed), "--at", "09:00")
        mind(*new, "--store", "mind.db")
        said = {"text": f"Good morning, {name}!", "sender": "husam"}
        mind("inbox", "push", "--agent", name, stdin=json.dumps(said))
    return mind.folder


@pytest.fixture
def mind(three: Path, tmp_path: Path) -> Mind:
    return Mind(make_private(tmp_path / "life")).like(three)


def bodies(mind: Mind, table: str) -> list[dict[str, Any]]:
    """Return the records of a table of persons."""
    with looked_into(mind.folder) as store:
        return [json.loads(body) for (body,) in store.execute(f"SELECT body FROM {table}")]


def all_of(mind: Mind) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that the store holds of persons."""
    tables = ("person", "person_version", "person_event", "thought", "person_memory")
    with looked_into(mind.folder) as store:
        return {name: list(store.execute(f"SELECT * FROM {name}")) for name in tables}


def test_persons_of_a_store_live_several_at_a_time_as_they_do_one_by_one(
    mind: Mind, tmp_path: Path
) -> None:
    other = Mind(make_private(tmp_path / "other")).like(mind.folder)
    one_by_one = mind("simulate", "run", "--store", "mind.db", *UNTIL)
    together = other("simulate", "run", "--store", "mind.db", *UNTIL, "--parallel", "3")
    assert together.stdout == one_by_one.stdout
    assert all_of(other) == all_of(mind)
    assert {one["person"] for one in bodies(other, "thought")} == set(NAMES)


@pytest.mark.heavy
def test_several_persons_of_a_store_think_at_a_time(mind: Mind) -> None:
    program = mind.folder / "slow"
    program.write_text(
        "#!/bin/sh\nmkdir $$.here\nsleep 1\nls -d *.here | wc -l >> seen\nrmdir $$.here\n"
        """echo '{"text": "I am here."}'\n"""
    )
    program.chmod(0o700)
    run = ("simulate", "run", "--store", "mind.db", "--until", "09:00:01", "--no-review")
    mind(*run, "--model", "program:./slow", "--parallel", "3")
    seen = (mind.folder / "seen").read_text().split()
    assert len(seen) == 3
    assert max(map(int, seen)) == 3


@pytest.mark.parametrize(
    "step", [("tick", "--dt", "5m", "--think"), ("run", "--until", "09:05", "--every", "5m")]
)
def test_a_person_of_a_store_is_changed_for_good(mind: Mind, step: tuple[str, ...]) -> None:
    changes = ("--set", "model=none", "--set", "parser=improved", "--const", "gain_glu=0.5")
    first, *_ = mind("simulate", *step, "--person", "mara", *changes).records()
    assert first["settings"] == {"model": "none", "parser": "improved"}
    assert first["consts"] == {"gain_glu": 0.5}
    assert not bodies(mind, "thought")
    versions = [one for one in bodies(mind, "person_version") if one["person"] == "mara"]
    assert [one["settings"] for one in versions] == [{}, first["settings"]]
    again, *_ = mind("simulate", "tick", "--person", "mara").records()
    assert again["settings"] == first["settings"]
    unchanged = [one for one in bodies(mind, "person_version") if one["person"] != "mara"]
    assert len(unchanged) == 2


def test_who_is_changed_as_it_is_already_gets_no_new_version(mind: Mind) -> None:
    for _ in range(2):
        mind("simulate", "tick", "--person", "mara", "--set", "model=none")
    versions = [one for one in bodies(mind, "person_version") if one["person"] == "mara"]
    assert len(versions) == 2


def test_a_changed_person_lives_in_a_store_as_it_does_on_lines(mind: Mind) -> None:
    new = ("simulate", "new", "--name", "eve", "--seed", "9", "--at", "09:00")
    (mind.folder / "eve.jsonl").write_bytes(mind(*new).stdout)
    mind(*new, "--store", "mind.db")
    run = (*UNTIL, "--set", "parser=improved", "--set", "hold_s=3", "--const", "gain_glu=0.5")
    person, _, *lines = [
        line
        for line in mind("simulate", "run", "eve.jsonl", *run).stdout.splitlines()
        # A store keeps the chart of the observer beside its lines.
        if not line.startswith(b'{"kind":"chart"')
    ]
    kept = mind("simulate", "run", "--person", "eve", *run).stdout.splitlines()
    assert kept == [person, *lines]


def test_a_wrong_change_changes_nothing(mind: Mind) -> None:
    before = all_of(mind)
    ran = mind.run("simulate", "tick", "--store", "mind.db", "--set", "modle=none")
    assert ran.status == 2
    assert "--set modle: no such setting" in ran.words
    assert all_of(mind) == before


@pytest.mark.parametrize("step", [("tick",), ("run", *UNTIL)])
def test_processes_are_for_persons_on_lines(mind: Mind, step: tuple[str, ...]) -> None:
    ran = mind.run("simulate", *step, "--store", "mind.db", "--jobs", "2")
    assert ran.status == 2
    assert "--jobs shares persons on lines" in ran.words
