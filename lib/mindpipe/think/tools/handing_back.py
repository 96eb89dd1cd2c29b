"""Settle the ticket of a delegated task that no longer waits for a person."""

import msgspec

from mindpipe.core.ports import Clock, Store
from mindpipe.decisions.records import POLICY
from mindpipe.tasks.records import Task, TaskState
from mindpipe.think import tables
from mindpipe.think.records import TicketState


def handed_back(store: Store, clock: Clock, task: Task) -> Task:
    """Return a task as it was saved; its ticket is resolved where it ended or was sent again.

    Whoever changes the task calls this in the same transaction, so that no ticket outlives it. One
    that a person settled before stays as it is.
    """
    if task.ticket is None or task.state is TaskState.ESCALATED:
        return task
    with store.write() as rows:
        found = tables.find_ticket(rows, task.ticket)
        if found is not None and TicketState.RESOLVED in found.successors():
            made = found.to(TicketState.RESOLVED, result=f"{task.id} is {task.state.value}.")
            tables.save_ticket(
                rows, msgspec.structs.replace(made, decided=clock.now(), person=POLICY)
            )
    return task
