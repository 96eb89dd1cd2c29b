"""What waits in an inbox, as it is to a person."""

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.inbox.records import Event, EventState
from mindpipe.person.verbs.persons import event_of


def queued(body: dict[str, object], *, text: str | None = None) -> Event:
    return Event(
        id="e_1",
        seq=1,
        agent="mara",
        type="service",
        source="operator",
        priority=3,
        text=text,
        body=body,
        pushed="2026-03-01T09:00:00Z",
        state=EventState.READY,
        attempts=0,
        epoch=0,
    )


def test_a_body_with_a_type_is_what_happens() -> None:
    found = event_of(queued({"type": "injury", "class": "cut", "nrs": 6}), person="mara", t_us=9)
    assert (found.type, found.cls, found.nrs, found.t_us) == ("injury", "cut", 6.0, 9)


def test_a_body_with_a_wrong_type_names_the_nearest() -> None:
    with pytest.raises(BadInputError, match=r'\$\.type: no type .* "injry"; did you mean injury\?'):
        event_of(queued({"type": "injry", "nrs": 6}), person="mara", t_us=0)


def test_a_body_with_another_type_and_words_is_heard_as_speech() -> None:
    found = event_of(queued({"type": "ping"}, text="Hello"), person="mara", t_us=0)
    assert (found.type, found.text) == ("speech", "Hello")
