"""A build whose commits do not wait for the disk; only checkpoints do, as seldom as by default."""

from mindpipe.store import sqlite

_PRAGMAS = f"{sqlite._PRAGMAS.replace('=FULL', '=NORMAL')}PRAGMA wal_autocheckpoint=1000;"

PATCHES = ((sqlite, "_PRAGMAS", _PRAGMAS),)
