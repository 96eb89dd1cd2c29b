"""What is typed is taken as it is meant, and what is answered aloud is of the budget of the day."""

import json
from pathlib import Path

import pytest

from support.command import Mind, make_private

ASKED = '#!/bin/sh\ncat > /dev/null\necho . >> calls\necho \'{"text": "I hear you, and so on."}\'\n'


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    program = Path(mind.folder, "voice")
    program.write_text(ASKED)
    program.chmod(0o700)
    return mind


def test_answers_aloud_are_of_the_budget_of_a_day(mind: Mind) -> None:
    settings = ("--set", "max_calls=5", "--set", "model=program:./voice")
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00", *settings)
    Path(mind.folder, "mara.jsonl").write_bytes(made.stdout)
    turns = b"Hello!\nAre you well?\nWhat do you do?\nAnd then?\n"
    talked = mind("simulate", "talk", "mara.jsonl", "--as", "Ada", stdin=turns)
    said = [one["model"] for one in talked.records() if one.get("type") == "said"]
    assert (said[0], said[-1]) == ("program:./voice", "composed")
    assert len(Path(mind.folder, "calls").read_text().split()) == 5
    assert talked.words.count("max_calls") == 1
    last = [one for one in talked.records() if one["kind"] == "state"][-1]
    assert last["mind"]["voice"]["calls"] == 5


def test_grave_news_in_plain_words_is_not_neutral(mind: Mind) -> None:
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00")
    Path(mind.folder, "mara.jsonl").write_bytes(made.stdout)

    def valence(words: bytes) -> float:
        talked = mind("simulate", "talk", "mara.jsonl", "--as", "Ada", stdin=words)
        states = [json.loads(line) for line in talked.stdout.splitlines() if b'"state"' in line]
        heard = [one for one in states[-1]["mind"]["episodes"] if one["type"] == "speech"]
        assert (heard[0].get("valence", 0.0) < 0.0) == (b"died" in words)
        return float(states[-1]["read"]["valence"])

    assert valence(b"my mother died\n") < valence(b"my mother called\n") - 0.1
