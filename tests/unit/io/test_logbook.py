"""A log: its lines, who may read it, when a new file begins, and what is kept."""

import json
import os
from pathlib import Path

import pytest

from mindpipe.core.errors import InputOutputError, RefusedError
from mindpipe.io.log import NAME, Logbook, LogRotation

AT = "2026-06-01T08:00:00Z"
HOUR = 3600.0


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / NAME).read_text().splitlines()]


def say(folder: Path, *words: str, level: str = "INFO", **keeping: object) -> None:
    book = Logbook(LogRotation(folder, **keeping))  # type: ignore[arg-type]  # fields by name
    for one in words:
        book.write("iteration", {"words": one}, at=AT, level=level)
    book.close()


def age(file: Path, seconds: float) -> None:
    then = file.stat().st_mtime - seconds
    os.utime(file, (then, then))


def test_a_line_says_when_how_odd_and_what(tmp_path: Path) -> None:
    say(tmp_path / "logs", "one", "two\nof two lines \x1b[31m")
    assert lines(tmp_path / "logs") == [
        {"at": AT, "level": "INFO", "what": "iteration", "words": "one"},
        {"at": AT, "level": "INFO", "what": "iteration", "words": "two\nof two lines \x1b[31m"},
    ]


def test_what_is_less_odd_than_the_level_is_left_out(tmp_path: Path) -> None:
    book = Logbook(LogRotation(tmp_path, level="WARNING"))
    for level in ("DEBUG", "INFO", "WARNING", "ERROR"):
        book.write("said", {}, at=AT, level=level)
    book.close()
    assert [line["level"] for line in lines(tmp_path)] == ["WARNING", "ERROR"]


def test_folder_and_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        say(tmp_path / "logs", "one")
    finally:
        os.umask(before)
    assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "logs" / NAME).stat().st_mode & 0o777 == 0o600


def test_a_log_that_is_a_symlink_is_refused(tmp_path: Path) -> None:
    (tmp_path / NAME).symlink_to(tmp_path / "other")
    with pytest.raises(RefusedError):
        say(tmp_path, "one")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputOutputError, match="file"):
        say(tmp_path / "file", "one")


def test_a_new_file_begins_when_its_hour_is_over_also_after_a_restart(tmp_path: Path) -> None:
    say(tmp_path, "old", rotation="hourly")
    age(tmp_path / NAME, 2 * HOUR)
    say(tmp_path, "new", rotation="hourly")
    assert [line["words"] for line in lines(tmp_path)] == ["new"]
    (kept,) = [file for file in tmp_path.iterdir() if file.name != NAME]
    assert "old" in kept.read_text()


def test_two_processes_begin_one_new_file_and_lose_nothing(tmp_path: Path) -> None:
    books = [Logbook(LogRotation(tmp_path, rotation="hourly")) for _ in range(2)]
    for book in books:
        book.write("iteration", {"words": "old"}, at=AT, level="INFO")
    age(tmp_path / NAME, 2 * HOUR)
    new = [Logbook(LogRotation(tmp_path, rotation="hourly")) for _ in range(2)]
    for book in (*new, *books):
        book.write("iteration", {"words": "new"}, at=AT, level="INFO")
        book.close()
    assert [line["words"] for line in lines(tmp_path)] == ["new"] * 4
    (kept,) = [file for file in tmp_path.iterdir() if file.name != NAME]
    assert kept.read_text().count("old") == 2


def test_a_log_whose_file_was_taken_away_goes_on_in_a_new_one(tmp_path: Path) -> None:
    book = Logbook(LogRotation(tmp_path))
    book.write("iteration", {"words": "one"}, at=AT, level="INFO")
    (tmp_path / NAME).unlink()
    book.write("iteration", {"words": "two"}, at=AT, level="INFO")
    assert [line["words"] for line in lines(tmp_path)] == ["two"]
    (tmp_path / NAME).rename(tmp_path / "away")
    tmp_path.joinpath(NAME).mkdir()
    with pytest.raises(InputOutputError, match=NAME):
        book.write("iteration", {"words": "three"}, at=AT, level="INFO")


def test_files_that_are_too_old_are_deleted(tmp_path: Path) -> None:
    for number in range(1, 31):
        (tmp_path / f"{NAME}.2026-05-{number:02d}").write_text("")
    (tmp_path / f"{NAME}.txt").write_text("of somebody else")
    say(tmp_path, "old", retention_days=3)
    age(tmp_path / NAME, 48 * HOUR)
    say(tmp_path, "new", retention_days=3)
    rotated = sorted(file.name for file in tmp_path.iterdir() if file.name[-1].isdigit())
    assert len(rotated) == 3
    assert rotated[0] == f"{NAME}.2026-05-29"
    assert (tmp_path / f"{NAME}.txt").exists()
