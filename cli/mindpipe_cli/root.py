"""The root of all commands, and how one command line is run under it."""

import os
from typing import TYPE_CHECKING

import click

from mindpipe.core.statuses import ExitStatus
from mindpipe_cli import output
from mindpipe_cli.lazy import LazyGroup
from mindpipe_cli.version import VERSION

if TYPE_CHECKING:
    from mindpipe.core.errors import MindError


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="mind %(version)s")
def root() -> None:
    """Run minds that live a long time, from the shell.

    Every command reads and writes JSON Lines or one SQLite file (--store, MIND_STORE, mind.db), so
    that a whole agent is a pipeline. `mind COMMAND --help` shows an example of each.
    """


def run_command(arguments: list[str]) -> ExitStatus:
    """Run one command line, turn our own errors into lines on stderr, and return its status."""
    from mindpipe.core.errors import BadInputError, MindError

    try:
        with root.make_context("mind", list(arguments)) as context:
            _install_failpoints()
            root.invoke(context)
        output.flush()
    except click.exceptions.Exit as end:
        output.flush()
        return ExitStatus(end.exit_code)
    except click.ClickException as error:
        _say_usage(error)
        return ExitStatus.USAGE
    except BadInputError as error:
        for problem in error.problems:
            output.say(problem.line_of_text())
        return error.status
    except MindError as error:
        return _said(arguments, error)
    except BrokenPipeError:
        raise
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        output.say(f"{_command_words(arguments)}: {file}{error.strerror or error}.")
        output.abandon()
        return ExitStatus.INPUT_OUTPUT
    return ExitStatus.DONE


def _say_usage(error: click.ClickException) -> None:
    """Say what is wrong with a command line, and where."""
    place = "mind"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        place = error.ctx.command_path
    words = " ".join(error.format_message().split())
    if place == "mind" and isinstance(error, click.NoSuchOption):
        words = f"{words} Options come behind the command: mind COMMAND {error.option_name} ..."
    output.say(f"{place}: {words}")


def _command_words(arguments: list[str]) -> str:
    """Return `mind` and the names of group and command that were asked for."""
    from mindpipe_cli.commands import COMMANDS

    words = [word for word in arguments if not word.startswith("-")]
    if not words or words[0] not in COMMANDS:
        return "mind"
    verbs = COMMANDS[words[0]].verbs
    return " ".join(["mind", words[0], *[word for word in words[1:2] if word in verbs]])


def _said(arguments: list[str], error: "MindError") -> ExitStatus:
    """Say what ended a command; a store that is damaged is in RECOVERY from now on."""
    from mindpipe.core.errors import DamagedError

    if isinstance(error, DamagedError):
        from mindpipe.wiring.clock import make_clock
        from mindpipe.wiring.recovery import notice

        notice(error, make_clock(None))
    output.say(f"{_command_words(arguments)}: {error}")
    return error.status


def _install_failpoints() -> None:
    """Let tests make the program fail at named places."""
    if os.environ.get("MIND_TESTING") == "1":
        from mindpipe.wiring.failpoints import install_from

        install_from(os.environ)
