"""Take a sample of how large the store is, now and then."""

from mindpipe.core.instants import later, seconds_between
from mindpipe.core.ports import Clock, Store
from mindpipe.monitoring import tables
from mindpipe.monitoring.measures import HOUR_SECONDS
from mindpipe.monitoring.records import Sample

EVERY_SECONDS = 300.0
KEPT_SECONDS = 24 * HOUR_SECONDS


def is_due(store: Store, clock: Clock) -> bool:
    """Tell whether the last sample is five minutes old."""
    now = clock.now()
    with store.read() as rows:
        before = tables.samples(rows, since=later(now, seconds=-EVERY_SECONDS))
    return not any(0 <= seconds_between(one.at, now) < EVERY_SECONDS for one in before)


def sample(store: Store, clock: Clock, *, vector_seconds: float | None = None) -> Sample | None:
    """Write down how large the store is, unless that was done less than five minutes ago."""
    if not is_due(store, clock):
        return None
    now = clock.now()
    with store.write() as rows:
        made = Sample(at=now, bytes=tables.store_bytes(rows), vector_seconds=vector_seconds)
        tables.add_sample(rows, made, forget=later(now, seconds=-KEPT_SECONDS))
    return made
