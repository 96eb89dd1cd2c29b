"""A build in which no worker is asked whether it still holds its agent, or its call."""

from mindpipe.agents.verbs import lease as leases
from mindpipe.core.ports import Store
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import Settlement


def _pass(_store: Store, *, agent: str, owner: str, epoch: int) -> None:
    """Let every worker write."""


def _take(_store: Store, *, settlement: Settlement) -> None:
    """Take any reply; the ledger is the second fence, as it knows whose call was given up."""


PATCHES = ((leases, "check", _pass), (spending, "settle", _take))
