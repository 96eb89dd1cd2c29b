"""Failed calls of voices, told at the end of a run."""

from mindpipe.core.records import to_json
from mindpipe.person.records.thought import Failure
from mindpipe.person.verbs.runs import VoiceFailures


def failure(message: str) -> Failure:
    return Failure(
        person="mara",
        t_us=5,
        mode="spontaneous",
        model="program:./answer",
        error_class="local",
        message=message,
    )


def test_failures_are_counted_as_records_and_as_lines() -> None:
    failures = VoiceFailures()
    failures.hear([failure("too slow."), b'{"kind":"state"}', to_json(failure("again"))])
    told: list[str] = []
    failures.tell(told.append)
    assert told == ["2 calls of voices failed, at first: mara: too slow."]


def test_nothing_is_told_where_nothing_failed() -> None:
    failures = VoiceFailures()
    failures.hear([b'{"kind":"state"}'])
    told: list[str] = []
    failures.tell(told.append)
    assert told == []
