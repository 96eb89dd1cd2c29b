"""`mind completion`: a script that completes commands and options in a shell."""

import click

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.pages.completions import SHELLS
from mindpipe_cli.pages.tree import read
from mindpipe_cli.session import Session


@command("completion", example='eval "$(mind completion bash)"')
@click.argument("shell", type=click.Choice(sorted(SHELLS)))
def COMMAND(session: Session, shell: str) -> None:
    """Print the completion script for a shell: bash, zsh or fish."""
    program = click.get_current_context().find_root().command
    output.write_text(SHELLS[shell](read(program, "mind")))
