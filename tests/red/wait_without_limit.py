"""A build in which a call that waits for approval waits until somebody decides."""

from mindpipe.core.tools import ToolManifest
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Ticket, TicketState
from mindpipe.think.verbs import consent


def _wait_for_ever(means: Means, _work: Work, ticket: Ticket, _tool: ToolManifest) -> None:
    found: Ticket | None = ticket
    while found is not None and found.state is TicketState.PENDING:
        means.clock.pause(consent.POLL_SECONDS)
        with means.store.read() as rows:
            found = tables.find_ticket(rows, ticket.id)


PATCHES = ((consent, "_wait", _wait_for_ever),)
