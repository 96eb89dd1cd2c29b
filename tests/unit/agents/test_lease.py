"""The lease on an agent, state by state."""

import pytest

from mindpipe.agents.lease import check, released, renewed, taken
from mindpipe.agents.records import Lease
from mindpipe.core.errors import FencedError, TemporaryError
from mindpipe.core.ports import BootTime
from support.tables import each_row

FREE = Lease(agent="ava", epoch=4)
HELD = Lease(agent="ava", epoch=5, owner="one", boot="b", seconds=160.0)


def at(seconds: float, boot: str = "b") -> BootTime:
    return BootTime(boot=boot, seconds=seconds)


@each_row(
    ("lease", "owner", "now", "epoch"),
    [
        (FREE, "one", at(100), 5),
        (HELD, "one", at(159), 5),
        (HELD, "one", at(160), 6),
        (HELD, "two", at(160), 6),
        (HELD, "two", at(100, "another boot"), 6),
    ],
)
def test_a_lease_is_taken(lease: Lease, owner: str, now: BootTime, epoch: int) -> None:
    found = taken(lease, owner=owner, now=now, seconds=60.0)
    assert (found.owner, found.epoch) == (owner, epoch)
    assert (found.boot, found.seconds) == (now.boot, now.seconds + 60.0)


def test_a_lease_that_another_holds_is_not_taken() -> None:
    words = "agent ava is being thought for by another worker. Try again; if that was killed, in 45"
    with pytest.raises(TemporaryError, match=words):
        taken(HELD, owner="two", now=at(115.5), seconds=60.0)


def test_an_expired_lease_is_renewed_if_nobody_came() -> None:
    found = renewed(HELD, owner="one", epoch=5, now=at(900), seconds=60.0)
    assert (found.epoch, found.seconds) == (5, 960.0)


def test_a_released_lease_keeps_its_epoch() -> None:
    free = released(HELD, owner="one", epoch=5)
    assert free == Lease(agent="ava", epoch=5)
    assert taken(free, owner="two", now=at(1), seconds=1.0).epoch == 6


@each_row(("owner", "epoch"), [("two", 5), ("one", 4), ("one", 6)])
@each_row("lease", [HELD, FREE])
def test_a_worker_without_the_lease_is_fenced(lease: Lease, owner: str, epoch: int) -> None:
    with pytest.raises(FencedError):
        check(lease, owner=owner, epoch=epoch)
    with pytest.raises(FencedError):
        released(lease, owner=owner, epoch=epoch)
    with pytest.raises(FencedError):
        renewed(lease, owner=owner, epoch=epoch, now=at(100), seconds=60.0)


def test_the_holder_passes() -> None:
    check(HELD, owner="one", epoch=5)
