"""A build that opens a store without a look at it."""

from mindpipe.wiring import stores

PATCHES = ((stores, "require_sound", lambda _connection, _store: None),)
