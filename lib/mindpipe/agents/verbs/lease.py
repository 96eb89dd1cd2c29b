"""Hold the lease on an agent's thinking: one worker at a time, each under a higher epoch."""

from mindpipe.agents import lease, tables
from mindpipe.agents.records import Lease
from mindpipe.agents.verbs.agent import require_here
from mindpipe.core.ports import Clock, Store


def acquire(store: Store, clock: Clock, *, agent: str, owner: str, seconds: float = 60.0) -> int:
    """Take the lease on an agent for `seconds` on the boot clock and return its epoch.

    A free or expired lease gives a new epoch; an owner who still holds it renews it.

    Raises:
        TemporaryError: another owner holds it.
        RefusedError: its life goes on in another store.
        UsageError: there is no such agent.
    """
    with store.write(agent) as rows:
        tables.require_agent(rows, agent)
        require_here(store, name=agent)
        found = tables.find_lease(rows, agent)
        held = lease.taken(found, owner=owner, now=clock.boot(), seconds=seconds)
        tables.put_lease(rows, held)
    return held.epoch


def find(store: Store, *, agent: str) -> Lease:
    """Return the lease on an agent as it stands, whoever holds it."""
    with store.read() as rows:
        return tables.find_lease(rows, agent)


def check(store: Store, *, agent: str, owner: str, epoch: int) -> None:
    """Pass if `owner` still holds this epoch; call it first in every transaction of a worker.

    Raises:
        FencedError: another worker came.
    """
    with store.read() as rows:
        lease.check(tables.find_lease(rows, agent), owner=owner, epoch=epoch)


def renew(
    store: Store, clock: Clock, *, agent: str, owner: str, epoch: int, seconds: float = 60.0
) -> None:
    """Let the lease end `seconds` from now.

    Raises:
        FencedError: another worker came.
    """
    with store.write(agent) as rows:
        found = tables.find_lease(rows, agent)
        now = clock.boot()
        tables.put_lease(
            rows, lease.renewed(found, owner=owner, epoch=epoch, now=now, seconds=seconds)
        )


def release(store: Store, *, agent: str, owner: str, epoch: int) -> None:
    """Let the agent go.

    Raises:
        FencedError: another worker came.
    """
    with store.write(agent) as rows:
        found = tables.find_lease(rows, agent)
        tables.put_lease(rows, lease.released(found, owner=owner, epoch=epoch))


def free_other_boots(store: Store, clock: Clock) -> int:
    """Let go of the agents that were held before the machine last started."""
    with store.write() as rows:
        return tables.free_other_boots(rows, boot=clock.boot().boot)
