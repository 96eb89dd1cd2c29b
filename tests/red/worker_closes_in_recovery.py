"""A build in which a worker that stays marks its end also in a store that is in RECOVERY."""

from mindpipe.store.sqlite import SqliteStore

PATCHES = ((SqliteStore, "refuse", lambda _store, _refusal: None),)
