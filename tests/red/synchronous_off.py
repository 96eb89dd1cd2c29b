"""A build that never waits for the disk."""

from mindpipe.store import sqlite

PATCHES = ((sqlite, "_PRAGMAS", sqlite._PRAGMAS.replace("=FULL", "=OFF")),)
