"""Give the verbs of compaction what they load with: the ports, and whose words cycles took in."""

from mindpipe.compaction.verbs.loading import Ports
from mindpipe.context.verbs import origins
from mindpipe.core.ports import Clock, Store, Tokens


def ports_of(store: Store, clock: Clock, tokens: Tokens) -> Ports:
    """Return what a window of any agent is planned and written with, without a model."""

    def sources(agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
        return origins.taken_in(store, agent=agent, first=first, last=last)

    return Ports(store=store, clock=clock, tokens=tokens, sources=sources)
