"""Claim events for a worker in the shell, and settle those that it names or pipes in."""

import os
from collections.abc import Callable

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.inbox.records import BATCH, LEASE_SECONDS, Event, Held, Release
from mindpipe.inbox.verbs import queue
from mindpipe_cli import output
from mindpipe_cli.input import records
from mindpipe_cli.session import Session

COLUMNS = ("id", "priority", "type", "source", "sender", "state", "attempts", "epoch", "text")


def lease_seconds(session: Session, asked: float | None) -> float:
    """Return how long a claim holds: as asked, else as configured."""
    found = asked or session.settings.value("inbox.lease_seconds").value
    return float(found or LEASE_SECONDS)


def claim(
    session: Session, *, agent: str, limit: int = BATCH, owner: str | None, lease: float | None
) -> None:
    """Print the events that come next, now held; give them back if nobody reads them.

    Raises:
        NothingToDoError: nothing is due.
    """
    store, clock = session.store, session.clock
    with store.write():
        found = agents.show(store, name=agent)
        events = queue.claim(
            store,
            clock,
            agent=found.name,
            owner=owner or f"pid {os.getpid()}",
            limit=limit,
            seconds=lease_seconds(session, lease),
        )
        reach("claim.before_commit")
    reach("claim.after_commit")
    if not events:
        raise NothingToDoError(f"nothing is due for {agent}.")
    try:
        session.write(events, columns=COLUMNS)
        output.flush()
    except BrokenPipeError:
        how = Release(reason="nobody read the claim", clean=True)
        with store.write():
            for event in events:
                queue.release(store, clock, session.chance, id=event.id, epoch=event.epoch, how=how)
        raise


def settle(
    session: Session, *, event: str, epoch: int | None, step: Callable[[Held], Event]
) -> None:
    """Take one step with the event that is named, or with all that are piped in, or with none.

    Raises:
        UsageError: an event is named without its epoch.
    """
    if event == "-":
        held = records("-", Held)
    elif epoch is None:
        raise UsageError(f"which epoch of {event}? Give --epoch N as its claim printed it.")
    else:
        held = [Held(id=event, epoch=epoch)]
    with session.store.write():
        done = [step(one) for one in held]
    session.write(done, columns=COLUMNS)
