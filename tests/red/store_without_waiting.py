"""Run `mind` as a broken build would: nobody waits for a store that is being written."""

from mindpipe.store import sqlite
from mindpipe_cli.main import main

sqlite.BUSY_MILLISECONDS = 0

if __name__ == "__main__":
    main()
