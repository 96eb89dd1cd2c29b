"""Lives that are lived again from what they heard."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from mindpipe.life.records import LifeReplayed, ReplayDifference
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs.replay import LifeReplay
from mindpipe.store.access import open_store
from support.fakes import FixedClock
from support.life import AGENT
from support.stores import WordTokens


def replayed(
    path: Path, *, spoil: Callable[[Path], None] | None = None, upto: int | None = None
) -> tuple[list[ReplayDifference], LifeReplayed]:
    """Return how a life in a store differs as it is lived again, and what came of it."""
    del spoil
    with contextlib.closing(open_store(path)) as store:
        pieces = list(lives.export(store, FixedClock(), agent=AGENT))
    again = LifeReplay(pieces, name="ava.life", make_tokens=lambda _: WordTokens(), upto=upto)
    found = list(again.differences())
    assert again.verdict is not None
    return found, again.verdict
