"""Make a store, with a first agent if one is named."""

from pathlib import Path

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.ports import Chance, Clock
from mindpipe.store.access import make_store


def init(
    store: Path, clock: Clock, chance: Chance, *, agent: str | None, page_checksums: bool
) -> None:
    """Make a store; with `page_checksums` only this program may write it.

    Raises:
        RefusedError: the file is there already.
        UsageError: the agent's name may not be used.
    """
    made = make_store(store, clock, chance, page_checksums=page_checksums)
    if agent:
        agents.new(made, clock, chance, name=agent)
