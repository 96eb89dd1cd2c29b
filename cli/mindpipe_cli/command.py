"""How a command is declared: common options, a worked example, a Session as first argument."""

import functools
import os
from collections.abc import Callable, Mapping

import click

from mindpipe_cli.commands import COMMANDS, ELSEWHERE
from mindpipe_cli.options import refuse_inputs, whole_ids
from mindpipe_cli.output import Shape
from mindpipe_cli.session import Session

_SHAPES: tuple[tuple[Shape, str], ...] = (
    ("json", "Print records as JSON Lines."),
    ("table", "Print a table."),
    ("csv", "Print comma-separated values."),
    ("tsv", "Print tab-separated values."),
)
_SETTINGS = ("store", "now", "seed")
_SESSION = "mindpipe_cli.session"


def command(name: str, *, example: str) -> Callable[[Callable[..., None]], click.Command]:
    """Declare a command whose function takes a Session and its own options.

    `example` is one worked example, shown at the end of its help and in its manual page.
    """

    def declare(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def run(**values: str | int | bool | None) -> None:
            chosen: list[Shape] = [shape for shape, _ in _SHAPES if values.pop(f"as_{shape}")]
            if len(chosen) > 1:
                raise click.UsageError(f"Give one of --{' and --'.join(chosen)}.")
            if values.pop("no_color"):
                os.environ["NO_COLOR"] = "1"
            options = {setting: values.pop(f"common_{setting}") for setting in _SETTINGS}
            full = bool(values.pop("common_full"))
            session = Session(options, chosen[0] if chosen else None, full=full)
            context = click.get_current_context()
            context.meta[_SESSION] = session
            refuse_inputs(context, session)
            try:
                function(session, **whole_ids(session, context, values))
            finally:
                session.tell_redacted()

        return click.Command(
            name,
            callback=run,
            params=[*reversed(getattr(function, "__click_params__", [])), *options_everywhere()],
            help=function.__doc__,
            epilog=f"\b\nExample:\n  {example}",
        )

    return declare


def kept_words(meta: Mapping[str, object]) -> str:
    """Return in words what a command line left that cannot be printed, by the meta of its context.

    Empty where it left nothing, or did not come to run.
    """
    session = meta.get(_SESSION)
    return session.kept() if isinstance(session, Session) else ""


def command_words(context: click.Context) -> str:
    """Return the command in which something is said: that which was typed, if another runs it."""
    typed: str | None = context.obj
    return typed or context.command_path


class VerbGroup(click.Group):
    """A group of verbs; one that another group has for all of its kind is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for."""
        elsewhere = ELSEWHERE.get((self.name or "", args[0]))
        if elsewhere is not None and not ctx.resilient_parsing:
            raise click.UsageError(f"No such command {args[0]!r}; mind {elsewhere} does it.", ctx)
        return super().resolve_command(ctx, args)


class ActingGroup(click.Group):
    """A group that does something itself where no verb is named.

    It has the options and the example of what it does then; after a verb they are the verb's.
    """

    def __init__(self, name: str, commands: dict[str, click.Command], alone: click.Command) -> None:
        super().__init__(
            name,
            commands,
            params=alone.params,
            help=alone.help,
            epilog=alone.epilog,
            subcommand_metavar="[COMMAND] [ARGS]...",
        )
        self._alone = alone

    def acting(self, context: click.Context, arguments: list[str]) -> click.Command:
        """Return what is to be done: by the group where arguments name a verb or ask for help."""
        if context.resilient_parsing and not arguments:
            # A shell is offered the verbs and the options; an argument would come before verbs.
            options = [param for param in self.params if isinstance(param, click.Option)]
            return click.Group(self.name, self.commands, params=options)
        if arguments and self._is_verb(arguments[0]):
            # An argument of its own would take the verb for itself.
            return click.Group(self.name, self.commands)
        if set(arguments[:1]) & set(context.help_option_names):
            return self
        if not context.resilient_parsing:
            self._refuse_late_verb(context, arguments)
        return self._alone

    def _is_verb(self, argument: str) -> bool:
        """Tell whether an argument that comes first must name a verb: it is none of its own."""
        takes_one = any(isinstance(param, click.Argument) for param in self._alone.params)
        return argument in self.commands if takes_one else not argument.startswith("-")

    def _refuse_late_verb(self, context: click.Context, arguments: list[str]) -> None:
        """Raise UsageError where a verb stands behind the options that are meant for it."""
        try:
            _, rest, _ = self._alone.make_parser(context).parse_args(list(arguments))
        except click.UsageError:
            return  # it is said again, better, when the command is made
        if rest and rest[0] in self.commands:
            first = f"mind {self.name} {rest[0]}"
            here = click.Context(self, parent=context, info_name=self.name)
            raise click.UsageError(
                f"Options come behind the verb: {first} {arguments[0]} ...", here
            )


def group(name: str, *commands: click.Command, alone: click.Command | None = None) -> click.Group:
    """Make the group of one domain from its commands, with its summary from the table.

    `alone` is what the group does where no verb is named.
    """
    verbs = {made.name or "": made for made in commands}
    if alone is not None:
        return ActingGroup(name, verbs, alone)
    return VerbGroup(name, verbs, help=COMMANDS[name].summary)


def _instant(_context: click.Context, _option: click.Parameter, written: str | None) -> str | None:
    """Return an instant as it was written; raises UsageError where it is none."""
    if written is not None:
        from mindpipe.core.instants import normal_instant

        normal_instant(written)
    return written


def options_everywhere() -> list[click.Option]:
    """Return the options that every command has, with one name and one meaning."""
    return [
        click.Option(["--store", "common_store"], metavar="FILE", help="The store [mind.db]."),
        click.Option(
            ["--now", "common_now"],
            metavar="INSTANT",
            callback=_instant,
            help="A standing wall clock.",
        ),
        click.Option(
            ["--seed", "common_seed"], type=int, metavar="N", help="Ids and chance to repeat."
        ),
        *(
            click.Option([f"--{shape}", f"as_{shape}"], is_flag=True, help=words)
            for shape, words in _SHAPES
        ),
        click.Option(
            ["--full", "common_full"], is_flag=True, help="Cut and leave out nothing in a table."
        ),
        click.Option(["--no-color", "no_color"], is_flag=True, help="No colours."),
    ]
