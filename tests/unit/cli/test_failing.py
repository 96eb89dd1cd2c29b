"""Failed calls of voices, told at the end of a run."""

import pytest

from mindpipe.core.records import to_json
from mindpipe.person.records.thought import Failure
from mindpipe_cli.simulating.failing import Failures


def failure(message: str) -> Failure:
    return Failure(
        person="mara",
        t_us=5,
        mode="spontaneous",
        model="program:./answer",
        error_class="local",
        message=message,
    )


def test_failures_are_counted_as_records_and_as_lines(capsys: pytest.CaptureFixture[str]) -> None:
    failures = Failures()
    failures.hear([failure("too slow."), b'{"kind":"state"}', to_json(failure("again"))])
    failures.tell()
    assert capsys.readouterr().err == ("2 calls of voices failed, at first: mara: too slow.\n")


def test_nothing_is_told_where_nothing_failed(capsys: pytest.CaptureFixture[str]) -> None:
    failures = Failures()
    failures.hear([b'{"kind":"state"}'])
    failures.tell()
    assert capsys.readouterr().err == ""
