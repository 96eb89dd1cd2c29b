"""Run `mind` as a broken build would: nobody waits for a store that is being written."""

from mindpipe.store import connection
from mindpipe_cli.main import main

connection.BUSY_MILLISECONDS = 0

if __name__ == "__main__":
    main()
