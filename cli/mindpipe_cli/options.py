"""Options and arguments that several commands share, each with one name and one meaning."""

from collections.abc import Callable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., None])

agent_option = click.option("--agent", metavar="NAME", required=True, help="Whose it is.")
key_option = click.option(
    "--key", metavar="KEY", help="Repeating it with the same content changes nothing."
)
file_argument = click.argument("file", default="-", metavar="[FILE]")
output_option = click.option(
    "--output", metavar="FILE", help="Write to this file instead of to the store or stdout."
)
offset_option = click.option(
    "--offset",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="How many to pass over first.",
)


def limit_option(default: int) -> Callable[[F], F]:
    """Declare --limit with its default."""
    return click.option(
        "--limit",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="N",
        help="At most this many.",
    )


def on_error_options(function: F) -> F:
    """Declare what happens to bad lines: all or nothing, or skipped and kept with reasons."""
    skip = click.option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="With skip, bad lines go to --rejects and the others are taken.",
    )
    rejects = click.option("--rejects", metavar="FILE", help="Keep bad lines with their reasons.")
    return skip(rejects(function))
