"""A server that was there for long, so that who is silent for a minute is lost."""

import math

from mindpipe.store.postgres.store import PostgresStore


def _always(_store: PostgresStore) -> float:
    return -math.inf


PATCHES = ((PostgresStore, "there_since", _always),)
