"""Run `mind` as a broken build would: nobody waits for a store that is being written."""

from mindpipe.store import sqlite
from support.broken_builds import run_broken

PATCHES = ((sqlite, "BUSY_MILLISECONDS", 0),)

if __name__ == "__main__":
    run_broken(PATCHES)
