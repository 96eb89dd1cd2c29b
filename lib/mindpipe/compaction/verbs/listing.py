"""List what changed an agent's window, and give each window back as it is kept."""

from mindpipe.agents import verbs as agents
from mindpipe.compaction import tables
from mindpipe.compaction.records import Compaction
from mindpipe.compaction.verbs.windows import kept_octets
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.ports import Store


def changes(store: Store, *, agent: str) -> list[Compaction]:
    """Return all changes of an agent's window, oldest first; the newest one is in force.

    Raises:
        UsageError: there is no such agent.
    """
    name = agents.show(store, name=agent).name
    with store.read() as rows:
        return tables.all_of(rows, agent=name)


def window_of(store: Store, *, agent: str, number: int | None = None) -> bytes:
    """Return the lines of the plan that a change put in force, or of the window in force now.

    Raises:
        InputOutputError: they are gone.
        NothingToDoError: the change, or the present state, is that the whole log is sent.
        UsageError: there is no such agent or change.
    """
    name = agents.show(store, name=agent).name
    with store.read() as rows:
        if number is None:
            found = tables.in_force(rows, agent=name)
        else:
            found = tables.find(rows, agent=name, number=number)
        if number is not None and found is None:
            raise UsageError(f"{name} has no compaction {number}. mind compact list names them.")
        if found is None or found.window is None:
            raise NothingToDoError(f"no window is in force: {name}'s whole history is sent.")
        return kept_octets(store, sha256=found.window)
