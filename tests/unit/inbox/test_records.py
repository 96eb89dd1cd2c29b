"""The state machine of an event, and records that come back as they went out."""

import itertools

import msgspec
import pytest

from mindpipe.core.errors import IllegalStateError
from mindpipe.core.records import to_json
from mindpipe.inbox.records import Bounds, Ceiling, Event, EventState, FileEvent, Held, Receipt
from support.tables import each_row

READY, LEASED, DONE, DEAD = EventState
LEGAL = {
    (READY, LEASED),
    (READY, DEAD),
    (LEASED, DONE),
    (LEASED, READY),
    (LEASED, DEAD),
    (LEASED, LEASED),
    (DEAD, READY),
}


@each_row(("state", "following"), list(itertools.product(EventState, repeat=2)))
def test_only_the_listed_steps_are_legal(state: EventState, following: EventState) -> None:
    if (state, following) in LEGAL:
        assert state.to(following) is following
    else:
        with pytest.raises(IllegalStateError):
            state.to(following)


EVENT = Event(
    id="e_0123456789ABCD00000001",
    seq=1,
    agent="ava",
    type="observation",
    source="web",
    key="k",
    priority=2,
    asked=0,
    text="é",
    body={"a": [1, None]},
    pushed="2026-11-21T20:00:00Z",
    state=EventState.DEAD,
    attempts=5,
    epoch=7,
    reason="why",
)


@each_row(
    "record",
    [
        EVENT,
        FileEvent(id="e_1", seq=3, pushed="2026-11-21T20:00:00Z", agent="ava", lossy=True),
        Receipt(id="e_1", key="k", duplicate=True),
        Bounds(ceilings=(Ceiling(source="web", priority=3),)),
    ],
)
def test_a_record_comes_back_as_it_went_out(record: msgspec.Struct) -> None:
    assert msgspec.json.decode(to_json(record), type=type(record)) == record


def test_what_claim_prints_is_enough_to_settle() -> None:
    assert msgspec.json.decode(to_json(EVENT), type=Held) == Held(id=EVENT.id, epoch=7)
