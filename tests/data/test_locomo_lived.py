"""A recorded dialogue of two people is posted into a space and lived through by a third mind."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from mindpipe.context.prompt import quoted
from support.command import Mind
from support.development_data import DATA, dialogues, line_of
from support.processes import Nursery

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.data,
    pytest.mark.skipif(not DATA.is_file(), reason=f"no development data at {DATA}"),
]

GROUP, BATCH, MOST_CYCLES = 20, 25, 25
APIS = ("anthropic", "openai-chat", "openai-responses", "ai-sdk")
NOTHING_DUE = 3
MODEL = """#!/bin/sh
cat >/dev/null
echo '{"tool_calls": [{"name": "done", "arguments": {"summary": "Listened. Nothing is pending."}}]}'
"""


def shortest() -> list[dict[str, str]]:
    """Return the turns of the shortest dialogue: who speaks, and the words."""
    return min(dialogues(), key=len)


def test_a_long_dialogue_is_lived_through_whole(mind: Mind, tmp_path: Path) -> None:
    turns = shortest()
    people = {turn["speaker"] for turn in turns}
    assert len(people) == 2
    assert len(turns) > 300
    (mind.folder / "answer").write_text(MODEL)
    (mind.folder / "answer").chmod(0o700)
    with contextlib.closing(Nursery(mind.folder)) as nursery:
        nursery.run("init")
        nursery.run("agent", "new", "ava", "--batch", str(BATCH))
        nursery.run("space", "new", "home")
        nursery.run("space", "join", "home", "ava")
        for name in people:
            nursery.run("space", "join", "home", name.lower(), "--kind", "human", "--name", name)
        for first in range(0, len(turns), GROUP):
            lines = mind.folder / "lines.jsonl"
            group = turns[first : first + GROUP]
            lines.write_text("".join(map(line_of, group)))
            made = nursery.run("space", "post", "home", "--lines", str(lines))
            assert len(made) == len(group)
        cycles = live(nursery, tmp_path / "out")
        nursery.run("history", "verify", "--agent", "ava")
        for api in APIS:
            nursery.run("history", "check", "--agent", "ava", "--for", api)
    assert len(turns) / BATCH <= cycles <= MOST_CYCLES
    check_inbox(mind.folder, turns)


def live(nursery: Nursery, out: Path) -> int:
    """Let the mind think until nothing is due; return how many cycles it took."""
    for cycle in range(MOST_CYCLES + 1):
        arguments = ("think", "--agent", "ava", "--model", "program:./answer")
        born = nursery.start(arguments, out.with_name(f"out-{cycle}"), {})
        status = born.status()
        if status == NOTHING_DUE:
            return cycle
        assert status == 0, born.words()
    raise AssertionError("there is always something due")


def check_inbox(folder: Path, turns: list[dict[str, str]]) -> None:
    """Check that the history holds every post in one inbox message, in the order of the posts."""
    with contextlib.closing(sqlite3.connect(folder / "mind.db")) as store:
        rows = store.execute("SELECT parts FROM message WHERE role = 'user' ORDER BY seq")
        opened = [json.loads(parts)[0]["text"].split("\n") for (parts,) in rows]
        states = store.execute("SELECT state, count(*) FROM event GROUP BY state").fetchall()
    assert states == [("done", len(turns))]
    for first, *lines in opened:
        assert first == f"INBOX ({len(lines)} event{'s' if len(lines) > 1 else ''}):"
    seen = [line for _, *lines in opened for line in lines]
    posted = [f"[home] {turn['speaker']} (human): {quoted(turn['text'])}" for turn in turns]
    # Told as numbers, so that a failure prints none of the words.
    assert len(seen) == len(posted)
    pairs = zip(seen, posted, strict=True)
    assert [place for place, (line, post) in enumerate(pairs) if line != post] == []
