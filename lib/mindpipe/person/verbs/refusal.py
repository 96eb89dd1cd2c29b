"""Refuse to think for a person, whom a worker is asked about at each start: it loads little."""

from mindpipe.core.errors import RefusedError
from mindpipe.core.ports import Store
from mindpipe.person import tables


def is_person(store: Store, name: str) -> bool:
    """Tell whether somebody in the store is a person, and no agent that workers think for."""
    with store.read() as rows:
        return tables.is_person(rows, name)


def require_none(store: Store, *, agent: str) -> None:
    """Raise RefusedError where an agent is a person, in whose place no worker thinks."""
    if is_person(store, agent):
        raise RefusedError(
            f"{agent} is a simulated person and lives by mind simulate run --person {agent}; "
            f"mind chat --person {agent} talks with it."
        )
