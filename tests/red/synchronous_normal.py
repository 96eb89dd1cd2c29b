"""A build whose commits do not wait for the disk; only checkpoints do."""

from mindpipe.store import connection

PATCHES = ((connection, "_PRAGMAS", connection._PRAGMAS.replace("=FULL", "=NORMAL")),)
