"""A build in which prompts show a claim as one, and memory and beliefs take it for the person."""

from mindpipe.context.verbs import speakers as senders
from mindpipe.core import sources
from mindpipe.core.ports import Store
from mindpipe.core.sources import SaidBy
from mindpipe.inbox.records import Event
from support.broken_builds import run_broken


def _said_by(_store: Store, event: Event, *, trust: tuple[str, ...]) -> SaidBy:
    """Take the sender that an event names for the speaker."""
    return SaidBy(event.sender, None)


PATCHES = (
    (senders, "said_by", _said_by),
    (sources, "may_speak", lambda _speaker, _sources: True),
)

if __name__ == "__main__":
    run_broken(PATCHES)
