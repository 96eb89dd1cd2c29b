"""A build in which what a tainted turn writes, and what a tool or an import brings, is trusted."""

from mindpipe.context.verbs import origins
from mindpipe.engine.tools import dispatch
from mindpipe.history.verbs import cycles

PATCHES = (
    (origins, "add", lambda _store, **_cycle: None),
    (origins, "inherit", lambda _store, _kept, **_sources: None),
    (cycles, "tainted", lambda _store, **_range: []),
    (dispatch, "read_by", lambda _means, _call: ()),
)
