"""A build that never waits for the disk."""

from mindpipe.store import connection

PATCHES = ((connection, "_PRAGMAS", connection._PRAGMAS.replace("=FULL", "=OFF")),)
