"""Run `mind` as a broken build would: attempts are not counted when an event is claimed."""

from collections.abc import Sequence

from mindpipe.core.ports import Rows
from mindpipe.inbox.records import Event
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables.events import ClockPair, EventClaim
from support.broken_builds import run_broken

_lease = tables.lease


def _lease_without_counting(
    rows: Rows, seqs: Sequence[int], *, claim: EventClaim, now: ClockPair
) -> list[Event]:
    """Take the attempt back that a claim counts, as if only a failure counted."""
    taken = _lease(rows, seqs, claim=claim, now=now)
    rows.run("UPDATE event SET attempts = attempts - 1 WHERE state = 'leased'")
    return taken


PATCHES = ((tables, "lease", _lease_without_counting),)

if __name__ == "__main__":
    run_broken(PATCHES)
