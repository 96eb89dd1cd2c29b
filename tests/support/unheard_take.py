"""A worker whose first taking of an agent is kept, and which does not hear that it was."""

from mindpipe import worker_process
from mindpipe.core.errors import CommitUnknownError
from mindpipe.engine.worker import fleet
from mindpipe.engine.worker.phases import Worker
from mindpipe.worker_process import MemberOptions, _Host

_take = _Host.take
_unheard: list[str] = []


def _taken(host: _Host, options: MemberOptions, agent: str) -> Worker | None:
    made = _take(host, options, agent)
    if made is not None and not _unheard:
        _unheard.append(agent)
        host.let_go(made)
        raise CommitUnknownError("nobody can say whether the agent was taken.")
    return made


PATCHES = ((worker_process._Host, "take", _taken), (fleet, "LOST_SECONDS", 0.1))
