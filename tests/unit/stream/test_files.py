"""A whole file is replaced or refused by what its name stands for."""

import os
from pathlib import Path

import pytest

from mindpipe.core.errors import RefusedError
from mindpipe.stream.files import write_whole


def test_a_regular_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    write_whole(path, [b"new ", b"words"])
    assert path.read_bytes() == b"new words"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_file_has_the_mode_that_is_asked_for(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "out"
    write_whole(path, [b"words"], mode=mode)
    assert path.stat().st_mode & 0o777 == mode


def test_a_fifo_is_written_to_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(path, [b"new ", b"words"])
        assert os.read(reader, 100) == b"new words"
    finally:
        os.close(reader)
    assert path.is_fifo()


@pytest.mark.parametrize("there", [True, False])
def test_a_symlink_is_refused_and_left(tmp_path: Path, *, there: bool) -> None:
    target, path = tmp_path / "target", tmp_path / "link"
    if there:
        target.write_bytes(b"old")
    path.symlink_to(target)
    with pytest.raises(RefusedError, match="is a symlink; name the file it points to"):
        write_whole(path, [b"new"])
    assert path.is_symlink()
    assert target.exists() is there
    assert not there or target.read_bytes() == b"old"


def test_a_device_is_written_to() -> None:
    write_whole(Path("/dev/null"), [b"words"])
    assert Path("/dev/null").is_char_device()
