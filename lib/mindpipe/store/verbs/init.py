"""Make a store, with a first agent if one is named."""

from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Chance, Clock
from mindpipe.store.access import make_store
from mindpipe.store.address import Where
from mindpipe.store.engine import EngineStore


def init(
    where: Where,
    clock: Clock,
    chance: Chance,
    *,
    agent: str | None,
    page_checksums: bool,
    change: AgentChange | None = None,
) -> None:
    """Make a store, whole or not at all; with `page_checksums` only this program may write it.

    `change` is what the agent is made with.

    Raises:
        RefusedError: the file is there already.
        UsageError: the agent's name may not be used.
    """

    def begin(unfinished: EngineStore) -> None:
        if agent:
            agents.new(unfinished, clock, chance, name=agent, change=change)

    if isinstance(where, Path):
        make_store(where, clock, chance, page_checksums=page_checksums, begin=begin)
        return
    if page_checksums:
        raise UnavailableError("--page-checksums is about a file; a server has its own.")
    from mindpipe.store.postgres.schema import make_store as make_on_server

    make_on_server(where, clock, chance, begin=begin).close()
