"""A build whose commits do not wait for the disk; only checkpoints do, as seldom as by default."""

from mindpipe.store import connection

_PRAGMAS = f"{connection._PRAGMAS.replace('=FULL', '=NORMAL')}PRAGMA wal_autocheckpoint=1000;"

PATCHES = ((connection, "_PRAGMAS", _PRAGMAS),)
