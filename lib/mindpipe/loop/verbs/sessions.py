"""Keep what a loop knows between iterations: load its checkpoint, write a new one, make it anew."""

import msgspec

from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.loop import checkpoints
from mindpipe.loop.records import Session
from mindpipe.loop.tables import sessions as rows_of
from mindpipe.loop.verbs import crashes, iterations, moding


def load(store: Store, *, agent: str) -> Session | None:
    """Return an agent's checkpoint, or None where there is none that can be read."""
    with store.read() as rows:
        return rows_of.session_of(rows, agent)


def save(store: Store, session: Session) -> None:
    """Write a checkpoint, in the caller's transaction where one is open."""
    with store.write() as rows:
        rows_of.save_session(rows, session)
        reach("checkpoint.before_commit")


def is_stale(store: Store, *, agent: str) -> bool:
    """Tell whether an agent's checkpoint is missing, or too far behind its log to go on from."""
    newest = iterations.last(store, agent=agent)
    return checkpoints.is_stale(load(store, agent=agent), newest=newest)


def restore(store: Store, clock: Clock, *, agent: str, weight: float) -> Session:
    """Return the session that a life of an agent begins with; writes nothing.

    It is that of the checkpoint, brought up to the log of iterations. Where that is missing, cannot
    be read or is stale, the session is made anew from the newest iterations; only what these do not
    tell is taken from it still. Mode, waiting events and crashes are as the store says. `weight` is
    that of the newest value in moving averages. Working memory needs no restoring: prompts take it
    from recent episodes.
    """
    now = clock.now()
    with store.read():
        saved = load(store, agent=agent) or Session(agent=agent, at=now)
        session = _anew(saved) if is_stale(store, agent=agent) else saved
        lived = iterations.list_(
            store, agent=agent, after=session.iteration, limit=checkpoints.REMEMBERED
        )
        return msgspec.structs.replace(
            checkpoints.caught_up(session, lived, weight=weight),
            began=session.began or now,
            mode=moding.mode_of(moding.last(store, agent=agent)),
            queue=tuple(event.id for event in inbox.peek(store, clock, agent=agent)),
            crashes=crashes.in_a_row(store, agent=agent),
        )


def _anew(saved: Session) -> Session:
    """Return what of a stale checkpoint the log may not tell."""
    return Session(
        agent=saved.agent,
        at=saved.at,
        focus=saved.focus,
        task=saved.task,
        began=saved.began,
        active=saved.active,
        consolidated=saved.consolidated,
        developed=saved.developed,
    )
