"""The program `mind`: run one command line, whatever ends it, and exit with its status."""

import os
import signal
import sys
from types import FrameType

from mindpipe.core.errors import ExitStatus
from mindpipe_cli import startup


class _Stopped(BaseException):
    """SIGTERM came; clean up on the way out."""


def main() -> None:
    """Run the command line and exit with its status."""
    startup.begin()
    os.umask(0o077)
    signal.signal(signal.SIGTERM, _stop)
    status = run(sys.argv[1:]) if startup.open_streams() else _unheard()
    startup.end()
    sys.exit(int(status))


def run(arguments: list[str]) -> ExitStatus:
    """Run one command line and return its exit status; never raises but for a signal."""
    try:
        # Imported here, because nothing may be loaded before `startup.begin`.
        from mindpipe_cli.root import run_command

        return run_command(arguments)
    except (BrokenPipeError, KeyboardInterrupt, _Stopped) as end:
        return _ended_from_outside(end)


def _unheard() -> ExitStatus:
    """Say that nothing can be printed; what had been done by then would be done again."""
    from mindpipe_cli import output

    output.say("mind: stdout is closed; open it, or send it to /dev/null.")
    return ExitStatus.INPUT_OUTPUT


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Unwind the command, so that it cleans up; another one meanwhile changes nothing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Stopped


def _ended_from_outside(end: BaseException) -> ExitStatus:
    """Return the status for a closed pipe or an interrupt; die of SIGTERM as it was sent."""
    if isinstance(end, _Stopped):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    if isinstance(end, BrokenPipeError):
        from mindpipe_cli import output

        output.abandon()
        return ExitStatus.BROKEN_PIPE
    return ExitStatus.INTERRUPTED
