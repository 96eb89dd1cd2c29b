"""Push the program's own events into inboxes, within the configured bounds."""

import msgspec

from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.inbox.ceilings import parse_ceilings
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.wiring.settings import Settings

# What the program itself says to an agent was bounded when it was said.
_SPOKEN_BYTES = 1 << 20


def bounds_of(settings: Settings) -> Bounds:
    """Return what inboxes admit."""
    usual = Bounds()
    return Bounds(
        max_bytes=settings.number("inbox.max_bytes") or usual.max_bytes,
        max_open=settings.number("inbox.max_open") or usual.max_open,
        max_open_per_source=settings.number("inbox.max_open_per_source")
        or usual.max_open_per_source,
        ceilings=parse_ceilings(settings.text("inbox.ceilings") or ""),
    )


def deliver_to(store: Store, clock: Clock, chance: Chance, settings: Settings) -> Deliver:
    """Return what pushes events into this store's inboxes, inside the caller's transaction."""
    return deliverer(store, clock, chance, bounds=bounds_of(settings))


def announce_to(store: Store, clock: Clock, chance: Chance, settings: Settings) -> Deliver:
    """Return the same for the program's own words, which no setting makes too long."""
    bounds = bounds_of(settings)
    most = max(bounds.max_bytes, _SPOKEN_BYTES)
    return deliverer(store, clock, chance, bounds=msgspec.structs.replace(bounds, max_bytes=most))
