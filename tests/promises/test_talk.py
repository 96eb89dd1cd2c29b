"""Somebody talks with a person on a terminal, and nothing of it is lost."""

import json
from pathlib import Path

import pytest

from support.command import Mind, make_private
from support.terminals import on_terminals

TALK = ("simulate", "talk", "mara.jsonl", "--as", "Ada")


@pytest.fixture
def mind(tmp_path: Path) -> Mind:
    mind = Mind(make_private(tmp_path / "life"))
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00").text
    # The last line is whole, though nothing ends it.
    (mind.folder / "mara.jsonl").write_text(made.rstrip("\n"))
    return mind


def test_a_talk_is_seen_as_words_and_kept_in_its_file(mind: Mind) -> None:
    before = (mind.folder / "mara.jsonl").read_bytes()
    screen = on_terminals(mind, [str(mind.program), *TALK], b"Hello!\nAnd now?\n")
    assert screen.stderr == ""
    after = (mind.folder / "mara.jsonl").read_bytes()
    assert after.startswith(before + b"\n")
    said = [record for record in map(json.loads, after.splitlines()) if record["kind"] == "event"]
    assert [record["type"] for record in said] == ["speech", "said"] * 2
    shown = [
        f"> {one['text']}" if one["type"] == "speech" else f"Mara: {one['text']}" for one in said
    ]
    assert screen.stdout.splitlines() == shown
    lived = mind("simulate", "run", "mara.jsonl", "--until", "09:03", "--read", "none").text
    assert json.loads(lived.splitlines()[-1])["t_us"] == 9 * 3600 * 10**6 + 180 * 10**6


def test_what_was_said_before_a_bad_line_stays(mind: Mind) -> None:
    screen = on_terminals(mind, [str(mind.program), *TALK], b"Hello!\n\xff\n")
    assert screen.stderr == "stdin:2: not UTF-8 at byte 0\n"
    kept = (mind.folder / "mara.jsonl").read_text().splitlines()
    assert any('"type":"said"' in line for line in kept)
