"""However much that is urgent keeps coming, nothing waits longer than the bound and its turn."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.core.instants import seconds_between
from mindpipe.engine.worker.modes import ModeRules
from support.attention import Mulling

pytestmark = pytest.mark.heavy

BOUND = 300.0
NEVER = 1e9
SECONDS = 10.0
ITERATIONS = 45


def flooded(folder: Path, *, bound: float, each: int = 10) -> Mulling:
    """Live under a flood of critical events, with one background event from the beginning on."""
    life = Mulling(folder)
    life.seconds = SECONDS
    life.modes = ModeRules(longest_wait=bound)
    life.push("water the plants", priority=4, source="garden")
    life.push(*["alarm"] * 20, priority=1, source="pager")

    def meanwhile(number: int) -> None:
        life.push(*["alarm"] * each, priority=1, source="pager")
        if number == 5:
            life.push("write to grandmother", priority=4, source="family")

    life.meanwhile = meanwhile
    life.live(ITERATIONS)
    return life


def waited(life: Mulling, source: str) -> float | None:
    """Return how long the only event of a source waited, None if it still does."""
    ((id, pushed),) = life.rows(f"SELECT id, pushed FROM event WHERE source = '{source}'")
    taken = [one.attended.at for one in life.seen if id in one.attended.events]
    return seconds_between(pushed, taken[0]) if taken else None


@pytest.mark.parametrize("each", [10, 30], ids=["as-much-as-it-can", "overload"])
def test_a_background_event_is_served_within_the_bound(tmp_path: Path, each: int) -> None:
    life = flooded(tmp_path / "life", bound=BOUND, each=each)
    late = waited(life, "garden")
    assert late is not None
    assert BOUND < late <= BOUND + 2 * SECONDS
    late = waited(life, "family")
    # One that comes into the flood is served too; in overload, after all that is overdue before it.
    assert each == 30 or (late is not None and late <= BOUND + 2 * SECONDS)


def test_without_the_bound_the_flood_starves_it(tmp_path: Path) -> None:
    """A red control: with no bound in reach the same life never serves it."""
    life = flooded(tmp_path / "life", bound=NEVER)
    assert waited(life, "garden") is None


def test_a_claim_by_hand_keeps_the_same_bound(tmp_path: Path) -> None:
    from mindpipe.inbox.verbs import inbox

    life = Mulling(tmp_path / "life")
    life.push("water the plants", priority=4)
    life.clock.pass_time(3601)
    life.push(*["alarm"] * 50, priority=1)
    with life.open() as store:
        found = inbox.claim(store, life.clock, agent="ava", owner="me", limit=1)
    assert [event.text for event in found] == ["water the plants"]


def test_the_bound_is_that_of_the_settings(tmp_path: Path) -> None:
    from mindpipe.engine.worker_rules import loop_rules
    from mindpipe.settings import Settings

    chosen = Settings(options={}, environment={"MIND_ATTENTION_LONGEST_WAIT_SECONDS": "77"})
    assert loop_rules(chosen).modes.longest_wait == 77.0
    assert msgspec.structs.replace(ModeRules(), longest_wait=77.0).longest_wait == 77.0
