"""A build that deletes the messages of the cycles that leave before it publishes their summary."""

from mindpipe.compaction.records import Compaction, Summary, WindowPlan
from mindpipe.compaction.verbs import compact
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.core.ports import Cell

_put_in_force = compact.put_in_force


def _delete_first(ports: MaterialPorts, *, planned: WindowPlan, octets: bytes) -> Compaction:
    with ports.store.redacting() as rows:
        for part in planned.parts:
            if isinstance(part, Summary):
                leaving: dict[str, Cell] = {"first": part.first, "last": part.last}
                rows.run("DELETE FROM message WHERE cycle BETWEEN :first AND :last", leaving)
    return _put_in_force(ports, planned=planned, octets=octets)


PATCHES = ((compact, "put_in_force", _delete_first),)
