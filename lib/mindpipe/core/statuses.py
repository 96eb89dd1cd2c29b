"""The exit statuses of every command."""

import enum


class ExitStatus(enum.IntEnum):
    """Say how a command ended; nothing else is ever returned."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOTHING_TO_DO = 3
    REFUSED = 4
    BAD_DATA = 65
    UNAVAILABLE = 69
    INPUT_OUTPUT = 74
    TEMPORARY = 75
    INTERRUPTED = 130
    BROKEN_PIPE = 141
