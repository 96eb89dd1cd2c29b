"""Keep what a loop knows between iterations: load its checkpoint, write a new one."""

from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Store
from mindpipe.loop.records import Session
from mindpipe.loop.tables import sessions as rows_of


def load(store: Store, *, agent: str) -> Session | None:
    """Return an agent's checkpoint, or None where there is none that can be read."""
    with store.read() as rows:
        return rows_of.session_of(rows, agent)


def save(store: Store, session: Session) -> None:
    """Write a checkpoint, in the caller's transaction where one is open."""
    with store.write() as rows:
        rows_of.save_session(rows, session)
        reach("checkpoint.before_commit")
