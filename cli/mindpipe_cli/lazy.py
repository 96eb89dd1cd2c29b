"""Groups that load a command's module only when that command is used."""

import contextlib
import importlib
from collections.abc import Iterator

import click

from mindpipe.core.statuses import ExitStatus
from mindpipe_cli import output
from mindpipe_cli.command import ActingGroup
from mindpipe_cli.commands import COMMANDS
from mindpipe_cli.startup import show_hidden


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
        show_hidden()
        command: click.Command = found.COMMAND
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; of a group that acts, what it does itself."""
        name, command, rest = super().resolve_command(ctx, args)
        if isinstance(command, ActingGroup):
            return name, command.acting(ctx, rest), rest
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])

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
