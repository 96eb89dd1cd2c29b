"""What mind bench fleet counts, in stores of its own: its steps, and a worker that waits."""

import pytest

from mindpipe_cli.benchmarks.fleet import FleetOptions, figures

STEPS = ("push", "claim", "ack")


def test_events_are_counted_while_all_workers_work() -> None:
    found = list(figures(FleetOptions(events=8, workers=(1, 2), waiting=())))
    assert [(one.what, one.workers, one.at_once, one.count) for one in found] == [
        (what, workers, at_once, count * workers)
        for workers in (1, 2)
        for at_once, steps in ((1, 8), (20, 1))
        for what, count in (("event", at_once * steps), *((one, steps) for one in STEPS))
    ]
    alone, *operations = found[:4]
    assert (alone.per_second or 0) > 0
    for one in operations:
        assert 0 < (one.median_ms or 0) <= (one.p99_ms or 0) <= (one.longest_ms or 0)


@pytest.mark.heavy
def test_a_worker_of_agents_that_wait_takes_some_of_a_core_and_hears_what_is_urgent() -> None:
    idle, urgent, cycle = figures(FleetOptions(events=1, workers=(), waiting=(3,), seconds=0.5))
    assert (idle.what, idle.agents, idle.workers) == ("idle", 3, 1)
    assert idle.core is not None
    assert (idle.resident_mb or 0) > 10
    assert (urgent.what, urgent.count, cycle.what, cycle.count) == ("urgent", 3, "cycle", 20)
    for one in (urgent, cycle):
        assert 0 < (one.median_ms or 0) <= (one.p99_ms or 0) <= (one.longest_ms or 0)


def test_several_workers_wait_for_the_same_agents_and_are_counted_together() -> None:
    options = FleetOptions(events=1, workers=(), waiting=(2,), living=3, seconds=0.5)
    idle, urgent, cycle = figures(options)
    assert (idle.workers, urgent.workers, cycle.workers) == (3, 3, 1)
    assert (idle.resident_mb or 0) > 30
    assert urgent.count == 2
