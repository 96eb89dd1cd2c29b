"""Groups that load a command's module only when that command is used."""

import importlib

import click

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
            return None
        found = importlib.import_module(entry.module)
        show_hidden()
        command: click.Command = found.COMMAND
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])
