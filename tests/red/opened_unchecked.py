"""A build that opens a store without a look at it."""

from mindpipe.store import access

PATCHES = ((access, "require_sound", lambda _connection, _store: None),)
