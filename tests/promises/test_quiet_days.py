"""A person to whom nothing happens goes on thinking, in its own words, all day long."""

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.voice.folder import ENGLISH
from support.command import Mind, make_private

pytestmark = pytest.mark.heavy

PERSONS = {
    "bo": (
        "office",
        {"self_narrative": "I'm Bo, forty, a clerk in Aarhus. I live alone."},
    ),
    "rhea": (
        "retired",
        {
            "self_narrative": "I'm Rhea, seventy-three, a retired nurse in Bergen.",
            "relational_markers": ["Odd, my husband", "my daughter Liv in Oslo"],
            "key_memories": ["the ferry in the storm"],
        },
    ),
}
LEAST_THOUGHTS, LONGEST_US = 100, 2 * HOUR_US


@pytest.mark.parametrize("name", sorted(PERSONS))
def test_a_day_without_events_is_thought_through_without_saying_anything_twice(
    name: str, tmp_path: Path
) -> None:
    routine, identity = PERSONS[name]
    mind = Mind(make_private(tmp_path))
    born = mind("simulate", "new", "--name", name, "--seed", "5", "--routine", routine).stdout
    person, *rest = map(json.loads, born.splitlines())
    lines = [json.dumps(person | {"identity": person["identity"] | identity})]
    (tmp_path / "born.jsonl").write_text("\n".join([*lines, *map(json.dumps, rest)]) + "\n")
    run = ("simulate", "run", "born.jsonl", "--until", "1d", "--every", "10m", "--no-review")
    lived = [json.loads(line) for line in mind(*run).stdout.splitlines()]
    thoughts = [one for one in lived if one["kind"] == "thought"]
    awake = [one["t_us"] for one in lived if one["kind"] == "state" and one["flags"]["awake"]]
    assert len(thoughts) >= LEAST_THOUGHTS
    said = [sentence for one in thoughts for sentence in sentences_of(one["content"])]
    assert len(said) == len(set(said))
    times = [one["t_us"] for one in thoughts]
    silent = [at for a, b in pairwise(times) for at in awake if a + LONGEST_US < at < b]
    assert silent == []


def test_a_person_thinks_in_the_language_of_a_folder(tmp_path: Path) -> None:
    mind = Mind(make_private(tmp_path))
    shutil.copytree(ENGLISH, tmp_path / "stil")
    for name in ("thoughts", "course", "feelings", "passing", "daily", "dreams"):
        (tmp_path / "stil" / f"{name}.toml").write_text("")
    (tmp_path / "stil" / "hours.toml").write_text('[[hour]]\nsay = "Stil is het, {clock}."\n')
    born = mind(
        "simulate", "new", "--name", "Bo", "--seed", "5", "--set", "language=stil"
    ).stdout.decode()
    (tmp_path / "bo.jsonl").write_text(born)
    lived = mind("simulate", "run", "bo.jsonl", "--until", "12:00", "--no-review").stdout
    said = [one["content"] for one in map(json.loads, lived.splitlines()) if "content" in one]
    assert said
    assert all(one.startswith("Stil is het, ") for one in said), said
    (tmp_path / "bo.jsonl").write_text(born.replace('"stil"', '"nowhere"'))
    gone = mind.run("simulate", "run", "bo.jsonl", "--until", "12:00", "--no-review")
    assert gone.status != 0
    assert "nowhere" in gone.words
