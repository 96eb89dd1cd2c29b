"""Leases are renewed by one thread, each at its time and until its block ends."""

import threading
import time
from collections.abc import Callable

import pytest

from mindpipe.core.errors import StoreBusyError
from mindpipe.engine.worker import heartbeat
from mindpipe.engine.worker.heartbeat import beating
from support.command import SECONDS


def beats_until(
    count: int, *, goes_on: bool = True
) -> tuple[list[int], threading.Event, Callable[[], bool]]:
    """Return beats, what tells that there were so many, and what beats."""
    struck: list[int] = []
    enough = threading.Event()

    def renew() -> bool:
        struck.append(threading.get_ident())
        if len(struck) >= count:
            enough.set()
        return goes_on

    return struck, enough, renew


def test_a_short_beat_does_not_wait_for_a_long_one_that_was_there_first() -> None:
    _, once, renew_once = beats_until(1)
    with beating(renew_once, interval=0.01, seconds=0.01):
        assert once.wait(SECONDS)
    long, _, renew_long = beats_until(1)
    short, enough, renew_short = beats_until(3)
    with (
        beating(renew_long, interval=3600, seconds=7200),
        beating(renew_short, interval=0.01, seconds=3600),
    ):
        assert enough.wait(SECONDS)
    assert long == []
    assert threading.get_ident() not in short


def test_no_more_beats_than_fit_into_the_deadline_nor_after_the_lease_is_gone() -> None:
    few, _, renew_few = beats_until(2)
    gone, _, renew_gone = beats_until(1, goes_on=False)
    _, enough, renew_many = beats_until(30)
    with (
        beating(renew_few, interval=0.01, seconds=0.02),
        beating(renew_gone, interval=0.01, seconds=3600),
        beating(renew_many, interval=0.02, seconds=3600),
    ):
        assert enough.wait(SECONDS)
    assert (len(few), len(gone)) == (2, 1)


def test_a_renewal_that_is_under_way_ends_before_its_block_does() -> None:
    begun, ended = threading.Event(), threading.Event()

    def renew() -> bool:
        begun.set()
        ended.wait(0.2)
        ended.set()
        return True

    with beating(renew, interval=0.01, seconds=3600):
        assert begun.wait(SECONDS)
    assert ended.is_set()


def test_a_renewal_that_fails_is_soon_tried_again_as_long_as_the_deadline_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heartbeat, "_AGAIN_SECONDS", 0.001)
    tried: list[float] = []
    enough = threading.Event()

    def away() -> bool:
        tried.append(time.monotonic())
        if len(tried) == 5:
            enough.set()
            return False
        raise StoreBusyError("the server is away")

    began = time.monotonic()
    with beating(away, interval=0.5, seconds=5):
        assert enough.wait(SECONDS)
    # At intervals the fifth would have come after 2.5 seconds.
    assert len(tried) == 5
    assert tried[0] - began >= 0.5
    brief = heartbeat._Beat(away, interval=0.5, seconds=0.5)
    tried[:] = []
    while brief.left > 0:
        brief.strike()
    assert len(tried) > 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_renewal_that_fails_keeps_no_other_from_its_own() -> None:
    begun = threading.Event()
    threads: list[threading.Thread] = []

    def broken() -> bool:
        threads.append(threading.current_thread())
        begun.set()
        raise SystemExit

    struck, enough, renew = beats_until(1)
    with beating(broken, interval=0.01, seconds=3600):
        assert begun.wait(SECONDS)
    # What it died of must be told before this test ends, or the next one is blamed for it.
    threads[0].join(SECONDS)
    with beating(renew, interval=0.01, seconds=3600):
        assert enough.wait(SECONDS)
    assert struck
