"""A person in a store is killed anywhere and lives on as if nothing had been."""

import json
import signal
from pathlib import Path

import pytest

from support.command import Mind, looked_into, make_private
from support.patience import until, woken

TABLES = (
    *("person", "person_version", "person_state", "person_event", "thought", "person_memory"),
    *("person_failure", "person_observation"),
)
RUN = ("simulate", "run", "--person", "mara", "--until", "09:30", "--every", "5m")
FALL = {"body": {"type": "injury", "nrs": 6, "text": "you fell on the stairs"}}
DAY = (
    '{"kind":"event","at":"09:12","type":"noise","db":95}\n'
    '{"kind":"event","at":"09:20","type":"speech","text":"Are you well?","from":"husam"}\n'
)


def begun(folder: Path) -> Mind:
    """Return a folder in which Mara woke up, something waits for her, and more will happen."""
    mind = Mind(make_private(folder))
    mind("init")
    mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00", "--store", "mind.db")
    mind("space", "new", "family")
    mind("space", "join", "family", "mara")
    mind("space", "join", "family", "husam", "--kind", "human")
    mind("space", "post", "family", "--as", "husam", "Good morning!")
    mind("inbox", "push", "--agent", "mara", stdin=json.dumps(FALL))
    (folder / "day.jsonl").write_text(DAY)
    return mind


def rows(mind: Mind) -> dict[str, list[tuple]]:
    """Return all that the store holds of persons, and how its inbox stands."""
    with looked_into(mind.folder) as store:
        found = {name: list(store.execute(f"SELECT * FROM {name}")) for name in TABLES}
        found["event"] = list(store.execute("SELECT seq, state, outcome FROM event ORDER BY seq"))
    return found


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begun(tmp_path_factory.mktemp("first") / "life").folder


@pytest.fixture(scope="module")
def undisturbed(
    beginning: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[tuple]]:
    mind = Mind(make_private(tmp_path_factory.mktemp("whole") / "life")).like(beginning)
    mind(*RUN, "--events", "day.jsonl")
    return rows(mind)


@pytest.fixture
def mara(beginning: Path, tmp_path: Path) -> Mind:
    return Mind(make_private(tmp_path / "life")).like(beginning)


def test_an_undisturbed_person_heard_all_of_it(undisturbed: dict[str, list[tuple]]) -> None:
    assert [state for _, state, _ in undisturbed["event"]] == ["done", "done"]
    assert len(undisturbed["person_event"]) == 4
    heard = [json.loads(body) for *_, body in undisturbed["person_event"]]
    assert [one["type"] for one in heard] == ["speech", "injury", "noise", "speech"]
    assert heard[0]["from"] == "husam"
    modes = {json.loads(body)["mode"] for *_, body in undisturbed["thought"]}
    assert modes == {"respond", "react", "spontaneous"}


@pytest.mark.parametrize("point", ["live.before_commit", "live.after_commit"])
@pytest.mark.parametrize("passage", [1, 4])
def test_a_killed_run_goes_on_from_its_last_tick(
    mara: Mind, undisturbed: dict[str, list[tuple]], point: str, passage: int
) -> None:
    run = (*RUN, "--events", "day.jsonl")
    killed = mara.run(*run, environment=mara.failing(f"{point}:kill@{passage}"))
    assert killed.status == -signal.SIGKILL
    left = rows(mara)
    ticks = passage - 1 if point == "live.before_commit" else passage
    assert left["person"][0][1] == ticks
    mara(*run)
    assert rows(mara) == undisturbed


def test_a_person_is_observed_though_its_states_are_told_without_readouts(
    mara: Mind, undisturbed: dict[str, list[tuple]]
) -> None:
    mara(*RUN, "--events", "day.jsonl", "--read", "none")
    assert rows(mara)["person_observation"] == undisturbed["person_observation"] != []


def test_of_two_runs_at_once_one_is_fenced_and_leaves_nothing(
    mara: Mind, undisturbed: dict[str, list[tuple]]
) -> None:
    run = (*RUN, "--events", "day.jsonl")
    slow = mara.start(*run, environment=mara.failing("live.after_commit:stop@2"))
    until(lambda: rows(mara)["person"][0][1] >= 2, "the second commit of the slow run")
    mara(*run)
    words = woken(slow)
    assert slow.returncode == 75
    assert b"went on from tick 2 elsewhere" in words
    assert rows(mara) == undisturbed


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"body": {"type": "injury", "nrs": 60}}, "$.body.nrs: expected 0..10, got 60"),
        ({"body": {"type": "party"}}, '$.body.type: no type of event, got "party"'),
        ({"sender": "Ben"}, "$.text: missing; speech needs it"),
    ],
)
def test_what_can_be_no_event_is_refused(mara: Mind, wrong: dict[str, object], words: str) -> None:
    ran = mara.run("inbox", "push", stdin=json.dumps({"agent": "mara", **wrong}))
    assert (ran.status, f"stdin:1: {words}" in ran.words) == (65, True)
    assert len(rows(mara)["event"]) == 2


def test_what_can_be_no_event_is_dead_in_the_inbox(mara: Mind) -> None:
    # Such as was pushed before it was looked at, or by another version.
    mara("inbox", "push", "--agent", "mara", stdin='{"body":{"type":"injury","nrs":7}}')
    with looked_into(mara.folder) as store:
        store.execute("UPDATE event SET body = replace(body, '\"nrs\":7', '\"nrs\":60')")
    ran = mara(*RUN)
    assert "$.nrs: expected 0..10, got 60" in ran.words
    assert [state for _, state, _ in rows(mara)["event"]] == ["done", "done", "dead"]
    assert len(rows(mara)["person_event"]) == 2


def test_a_worker_does_not_think_in_the_place_of_a_person(mara: Mind) -> None:
    ran = mara.run("think", "--agent", "mara", "--model", "program:./none")
    assert ran.status == 4
    assert "a simulated person and lives by mind simulate run --person mara" in ran.words


def test_thoughts_are_never_posted(mara: Mind) -> None:
    mara(*RUN)
    assert len(mara("space", "read", "family", "--json").records()) == 1


def test_a_life_on_lines_and_in_a_store_is_the_same(tmp_path: Path) -> None:
    mind = Mind(make_private(tmp_path / "life"))
    new = ("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00")
    (mind.folder / "mara.jsonl").write_bytes(mind(*new).stdout)
    (mind.folder / "day.jsonl").write_text(DAY)
    mind("init")
    mind(*new, "--store", "mind.db")
    until = ("--until", "09:30", "--every", "5m", "--events", "day.jsonl")
    person, first, *lines = [
        line
        for line in mind("simulate", "run", "mara.jsonl", *until).stdout.splitlines()
        # A store keeps the chart of the observer beside its lines.
        if not line.startswith(b'{"kind":"chart"')
    ]
    kept = mind("simulate", "run", "--store", "mind.db", *until).stdout.splitlines()
    assert json.loads(first)["t_us"] == 32_400_000_000
    assert kept == [person, *lines]
