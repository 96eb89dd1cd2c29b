"""How a command is declared: common options, a worked example, a Session as first argument."""

import functools
import os
from collections.abc import Callable

import click

from mindpipe_cli.commands import COMMANDS
from mindpipe_cli.output import Shape
from mindpipe_cli.session import Session

_SHAPES: tuple[tuple[Shape, str], ...] = (
    ("json", "Print records as JSON Lines."),
    ("table", "Print a table."),
    ("csv", "Print comma-separated values."),
    ("tsv", "Print tab-separated values."),
)
_SETTINGS = ("store", "now", "seed")


def command(name: str, *, example: str) -> Callable[[Callable[..., None]], click.Command]:
    """Declare a command whose function takes a Session and its own options.

    `example` is one worked example, shown at the end of its help and in its manual page.
    """

    def declare(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(**values: str | int | bool | None) -> None:
            chosen: list[Shape] = [shape for shape, _ in _SHAPES if values.pop(f"as_{shape}")]
            if values.pop("no_color"):
                os.environ["NO_COLOR"] = "1"
            options = {setting: values.pop(f"common_{setting}") for setting in _SETTINGS}
            function(Session(options, chosen[0] if chosen else None), **values)

        return click.Command(
            name,
            callback=run,
            params=[*reversed(getattr(function, "__click_params__", [])), *options_everywhere()],
            help=function.__doc__,
            epilog=f"\b\nExample:\n  {example}",
        )

    return declare


def group(name: str, *commands: click.Command) -> click.Group:
    """Make the group of one domain from its commands, with its summary from the table."""
    return click.Group(
        name, {made.name or "": made for made in commands}, help=COMMANDS[name].summary
    )


def options_everywhere() -> list[click.Option]:
    """Return the options that every command has, with one name and one meaning."""
    return [
        click.Option(["--store", "common_store"], metavar="FILE", help="The store [mind.db]."),
        click.Option(["--now", "common_now"], metavar="INSTANT", help="A standing wall clock."),
        click.Option(["--seed", "common_seed"], type=int, metavar="N", help="Reproducible ids."),
        *(
            click.Option([f"--{shape}", f"as_{shape}"], is_flag=True, help=words)
            for shape, words in _SHAPES
        ),
        click.Option(["--no-color", "no_color"], is_flag=True, help="No colours."),
    ]
