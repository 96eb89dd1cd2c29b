"""A build that settles the times of plans and then pushes their events; it dies in between."""

import os
import signal

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Clock, Deliver, Store
from mindpipe.plans import verbs
from support import killed_steps

DIES = "PLAN_DIES"
"""The variable with which it dies there."""


def _due_push(
    store: Store, clock: Clock, *, deliver: Deliver, agent: str | None = None
) -> list[NewEvent]:
    """Push what has been settled."""
    events: list[NewEvent] = []
    with store.write() as rows:
        claimed = verbs._claim_due(store, clock, agent)
        events += [handout.event for handout in claimed]
        verbs._settle(rows, clock, [handout.claim for handout in claimed])
    if not events:
        raise NothingToDoError(verbs.NOTHING)
    if DIES in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)
    with store.write():
        deliver(events)
    return events


PATCHES = (*killed_steps.PATCHES, (verbs, "due_push", _due_push))
