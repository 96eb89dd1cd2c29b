"""A call returns soon after the store changes, at the time that was given, and at a signal."""

import resource
import signal
import time
from pathlib import Path
from types import FrameType

import pytest

from mindpipe.core.errors import InputOutputError
from mindpipe.io.watch import StoreWatch
from support.patience import LONGEST

_LONG = LONGEST


class Rung(Exception):
    """A signal came."""


def waited(watch: StoreWatch, seconds: float) -> float:
    """Return how long a call took."""
    begun = time.monotonic()
    watch(seconds)
    return time.monotonic() - begun


@pytest.mark.parametrize("name", ["mind.db", "mind.db-wal"])
def test_a_change_of_the_store_or_its_log_is_heard(tmp_path: Path, name: str) -> None:
    with StoreWatch(tmp_path / "mind.db", longest=_LONG) as watch:
        (tmp_path / name).write_text("changed")
        assert waited(watch, _LONG) < _LONG / 2


def test_what_is_beside_the_store_is_not_heard(tmp_path: Path) -> None:
    with StoreWatch(tmp_path / "mind.db", longest=_LONG) as watch:
        (tmp_path / "other.db").write_text("changed")
        assert waited(watch, 0.5) >= 0.5


def test_the_calls_after_a_change_return_soon_ever_less_so(tmp_path: Path) -> None:
    with StoreWatch(tmp_path / "mind.db", longest=_LONG) as watch:
        (tmp_path / "mind.db").write_text("changed")
        watch(_LONG)
        # A change may be told of twice, which begins again.
        assert sum(waited(watch, _LONG) for _ in range(4)) < _LONG / 2


def test_a_signal_reaches_the_one_that_waits(tmp_path: Path) -> None:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    try:
        with StoreWatch(tmp_path / "mind.db", longest=_LONG) as watch:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Rung):
                watch(_LONG)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_folder_that_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(InputOutputError, match="cannot be watched"):
        StoreWatch(tmp_path / "none" / "mind.db").__enter__()


def test_where_too_much_is_open_it_is_said(tmp_path: Path) -> None:
    with StoreWatch(tmp_path / "mind.db"):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
        try:
            with pytest.raises(InputOutputError, match="cannot be watched"):
                StoreWatch(tmp_path / "mind.db").__enter__()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
