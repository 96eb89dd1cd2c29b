"""The embedding model that is configured for the strategy `semantic`, if one is."""

import os

from mindpipe.compaction.task import Embed
from mindpipe.wiring.models import ModelShop
from mindpipe_cli.session import Session


def embed_of(session: Session) -> Embed | None:
    """Return what turns texts into vectors, or None where words are to be compared."""
    shop = ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)
    embedder = shop.embedder()
    return embedder.vectors if embedder else None
