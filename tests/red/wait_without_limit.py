"""A build in which a call that waits for approval waits until somebody decides."""

from mindpipe.core.tools import ToolManifest
from mindpipe.engine.cycle import tool_calls
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tables import journal


def _wait_for_ever(
    deps: Dependencies, _work: OpenCycle, ticket: Ticket, _tool: ToolManifest
) -> None:
    found: Ticket | None = ticket
    while found is not None and found.state is TicketState.PENDING:
        deps.clock.pause(tool_calls.POLL_SECONDS)
        with deps.store.read() as rows:
            found = journal.find_ticket(rows, ticket.id)


PATCHES = ((tool_calls, "_wait", _wait_for_ever),)
