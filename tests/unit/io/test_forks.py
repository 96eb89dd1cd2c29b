"""Processes that are forked off: what they say as they end."""

import os
import signal
import time

import pytest

from mindpipe.io.forks import EndedProcess, Forks


class _AskedError(BaseException):
    """What a handler of signals raises."""


def _wait() -> int:
    def stop(_number: int, _frame: object) -> None:
        raise _AskedError

    signal.signal(signal.SIGTERM, stop)
    os.write(1, b"waits\n")
    while True:
        time.sleep(60)


def test_who_is_asked_to_end_says_nothing_and_who_fails_says_why(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Forks() as forks:
        forks.start("asked", _wait)
        for heard in forks.heard():
            if heard == b"waits":
                forks.send(signal.SIGTERM)
            else:
                assert heard == EndedProcess("asked", 1)
    assert capfd.readouterr().err == ""
    with Forks() as forks:
        forks.start("fails", lambda: 1 // 0)
        assert list(forks.heard()) == [EndedProcess("fails", 1)]
    assert "ZeroDivisionError" in capfd.readouterr().err
