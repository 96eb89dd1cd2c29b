"""A build in which whoever a line names as its sender or speaker has said it."""

from collections.abc import Iterable

from mindpipe.context.verbs import speakers as senders
from mindpipe.core import sources
from mindpipe.core.ports import Store
from mindpipe.inbox.records import Event
from support.broken_builds import run_broken


def _known(_store: Store, event: Event, *, trust: tuple[str, ...]) -> Event:
    """Take an event for what it says."""
    return event


def _may_speak(_speaker: str, _sources: Iterable[str]) -> bool:
    """Let every source speak for anybody."""
    return True


PATCHES = ((senders, "known", _known), (sources, "may_speak", _may_speak))

if __name__ == "__main__":
    run_broken(PATCHES)
