"""A build that deletes the messages of the cycles that leave before it publishes their summary."""

from mindpipe.compaction.records import Compaction, Summary, WindowPlan
from mindpipe.compaction.verbs import applying
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.core.ports import Cell

_put_in_force = applying.put_in_force


def _delete_first(ports: Ports, *, planned: WindowPlan, octets: bytes) -> Compaction:
    with ports.store.write() as rows:
        rows.run("DROP TRIGGER message_DELETE")
        for part in planned.parts:
            if isinstance(part, Summary):
                leaving: dict[str, Cell] = {"first": part.first, "last": part.last}
                rows.run("DELETE FROM message WHERE cycle BETWEEN :first AND :last", leaving)
    return _put_in_force(ports, planned=planned, octets=octets)


PATCHES = ((applying, "put_in_force", _delete_first),)
