"""The root of all commands, which loads a command's module when it is used, and runs one line."""

import contextlib
import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mindpipe.core.errors import ExitStatus
from mindpipe.core.version import VERSION
from mindpipe_cli import output
from mindpipe_cli.command import ActingGroup, command_words, kept_words
from mindpipe_cli.commands import COMMANDS, COMPLETING, grouped

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from mindpipe.core.errors import MindError

_HOOK = "--hook"
_NEAR = 0.7
"""From what likeness of 0 to 1 a name may be a slip: agnt of agent, and not title of table."""


class LazyGroup(click.Group):
    """The root: names and summaries from the table, code from the module that is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command and return it."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            if ctx.resilient_parsing or cmd_name.startswith("-"):
                return None
            raise click.exceptions.NoSuchCommand(cmd_name, possibilities=COMMANDS, ctx=ctx)
        found = importlib.import_module(entry.module)
        command: click.Command = found.COMMAND
        if ctx.resilient_parsing:
            from mindpipe_cli.completion import offer_values

            offer_values(cmd_name, command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem[str]]":
        """Offer the table without importing anything, and options."""
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=entry.summary)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; of a group that acts, what it does itself."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, ActingGroup):
            return name, command.acting(ctx, rest), rest
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table under its headings without importing anything."""
        width = max(map(len, COMMANDS))
        for group, entries in grouped().items():
            with formatter.section(group.value):
                # As wide as the longest name of all, so that the summaries of all groups align.
                rows = [(f"{name:{width}}", entry.summary) for name, entry in entries.items()]
                formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Show the help where there is no argument."""
        with _help_said():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command, or show the help of a group that was given no verb."""
        with _help_said():
            return super().invoke(ctx)


@contextlib.contextmanager
def _help_said() -> Iterator[None]:
    """Say the help of a group without arguments on stderr, as help and not as an error."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError as error:
        output.say(error.format_message())
        raise click.exceptions.Exit(ExitStatus.USAGE) from None


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="mind %(version)s")
def root() -> None:
    """Run minds that live a long time, from the shell.

    Every command reads and writes JSON Lines or one SQLite file (--store, MIND_STORE, mind.db), so
    that a whole agent is a pipeline. `mind COMMAND --help` shows an example of each.

    A command about one agent takes the only one of the store where --agent is not given, and says
    which there are where there are several. A simulated person is taken only where there is no
    agent.
    """


def run_command(arguments: list[str], *, typed: str | None = None) -> ExitStatus:
    """Run one command line, turn our own errors into lines on stderr, and return its status.

    `typed` is the command that was typed where that runs this line.
    """
    meta: dict[str, object] = {}
    try:
        status = _outcome(arguments, typed, meta)
        output.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        place = typed or _command_words(arguments)
        words = f"{place}: {file}{error.strerror or error}. {kept_words(meta)}"
        output.say(words.rstrip())
        output.abandon()
        return ExitStatus.INPUT_OUTPUT
    # By 2 a hook of Claude Code takes away what somebody has typed.
    blocking = status is ExitStatus.USAGE and _HOOK in arguments
    return ExitStatus.FAILED if blocking else status


def _outcome(arguments: list[str], typed: str | None, meta: dict[str, object]) -> ExitStatus:
    """Run one command line and return its status; what it ran with is left in `meta`."""
    from mindpipe.core.errors import BadInputError, EmptyInputError, MindError

    try:
        if COMPLETING in os.environ:
            _complete(os.environ[COMPLETING])
        else:
            with root.make_context("mind", list(arguments), obj=typed) as context:
                _install_failpoints()
                try:
                    root.invoke(context)
                finally:
                    meta |= context.meta
    except click.exceptions.Exit as end:
        return ExitStatus(end.exit_code)
    except click.exceptions.Abort:  # Ctrl-C or Ctrl-D where something is asked
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        _say_usage(error)
        return ExitStatus.USAGE
    except BadInputError as error:
        for problem in error.problems:
            output.say(problem.line_of_text())
        return error.status
    except EmptyInputError as error:
        return error.status
    except MindError as error:
        return _said(typed or _command_words(arguments), error)
    return ExitStatus.DONE


def _complete(instruction: str) -> None:
    """Tell a shell what may follow on its command line."""
    from mindpipe_cli.completion import complete

    complete(root, instruction)


def _say_usage(error: click.ClickException) -> None:
    """Say what is wrong with a command line, and where."""
    place = "mind"
    if isinstance(error, click.UsageError) and error.ctx is not None:
        place = command_words(error.ctx)
    words = " ".join(error.format_message().split())
    if isinstance(error, click.NoSuchOption | click.exceptions.NoSuchCommand):
        words = _with_the_near(error, place)
    if place == "mind" and isinstance(error, click.NoSuchOption):
        words = (
            f"{error.message} Options come behind the command: mind COMMAND {error.option_name} ..."
        )
    output.say(f"{place}: {words}")


def _with_the_near(error: click.NoSuchOption | click.exceptions.NoSuchCommand, place: str) -> str:
    """Return what was typed that there is not, and that of which it may be a slip, or the help."""
    import difflib

    typed = error.option_name if isinstance(error, click.NoSuchOption) else error.command_name
    known = {one.lstrip("-"): one for one in error.possibilities or ()}
    near = difflib.get_close_matches(typed.lstrip("-"), known, n=1, cutoff=_NEAR)
    if near:
        return f"{error.message} Did you mean '{known[near[0]]}'?"
    return f"{error.message.rstrip('.')}; {place} --help shows what there is."


def _command_words(arguments: list[str]) -> str:
    """Return `mind` and the names of group and command that were asked for."""
    from mindpipe_cli.commands import COMMANDS

    words = [word for word in arguments if not word.startswith("-")]
    if not words or words[0] not in COMMANDS:
        return "mind"
    verbs = COMMANDS[words[0]].verbs
    return " ".join(["mind", words[0], *[word for word in words[1:2] if word in verbs]])


def _said(place: str, error: "MindError") -> ExitStatus:
    """Say what ended a command; a store that is damaged is in RECOVERY from now on."""
    from mindpipe.core.errors import DamagedError

    if isinstance(error, DamagedError):
        from mindpipe.engine.worker.recovery import notice
        from mindpipe.io.clock import make_clock

        notice(error, make_clock(None))
    output.say(f"{place}: {error}")
    return error.status


def _install_failpoints() -> None:
    """Let tests make the program fail at named places."""
    if os.environ.get("MIND_TESTING") == "1":
        from mindpipe.io.failpoints import install_from

        install_from(os.environ)
