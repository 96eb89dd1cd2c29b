"""What became of a commit whose answer was cut off: a server tells by its number."""

import time
from collections.abc import Callable, Sequence

import psycopg
from psycopg import errors

from mindpipe.core.errors import CommitUnknownError, MindError, StoreBusyError
from mindpipe.core.ports import Cell
from mindpipe.store.postgres.messages import Connection

ANSWER_SECONDS = 30
"""So long it is asked what became of a commit whose answer was cut off."""
_PAUSE = 0.2
BEGAN = "greatest(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter))"
"""Since when a server runs.

A crash of one of its processes begins it anew: it goes on under its old start, and forgets what it
had counted.
"""
# A number that was lost in a crash is given to another transaction afterwards.
_SERVER = (
    f"left(pg_walfile_name(pg_current_wal_lsn()), 8), {BEGAN}::text, "
    "pg_postmaster_start_time()::text"
)
NUMBER = f"SELECT pg_current_xact_id_if_assigned()::text, {_SERVER}"
"""Asks by what a server knows the open transaction; see `SentCommit`."""
# A replica has yet to hear of what was committed.
_STATUS = f"SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_xact_status(%s::xid8) END, {_SERVER}"


def nothing_kept() -> StoreBusyError:
    """Return the error for a transaction that ended with its connection."""
    return StoreBusyError(
        "the connection was lost, and nothing of the last transaction was kept. Try again."
    )


class SentCommit:
    """A commit whose answer may be cut off: the transaction's number, and which server has it.

    That is known by its timeline, and since when it runs.
    """

    def __init__(self, number: str, server: Sequence[Cell]) -> None:
        self._number, self._server = number, list(server)

    def require(self, connected: Callable[[], Connection]) -> None:
        """Return when the server says that it was committed.

        `connected` connects anew, where that is needed.

        Raises:
            StoreBusyError: it was not, and can be tried again.
            CommitUnknownError: the server cannot say; it is another one since.
        """
        until = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < until:
            match self._status(connected):
                case "committed":
                    return
                case "aborted":
                    raise nothing_kept()
                case "unknown":
                    break
            time.sleep(_PAUSE)
        raise CommitUnknownError(
            "the connection was lost in a commit, and the server cannot say whether it was kept. "
            "What has a key can be given again, and is kept once."
        )

    def _status(self, connected: Callable[[], Connection]) -> str | None:
        """Return what became of it, or None where the server does not answer yet."""
        try:
            found = connected().execute(_STATUS, [self._number]).fetchone()
        except (MindError, psycopg.OperationalError):
            return None
        except errors.InvalidParameterValue:
            # A number that is still to be given was lost with its transaction.
            return "aborted"
        except psycopg.Error:
            return "unknown"
        return self._judged(*(found or (None, None, None, None)))

    def _judged(self, status: Cell, timeline: Cell, began: Cell, started: Cell) -> str | None:
        """Judge what a server says of the number, which may be another transaction's there."""
        if status is None or timeline != self._server[0]:
            return "unknown"
        if status == "in progress":
            # On a server that was started anew another one was given its number: it was not kept.
            return None if started == self._server[2] else "aborted"
        return "unknown" if status == "committed" and began != self._server[1] else str(status)
