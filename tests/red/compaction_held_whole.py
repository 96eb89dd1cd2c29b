"""Run `mind` as a broken build would: it decodes a whole conversation before it folds it."""

from typing import Any

from mindpipe.compaction import documents
from mindpipe.compaction.documents import HeardDocument, heard_aside
from support.broken_builds import run_broken


def _heard_whole(*arguments: Any, **more: Any) -> HeardDocument:
    """Return what is said with all of it in memory."""
    heard = heard_aside(*arguments, **more)
    return heard._replace(messages=list(heard.messages), items=list(heard.items))


PATCHES = ((documents, "heard_aside", _heard_whole),)

if __name__ == "__main__":
    run_broken(PATCHES)
