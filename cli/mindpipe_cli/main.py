"""The program `mind`: run one command, turn its errors into lines and its end into a status."""

import os
import signal
import sys
from types import FrameType

import click

from mindpipe.core.statuses import ExitStatus
from mindpipe_cli import output
from mindpipe_cli.lazy import LazyGroup
from mindpipe_cli.version import VERSION


class _Stopped(BaseException):
    """SIGTERM came; clean up on the way out."""


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="mind %(version)s")
def root() -> None:
    """Run minds that live a long time, from the shell.

    Every command reads and writes JSON Lines or one SQLite file (--store, MIND_STORE, mind.db), so
    that a whole agent is a pipeline. `mind COMMAND --help` shows an example of each.
    """


def main() -> None:
    """Run the command line and exit with its status."""
    os.umask(0o077)
    signal.signal(signal.SIGTERM, _stop)
    status = run(sys.argv[1:])
    sys.exit(int(status))


def run(arguments: list[str]) -> ExitStatus:
    """Run one command line and return its exit status; never raises but for a signal."""
    try:
        return _guarded(arguments)
    except (BrokenPipeError, KeyboardInterrupt, _Stopped) as end:
        return _ended_from_outside(end)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        output.say(f"{_command_words(arguments)}: {place}{error.strerror or error}.")
        _abandon_output()
        return ExitStatus.INPUT_OUTPUT


def _guarded(arguments: list[str]) -> ExitStatus:
    """Run one command and turn our own errors into lines on stderr."""
    from mindpipe.core.errors import BadInputError, MindError

    place = "mind"
    try:
        with root.make_context("mind", list(arguments)) as context:
            _install_failpoints()
            root.invoke(context)
        output.flush()
    except click.exceptions.Exit as end:
        output.flush()
        return ExitStatus(end.exit_code)
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx is not None:
            place = error.ctx.command_path
        output.say(f"{place}: {error.format_message()}")
        return ExitStatus.USAGE
    except BadInputError as error:
        for problem in error.problems:
            output.say(problem.line_of_text())
        return error.status
    except MindError as error:
        output.say(f"{_command_words(arguments)}: {error}")
        return error.status
    return ExitStatus.DONE


def _command_words(arguments: list[str]) -> str:
    """Return `mind` and the names of group and command that were asked for."""
    from mindpipe_cli.commands import COMMANDS

    words = [word for word in arguments if not word.startswith("-")]
    if not words or words[0] not in COMMANDS:
        return "mind"
    verbs = COMMANDS[words[0]].verbs
    return " ".join(["mind", words[0], *[word for word in words[1:2] if word in verbs]])


def _install_failpoints() -> None:
    """Let tests make the program fail at named places."""
    if os.environ.get("MIND_TESTING") == "1":
        from mindpipe.wiring.failpoints import install_from

        install_from(os.environ)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """Unwind the command, so that it cleans up."""
    raise _Stopped


def _ended_from_outside(end: BaseException) -> ExitStatus:
    """Return the status for a closed pipe or an interrupt; die of SIGTERM as it was sent."""
    if isinstance(end, _Stopped):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
    if isinstance(end, BrokenPipeError):
        _abandon_output()
        return ExitStatus.BROKEN_PIPE
    return ExitStatus.INTERRUPTED


def _abandon_output() -> None:
    """Let what is left in the buffer go, so that it does not raise again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
