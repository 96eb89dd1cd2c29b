"""What a command prints is read by every filter: taken, passed on or refused, never a traceback."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from support.command import ROOT, clean_environment, forked_python

CASES = ROOT / "fixtures" / "cases"
MODEL = '#!/bin/sh\necho \'{"text": "Done."}\'\n'
OF_LIVES = (
    "simulate tick --dt 60",
    "simulate run - --until 1h",
    "simulate talk - --plain",
    "simulate plot valence",
    "feel",
    "salience",
    "feedback",
    "review",
    "life verify -",
    "life replay -",
    "life fork - --at 1d --as eva",
    "life diff - -",
    "life export -",
    "life import -",
    "view -",
)
OF_AGENTS = (
    "consolidate",
    "reflect -",
    "decide",
    "act",
    "compact",
    "compact diff -",
    "recall --items - --queries x",
    "memory extract",
    "memory add --output -",
    "complete --model program:./answer",
    "history export --format anthropic",
    "history check --for openai-chat",
    "history import --format openai-chat --output -",
    "history import --format claude-code --output -",
    "think --agent-file - --events - --model program:./answer",
    "inbox push --agent ava --output -",
    "inbox ack",
    "space post family --lines -",
    "context show --agent-file -",
    "trace export",
)
KINDS = 8
"""So many kinds of records each filter is given in the everyday tier; all of them in the long."""


def printed() -> list[str]:
    """Return the shortest record of each kind, or else of each command, that a case prints."""
    found: dict[str, str] = {}
    for file in sorted(CASES.glob("*/*/*/expout")):
        for line in file.read_text("utf-8", "replace").splitlines():
            if not line.startswith("{") or not line.endswith("}") or len(line) > 3000:
                continue
            try:
                record = json.loads(line)
            except ValueError:
                continue
            kind = record.get("kind") or "/".join(file.parts[-4:-2])
            if len(line) < len(found.get(str(kind), " " * 4000)):
                found[str(kind)] = line
    return [found[kind] for kind in sorted(found)]


@pytest.mark.parametrize(
    ("filters", "kinds"),
    [
        (OF_LIVES, KINDS),
        pytest.param(OF_LIVES + OF_AGENTS, 1000, marks=pytest.mark.long),
    ],
)
def test_no_filter_dies_of_what_another_command_prints(
    filters: tuple[str, ...], kinds: int, tmp_path: Path
) -> None:
    records = printed()
    records = records[:: max(1, len(records) // kinds)]
    assert len(records) >= KINDS
    tmp_path.chmod(0o700)
    (tmp_path / "answer").write_text(MODEL)
    (tmp_path / "answer").chmod(0o700)
    lines = [(one.split(), f"{record}\n") for one in filters for record in records]
    (tmp_path / "many.json").write_text(json.dumps(lines))
    done = subprocess.run(
        [forked_python(), ROOT / "tests" / "support" / "batch.py", "many.json"],
        capture_output=True,
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        check=True,
    )
    said = re.split("\x1e\\d+\x1e", done.stderr.decode("utf-8", "replace"))[1:]
    assert len(said) == len(lines)
    died = [
        (" ".join(arguments), record, words)
        for (arguments, record), words in zip(lines, said, strict=True)
        if "Traceback" in words or "\x1e=-1\x1e" in words
    ]
    assert died == []
