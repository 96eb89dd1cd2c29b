"""A build whose tasks have another key each time they are sent."""

import msgspec

from mindpipe.core.ports import Clock, Rows
from mindpipe.tasks import tables, wording
from mindpipe.tasks.records import Task
from mindpipe.tasks.verbs import task as tasks

_send = tasks.send


def _send_under_another_key(
    rows: Rows, clock: Clock, task: Task, *, anew: bool, retry: bool | None
) -> Task:
    made = _send(rows, clock, task, anew=anew, retry=retry)
    made = msgspec.structs.replace(
        made, key=wording.key_of("store", f"{made.id}-{made.retry_count}")
    )
    rows.run("UPDATE task SET key=:key WHERE id=:id", {"key": made.key, "id": made.id})
    tables.save(rows, made)
    return made


PATCHES = ((tasks, "send", _send_under_another_key),)
