"""A build in which what a tainted turn writes, and what a tool or an import brings, is trusted."""

from mindpipe.context.verbs import memories, origins
from mindpipe.history.verbs import cycles
from mindpipe.think.tools import doing

PATCHES = (
    (origins, "add", lambda _store, **_cycle: None),
    (memories, "inherit", lambda _store, _kept, **_sources: None),
    (cycles, "tainted", lambda _store, **_range: []),
    (doing, "_read_by", lambda _means, _call: ()),
)
