"""What every store must make of an inbox: receipts, order, leases, attempts, bounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.errors import (
    BadInputError,
    FencedError,
    IllegalStateError,
    NothingToDoError,
    RefusedError,
    UsageError,
)
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Store
from mindpipe.inbox.records import Bounds, Ceiling, Event, EventState, Receipt, Release
from mindpipe.inbox.verbs import inbox as verbs
from mindpipe.inbox.verbs.push import deliverer, push_events
from mindpipe.io.chance import SeededChance
from support.fakes import FixedClock
from support.stores import store_at

CHANCE = SeededChance(1)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


class Inbox:
    """The inbox of ava over one store and one clock."""

    def __init__(self, store: Store, clock: FixedClock) -> None:
        self.store = store
        self.clock = clock

    def push(self, *events: NewEvent, bounds: Bounds | None = None) -> list[Receipt]:
        return push_events(
            self.store, self.clock, CHANCE, events=list(events), bounds=bounds or Bounds()
        )

    def texts(self, *words: str, priority: int = 3) -> list[str]:
        made = [NewEvent(agent="ava", text=one, priority=priority) for one in words]
        return [receipt.id for receipt in self.push(*made)]

    def claim(self, limit: int = 20, owner: str = "one", seconds: float = 60.0) -> list[Event]:
        return verbs.claim(
            self.store, self.clock, agent="ava", owner=owner, limit=limit, seconds=seconds
        )

    def claimed(self, limit: int = 20) -> list[str | None]:
        return [event.text for event in self.claim(limit)]

    def release(self, event: Event, **how: object) -> Event:
        wish = Release(**{"reason": "why", **how})
        return verbs.release(
            self.store, self.clock, CHANCE, id=event.id, epoch=event.epoch, how=wish
        )

    def fail(self, event: Event) -> None:
        """Let a claim end without a word, as a worker that dies does."""
        self.clock.pass_time(61)

    def listed(self, *states: EventState) -> list[Event]:
        return verbs.list_(self.store, agent="ava", states=states or verbs.OPEN_STATES)


@pytest.fixture
def inbox(store: Store, clock: FixedClock) -> Inbox:
    return Inbox(store, clock)


def event(text: str = "a", **more: object) -> NewEvent:
    return NewEvent(**{"agent": "ava", "text": text, **more})


def test_what_was_pushed_rests_as_it_was(inbox: Inbox) -> None:
    pushed = event(
        type="observation",
        source="web",
        key="k",
        priority=1,
        due="2026-11-21T21:00:00+01:00",
        space="family",
        sender="husam",
        body={"a": [1, None, "é"]},
    )
    (receipt,) = inbox.push(pushed)
    (found,) = inbox.listed()
    assert receipt == Receipt(id=found.id, key="k")
    assert found == Event(
        id=found.id,
        seq=1,
        agent="ava",
        type="observation",
        source="web",
        key="k",
        priority=1,
        due="2026-11-21T20:00:00Z",
        space="family",
        sender="husam",
        text="a",
        body={"a": [1, None, "é"]},
        pushed="2026-11-21T20:00:00Z",
        state=EventState.READY,
        attempts=0,
        epoch=0,
    )


def test_ids_are_never_given_twice_and_end_in_the_place(inbox: Inbox) -> None:
    ids = inbox.texts("a", "b") + inbox.texts("c")
    assert len(set(ids)) == 3
    assert [found.id for found in inbox.listed()] == ids
    assert [found.seq for found in inbox.listed()] == [1, 2, 3]


def test_the_same_key_is_the_same_event(inbox: Inbox) -> None:
    (first,) = inbox.push(event(key="k"))
    (again,) = inbox.push(event(key="k", priority=0, due="2030-01-01T00:00:00Z"))
    assert again == Receipt(id=first.id, key="k", duplicate=True)
    assert [found.priority for found in inbox.listed()] == [3]


def test_a_key_holds_for_one_agent_and_source_and_for_ever(inbox: Inbox) -> None:
    inbox.push(event(key="k"), event(key="k", source="web"), event(key="k", agent="bob"))
    for claimed in inbox.claim():
        verbs.ack(inbox.store, id=claimed.id, epoch=claimed.epoch)
    receipts = inbox.push(event(key="k"), event(key="k", source="web"), event(key="k", agent="bob"))
    assert [receipt.duplicate for receipt in receipts] == [True, True, True]


def test_keys_that_come_twice_in_one_push_leave_the_others_their_places(inbox: Inbox) -> None:
    receipts = inbox.push(event("a", key="k"), event("a", key="k"), event("b"), event("c", key="l"))
    assert [receipt.duplicate for receipt in receipts] == [False, True, False, False]
    assert {found.id: found.text for found in inbox.listed()} == {
        receipts[0].id: "a",
        receipts[2].id: "b",
        receipts[3].id: "c",
    }
    later = inbox.texts("d", "e")
    assert [found.id for found in inbox.listed()][-2:] == later


def test_a_key_with_other_content_stores_nothing(inbox: Inbox) -> None:
    (first,) = inbox.push(event("a", key="k"))
    with pytest.raises(BadInputError, match=rf'"k" is the key of another event \({first.id}\)'):
        inbox.push(event("new"), event("b", key="k"))
    assert [found.text for found in inbox.listed()] == ["a"]


def test_the_key_that_a_receipt_printed_holds(inbox: Inbox) -> None:
    (first,) = inbox.push(event("a"))
    (again,) = inbox.push(event("a", key=first.key))
    assert again == Receipt(id=first.id, key=first.key, duplicate=True)
    with pytest.raises(BadInputError, match="is the key of another event"):
        inbox.push(event("b", key=first.key))
    (other,) = inbox.push(event("b", key=first.key, agent="bob"))
    assert not other.duplicate


def test_what_is_pushed_beside_a_known_event_is_kept(inbox: Inbox) -> None:
    (first,) = inbox.push(event("a"))
    (known,) = inbox.push(event("a", key=first.key))
    new, again, keyed = inbox.push(event("b"), event("a", key=first.key), event("c", key="k"))
    assert [one.duplicate for one in (known, new, again, keyed)] == [True, False, True, False]
    assert again.id == first.id
    assert inbox.claimed() == ["a", "b", "c"]


def test_the_most_urgent_come_first_then_the_oldest(inbox: Inbox) -> None:
    for number, priority in enumerate([4, 3, 0, 3, 1, 2]):
        inbox.texts(f"{number}", priority=priority)
    assert inbox.claimed(4) == ["2", "4", "5", "1"]
    assert inbox.claimed() == ["3", "0"]
    assert inbox.claimed() == []


def test_age_makes_an_event_more_urgent(inbox: Inbox) -> None:
    inbox.texts("old normal")
    inbox.clock.pass_time(601)
    inbox.texts("new normal")
    inbox.texts("new urgent", priority=2)
    inbox.texts("new critical", priority=1)
    assert inbox.claimed() == ["new critical", "old normal", "new urgent", "new normal"]


def test_what_waited_longer_than_anything_may_goes_before_all_but_emergencies(
    inbox: Inbox,
) -> None:
    inbox.texts("old background", priority=4)
    inbox.texts("old normal")
    inbox.clock.pass_time(3601)
    for priority in (1, 1, 1, 0):
        inbox.texts(f"new {priority}", priority=priority)
    assert inbox.claimed(3) == ["new 0", "old background", "old normal"]


def test_agents_do_not_see_each_other(inbox: Inbox) -> None:
    inbox.push(event("mine"), event("other", agent="bob"))
    assert inbox.claimed() == ["mine"]
    assert [found.text for found in inbox.listed()] == ["mine"]


def test_an_event_is_not_due_before_its_time(inbox: Inbox) -> None:
    inbox.push(event("later", due="2026-11-21T20:10:00Z"), event("now"))
    assert inbox.claimed() == ["now"]
    inbox.clock.pass_time(600)
    assert "later" in inbox.claimed()


def test_a_claim_holds_until_its_deadline(inbox: Inbox) -> None:
    inbox.texts("a")
    (first,) = inbox.claim(owner="one", seconds=60)
    assert (first.state, first.owner, first.epoch, first.attempts) == ("leased", "one", 1, 1)
    inbox.clock.pass_time(59)
    assert inbox.claim(owner="two") == []
    inbox.clock.pass_time(1)
    (second,) = inbox.claim(owner="two")
    assert (second.owner, second.epoch, second.attempts) == ("two", 2, 2)


def test_a_fenced_worker_changes_nothing(inbox: Inbox) -> None:
    inbox.texts("a")
    (first,) = inbox.claim()
    inbox.clock.pass_time(60)
    (second,) = inbox.claim(owner="two")
    store, clock = inbox.store, inbox.clock
    with pytest.raises(FencedError, match="is not held under epoch 1"):
        verbs.ack(store, id=first.id, epoch=first.epoch)
    with pytest.raises(FencedError):
        inbox.release(first)
    with pytest.raises(FencedError):
        verbs.extend(store, clock, id=first.id, epoch=first.epoch)
    with pytest.raises(FencedError):
        verbs.dead(store, id=first.id, epoch=first.epoch, reason="no")
    assert inbox.listed() == [second]


def test_an_expired_claim_that_nobody_took_is_still_the_owners(inbox: Inbox) -> None:
    inbox.texts("a", "b")
    one, two = inbox.claim()
    inbox.clock.pass_time(600)
    assert verbs.ack(inbox.store, id=one.id, epoch=one.epoch).state == "done"
    verbs.extend(inbox.store, inbox.clock, id=two.id, epoch=two.epoch, seconds=60)
    assert inbox.claim() == []


def test_a_done_event_stays_done(inbox: Inbox) -> None:
    inbox.texts("a")
    (held,) = inbox.claim()
    done = verbs.ack(inbox.store, id=held.id, epoch=held.epoch, outcome="skipped")
    assert (done.state, done.outcome, done.owner) == ("done", "skipped", None)
    with pytest.raises(FencedError, match="it is done"):
        verbs.ack(inbox.store, id=held.id, epoch=held.epoch)
    with pytest.raises(IllegalStateError):
        verbs.dead(inbox.store, id=held.id, reason="no")
    with pytest.raises(IllegalStateError, match="is done, not dead"):
        verbs.redrive(inbox.store, agent="ava", ids=[held.id])
    assert inbox.listed() == []


def test_a_clean_release_gives_the_attempt_back_and_is_due_at_once(inbox: Inbox) -> None:
    inbox.texts("a")
    for _ in range(10):
        (held,) = inbox.claim()
        back = inbox.release(held, clean=True)
        assert (back.state, back.attempts, back.reason, back.owner) == ("ready", 0, "why", None)
    assert held.epoch == 10


def test_a_release_after_a_failure_waits_a_random_while(inbox: Inbox) -> None:
    inbox.texts("a")
    (held,) = inbox.claim()
    inbox.release(held)
    assert inbox.claim() == []
    inbox.clock.pass_time(4)
    (again,) = inbox.claim()
    assert (again.attempts, again.reason) == (2, "why")


def test_a_wait_ends_when_either_clock_says_so(inbox: Inbox) -> None:
    inbox.texts("a")
    clock = inbox.clock
    for change in ("wall", "boot", "reboot"):
        (held,) = inbox.claim()
        inbox.release(held, clean=True, wait=100)
        clock.pass_time(99)
        assert inbox.claim() == []
        if change == "wall":
            clock.instant = "2027-11-21T20:00:00Z"
        elif change == "boot":
            clock.seconds += 1
            clock.instant = "2025-11-21T20:00:00Z"
        else:
            clock.boot_id, clock.seconds = "boot-2", 1.0
            clock.instant = "2025-11-21T20:00:00Z"
        assert len(inbox.claim()) == 1
        clock.pass_time(60)


@pytest.mark.parametrize("instant", ["2025-11-21T20:00:00Z", "2027-11-21T20:00:00Z"])
def test_a_jump_of_the_wall_clock_moves_no_deadline(inbox: Inbox, instant: str) -> None:
    inbox.texts("a")
    inbox.claim()
    inbox.clock.instant = instant
    assert inbox.claim() == []
    inbox.clock.seconds += 60
    assert len(inbox.claim()) == 1


def test_after_a_reboot_every_claim_has_ended(inbox: Inbox) -> None:
    inbox.texts("a")
    inbox.claim(seconds=10_000)
    inbox.clock.boot_id, inbox.clock.seconds = "boot-2", 5.0
    assert len(inbox.claim()) == 1


def test_at_the_sixth_claim_an_event_is_dead_and_the_line_goes_on(inbox: Inbox) -> None:
    inbox.texts("poison", "innocent")
    taken: list[list[str | None]] = []
    for _ in range(7):
        claimed = inbox.claim()
        taken.append([found.text for found in claimed])
        for found in claimed:
            if found.text == "innocent":
                verbs.ack(inbox.store, id=found.id, epoch=found.epoch)
            else:
                inbox.fail(found)
    assert taken == [["poison", "innocent"], *[["poison"]] * 4, [], []]
    (dead,) = inbox.listed(EventState.DEAD)
    assert (dead.attempts, dead.reason) == (5, "5 attempts used")


def test_a_dead_event_names_the_last_reason_that_was_given(inbox: Inbox) -> None:
    inbox.texts("poison")
    for number in range(5):
        (held,) = inbox.claim()
        if number == 2:
            inbox.release(held, reason="it broke")
            inbox.clock.pass_time(3600)
        inbox.fail(held)
    assert inbox.claim() == []
    (dead,) = inbox.listed(EventState.DEAD)
    assert (dead.attempts, dead.reason) == (5, "5 attempts used; last: it broke")


def test_what_was_tried_twice_is_claimed_alone(inbox: Inbox) -> None:
    inbox.texts("a", "b", "c")
    for _ in range(2):
        assert len(inbox.claim()) == 3
        inbox.clock.pass_time(60)
    assert inbox.claimed() == ["a"]
    assert inbox.claimed() == ["b"]


def test_a_batch_of_the_used_up_does_not_hide_what_stands_behind(inbox: Inbox) -> None:
    inbox.texts(*"abcdef")
    for _ in range(5):
        for _ in range(6):
            inbox.claim(limit=1)
        inbox.clock.pass_time(60)
    inbox.texts("g")
    assert inbox.claimed(limit=2) == ["g"]
    assert len(inbox.listed(EventState.DEAD)) == 6


def test_an_operator_lets_die_and_brings_back(inbox: Inbox) -> None:
    one, two = inbox.texts("a", "b")
    assert verbs.dead(inbox.store, id=one, reason="junk").reason == "junk"
    assert inbox.claimed() == ["b"]
    with pytest.raises(RefusedError, match=r"is held under epoch 1; wait, or name --epoch 1"):
        verbs.dead(inbox.store, id=two, reason="junk")
    verbs.dead(inbox.store, id=two, reason="junk", epoch=1)
    back = verbs.redrive(inbox.store, agent="ava", ids=[one])
    assert [(found.state, found.attempts, found.reason) for found in back] == [("ready", 0, None)]
    assert [found.id for found in verbs.redrive(inbox.store, agent="ava")] == [two]
    assert inbox.claimed() == ["a", "b"]


def test_a_brought_back_event_has_all_attempts(inbox: Inbox) -> None:
    (name,) = inbox.texts("a")
    for _ in range(5):
        inbox.claim()
        inbox.clock.pass_time(60)
    assert inbox.claim() == []
    verbs.redrive(inbox.store, agent="ava", ids=[name])
    (held,) = inbox.claim()
    assert held.attempts == 1


def test_an_event_of_another_agent_is_not_redriven(inbox: Inbox) -> None:
    (receipt,) = inbox.push(event(agent="bob"))
    verbs.dead(inbox.store, id=receipt.id, reason="junk")
    with pytest.raises(UsageError, match="is in the inbox of bob, not of ava"):
        verbs.redrive(inbox.store, agent="ava", ids=[receipt.id])
    assert verbs.redrive(inbox.store, agent="ava") == []


@pytest.mark.parametrize("name", ["k", "e_0123456789ABCD00000009", "o_0123456789ABCD00000001"])
def test_an_unknown_event_is_named(inbox: Inbox, name: str) -> None:
    inbox.texts("a")
    with pytest.raises(UsageError, match=f'no event "{name}"'):
        verbs.ack(inbox.store, id=name, epoch=1)


def test_an_id_must_be_whole_and_not_only_end_in_the_place(inbox: Inbox) -> None:
    (right,) = inbox.texts("a")
    wrong = "e_" + "0" * 14 + right[-8:]
    with pytest.raises(UsageError, match="no event"):
        verbs.dead(inbox.store, id=wrong, reason="no")


def test_a_full_inbox_refuses_all_but_the_critical(inbox: Inbox) -> None:
    bounds = Bounds(max_open=3)
    inbox.push(event(), event(), event(), bounds=bounds)
    for priority in (2, 3, 4):
        with pytest.raises(RefusedError, match="the inbox of ava is full: 3 open events"):
            inbox.push(event(priority=priority), bounds=bounds)
    inbox.push(event(priority=0), event(priority=1), bounds=bounds)
    assert len(inbox.listed()) == 5
    inbox.push(event(agent="bob"), bounds=bounds)


def test_what_would_not_fit_is_refused_as_a_whole(inbox: Inbox) -> None:
    with pytest.raises(RefusedError):
        inbox.push(event(), event(priority=0), event(), bounds=Bounds(max_open=2))
    assert inbox.listed() == []


def test_a_full_inbox_still_answers_for_what_it_has(inbox: Inbox) -> None:
    bounds = Bounds(max_open=1)
    inbox.push(event(key="k"), bounds=bounds)
    (again,) = inbox.push(event(key="k"), bounds=bounds)
    assert again.duplicate


def test_what_is_done_or_dead_makes_room(inbox: Inbox) -> None:
    bounds = Bounds(max_open=2)
    one, two = (receipt.id for receipt in inbox.push(event(), event(), bounds=bounds))
    verbs.dead(inbox.store, id=two, reason="junk")
    (held,) = inbox.claim()
    assert held.id == one
    verbs.ack(inbox.store, id=one, epoch=held.epoch)
    assert len(inbox.push(event(), event(), bounds=bounds)) == 2


def test_what_is_done_between_others_makes_room_in_a_long_inbox(inbox: Inbox) -> None:
    bounds = Bounds(max_open=150)
    receipts = inbox.push(*[event() for _ in range(150)], bounds=bounds)
    with pytest.raises(RefusedError, match="the inbox of ava is full: 150 open events"):
        inbox.push(event(), bounds=bounds)
    for receipt in receipts[50:60]:
        verbs.dead(inbox.store, id=receipt.id, reason="junk")
    inbox.push(*[event(priority=2) for _ in range(10)], bounds=bounds)
    with pytest.raises(RefusedError, match="the inbox of ava is full: 150 open events"):
        inbox.push(event(priority=4), bounds=bounds)


def test_a_source_has_a_bound_of_its_own(inbox: Inbox) -> None:
    bounds = Bounds(max_open=10, max_open_per_source=2)
    inbox.push(event(source="web"), event(source="web"), bounds=bounds)
    with pytest.raises(RefusedError, match="the inbox of ava is full for web: 2 open events"):
        inbox.push(event(source="web"), bounds=bounds)
    inbox.push(event(source="mail"), bounds=bounds)
    inbox.push(event(source="web", priority=1), bounds=bounds)


def test_a_source_may_not_ask_for_more_than_its_ceiling(inbox: Inbox) -> None:
    bounds = Bounds(ceilings=(Ceiling(source="tool:*", priority=2),))
    receipts = inbox.push(event(source="tool:x", priority=0), event(priority=0), bounds=bounds)
    assert [receipt.lowered for receipt in receipts] == [2, None]
    assert [(found.priority, found.asked) for found in inbox.listed()] == [(0, None), (2, 0)]


def test_the_programs_own_events_are_cleaned_and_bounded_too(inbox: Inbox) -> None:
    inbox.push(event("a\0\ud800", body={"x": "\0"}))
    (found,) = inbox.listed()
    assert (found.text, found.body, found.lossy) == ("a\ufffd\ufffd", {"x": "\ufffd"}, True)
    with pytest.raises(BadInputError, match="event:1: longer than 99 bytes"):
        inbox.push(event("x" * 99), bounds=Bounds(max_bytes=99))
    with pytest.raises(UsageError, match="event 1 names no agent"):
        inbox.push(NewEvent(text="a"))
    assert inbox.push() == []


def test_events_are_delivered_in_the_callers_transaction(inbox: Inbox) -> None:
    deliver = deliverer(inbox.store, inbox.clock, CHANCE, bounds=Bounds())
    with pytest.raises(KeyError), inbox.store.write():
        deliver([event("a")])
        raise KeyError
    assert inbox.listed() == []
    with inbox.store.write():
        deliver([event("b")])
    assert [found.text for found in inbox.listed()] == ["b"]


def test_peeking_shows_the_oldest_first_and_changes_nothing(inbox: Inbox) -> None:
    inbox.texts("background", priority=4)
    inbox.texts("emergency", priority=0)
    inbox.push(event("later", due="2030-01-01T00:00:00Z"))
    before = inbox.listed()
    peeked = verbs.peek(inbox.store, inbox.clock, agent="ava", limit=5)
    assert [found.text for found in peeked] == ["background", "emergency"]
    (oldest,) = verbs.peek(inbox.store, inbox.clock, agent="ava", limit=1)
    assert oldest.text == "background"
    assert inbox.listed() == before


def test_events_of_a_left_cycle_are_adopted(inbox: Inbox) -> None:
    (worn,) = inbox.texts("used up")
    for _ in range(5):
        inbox.claim()
        inbox.clock.pass_time(60)
    ids = [*inbox.texts("held", "given back", "done", "dead"), worn]
    held = {found.text: found for found in inbox.claim()}
    inbox.release(held["given back"], clean=True)
    verbs.ack(inbox.store, id=ids[2], epoch=held["done"].epoch)
    verbs.dead(inbox.store, id=ids[3], epoch=held["dead"].epoch, reason="junk")
    adopted = verbs.adopt(inbox.store, inbox.clock, ids=ids, owner="two", seconds=60)
    assert [found.state.value for found in adopted] == ["leased", "leased", "done", "dead", "dead"]
    assert [found.owner for found in adopted] == ["two", "two", None, None, None]
    assert adopted[0].epoch == held["held"].epoch + 1
    assert adopted[4].reason == "5 attempts used"


def test_an_adopted_event_that_was_told_to_wait_waits(inbox: Inbox) -> None:
    (name,) = inbox.texts("a")
    (held,) = inbox.claim()
    inbox.release(held, clean=True, wait=100)
    with pytest.raises(NothingToDoError, match="waits for its next try"):
        verbs.adopt(inbox.store, inbox.clock, ids=[name], owner="two")
    inbox.clock.pass_time(100)
    (adopted,) = verbs.adopt(inbox.store, inbox.clock, ids=[name], owner="two")
    assert adopted.attempts == 1


def test_a_watch_yields_each_event_once_per_epoch(inbox: Inbox) -> None:
    inbox.texts("a")
    steps: list[float] = []

    def wait(seconds: float) -> None:
        steps.append(seconds)
        if len(steps) == 1:
            inbox.texts("b", "c")
        elif len(steps) == 2:
            inbox.release(inbox.claim()[0], clean=True)
        inbox.clock.pass_time(10)

    found = verbs.watch(inbox.store, inbox.clock, agent="ava", wait=wait, timeout=40)
    assert [[one.text for one in batch] for batch in found] == [["a"], ["b", "c"], ["a"]]
    assert steps == [40, 30, 20, 10]


def test_a_listing_is_paged(inbox: Inbox) -> None:
    inbox.texts(*"abcde")
    pages = [
        [found.text for found in verbs.list_(inbox.store, agent="ava", limit=2, offset=offset)]
        for offset in (0, 2, 4, 6)
    ]
    assert pages == [["a", "b"], ["c", "d"], ["e"], []]
