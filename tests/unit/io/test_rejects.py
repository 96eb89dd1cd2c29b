"""Refused lines are kept with their reasons in a private file."""

import json
import os
import stat
from pathlib import Path

import pytest

from mindpipe.core.errors import RefusedError
from mindpipe.core.problems import Problem
from mindpipe.io.rejects import RejectsFile


def test_every_refused_line_is_there_once_settled(tmp_path: Path) -> None:
    path = tmp_path / "rejects.jsonl"
    path.write_text("of an earlier run\n")
    with RejectsFile(path) as rejects:
        problem = Problem(source="stdin", line=2, field="$.a", message="is odd")
        rejects.refuse([problem, problem], b"bad\r\n")
        rejects.refuse([Problem(source="stdin", line=3, message="no")], b"\xff\n")
        rejects.settle()
        written = path.read_text()
    assert [json.loads(line) for line in written.splitlines()] == [
        {
            "source": "stdin",
            "line": 2,
            "problems": ["stdin:2: $.a: is odd", "stdin:2: $.a: is odd"],
            "record": "bad",
        },
        {
            "source": "stdin",
            "line": 3,
            "problems": ["stdin:3: no"],
            "record": "\ufffd",
            "original": "/wo=",
        },
    ]
    assert rejects.count == 2


def test_the_file_is_private_and_no_symlink(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    with RejectsFile(path):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(RefusedError, match="is a symlink"), RejectsFile(tmp_path / "link"):
        pass


def test_a_file_of_an_earlier_run_stays_where_no_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rejects.jsonl"
    path.write_text("of an earlier run\n")
    with RejectsFile(path) as rejects:
        rejects.settle()
    assert path.read_text() == "of an earlier run\n"


def test_a_pipe_takes_what_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with RejectsFile(path) as rejects:
            rejects.refuse([Problem(source="stdin", line=3, message="no")], b"bad\n")
        assert b"stdin:3: no" in os.read(reader, 4096)
    finally:
        os.close(reader)
