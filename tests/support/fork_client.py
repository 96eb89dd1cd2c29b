"""Stand on the PATH as `mind`: hand the three streams to a parent of `mind`, and end as it ends.

Run as a program with nothing of Python's library loaded, so that it starts in milliseconds. The
socket of the parent stands beside it; the parent reads all else that it needs from /proc.
"""

import _signal
import _socket
import posix
import sys

# How many words of the command line stand before what was asked: the interpreter, -IS, this file.
_OWN_WORDS = b"\3"
_FORWARDED = (
    _signal.SIGCONT,
    _signal.SIGHUP,
    _signal.SIGINT,
    _signal.SIGQUIT,
    _signal.SIGTERM,
    _signal.SIGUSR1,
)


def main() -> None:
    """Wait for the end of the child and end in the same way; a signal is passed on to it."""
    parent = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    parent.connect(f"{sys.argv[0].rpartition('/')[0]}/door")
    for number in _FORWARDED:
        if _signal.getsignal(number) is not _signal.SIG_IGN:
            _signal.signal(number, lambda number, _frame: parent.send(bytes([number])))
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    parent.sendmsg([_OWN_WORDS], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    status = int(parent.recv(16) or b"1")
    if status < 0:
        if -status != _signal.SIGKILL:
            _signal.signal(-status, _signal.SIG_DFL)
        posix.kill(posix.getpid(), -status)
    posix._exit(status)


main()
