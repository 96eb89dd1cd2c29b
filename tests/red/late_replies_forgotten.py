"""A build in which a reply that comes after the time of its wait is a message like any other."""

from mindpipe.core.ports import Store
from mindpipe.trigger_runs import verbs
from mindpipe.trigger_runs.records import HeardMessage, ReplyWait


def _answered_late(_store: Store, *, agent: str, message: HeardMessage) -> ReplyWait | None:
    """Remember no wait that is over."""


PATCHES = ((verbs, "answered_late", _answered_late),)
