"""Alerts: what fires, what clears, and what is written of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import Agent
from mindpipe.core.errors import RecoveryError, UsageError
from mindpipe.core.records import to_json
from mindpipe.io.chance import SeededChance
from mindpipe.monitoring.records import Alert, AlertRule, AlertState
from mindpipe.monitoring.rules import parse_rules
from mindpipe.monitoring.verbs import alert, metrics
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.stores import store_at

RULES = parse_rules(
    "critical: queue_depth > 100 until 80; warning: queue_depth > 50 until 40", hysteresis=0.2
)

AVA = to_json(Agent(name="ava")).decode()


class Watched:
    """A store with one agent whose figures somebody tells."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.clock = FixedClock()
        self.chance = SeededChance(1)

    def tell(
        self, queue: float | None, rules: tuple[AlertRule, ...] = RULES
    ) -> list[tuple[str, AlertState]]:
        """Return which alerts changed as the queue is so deep."""
        changed = alert.check(
            self.store,
            self.clock,
            self.chance,
            agent="ava",
            rules=rules,
            values={"queue_depth": queue},
        )
        return [(one.severity, one.state) for one in changed]

    def firing(self) -> list[Alert]:
        return alert.firing(self.store, agent="ava")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    store = store_at(tmp_path / "mind.db")
    found = Watched(store)
    with store.write() as rows:
        rows.run(f"INSERT INTO agent(name, entity, body) VALUES('ava', 'n_1', '{AVA}')")
    yield found
    store.close()


def test_each_severity_fires_and_clears_by_itself(watched: Watched) -> None:
    assert watched.tell(50) == []
    assert watched.tell(60) == [("warning", AlertState.FIRING)]
    assert watched.tell(101) == [("critical", AlertState.FIRING)]
    assert watched.tell(81) == []
    assert watched.tell(80) == [("critical", AlertState.CLEARED)]
    assert watched.tell(41) == []
    assert watched.tell(40) == [("warning", AlertState.CLEARED)]
    assert watched.firing() == []


def test_an_alert_keeps_the_worst_it_saw_and_when_it_ended(watched: Watched) -> None:
    watched.tell(60)
    since = watched.clock.now()
    watched.clock.pass_time(60)
    watched.tell(90)
    watched.tell(70)
    watched.clock.pass_time(60)
    watched.tell(12)
    (ended,) = alert.list_(watched.store, agent="ava")
    assert (ended.since, ended.worst, ended.value) == (since, 90, 12)
    assert ended.ended == watched.clock.now()


def test_the_same_rule_fires_anew_as_another_alert(watched: Watched) -> None:
    for depth in (60, 10, 60):
        watched.tell(depth)
    every = alert.list_(watched.store, agent="ava")
    assert [one.state for one in every].count(AlertState.CLEARED) == 1
    assert len({one.id for one in every}) == 2
    assert len(alert.list_(watched.store, agent="ava", state=AlertState.FIRING)) == 1


def test_an_alert_that_stays_as_it_is_takes_no_turn_to_write(watched: Watched) -> None:
    watched.tell(60)
    watched.store.refuse(RecoveryError("nothing is written"))
    assert watched.tell(60) == watched.tell(55) == []
    with pytest.raises(RecoveryError):
        watched.tell(61)


def test_an_alert_of_another_rule_clears_where_that_rule_says(watched: Watched) -> None:
    others = parse_rules("warning: queue_depth > 7; critical: missed_windows", hysteresis=0.2)
    for rules in ((), others[1:]):
        watched.tell(60)
        assert watched.tell(41, rules=rules) == []
        assert watched.tell(40, rules=rules) == [("warning", AlertState.CLEARED)]
    watched.tell(60)
    assert watched.tell(40, rules=others[:1]) == []
    assert watched.tell(5, rules=others[:1]) == [("warning", AlertState.CLEARED)]


def test_an_alert_under_the_former_name_of_its_figure_goes_on(watched: Watched) -> None:
    watched.tell(60)
    with watched.store.write() as rows:
        rows.run("UPDATE alert SET metric = 'memory_growth'")
    for growth, wanted in ((45, []), (4, [AlertState.CLEARED])):
        changed = alert.check(
            watched.store,
            watched.clock,
            watched.chance,
            agent="ava",
            rules=parse_rules("warning: persistent_memory_growth > 40", hysteresis=0.2),
            values={"queue_depth": 60, "persistent_memory_growth": growth},
        )
        assert [one.state for one in changed if one.metric == "memory_growth"] == wanted


def test_a_figure_that_is_not_known_leaves_an_alert_as_it_is(watched: Watched) -> None:
    watched.tell(60)
    assert watched.tell(None) == []
    assert [one.value for one in watched.firing()] == [60]


def test_two_at_once_fire_one_alert(watched: Watched, tmp_path: Path) -> None:
    other = Watched(store_at(tmp_path / "mind.db"))
    assert watched.tell(60) == [("warning", AlertState.FIRING)]
    assert other.tell(60) == []
    other.store.close()


def test_nobody_is_watched_who_is_not_there(watched: Watched) -> None:
    with pytest.raises(UsageError, match="bob"):
        alert.firing(watched.store, agent="bob")


def test_the_store_is_sampled_every_five_minutes_and_for_a_day(watched: Watched) -> None:
    assert metrics.sample(watched.store, watched.clock) is not None
    watched.clock.pass_time(299)
    assert metrics.sample(watched.store, watched.clock) is None
    watched.clock.pass_time(1)
    second = metrics.sample(watched.store, watched.clock, vector_seconds=0.25)
    assert second is not None
    assert second.vector_seconds == 0.25
    assert second.bytes > 4096
    watched.clock.pass_time(metrics.KEPT_SECONDS - 100)
    metrics.sample(watched.store, watched.clock)
    with watched.store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM size_sample") == 2
