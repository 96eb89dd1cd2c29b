"""What an observer may do in a run: look, and be ill or slow, without anything changing for it."""

import itertools
import json
from pathlib import Path

import pytest

from mindpipe.person.calendar import instant_us
from support.command import Mind, make_private

pytestmark = pytest.mark.heavy

UNTIL = "07:12"
EVENTS = (
    '{"kind":"event","person":"mara","at":"07:05:00.5","type":"injury","nrs":8,'
    '"class":"fracture","text":"you fell on the stairs"}\n'
    '{"kind":"event","person":"mara","at":"07:08","type":"speech","text":"Are you hurt?",'
    '"valence":0.5,"from":"Ben"}\n'
)
FAILING = "#!/bin/sh\necho 'I am ill.' >&2\nexit 1\n"
SLOW = '#!/bin/sh\ncat > /dev/null\nsleep 0.1\necho \'{"text": "A slow note."}\'\n'
OBSERVED = ("observation", "review_failure")


@pytest.fixture(scope="module")
def waking(tmp_path_factory: pytest.TempPathFactory) -> Mind:
    """Return a folder with mara just awake, what happens to her, and what she lives alone."""
    mind = Mind(make_private(tmp_path_factory.mktemp("waking") / "life"))
    mind.shell(
        "mind simulate new --name Mara --seed 7 --set pacing=seed |"
        " mind simulate tick --to 07:01 > mara.jsonl"
    )
    Path(mind.folder, "events.jsonl").write_text(EVENTS)
    for name, text in (("failing", FAILING), ("slow", SLOW)):
        program = Path(mind.folder, name)
        program.write_text(text)
        program.chmod(0o700)
    return mind


def lived(mind: Mind, *options: str) -> tuple[list[bytes], list[dict]]:
    """Return what a run prints of the person, and what of its observer."""
    lines = mind(
        "simulate", "run", "mara.jsonl", "--events", "events.jsonl", "--until", UNTIL, *options
    ).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    person = [line for line, one in zip(lines, records, strict=True) if one["kind"] not in OBSERVED]
    return person, [one for one in records if one["kind"] in OBSERVED]


@pytest.fixture(scope="module")
def alone(waking: Mind) -> list[bytes]:
    """Return what mara lives through without an observer."""
    person, observed = lived(waking, "--no-review", "--every", "90s")
    assert observed == []
    kinds = [json.loads(line)["kind"] for line in person]
    assert kinds.count("thought") > 15
    assert "memory" in kinds
    return person


@pytest.mark.parametrize(
    ("options", "kind", "content"),
    [
        ((), "observation", "Arousal"),
        (("--set", "review_model=program:./failing"), "review_failure", "I am ill"),
        (
            ("--model", "composed", "--set", "review_model=program:./slow"),
            "observation",
            "A slow note.",
        ),
        (("--set", "review_buffer=1", "--set", "review_interval_us=0"), "observation", "last 1 "),
        (("--set", "review_model=none"), None, ""),
        (("--set", "review=false"), None, ""),
    ],
    ids=["composed", "failing", "slow", "often", "none", "off"],
)
def test_a_person_lives_the_same_whoever_watches(
    waking: Mind, alone: list[bytes], options: tuple[str, ...], kind: str | None, content: str
) -> None:
    person, observed = lived(waking, "--every", "90s", *options)
    same = [line for line in person if b'"kind":"person"' not in line]
    assert same == [line for line in alone if b'"kind":"person"' not in line]
    if kind is None:
        assert observed == []
        return
    assert {one["kind"] for one in observed} == {kind}
    assert all(content in one.get("content", one.get("message")) for one in observed)
    step_us = 1_000_000 if "review_interval_us=0" in options else 60_000_000
    first_us = next(one["t_us"] for one in map(json.loads, alone) if one["kind"] == "thought")
    looks = range(-(-first_us // step_us) * step_us, instant_us(UNTIL) + 1, step_us)
    assert [one["t_us"] for one in observed] == list(looks)


@pytest.mark.parametrize("model", ["composed", "program:./slow"])
def test_a_recorded_run_is_replayed_to_the_byte(waking: Mind, model: str) -> None:
    record = Path(waking.folder, "recorded.jsonl")
    record.unlink(missing_ok=True)
    limit = ("--set", f"max_calls={3 if model == 'composed' else 200}")
    first = lived(waking, "--model", model, "--record", "recorded.jsonl", *limit)
    assert len(first[1]) > 5
    assert lived(waking, "--model", "replay:recorded.jsonl", *limit) == first


def test_notes_are_as_frequent_as_they_are_set(waking: Mind) -> None:
    person, observed = lived(waking, "--set", "review_interval_us=9500000")
    looked = [one["t_us"] for one in observed]
    assert {after - before for before, after in itertools.pairwise(looked)} == {10_000_000}
    thoughts = [one for one in map(json.loads, person) if one["kind"] == "thought"]
    assert 0 <= looked[0] - thoughts[0]["t_us"] < 10_000_000


def test_calls_of_the_observer_are_limited_and_counted_apart(
    waking: Mind, alone: list[bytes]
) -> None:
    options = ("--set", "review_model=program:./slow", "--set", "max_calls=2")
    person, observed = lived(waking, "--every", "90s", *options)
    assert [line for line in person if b'"kind":"thought"' in line] == [
        line for line in alone if b'"kind":"thought"' in line
    ]
    assert [one["kind"] for one in observed[:3]] == ["observation", "observation", "review_failure"]
    assert {one["error_class"] for one in observed[2:]} == {"max_calls"}


def test_the_filter_notes_the_same_as_the_run(waking: Mind) -> None:
    person, observed = lived(waking, "--every", "1m")
    printed = waking("review", stdin=b"\n".join(person)).records()
    assert printed == observed


def test_the_notes_are_in_no_prompt_of_the_person(waking: Mind) -> None:
    recorded = Path(waking.folder, "turns.jsonl")
    lived(waking, "--set", "review_model=program:./slow", "--record", "turns.jsonl")
    turns = [json.loads(line) for line in recorded.read_text().splitlines()]
    persons = [turn for turn in turns if "one-way mirror" not in json.dumps(turn)]
    observers = [turn for turn in turns if "one-way mirror" in json.dumps(turn)]
    assert len(observers) == 11
    assert len(persons) > 15
    assert not any("slow note" in json.dumps(turn) for turn in persons)


def test_a_person_in_a_store_is_observed_and_the_notes_are_kept(mind_with_store: Mind) -> None:
    mind = mind_with_store
    mind(
        "simulate",
        "new",
        "--store",
        "mind.db",
        "--name",
        "Mara",
        "--seed",
        "7",
        "--set",
        "pacing=seed",
    )
    ran = mind("simulate", "run", "--person", "mara", "--until", "07:04", "--every", "1d").records()
    noted = [one for one in ran if one["kind"] == "observation"]
    assert [one["t_us"] for one in noted] == [25_320_000_000, 25_380_000_000, 25_440_000_000]
    assert mind.run("review", "--person", "mara").stdout == b"", "none is due"
    mind("simulate", "run", "--person", "mara", "--until", "07:06:30", "--no-review")
    (late,) = mind("review", "--person", "mara").records()
    assert late["t_us"] == 25_590_000_000
    assert late["thoughts"][: len(noted[-1]["thoughts"])] == noted[-1]["thoughts"]
    assert mind.run("review", "--person", "mara").stdout == b"", "it was kept"
