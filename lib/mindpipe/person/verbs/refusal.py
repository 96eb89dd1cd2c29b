"""Refuse to think for a person, whom a worker is asked about at each start: it loads little."""

from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Store
from mindpipe.person import tables


def require_none(store: Store, *, agent: str) -> None:
    """Raise RefusedError where an agent is a person, in whose place no worker thinks."""
    with store.read() as rows:
        if tables.is_person(rows, agent):
            words = f"lives by mind simulate run --person {agent}"
            raise RefusedError(f"{agent} is a simulated person and {words}.")
