"""Read the tickets that wait for a person."""

from mindpipe.core.errors import UsageError
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Store
from mindpipe.think import tables
from mindpipe.think.records import Ticket, TicketState


def list_(
    store: Store, *, agent: str | None = None, state: TicketState | None = None
) -> list[Ticket]:
    """Return tickets of one agent or of all, in one state or in any, oldest first."""
    with store.read() as rows:
        return tables.tickets(rows, agent=agent, state=state)


def show(store: Store, *, ticket: str) -> Ticket:
    """Return one ticket; raises UsageError if there is none of this id."""
    every = list_(store)
    for found in every:
        if found.id == ticket:
            return found
    near = did_you_mean(ticket, [one.id for one in every])
    raise UsageError(f'no ticket "{ticket}"; {near}mind ticket list shows them.')
