"""Whom a fleet's worker looks at next: who is due or has changed, and whom nobody lives."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.core.events import NewEvent, Priority
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store import next_looks
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import WorkerSession, WorkerSessionState
from support.fakes import FixedClock
from support.stores import store_at

ALL, LONG = ("*",), 3600.0
NAMES = ("team-a", "team-b", "tea", "other")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[SqliteStore]:
    """Return a store with four agents, to none of whom anything happens for an hour."""
    with contextlib.closing(store_at(tmp_path / "mind.db")) as made:
        for name in NAMES:
            agents.new(made, clock, make_chance(3), name=name)
            known = next_looks.position(made, agent=name)
            next_looks.put_off(made, clock, agent=name, known=known, seconds=LONG)
        yield made


def life(agent: str) -> WorkerSession:
    return WorkerSession(
        id=f"r_{agent}",
        agent=agent,
        state=WorkerSessionState.RUNNING,
        pid=1,
        born="then",
        boot="boot-1",
        program="1",
        schema=1,
        started="2026-11-21T20:00:00Z",
    )


def due(store: SqliteStore, clock: FixedClock, *patterns: str) -> list[str]:
    return next_looks.to_look_at(store, clock, patterns=patterns or ALL)


def note(store: SqliteStore, clock: FixedClock, agent: str, words: str) -> None:
    notes.set_(store, clock, agent=agent, key="k", value=words)


def test_nobody_is_due_before_the_instant_and_all_are_then(
    store: SqliteStore, clock: FixedClock
) -> None:
    assert due(store, clock) == []
    assert next_looks.next_look_in(store, clock, patterns=ALL) == LONG
    clock.pass_time(LONG)
    assert sorted(due(store, clock)) == sorted(NAMES)
    assert next_looks.next_look_in(store, clock, patterns=ALL) is None


def test_a_machine_that_was_started_anew_looks_at_all(
    store: SqliteStore, clock: FixedClock
) -> None:
    clock.boot_id, clock.seconds = "boot-2", 5.0
    assert sorted(due(store, clock)) == sorted(NAMES)


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (("team-*",), ["team-a", "team-b"]),
        (("tea",), ["tea"]),
        (("tea?-a", "team-*"), ["team-a", "team-b"]),
        (("*-b", "other"), ["other", "team-b"]),
        (("Team-*",), []),
    ],
)
def test_a_pattern_means_whole_names(
    store: SqliteStore, clock: FixedClock, patterns: tuple[str, ...], found: list[str]
) -> None:
    clock.pass_time(LONG)
    assert sorted(due(store, clock, *patterns)) == found


def test_any_change_makes_due_and_the_urgent_comes_first(
    store: SqliteStore, clock: FixedClock
) -> None:
    note(store, clock, "other", "something")
    for name, priority in (("tea", Priority.NORMAL), ("team-b", Priority.URGENT)):
        event = NewEvent(agent=name, source="operator", text="Hello", priority=priority)
        push_events(store, clock, make_chance(4), events=[event], bounds=Bounds())
    assert due(store, clock) == ["team-b", "tea", "other"]


def test_one_of_two_takes_an_agent_and_nobody_else_while_it_lives(
    store: SqliteStore, clock: FixedClock
) -> None:
    note(store, clock, "tea", "something")
    assert workers.take(store, life("tea"))
    assert not workers.take(store, life("tea"))
    assert due(store, clock) == []


def test_who_is_let_go_is_due_again_by_what_came_after_the_look_alone(
    store: SqliteStore, clock: FixedClock
) -> None:
    note(store, clock, "tea", "something")
    run = life("tea")
    workers.take(store, run)
    known = next_looks.position(store, agent="tea")
    note(store, clock, "tea", "meanwhile")

    def let_go(*, known: int, changes: int) -> bool:
        return next_looks.let_go(store, clock, run=run, known=known, changes=changes, seconds=LONG)

    assert not let_go(known=known, changes=0)
    assert workers.is_running(store, run=run)
    # One change was its own, and nothing else came.
    assert let_go(known=known, changes=1)
    assert not workers.is_running(store, run=run)
    assert due(store, clock) == []
    note(store, clock, "tea", "later")
    assert due(store, clock) == ["tea"]
