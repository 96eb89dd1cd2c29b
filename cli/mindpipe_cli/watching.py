"""Print what comes into an inbox while it comes."""

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.inbox.verbs import look
from mindpipe.stream.watching import StoreWatch
from mindpipe_cli import output
from mindpipe_cli.session import Session

COLUMNS = ("id", "priority", "type", "source", "sender", "text")


def watch(session: Session, *, agent: str, timeout: float | None, limit: int | None) -> None:
    """Print events until there were `limit`, or for `timeout` seconds.

    Raises:
        NothingToDoError: none came.
    """
    name = agents.show(session.store, name=agent).name
    printed = 0
    with StoreWatch(session.store_path) as wait:
        store, clock = session.store, session.clock
        for events in look.watch(store, clock, agent=name, wait=wait, timeout=timeout):
            left = None if limit is None else limit - printed
            printed += session.write(events[:left], columns=COLUMNS)
            output.flush()
            if limit is not None and printed >= limit:
                return
    if not printed:
        raise NothingToDoError(f"nothing came for {agent}.")
